# Asserts that freopen() formats its name.

$ERLTRACE -w -qn 'BEGIN { freopen("f%d", 7); printf("x\n"); freopen(""); exit(0); }' >/dev/null
cat f7
