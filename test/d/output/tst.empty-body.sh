# Asserts that an empty clause is the default action: a line of its own.

$ERLTRACE -n 'BEGIN { }' -n 'END { }' -n 'BEGIN { exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
