# Asserts that a script that is not there is an error with its name.

$ERLTRACE -s nosuch.d >/dev/null 2>err; echo $?
grep -c 'failed to open nosuch.d' err
true
