# Asserts that -l with -n lists what matches.

$ERLTRACE -ln 'dtrace:::E*' | awk '{ print $NF }'
