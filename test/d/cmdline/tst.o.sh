# Asserts that -o writes to a file.

$ERLTRACE -q -o out -n 'BEGIN { printf("to file\n"); exit(0); }'
cat out
