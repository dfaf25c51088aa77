# Asserts that a number that is none is refused with status 1 and says which option.

$ERLTRACE -x nspec=many -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x nspec" err
true
