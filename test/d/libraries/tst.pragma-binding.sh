# Asserts that binding and attributes pragmas of a library are accepted.

mkdir lib
printf 'inline int A = 5;\n#pragma D attributes Stable/Stable/Common A\n#pragma D binding "1.0" A\n' >lib/a.d
$ERLTRACE -L lib -qn 'BEGIN { printf("%d\n", A); exit(0); }'
