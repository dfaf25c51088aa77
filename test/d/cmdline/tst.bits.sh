# Asserts that -32 and -64 are accepted.

$ERLTRACE -64 -qn 'BEGIN { printf("64\n"); exit(0); }'
$ERLTRACE -32 -qn 'BEGIN { printf("32\n"); exit(0); }'
