# Asserts that -n takes a program of several clauses.

$ERLTRACE -q -n 'BEGIN { printf("a"); } BEGIN { printf("b\n"); exit(0); }'
