# Asserts that a syntax error has status 1 and the tag D_SYNTAX.

$ERLTRACE -xerrtags -n 'BEGIN { x = ; }' 2>&1 | grep -c 'D_SYNTAX'
true
