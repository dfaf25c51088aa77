# Asserts that -l with -P lists a provider.

$ERLTRACE -lP dtrace | awk '{ print $NF }'
