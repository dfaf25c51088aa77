# Asserts that -f reads provider:module:function.

$ERLTRACE -q -f 'dtrace:: { printf("%s ", probename); exit(0); }'
