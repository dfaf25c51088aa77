# Asserts the wording of aggregation drops.

i=0; { echo '#pragma D option aggsize=4k'; echo 'BEGIN {'; while [ $i -lt 80 ]; do i=$((i + 1)); echo "@[$i] = quantize(1);"; done; echo 'exit(0); }'; } >a.d
$ERLTRACE -q -s a.d 2>&1 >/dev/null | sed 's/^[^:]*: //; s/^[0-9][0-9]* /N /; s/CPU [0-9]*/CPU N/'
