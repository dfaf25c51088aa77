# Asserts that exit() ends tracing before the command of -c ends.

$ERLTRACE -q -c 'sleep 20' -n 'BEGIN { printf("x\n"); exit(3); }'; echo $?
