# Asserts that -l -v shows attributes and argument types.

$ERLTRACE -lvn BEGIN | grep -c 'Probe Description Attributes\|Argument Attributes\|Argument Types'
true
