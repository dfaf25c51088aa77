# Asserts that macro arguments may stand between options.

$ERLTRACE 12 -q -n 'BEGIN { printf("%d\n", $1); exit(0); }'
