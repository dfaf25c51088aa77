# Asserts that several drops are reported as drops.

$ERLTRACE -q -xbufsize=1k -n 'BEGIN,BEGIN,BEGIN,BEGIN { trace("a"); trace("b"); trace("c"); }' -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | sed 's/^[^:]*: //; s/CPU [0-9]*/CPU N/'
