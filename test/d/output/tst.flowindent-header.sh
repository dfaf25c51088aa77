# Asserts the header and the line of -F: CPU and FUNCTION; a probe that is neither entry nor return
# has | and its name.

$ERLTRACE -F -n 'BEGIN { exit(0); }' 2>/dev/null | sed '/:BEGIN\|:END/s/^ *[0-9][0-9]* /  0 /'
