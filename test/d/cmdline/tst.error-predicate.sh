# Asserts that an error in a predicate says so.

$ERLTRACE -q -n 'BEGIN / *(int *)0 / { }' -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | grep -c 'in predicate at DIF offset'
true
