# Asserts that -l with -s lists the probes of a script without running it.

echo 'BEGIN, END { printf("no"); exit(0); }' >a.d
$ERLTRACE -ls a.d | awk '{ print $NF }'
