# -p sets $target, and tracing ends when the process ends.
sleep 600 &
pid=$!
: >out
"$ERLTRACE" -q -x switchrate=10ms -p $pid -n "BEGIN { printf(\"%s\n\", \$target == $pid ? \"target\" : \"other\"); } END { printf(\"end\n\"); }" >out 2>&1 &
n=0
until [ -s out ] || [ $n -ge 600 ]; do
	sleep 0.1
	n=$((n + 1))
done
kill $pid
wait
cat out
sleep 5 &
pid=$!
kill $pid
wait $pid 2>/dev/null
"$ERLTRACE" -q -p $pid -n BEGIN 2>&1 | sed 's/[0-9][0-9]*/N/'
