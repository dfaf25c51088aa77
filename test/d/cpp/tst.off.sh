# Asserts that without -C a #define is refused.

printf '#define X 1\nBEGIN { exit(X); }\n' >a.d
$ERLTRACE -qs a.d >/dev/null 2>&1; echo $?
