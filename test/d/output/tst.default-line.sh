# Asserts the header and the line of a probe without actions, to the column.

$ERLTRACE -n 'BEGIN' -n 'BEGIN { exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
