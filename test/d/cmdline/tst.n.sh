# Asserts that -n takes a description and a clause.

$ERLTRACE -q -n 'BEGIN { printf("n\n"); exit(0); }'
