# Asserts that freopen() appends to an existing file.

echo old >file
$ERLTRACE -w -qn 'BEGIN { freopen("file"); printf("new\n"); freopen(""); exit(0); }' >/dev/null
cat file
