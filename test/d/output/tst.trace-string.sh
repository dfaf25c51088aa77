# Asserts that trace() of a string has two spaces and 33 columns.

$ERLTRACE -n 'BEGIN { trace("hello"); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
