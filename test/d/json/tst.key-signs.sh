# Asserts that integers in keys have the sign of their type.

$ERLTRACE --json -n 'BEGIN { @[(uint64_t)-1, (int64_t)-1, (uint32_t)-1, (int)-1, (uint8_t)-1, (int8_t)-1] = count(); exit(0); }' 2>/dev/null | grep -o '"keys":[^]]*]'
