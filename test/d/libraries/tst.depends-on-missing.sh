# Asserts that a library whose provider is missing is left out.

mkdir lib
printf '#pragma D depends_on provider nosuchprovider\ninline int B = 1;\n' >lib/a.d
echo 'inline int A = 1;' >lib/z.d
$ERLTRACE -L lib -qn 'BEGIN { printf("%d\n", A); exit(0); }'
$ERLTRACE -L lib -xerrtags -qn 'BEGIN { printf("%d\n", B); exit(0); }' 2>&1 | grep -c D_IDENT_UNDEF
true
