# Asserts that ftruncate() empties the output file.

$ERLTRACE -w -o out -qn 'BEGIN { printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }'
cat out
