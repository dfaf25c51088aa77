# Asserts that several -L add up.

mkdir l1 l2; echo 'inline int A = 1;' >l1/a.d; echo 'inline int B = 2;' >l2/b.d
$ERLTRACE -L l1 -L l2 -qn 'BEGIN { printf("%d\n", A + B); exit(0); }'
