# Asserts that a command that cannot be run is an error.

$ERLTRACE -q -c /nonexistent/command -n BEGIN >/dev/null 2>err; echo $?
grep -c /nonexistent/command err
true
