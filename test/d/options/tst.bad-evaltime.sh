# Asserts that an evaluation time that does not exist is refused with status 1 and says which option.

$ERLTRACE -x evaltime=never -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x evaltime" err
true
