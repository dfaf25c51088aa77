# Asserts that -w is announced on standard error unless quiet.

$ERLTRACE -w -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | grep -c 'allowing destructive actions'
$ERLTRACE -w -qn 'BEGIN { exit(0); }' 2>&1 >/dev/null | grep -c destructive
true
