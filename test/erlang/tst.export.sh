# erltrace export on live nodes: counts are exact, and separate for each node. When a node is killed and comes back, the
# script is started there again and its counters continue. A node that does not exist or has another cookie is reported
# and does not disturb the others. After SIGTERM, and when a node is removed from the configuration, nothing is left on
# it.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT

# so that it can come back under its name
start() {
	: >"$1.log"
	"${ERL:-erl}" -sname "$1" -setcookie "$COOKIE" -noinput -kernel logger_level error +S 2 -eval 'io:format("up~n")' >"$1.log" 2>&1 &
	NODES="$NODES $!"
	NODE_PID=$! NODE=$1 wait=0
	: >"$1.start"
	until grep -q '^up' "$1.log" || [ $wait -ge 1200 ]; do
		wait=$((wait + 1))
		sleep 0.05
	done
}
A=exp-a-$$ B=exp-b-$$
start $A; A_PID=$NODE_PID
start $B; B_PID=$NODE_PID
calls() {
	NODE=$1
	[ "$(node_eval "[lists:seq(1, 20) || _ <- binary_to_list(binary:copy(<<0>>, $2))], ok.")" = ok ] || echo "the calls on $1 failed"
}
cat >seq.d <<'D'
/*
 * @metric @n test_calls_total by function: Calls.
 * @metric @of test_length by function sum @sum buckets 1..1000: Their second argument.
 */
erlang*:lists:seq/2:entry { @n[probefunc] = count(); @of[probefunc] = quantize(args[1]); @sum[probefunc] = sum(args[1]); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
node $A
node $B
node exp-none-$$
script seq.d
C
export_start || exit
A_UP="erltrace_attached{script=\"seq.d\",node=\"$A\"}" B_UP="erltrace_attached{script=\"seq.d\",node=\"$B\"}"
wait_value "$A_UP" 1
wait_value "$B_UP" 1
wait_said "seq.d on exp-none-$$: "
calls $A 30
calls $B 5
wait_value "test_calls_total{node=\"$A\",function=\"seq/2\"}" 30
wait_value "test_calls_total{node=\"$B\",function=\"seq/2\"}" 5
value "test_length_bucket{node=\"$A\",function=\"seq/2\",le=\"31\"}"
value "test_length_sum{node=\"$A\",function=\"seq/2\"}"
value "erltrace_attached{script=\"seq.d\",node=\"exp-none-$$\"}"

echo '-- a node dies and comes back'
kill -9 $A_PID
wait_value "$A_UP" 0
wait_value "test_calls_total{node=\"$A\",function=\"seq/2\"}" 30
start $A; A_PID=$NODE_PID
wait_value "$A_UP" 1
calls $A 3
calls $B 2
wait_value "test_calls_total{node=\"$A\",function=\"seq/2\"}" 33
wait_value "test_calls_total{node=\"$B\",function=\"seq/2\"}" 7
value "erltrace_attaches_total{script=\"seq.d\",node=\"$B\"}"

echo '-- a node is taken out'
sed -i "/^node $B/d" export.conf
kill -HUP $EXPORT_PID
wait_said 'reloaded: 1 script'
NODE=$B NODE_PID=$B_PID; clean_node
fetch /metrics | grep -c "$B"
calls $A 1
wait_value "test_calls_total{node=\"$A\",function=\"seq/2\"}" 34

export_stop
NODE=$A NODE_PID=$A_PID; clean_node

echo '-- another cookie'
COOKIE_OF_ALL=$COOKIE
COOKIE=another
export_start || exit
wait_said cookie
value "$A_UP"
export_stop
COOKIE=$COOKIE_OF_ALL

echo '-- a mistake that only the node can tell, with the name of the file'
sed 's/entry/enter/' seq.d >wrong.d
printf 'listen 127.0.0.1:0\nnode %s\nscript wrong.d\n' "$A" >wrong.conf
export_start wrong.conf || exit
wait_said 'the probes of a function are'
grep -o 'wrong.d:5:1: probe description erlang\*:lists:seq/2:enter' export.err
export_stop
