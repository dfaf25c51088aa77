# Nodes merge snapshots for each other: seven nodes, one of which is not connected with the others. Each runs a known
# workload while nodes are stopped, go on, and die, the one at the top of the tree among them. Every event counts once.
. "$srcdir/lib.sh"
cat >seven.erl <<'END'
-module(seven).
-export([run/2, ev/1]).
%% rounds of 200 events: numbers that no other node has
run(_, 0) -> done;
run(Node, Rounds) ->
    Refs = [monitor(process, spawn(fun() -> [ev(Node * 1000 + P * 100 + I) || I <- lists:seq(1, 50)] end)) || P <- [0, 1, 2, 3]],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs],
    timer:sleep(20),
    run(Node, Rounds - 1).
ev(N) -> N.
END
erlc seven.erl || exit 1
args=
for i in 1 2 3 4 5 6 7; do
	node_start -pa . -s seven module_info -connect_all false
	eval "N$i=$NODE P$i=$NODE_PID"
	args="$args -N $NODE"
done
# the first six know each other
for i in 1 2 3 4 5; do
	eval "NODE=\$N$i NODE_PID=\$P$i"
	for k in 1 2 3 4 5 6; do
		[ $k -le $i ] || eval "node_eval \"{ok, H} = inet:gethostname(), net_adm:ping(list_to_atom(\\\"\$N$k@\\\" ++ H)).\""
	done
done | sort | uniq -c
: >out
env --default-signal "$ERLTRACE" --cookie "$COOKIE" $args -v -x mergeabove=2 -x switchrate=20ms -x aggrate=50ms -x statusrate=50ms -qn '
erlang*:seven:ev/1:entry
{
	this->v = (int)args[0];
	@count[node] = count();
	@sum = sum(this->v);
	@avg = avg(this->v);
	@dev = stddev(this->v);
	@min = min(this->v);
	@max = max(this->v);
	@dist = quantize(this->v);
	@lin = lquantize(this->v, 1000, 8000, 1000);
}
tick-20ms { printf("tracing %s\n", node); }
END { printa("count %s %@d\n", @count); printa("sum %@d\n", @sum); printa("avg %@d\n", @avg); printa("dev %@d\n", @dev);
	printa("min %@d\n", @min); printa("max %@d\n", @max); printa(@dist); printa(@lin); }' >out 2>err &
TRACE_PID=$!
wait_for() { # wait_for PATTERN FILE
	wait=0
	until grep -q "$1" "$2" || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 2400 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
	grep -q "$1" "$2" || { echo "no '$1' in $2: $(cat err)"; exit 1; }
}
for i in 1 2 3 4 5 6 7; do
	eval "wait_for \"tracing \$N$i@\" out"
done
run() { # run ROUNDS NODE…: all at the same time
	rounds=$1 all=
	shift
	for i; do
		eval "NODE=\$N$i NODE_PID=\$P$i"
		node_eval "seven:run($i, $rounds)." >"done.$i" &
		all="$all $!"
	done
}
run 50 1 2 3 4 5 6 7
wait $all
cat done.?
# one below is stopped, then the one at the top, each until it is said that it does not answer
for k in 3 1; do
	eval "freeze \$P$k"
	case $k in
	3) run 20 1 2 4 5 6 7 ;;
	1) run 20 2 3 4 5 6 7 ;;
	esac
	wait $all
	eval "wait_for \"node \$N$k@[^ ]* does not answer\" err"
	eval "kill -CONT \$P$k; wait_for \"node \$N$k@[^ ]* answers again\" err"
done
# the same two die
run 20 1 3
wait $all
kill -9 $P1 $P3
run 20 2 4 5 6 7
wait $all
for n in "$N1" "$N3"; do
	wait_for "node $n@[^ ]* is lost" err
done
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
# (on a busy machine any node may be silent for some seconds)
for n in "$N1" "$N3"; do
	grep -o "node $n@[^ ]* \(does not answer; the others go on\|answers again\|is lost, the others go on\)" err | sort -u
done | sed 's/^node [^ ]* //' | sort | uniq -c
grep 'is lost' err | grep -v -e "$N1@" -e "$N3@"
# far fewer than there were snapshots, because six come as one
sed -n 's/.*: \([0-9]*\) snapshots of nodes were merged on the way, and came as \([0-9]*\).*/\1 \2/p' err |
	awk '{ print ($1 >= 3 * $2 && $2 > 10) ? "merged on the way" : "not merged: " $0 }'
sed -n '/^count/,$p' out | sed -e "s/$N1@[^ ]*/N1/; s/$N2@[^ ]*/N2/; s/$N3@[^ ]*/N3/; s/$N4@[^ ]*/N4/; s/$N5@[^ ]*/N5/; s/$N6@[^ ]*/N6/; s/$N7@[^ ]*/N7/" -e 's/  */ /g' -e '/^ *$/d' | grep -v tracing
for i in 2 4 5 6 7; do
	eval "NODE=\$N$i NODE_PID=\$P$i"
	clean_node
done
# -- a script that leaves no records: the nodes are asked rarely, but one that dies is noticed
quiet() { # quiet SCRIPT: returns when all are traced
	: >err
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" -N $N2 -N $N4 -N $N5 -N $N6 -N $N7 -x mergeabove=2 -qn "$1" >out 2>err &
	TRACE_PID=$!
	for i in 2 4 5 6 7; do
		eval "NODE=\$N$i NODE_PID=\$P$i"
		wait=0
		until [ "$(node_eval "$INFO"'element(2, Info({seven, ev, 1}, traced)) =/= false.')" = true ]; do
			wait=$((wait + 1))
			[ $wait -le 300 ] && kill -0 $TRACE_PID 2>/dev/null || { echo "node $i is not traced: $(cat err)"; exit 1; }
			sleep 0.1
		done
	done
}
quiet 'erlang*:seven:ev/1:entry { @[node] = count(); @all = count(); } END { printa("count %s %@d\n", @); printa("all %@d\n", @all); }'
run 50 2 4 5 6 7
wait $all
# it is at the top, and dies while it waits for one below
freeze $P4
sleep 0.5
kill -9 $P2
kill -CONT $P4
wait_for "node $N2@[^ ]* is lost" err
run 10 4 5 6 7
wait $all
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
sed -e "s/$N2@[^ ]*/N2/; s/$N4@[^ ]*/N4/; s/$N5@[^ ]*/N5/; s/$N6@[^ ]*/N6/; s/$N7@[^ ]*/N7/" -e "/^ *$/d" out
# nobody has connected the seventh
NODE=$N7 NODE_PID=$P7
node_eval 'nodes().'
