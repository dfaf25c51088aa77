# Asserts that a switched buffer loses nothing when it is drained in time.

$ERLTRACE -q -xbufpolicy=switch -xswitchrate=10ms -n 'BEGIN { n = 0; }' -n 'tick-1ms /n < 400/ { printf("%d\n", n); n++; }' -n 'tick-1ms /n == 400/ { exit(0); }' >out || exit 1
awk 'NF { if ($1 != n) bad = 1; n++ } END { print n, bad + 0 }' out
