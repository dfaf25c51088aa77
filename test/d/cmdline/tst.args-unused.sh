# Asserts that an unused macro argument is refused.

$ERLTRACE -xerrtags -qn 'BEGIN { exit(0); }' extra 2>&1 | grep -c D_MACRO_UNUSED
true
