# Sourced by tests that trace workload.erl. The node ends with the test, whatever happens.
#
#	node_start              a node of its own, with the workload; $node and $cookie name it
#	trace ARGUMENTS…        the command, attached to the node, in the background; waits until it traces
#	trace_marked ARGUMENTS… the same, for scripts that set no flag
#	wait_out REGEX          until a line of ./out matches
#	work COMMAND            lets the node do it (workload.erl); what it answered is in $answer
#	trace_end               ends it and waits; output in ./out, messages in ./err
#	want 'LINE REGEX' …     each must match a line of ./out
#	want_count N 'REGEX'    so many lines of ./out match
name=wl$$
cookie=c$$
node_pid= trace_pid=

finish() {
	[ -n "$trace_pid" ] && kill -9 "$trace_pid" 2>/dev/null
	[ -n "$node_pid" ] && kill -9 "$node_pid" 2>/dev/null
	wait 2>/dev/null
}
trap finish EXIT

fail() {
	echo "$*" >&2
	for f in out err node.log; do
		[ -s "$f" ] && { echo "-- $f" >&2; tail -n 40 "$f" >&2; }
	done
	exit 1
}

skip() {
	echo "$*" >&2
	exit 67
}

[ -d "$BUILD/otp/erltrace/ebin" ] || skip 'built without the Erlang part'
command -v erl >/dev/null || skip 'erl is not installed'

node_start() { # node_start [ERL-ARGUMENTS…]
	mkfifo commands
	: >node.log
	erl -noshell -sname "$name" -setcookie "$cookie" -pa "$BUILD/test/erlang" "$@" -eval 'workload:main()' \
		<commands >node.log 2>&1 &
	node_pid=$!
	exec 3>commands
	work traced0 || fail 'the node does not start'
}

work() { # work COMMAND
	had=$(grep -c '^done' node.log)
	case $1 in
	traced0) echo '{call,0}' >&3 ;;
	*) echo "$1" >&3 ;;
	esac
	i=0
	while [ "$(grep -c '^done' node.log)" -le "$had" ]; do
		i=$((i + 1))
		[ $i -le 1200 ] || return 1
		kill -0 "$node_pid" 2>/dev/null || return 1
		sleep 0.05
	done
	answer=$(grep '^done' node.log | tail -n 1 | sed 's/^done //')
	case $answer in
	{failed*) fail "the workload failed: $1: $answer" ;;
	esac
}

trace() {
	: >out # what an earlier one has printed must not be taken for this one's
	"$ERLTRACE" -N "$name" --cookie "$cookie" "$@" >out 2>err &
	trace_pid=$!
	work traced
	[ "$answer" = yes ] || fail 'nothing is traced'
	kill -0 $trace_pid 2>/dev/null || fail 'the command has ended'
}

# For scripts that need no trace flag: waits for what they print first.
trace_marked() {
	: >out
	"$ERLTRACE" -N "$name" --cookie "$cookie" -n 'BEGIN { printf("tracing\n"); }' -x switchrate=50ms "$@" >out 2>err &
	trace_pid=$!
	wait_out '^tracing$'
}

wait_out() { # wait_out REGEX: until a line of ./out matches
	i=0
	until grep -Eq -e "$1" out; do
		i=$((i + 1))
		[ $i -le 600 ] || fail "no line of the output matches after 60 s: $1"
		kill -0 "$trace_pid" 2>/dev/null || fail 'the command has ended'
		sleep 0.1
	done
}

trace_end() {
	sleep 0.1
	kill -TERM "$trace_pid" 2>/dev/null
	wait "$trace_pid"
	status=$?
	trace_pid=
	[ $status -eq 0 ] || fail "the command ended with $status"
	work untraced
	[ "$answer" = yes ] || fail 'trace flags are left'
}

want() {
	for regex; do
		grep -Eq -e "$regex" out || fail "no line of the output matches: $regex"
	done
}

want_count() {
	n=$(grep -Ec -e "$2" out)
	[ "$n" = "$1" ] || fail "$n lines match instead of $1: $2"
}

# Finds the number of a key in the output of a count: "  KEY   N".
count_of() {
	awk -v key="$1" '{ k = $0; sub(/^ +/, "", k); sub(/ +[0-9-]+$/, "", k); if (k == key) n += $NF } END { print n + 0 }' out
}

want_value() { # want_value N KEY
	n=$(count_of "$2")
	[ "$n" = "$1" ] || fail "$2: $n instead of $1"
}

# want_late BUCKET N [MOST]: the distribution in out has N values in that bucket and later ones: a busy machine can make
# waiting longer, never shorter. With MOST these are all, and none is in a bucket past MOST.
want_late() {
	awk -v from="$1" -v n="$2" -v most="${3:-0}" '
		$2 ~ /^\|/ && $NF > 0 { all += $NF; if ($1 + 0 >= from) late += $NF; if (most && $1 + 0 > most) bad = 1 }
		END { exit !(most ? all == n && late == n && !bad : late >= n) }' out ||
		fail "not $2 values from the bucket of $1 on${3:+ to that of $3}"
}
