# Asserts that a size with a wrong suffix is refused with status 1 and says which option.

$ERLTRACE -x bufsize=12q -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x bufsize" err
true
