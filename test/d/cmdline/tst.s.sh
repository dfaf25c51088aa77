# Asserts that -s reads a script.

printf '%s\n' 'BEGIN { printf("s\n"); exit(0); }' >a.d
$ERLTRACE -q -s a.d
