# Asserts that -L finds a library and its inlines are known.

mkdir lib; echo 'inline int ANSWER = 42;' >lib/a.d
$ERLTRACE -L lib -qn 'BEGIN { printf("%d\n", ANSWER); exit(0); }'
