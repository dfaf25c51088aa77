# Asserts that SIGTERM ends tracing as SIGINT does.

$ERLTRACE -q -xswitchrate=20ms -n 'BEGIN { printf("go\n"); }' -n 'END { printf("end\n"); }' >out &
pid=$!
i=0; while [ $i -lt 100 ] && ! grep -q go out; do i=$((i + 1)); sleep 0.05; done
kill -TERM $pid; wait $pid; echo $?
grep -c '^end$' out
true
