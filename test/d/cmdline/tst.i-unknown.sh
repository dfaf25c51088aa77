# Asserts that -i with a number that no probe has is refused.

$ERLTRACE -q -i 99999999 >/dev/null 2>&1; echo $?
