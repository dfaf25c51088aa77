# Asserts that bytes are hexadecimal, in memory order.

$ERLTRACE --json -n 'BEGIN { p = (char *)alloca(3); p[0] = 1; p[2] = 255; tracemem(p, 3); exit(0); }' 2>/dev/null | grep -c '{"bytes":"0100ff"}'
true
