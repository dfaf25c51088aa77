# remote-latency: how long messages take from node to node. One node's clock is 100,000 s ahead (a time namespace), and
# the connection takes 100 ms one way and 1,500 ms the other. Each request and each answer is measured once, in its
# direction, and what is not a call is not counted. The real difference of the clocks is within the uncertainty that is
# shown, and so is each latency. A part of the messages can be chosen, the same on all nodes.
. "$srcdir/lib.sh"
erlc "$srcdir/slow_dist.erl" || exit 1

# -- the node that is called: in a time of its own, if that is allowed here
AHEAD=0
if unshare -T --monotonic 100000 true 2>/dev/null; then
	AHEAD=100000000000000
	printf '#!/bin/sh\nexec unshare -T --monotonic 100000 %s "$@"\n' "${ERL:-erl}" >erl-ahead
	chmod +x erl-ahead
	USUAL=$ERL ERL=$PWD/erl-ahead
fi
node_start -pa . -s slow_dist -connect_all false -kernel net_setuptime 60; B=$NODE; PIDB=$NODE_PID
[ $AHEAD = 0 ] || ERL=$USUAL

# -- the slow connection, and the node that calls
"${ERL:-erl}" -noinput -pa . -run slow_dist proxy "$B" 100 1500 >proxy.log 2>&1 &
NODES="$NODES $!"
wait=0
until grep -q '^port' proxy.log || [ $wait -gt 1200 ]; do
	sleep 0.05
	wait=$((wait + 1))
done
export SLOW_PORT=$(sed -n 's/^port //p' proxy.log)
node_start -pa . -epmd_module slow_dist -s slow_dist -connect_all false -kernel net_setuptime 60; A=$NODE; PIDA=$NODE_PID
HOST=$(node_eval 'list_to_atom(lists:last(string:tokens(atom_to_list(node()), "@"))).' | tr -d "'")
# without connect_all, global makes no calls of its own
NODE=$A; node_eval "net_adm:ping('$B@$HOST')."

# start OUT arguments
start() {
	out=$1
	shift
	: >"$out"
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$B" -x statusrate=50ms "$@" >"$out" 2>"$out.err" &
	TRACE_PID=$!
	# tracing is on when the nodes have flags for messages
	for NODE in "$A" "$B"; do
		wait=0
		until [ "$(node_eval "$INFO {flags, F} = Info(whereis(slow_dist), flags), lists:member('receive', F).")" = true ] ||
			[ $wait -gt 600 ]; do
			sleep 0.1
			wait=$((wait + 1))
		done
	done
	NODE=$A
}
stop() {
	kill -TERM $TRACE_PID
	wait $TRACE_PID
	echo "status $?"
	sed "s/^erltrace: //; /costs more than/d" "$out.err"
}
# field NAME < line of JSON
field() {
	sed -n "s/.*\"$1\":\\(-*[0-9]*\\).*/\\1/p"
}

echo '-- all'
start all.json --json remote-latency
node_eval "slow_dist:call('$B@$HOST', 25), slow_dist:call(node(), 7)."
stop
awk -v a="$A@$HOST" -v b="$B@$HOST" -v ahead=$AHEAD '
function field(name) {
	match($0, "\"" name "\":[-0-9]+")
	return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
}
function is(name, value) {
	return index($0, "\"" name "\":\"" value "\"") > 0
}
/"type":"clock"/ && is("node", a) {
	print "A:", field("ahead"), "within", field("within")
}
/"type":"clock"/ && is("node", b) {
	off = field("ahead") - ahead
	within = field("within")
	ok = off <= within && -off <= within && (!ahead || within > 0)
	print "B:", ok ? "within what is said" : $0
}
/"type":"latency"/ {
	from = is("from", a) ? "A" : "B"
	to = is("to", b) ? "B" : "A"
	fast = from == "A" ? 100000000 : 1500000000
	least[from] = field("least")
	ok = least[from] >= fast - within && field("within") == within
	sorted = field("least") <= field("median") && field("median") <= field("p99") && field("p99") <= field("most") &&
		field("sum") >= field("least") * field("messages")
	print from, "->", to ":", field("messages"), "messages,", ok ? "not too fast," : "too fast: " $0, sorted ? "in order" : $0
}
/"type":"unpaired"/ {
	print "unpaired:", field("sent"), field("queued")
}
END {
	print least["A"] < least["B"] ? "the directions differ" : "there " least["A"] ", back " least["B"]
}' all.json | sort

echo '-- one of two'
start half.json --json remote-latency 600 2
node_eval "slow_dist:call('$B@$HOST', 40)."
stop
n=$(grep '"type":"latency"' half.json | field messages | sort -u)
[ "$(echo $n | wc -w)" = 1 ] && [ $n -gt 0 ] && [ $n -lt 40 ] && echo 'the same on both sides' || cat half.json
grep unpaired half.json

echo '-- as text'
start text remote-latency
node_eval "slow_dist:call('$B@$HOST', 3)."
stop
sed -n -e "s/$A@[^ ]*/A/g; s/$B@[^ ]*/B/g" -e 's/  */ /g' -e '/^CLOCK/p; /^FROM/p; /Distribution/p' \
	-e 's/^ *\(. -> .\) *\(3\) .*/\1 \2/p' -e 's/^A 0 0 (ours)/A is ours/p' text | sort

echo '-- the records of the script itself'
start raw -qs "$srcdir/../../scripts/remote-latency.d"
node_eval "slow_dist:call('$B@$HOST', 1)."
stop
sed -n -e "s/'*$A@[^ :]*/A/g; s/'*$B@[^ :]*/B/g" -e 's/#Ref<[0-9]*[.][0-9.]*>/REF/p' raw

echo '-- not between nodes'
"$ERLTRACE" --cookie "$COOKIE" -N "$A" remote-latency 2>&1
echo "status $?"
"$ERLTRACE" --cookie "$COOKIE" -N "$A" -N "$B" remote-latency x 2>&1 | head -1
NODE=$A NODE_PID=$PIDA; clean_node
NODE=$B NODE_PID=$PIDB; clean_node
