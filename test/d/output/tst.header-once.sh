# Asserts that the header is printed once.

$ERLTRACE -n 'BEGIN { trace(1); exit(0); }' -n 'END { trace(2); }' | grep -c FUNCTION 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
true
