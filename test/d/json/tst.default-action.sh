# Asserts that a clause without a body has no actions.

$ERLTRACE --json -n 'BEGIN' -n 'BEGIN { exit(0); }' 2>/dev/null | head -1 | grep -c '"actions":\[\]'
true
