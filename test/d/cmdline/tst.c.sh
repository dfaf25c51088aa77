# Asserts that -c runs a command and ends when it ends.

$ERLTRACE -q -c 'echo from child' -n 'END { printf("end\n"); }' >out; echo $?
grep -v '^$' out | sort
true
