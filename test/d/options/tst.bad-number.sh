# Asserts that a value that is not a number is refused with status 1 and a message that names the option.

$ERLTRACE -x nspec=many -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x nspec" err
true
