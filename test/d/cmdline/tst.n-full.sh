# Asserts that -n takes a full description.

$ERLTRACE -q -n 'dtrace:::BEGIN { printf("full\n"); exit(0); }'
