# Asserts that compile errors have no tag by default.

$ERLTRACE -n 'BEGIN { nosuch(); }' 2>&1 | grep -c '\[D_'
true
