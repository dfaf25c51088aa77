# Asserts that -b refuses what is no size.

$ERLTRACE -b huge -n BEGIN >/dev/null 2>err; echo $?
grep -c 'failed to set -b huge' err
true
