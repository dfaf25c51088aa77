# Asserts that an option that does not exist is refused with status 1 and says which option.

$ERLTRACE -x nosuchoption -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x nosuchoption" err
true
