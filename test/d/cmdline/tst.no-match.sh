# Asserts that a description that matches nothing is an error with status 1.

$ERLTRACE -n 'nosuch:::probe' >/dev/null 2>err; echo $?
grep -c 'does not match any probes' err
true
