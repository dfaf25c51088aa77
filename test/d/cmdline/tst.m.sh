# Asserts that -m reads provider:module.

$ERLTRACE -q -m 'dtrace: { printf("%s ", probename); exit(0); }'
