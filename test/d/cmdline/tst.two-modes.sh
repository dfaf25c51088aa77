# Asserts that two modes at once are a usage error.

$ERLTRACE -l -V >/dev/null 2>&1; echo $?
