# Asserts that several traces of a clause share its line.

$ERLTRACE -n 'BEGIN { trace(1); trace("a"); trace(2); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
