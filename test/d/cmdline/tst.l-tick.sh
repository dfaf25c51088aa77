# Asserts that -l lists a tick that is made on demand.

$ERLTRACE -ln tick-77ms | awk 'NR > 1 { print $2, $NF }'
