# Asserts that values are normalized.

$ERLTRACE --json -n 'BEGIN { @a = sum(100); normalize(@a, 10); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
