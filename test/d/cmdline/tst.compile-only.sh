# Asserts that --compile-only writes an object that runs as the script does.

$ERLTRACE -q --compile-only -o x.dobj -n 'BEGIN { printf("object\n"); exit(0); }' && $ERLTRACE -q x.dobj
