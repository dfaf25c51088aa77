# Asserts that -o appends.

echo old >out
$ERLTRACE -q -o out -n 'BEGIN { printf("new\n"); exit(0); }'
cat out
