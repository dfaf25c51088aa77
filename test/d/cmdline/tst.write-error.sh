# Asserts that a full output device is reported with status 1.

$ERLTRACE -q -n 'BEGIN { printf("x\n"); exit(0); }' >/dev/full 2>err; echo $?
