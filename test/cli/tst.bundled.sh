# Bundled flags, values glued to their flag, flags after probes, and -- before macro arguments that look like flags.
printf '%s\n' 'BEGIN { printf("%s %s %d\n", $$0, $$1, $2); exit(0); }' >x.d
"$ERLTRACE" -qs x.d one 2
"$ERLTRACE" -qsx.d one 2
"$ERLTRACE" one -s x.d 2 -q
"$ERLTRACE" -q -s x.d -- -x 7
"$ERLTRACE" -qn'BEGIN { trace($1); exit(0); }' 5
echo
"$ERLTRACE" -32 -qn 'BEGIN { trace($$1); exit(0); }' -64 word
echo
