# Asserts that a negative size is refused with status 1 and says which option.

$ERLTRACE -x bufsize=-1 -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x bufsize" err
true
