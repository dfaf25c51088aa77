# Asserts that a resize policy that does not exist is refused with status 1 and says which option.

$ERLTRACE -x bufresize=sometimes -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x bufresize" err
true
