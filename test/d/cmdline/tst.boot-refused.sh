# Asserts that -a and -A are refused with the reason.

$ERLTRACE -A -n BEGIN >/dev/null 2>err; echo $(($? != 0))
grep -c . err | awk '{ print ($1 > 0) }'
true
