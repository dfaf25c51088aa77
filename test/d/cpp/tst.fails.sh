# Asserts that a failing preprocessor is an error with status 1.

printf '#include "nosuch.h"\nBEGIN { exit(0); }\n' >a.d
$ERLTRACE -C -qs a.d >/dev/null 2>&1; echo $?
