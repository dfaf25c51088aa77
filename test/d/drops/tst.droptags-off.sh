# Asserts that drops have no tag without droptags.

$ERLTRACE -q -n 'BEGIN { speculation(); speculation(); exit(0); }' 2>&1 >/dev/null | sed 's/^[^:]*: //'
