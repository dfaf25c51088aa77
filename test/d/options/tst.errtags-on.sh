# Asserts that compile errors have a tag with errtags.

$ERLTRACE -xerrtags -n 'BEGIN { nosuch(); }' 2>&1 | grep -c '\[D_FUNC_UNDEF\]'
true
