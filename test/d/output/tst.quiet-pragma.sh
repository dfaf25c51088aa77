# Asserts that #pragma D option quiet is the same as -q.

printf '#pragma D option quiet\nBEGIN { printf("x\\n"); exit(0); }\n' >a.d; $ERLTRACE -s a.d 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
