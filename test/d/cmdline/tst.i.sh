# Asserts that -i takes a probe number: BEGIN is 1.

$ERLTRACE -q -i '1 { printf("%s\n", probename); exit(0); }'
