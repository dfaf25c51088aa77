# Asserts that the anonymous aggregation has an empty name.

$ERLTRACE --json -n 'BEGIN { @ = count(); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
