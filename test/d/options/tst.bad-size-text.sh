# Asserts that a size that is no number is refused with status 1 and says which option.

$ERLTRACE -x strsize=big -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x strsize" err
true
