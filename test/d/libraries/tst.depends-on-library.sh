# Asserts that depends_on library orders libraries.

mkdir lib
printf '#pragma D depends_on library z.d\ninline int B = A + 1;\n' >lib/a.d
echo 'inline int A = 1;' >lib/z.d
$ERLTRACE -L lib -qn 'BEGIN { printf("%d\n", B); exit(0); }'
