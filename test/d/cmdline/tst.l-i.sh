# Asserts that -l with -i lists one probe.

$ERLTRACE -l -i 2 | awk '{ print $NF }'
