# Asserts that an argument can be glued to its flag.

printf "%s\n" 'BEGIN { printf("glued\n"); exit(0); }' >a.d
$ERLTRACE -q -sa.d
