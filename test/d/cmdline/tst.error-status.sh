# Asserts that run-time errors leave the status of exit().

$ERLTRACE -q -n 'BEGIN { trace(*(int *)0); }' -n 'BEGIN { exit(0); }' >/dev/null 2>err; echo $?
grep -c 'error on enabled probe ID [0-9]* (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1 at DIF offset [0-9]*$' err
true
