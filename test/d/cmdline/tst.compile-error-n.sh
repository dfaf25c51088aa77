# Asserts the words of a compile error in -n.

$ERLTRACE -n 'BEGIN { nosuch(); }' >/dev/null 2>err; echo $?
grep -c 'invalid probe specifier BEGIN { nosuch(); }: ' err
true
