# Several programs of all kinds run in the order of the command line, and share their variables.
echo 'BEGIN { x = x * 10 + 2; }' >two.d
"$ERLTRACE" -q -n 'BEGIN { x = 1; }' -s two.d -i '1 { x = x * 10 + 3; }' -P 'dtrace /probename == "BEGIN"/ { x = x * 10 + 4; }' \
	-n 'BEGIN { printf("%d\n", x); exit(0); }'
