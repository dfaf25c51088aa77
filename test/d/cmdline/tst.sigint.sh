# Asserts that SIGINT ends tracing: END runs, aggregations are printed, status 0.

: >out
env --default-signal $ERLTRACE -q -x switchrate=10ms -n 'BEGIN { printf("on\n"); @ = count(); }' -n 'END { printf("end\n"); }' >out &
pid=$!
n=0
until grep -q on out || [ $n -ge 600 ]; do
	sleep 0.05
	n=$((n + 1))
done
kill -s INT $pid
wait $pid
echo $?
grep -v '^$' out | tr -d ' '
