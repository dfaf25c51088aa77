# Asserts that each clause has a line of its own.

$ERLTRACE -n 'BEGIN { trace(1); }' -n 'BEGIN { trace(2); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
