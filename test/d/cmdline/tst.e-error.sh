# Asserts that -e reports errors.

$ERLTRACE -e -n 'BEGIN { nosuch(); }' 2>/dev/null; echo $?
