# Asserts that flags can be bundled: -qn.

$ERLTRACE -qn 'BEGIN { printf("bundled\n"); exit(0); }'
