# Asserts that unsigned 64-bit values are exact.

$ERLTRACE --json -n 'BEGIN { trace((uint64_t)-1); exit(0); }' 2>/dev/null | grep -c '"values":\[18446744073709551615\]'
true
