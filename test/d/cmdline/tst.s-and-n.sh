# Asserts that -s and -n combine in order.

echo 'BEGIN { printf("script "); }' >a.d
$ERLTRACE -q -s a.d -n 'BEGIN { printf("then n\n"); exit(0); }'
