# Asserts that a misspelt option gets the right one as a hint.

$ERLTRACE -x bufsise=1m -n BEGIN 2>&1 | grep -c bufsize
true
