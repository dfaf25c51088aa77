# Asserts that -s /dev/stdin reads the script from standard input.

printf "%s\n" 'BEGIN { printf("stdin\n"); exit(0); }' | $ERLTRACE -qs /dev/stdin
