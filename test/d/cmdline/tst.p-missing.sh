# Asserts that -p of a process that is not there is an error.

$ERLTRACE -q -p 999999999 -n BEGIN >/dev/null 2>&1; echo $?
