# Asserts that --help prints the usage on standard output with status 0.

$ERLTRACE --help >out; echo $?
grep -c '^erltrace: DTrace for Erlang' out
true
