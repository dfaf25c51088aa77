# Asserts that -v reports the stability of a program.

$ERLTRACE -v -n 'BEGIN { exit(0); }' 2>/dev/null | grep -c 'Stability attributes for description\|Minimum Probe Description Attributes\|Minimum Statement Attributes'
true
