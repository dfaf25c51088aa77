# Asserts that only files named *.d are libraries.

mkdir lib; echo 'this is no D at all' >lib/readme.txt
$ERLTRACE -L lib -qn 'BEGIN { printf("ok\n"); exit(0); }'
