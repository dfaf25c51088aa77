# Asserts the wording of a drop from a principal buffer.

$ERLTRACE -q -xbufsize=1k -n 'BEGIN,BEGIN { trace("a"); trace("b"); trace("c"); }' -n 'BEGIN { exit(0); }' 2>&1 >/dev/null | sed 's/^[^:]*: //; s/CPU [0-9]*/CPU N/'
