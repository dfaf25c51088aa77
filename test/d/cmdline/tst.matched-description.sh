# Asserts that the number of matches is told on standard error.

$ERLTRACE -n 'BEGIN' -n 'dtrace:::END' -n 'tick-1ms { exit(0); }' 2>&1 >/dev/null | sed 's/^[^:]*: //'
