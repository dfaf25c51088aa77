# Asserts that macro arguments come after the options.

$ERLTRACE -qn 'BEGIN { printf("%d %s\n", $1, $$2); exit(0); }' 12 abc
