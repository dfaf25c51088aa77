# Asserts the record of printf(): format, values and text.

$ERLTRACE --json -n 'BEGIN { printf("%d %s\n", 42, "x"); exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
