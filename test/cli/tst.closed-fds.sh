# The command works when standard input, output or error is closed.
"$ERLTRACE" -qn 'BEGIN { printf("in\n"); exit(0); }' <&-
"$ERLTRACE" -qn 'BEGIN { printf("err\n"); exit(0); }' 2>&-
"$ERLTRACE" -qn 'BEGIN { printf("out\n"); exit(0); }' >&- 2>err
echo "status $?"
"$ERLTRACE" -qn 'BEGIN { exit(3); }' <&- >&- 2>&-
echo "nothing left: $?"
