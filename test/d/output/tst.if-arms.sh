# Asserts that an arm of if that traces makes a line of its own, and one that does not makes none.

$ERLTRACE -n 'BEGIN { if (1) { trace(1); } else { trace(2); } exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
