# Asserts that trace() of an int has 8 columns.

$ERLTRACE -n 'BEGIN { trace(42); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
