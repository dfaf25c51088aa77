# Asserts that errors stay on standard error as text.

$ERLTRACE --json -n 'BEGIN { trace(*(int *)0); }' -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | grep -c 'error on enabled probe'
true
