# Asserts that an aggregation is printed at the end, one line for each key.

$ERLTRACE --json -n 'BEGIN { @a["k", 4] = sum(3); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
