# Asserts that a flag that is neither on nor off is refused with status 1 and says which option.

$ERLTRACE -x quiet=perhaps -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x quiet" err
true
