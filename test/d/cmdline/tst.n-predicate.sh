# Asserts that -n takes a predicate too.

$ERLTRACE -q -n 'BEGIN /0/ { printf("no\n"); }' -n 'BEGIN /1/ { printf("yes\n"); exit(0); }'
