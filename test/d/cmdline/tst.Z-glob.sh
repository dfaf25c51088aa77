# Asserts that a glob that matches nothing is an error without -Z.

$ERLTRACE -q -n 'nosuch*:::' >/dev/null 2>&1; echo $?
