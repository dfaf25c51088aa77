# Asserts that aggregations are printed at the end after an empty line.

$ERLTRACE -n 'BEGIN { @[1] = count(); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
