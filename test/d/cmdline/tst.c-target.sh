# Asserts that $target is the process of -c.

$ERLTRACE -q -c 'sleep 0' -n 'BEGIN { printf("%d\n", $target > 1); }' | head -1
