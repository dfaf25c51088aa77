# Asserts that the lines of BEGIN come before those of END.

$ERLTRACE -qn 'BEGIN { printf("b "); exit(0); }' -n 'END { printf("e"); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
