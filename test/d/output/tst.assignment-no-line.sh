# Asserts that a clause of assignments only makes no line.

$ERLTRACE -n 'BEGIN { x = 1; }' -n 'BEGIN { exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
