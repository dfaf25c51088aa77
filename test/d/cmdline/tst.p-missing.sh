# Asserts that -p with a process that does not exist is an error.

$ERLTRACE -q -p 999999999 -n BEGIN >/dev/null 2>&1; echo $?
