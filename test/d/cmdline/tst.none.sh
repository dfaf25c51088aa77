# Asserts that no arguments at all print the usage with status 2.
# @@engine: user it is about a command line without options

$ERLTRACE >out 2>err; echo $?
grep -c '^erltrace: DTrace for Erlang' err
wc -c <out | tr -d " "
