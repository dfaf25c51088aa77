# Asserts that printf() follows the columns directly and the line ends after the clause.

$ERLTRACE -n 'BEGIN { printf("x=%d", 5); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
