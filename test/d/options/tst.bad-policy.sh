# Asserts that a buffer policy that does not exist is refused with status 1 and says which option.

$ERLTRACE -x bufpolicy=round -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x bufpolicy" err
true
