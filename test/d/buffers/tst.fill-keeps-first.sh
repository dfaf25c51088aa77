# Asserts that a fill buffer keeps the first records, in order and without a gap, and ends tracing
# when full.

$ERLTRACE -q -xbufpolicy=fill -xbufsize=2k -n 'BEGIN { n = 0; }' -n 'tick-1ms { printf("%d\n", n); n++; }' >out 2>err || exit 1
awk 'NF { if ($1 != n) bad = 1; n++ } END { exit !(n > 5 && !bad) }' out && echo ok
