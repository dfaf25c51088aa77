# Asserts that a flag without its argument is a usage error.

$ERLTRACE -q -n >/dev/null 2>&1; echo $?
