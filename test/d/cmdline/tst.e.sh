# Asserts that -e compiles and does not run.

$ERLTRACE -e -q -n 'BEGIN { printf("ran\n"); exit(0); }'; echo $?
