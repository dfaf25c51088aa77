# SIGINT and SIGTERM end cleanly: END runs and may set the status, and aggregations print.
for sig in INT TERM HUP; do
	status=0
	[ $sig != TERM ] || status=7
	: >out # else what the last one wrote may be read
	env --default-signal "$ERLTRACE" -q -n 'tick-10ms { @ = count(); } tick-10ms /!told++/ { printf("ready\n"); } END { printf("end\n"); } END /$1/ { exit($1); }' \
		-x switchrate=10ms -x aggrate=10ms $status >out 2>err &
	pid=$!
	n=0
	while ! grep -q ready out; do
		sleep 0.05
		n=$((n + 1))
		[ $n -lt 1200 ] || break
	done
	kill -s $sig $pid
	wait $pid
	status=$?
	echo "$sig: status $status, $(grep -c end out) end, $(grep -c '^ *[1-9][0-9]*$' out) count"
	cat err
done
# A second signal does not wait for END.
: >out
env --default-signal "$ERLTRACE" -qw -n 'BEGIN { printf("ready\n"); } END { system("echo busy $$; exec sleep 60"); }' \
	-x switchrate=10ms >out 2>err &
pid=$!
waitfor() {
	n=0
	while ! grep -q "$1" out && [ $n -lt 1200 ]; do
		sleep 0.05
		n=$((n + 1))
	done
}
waitfor ready
kill -s INT $pid
waitfor busy
kill -s INT $pid
wait $pid
echo "twice: status $?"
kill "$(sed -n 's/^busy //p' out)"
