# Asserts that the third argument of tracemem() shortens what is shown.

$ERLTRACE -qn 'BEGIN { p = (char *)alloca(20); p[0] = 65; tracemem(p, 20, 2); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
