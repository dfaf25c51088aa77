# Asserts that INT64_MIN is exact.

$ERLTRACE --json -n 'BEGIN { trace((int64_t)0x8000000000000000); exit(0); }' 2>/dev/null | grep -c '"values":\[-9223372036854775808\]'
true
