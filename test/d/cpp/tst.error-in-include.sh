# Asserts that an error in an included file names that file.

printf 'BEGIN { nosuch(); }\n' >bad.h
printf '#include "bad.h"\n' >a.d
$ERLTRACE -C -qs a.d 2>&1 | grep -q 'bad\.h' && echo named
true
