# Asserts that freopen() sends output to a file and freopen("") back.

$ERLTRACE -w -qn 'BEGIN { printf("one\n"); freopen("file"); printf("two\n"); freopen(""); printf("three\n"); exit(0); }'
echo file:; cat file
