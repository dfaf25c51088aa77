# Asserts the wording of dynamic variable drops.

i=0; { echo '#pragma D option dynvarsize=1k'; echo 'BEGIN {'; while [ $i -lt 200 ]; do i=$((i + 1)); echo "a[$i] = 1;"; done; echo 'exit(0); }'; } >a.d
$ERLTRACE -q -s a.d 2>&1 >/dev/null | sed 's/^[^:]*: //; s/^[0-9][0-9]* /N /'
