# Asserts that flags can be bundled: -qs.

printf "%s\n" 'BEGIN { printf("qs\n"); exit(0); }' >a.d
$ERLTRACE -qs a.d
