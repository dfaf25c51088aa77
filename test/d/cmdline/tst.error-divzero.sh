# Asserts the words of a division by zero.

$ERLTRACE -q -n 'BEGIN { x = 0; trace(1 / x); }' -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | grep -c 'divide-by-zero in action #2 at DIF offset'
true
