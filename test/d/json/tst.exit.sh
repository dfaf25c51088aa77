# Asserts that exit() is an action with its status.

$ERLTRACE --json -n 'BEGIN { exit(0); }' 2>/dev/null | sed 's/"time":[0-9]*/"time":0/; s/"cpu":[0-9]*/"cpu":0/'
