# Asserts that a closed standard input does no harm.

$ERLTRACE -q -n 'BEGIN { printf("ok\n"); exit(0); }' <&-
