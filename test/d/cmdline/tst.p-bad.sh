# Asserts that -p with something that is not a number is an error.

$ERLTRACE -q -p abc -n BEGIN >/dev/null 2>err; echo $?
grep -c 'invalid pid' err
true
