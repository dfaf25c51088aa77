# Asserts that -P enables the probes of a provider.

$ERLTRACE -q -P 'dtrace { printf("%s ", probename); exit(0); }'
