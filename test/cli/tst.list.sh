# -l: columns, all probes, by provider, name, id and script, and what -v adds.
"$ERLTRACE" -l | head -n 4
"$ERLTRACE" -l -P dtrace | tail -n +2
"$ERLTRACE" -l -n 'profile-*' | tail -n +2 | wc -l
"$ERLTRACE" -l -i 2 | tail -n +2
printf 'BEGIN { x = 1; }\ntick-13s { }\nEND { }\n' >x.d
"$ERLTRACE" -l -s x.d | awk '{ print $NF }'
"$ERLTRACE" -l -v -n BEGIN
"$ERLTRACE" -l -n nosuch
echo "status $?"
