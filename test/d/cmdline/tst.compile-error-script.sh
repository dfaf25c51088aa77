# Asserts the words of a compile error in a script: file, line, reason; status 1.

printf 'BEGIN\n{\n\tnosuch();\n}\n' >a.d
$ERLTRACE -s a.d >/dev/null 2>err; echo $?
grep -c 'failed to compile script a.d: .*3.*nosuch' err
true
