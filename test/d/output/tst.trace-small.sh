# Asserts that trace() of 8 bits has 3 columns and of 16 bits 5.

$ERLTRACE -n 'BEGIN { trace((uint8_t)7); trace((uint16_t)8); exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
