# Asserts that -V prints the version and ends with 0.

$ERLTRACE -V >out; echo $?
grep -c '^[^ ]*erltrace: ' out
true
