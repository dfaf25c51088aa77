# Asserts that two scripts share their variables.

echo 'int x; BEGIN { x = 5; }' >a.d
printf '%s\n' 'BEGIN { printf("%d\n", x); exit(0); }' >b.d
$ERLTRACE -q -s a.d -s b.d
