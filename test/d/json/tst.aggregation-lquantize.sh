# Asserts that a linear distribution has its open ends as null.

$ERLTRACE --json -n 'BEGIN { @ = lquantize(-1, 0, 10, 5); @ = lquantize(7, 0, 10, 5); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
