# Asserts that freopen() of a file that cannot be opened is reported and output stays.

$ERLTRACE -w -qn 'BEGIN { freopen("/nonexistent/file"); printf("still here\n"); exit(0); }' 2>err
grep -c "couldn't freopen" err
true
