# Asserts that an engine that does not exist is refused with status 1 and says which option.

$ERLTRACE -x engine=steam -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x engine" err
true
