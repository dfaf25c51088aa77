# Asserts the layout of tracemem(): a ruler, then 16 bytes a row in hexadecimal and as text.

$ERLTRACE -qn 'BEGIN { p = (char *)alloca(20); p[0] = 65; p[1] = 66; p[17] = 122; tracemem(p, 20); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
