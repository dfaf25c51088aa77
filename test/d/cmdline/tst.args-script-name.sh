# Asserts that $$0 is the name of the script.

printf '%s\n' 'BEGIN { printf("%s\n", $$0); exit(0); }' >a.d
$ERLTRACE -qs a.d
