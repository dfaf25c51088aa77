# Asserts that errors after an #include have the line of the script.

printf '\n\n\n' >v.h
printf '#include "v.h"\nBEGIN\n{\n\tnosuch();\n}\n' >a.d
$ERLTRACE -C -qs a.d 2>&1 | grep -c 'a\.d: line 4: '
true
