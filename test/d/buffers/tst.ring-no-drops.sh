# Asserts that a ring buffer reports no drops.

$ERLTRACE -q -xbufpolicy=ring -xbufsize=1k -xdroptags -n 'tick-1ms /n++ < 200/ { trace(n); }' -n 'tick-1ms /n > 200/ { exit(0); }' 2>&1 >/dev/null | grep -c DTRACEDROP
true
