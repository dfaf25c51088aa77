# Asserts that trace() of a 64-bit value has 16 columns.

$ERLTRACE -n 'BEGIN { trace((int64_t)-42); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
