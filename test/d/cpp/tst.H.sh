# Asserts that -H lists the included files on standard error.

echo '#define V 6' >v.h
printf '#include "v.h"\nBEGIN { exit(0); }\n' >a.d
$ERLTRACE -C -H -qs a.d 2>&1 >/dev/null | grep -c '^\. .*v\.h'
true
