# Asserts that a rate with a wrong unit is refused with status 1 and says which option.

$ERLTRACE -x switchrate=10q -n BEGIN >/dev/null 2>err
echo $?
grep -c "failed to set -x switchrate" err
true
