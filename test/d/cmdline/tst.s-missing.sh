# Asserts that a script that does not exist is an error that names it.

$ERLTRACE -s nosuch.d >/dev/null 2>err; echo $?
grep -c 'failed to open nosuch.d' err
true
