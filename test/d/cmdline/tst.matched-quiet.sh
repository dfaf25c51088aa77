# Asserts that -q is silent about matches.

$ERLTRACE -qn 'BEGIN { exit(0); }' 2>&1 >/dev/null
