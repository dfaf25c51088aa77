# The command prints "matched N probes" on standard error, as dtrace does, unless it is quiet.
"$ERLTRACE" -n BEGIN -n 'END {}' -n 'BEGIN,END /1/ { exit(0); }' 2>&1 >/dev/null
echo 'BEGIN { exit(0); }' >x.d
"$ERLTRACE" -s x.d 2>&1 >/dev/null
"$ERLTRACE" -q -s x.d 2>&1
"$ERLTRACE" -n 'BEGIN { exit(0); }' -w 2>&1 >/dev/null
