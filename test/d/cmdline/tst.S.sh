# Asserts that -S shows the code of each clause.

$ERLTRACE -S -e -n 'BEGIN { x = 1; exit(0); }' 2>&1 | grep -ci 'DIFO\|DIF'  | awk '{ print ($1 > 0) }'
true
