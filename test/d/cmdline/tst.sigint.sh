# Asserts that SIGINT ends tracing: END runs, aggregations are printed, status 0.

timeout --foreground --preserve-status -s INT 1 $ERLTRACE -q -n 'BEGIN { @ = count(); }' -n 'END { printf("end\n"); }' >out
echo $?
grep -v '^$' out | tr -d ' '
true
