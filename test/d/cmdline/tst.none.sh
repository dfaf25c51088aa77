# Asserts that no arguments at all print the usage with status 2.

$ERLTRACE >out 2>err; echo $?
grep -c Usage err
wc -c <out | tr -d " "
