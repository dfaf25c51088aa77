# Asserts that nolibs leaves libraries out.

mkdir lib; echo 'inline int A = 1;' >lib/a.d
$ERLTRACE -L lib -xnolibs -xerrtags -qn 'BEGIN { trace(A); exit(0); }' 2>&1 | grep -c D_IDENT_UNDEF
true
