# Asserts that -Z allows descriptions that match nothing.

$ERLTRACE -Z -q -n 'nosuch:::probe' -n 'BEGIN { printf("Z\n"); exit(0); }'
