# Asserts that a distribution has its buckets with bounds; open ends are null.

$ERLTRACE --json -n 'BEGIN { @ = quantize(5); @ = quantize(0x7fffffffffffffff); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
