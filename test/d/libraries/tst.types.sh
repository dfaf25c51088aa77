# Asserts that the types of a library are known.

mkdir lib; echo 'typedef struct pair { int a; long b; } pair_t;' >lib/a.d
$ERLTRACE -L lib -qn 'BEGIN { printf("%d\n", sizeof (pair_t)); exit(0); }'
