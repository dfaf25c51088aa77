# Asserts that an unknown flag prints the usage with status 2.

$ERLTRACE -y -n BEGIN >/dev/null 2>err; echo $?
grep -c Usage err
true
