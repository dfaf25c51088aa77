# Asserts that a broken object is refused.

$ERLTRACE -q --compile-only -o x.dobj -n 'BEGIN { printf("object\n"); exit(0); }'
head -c 100 x.dobj >y.dobj
$ERLTRACE y.dobj >/dev/null 2>err; echo $?
test -s err && echo told
true
