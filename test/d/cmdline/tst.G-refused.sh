# Asserts that -G is refused with the reason.

echo "BEGIN { }" >a.d
$ERLTRACE -G -s a.d >/dev/null 2>err; echo $(($? != 0))
test -s err && echo told
true
