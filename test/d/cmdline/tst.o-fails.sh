# Asserts that an output file that cannot be opened is an error.

$ERLTRACE -q -o /nonexistent/out -n BEGIN >/dev/null 2>err; echo $?
grep -c /nonexistent/out err
true
