# Asserts that a size past 64 bits is refused with status 1 and says which option.

$ERLTRACE -x bufsize=99999999999g -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x bufsize" err
true
