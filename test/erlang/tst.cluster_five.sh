# Five nodes on one machine. Each runs a known workload, and every event is checked: each is shown once, as an event of
# its node and in the order of its process, and the aggregations are those of all events.
. "$srcdir/lib.sh"
cat >five.erl <<'END'
-module(five).
-export([run/1, ev/1]).
%% four processes, 50 events each: numbers that no other node has
run(Node) ->
    Refs = [monitor(process, spawn(fun() -> [ev(Node * 1000 + P * 100 + I) || I <- lists:seq(1, 50)] end)) || P <- [0, 1, 2, 3]],
    [receive {'DOWN', R, _, _, normal} -> ok end || R <- Refs],
    done.
ev(N) -> N.
END
erlc five.erl || exit 1
args= all=
for i in 1 2 3 4 5; do
	node_start -pa . -s five module_info
	eval "N$i=$NODE P$i=$NODE_PID"
	args="$args -N $NODE"
done
: >out
env --default-signal "$ERLTRACE" --cookie "$COOKIE" $args -x switchrate=20ms -x aggrate=20ms -x statusrate=50ms -qn '
erlang*:five:ev/1:entry
{
	this->v = (int)args[0];
	printf("ev %d\n", this->v);
	@count[node] = count();
	@sum = sum(this->v);
	@avg = avg(this->v);
	@min = min(this->v);
	@max = max(this->v);
	@dist = quantize(this->v);
	@lin = lquantize(this->v, 1000, 6000, 1000);
}
tick-20ms { printf("tracing %s\n", node); }
END { printa("count %s %@d\n", @count); printa("sum %@d\n", @sum); printa("avg %@d\n", @avg); printa("min %@d\n", @min);
	printa("max %@d\n", @max); printa(@dist); printa(@lin); }' >out 2>err &
TRACE_PID=$!
for i in 1 2 3 4 5; do
	eval "NODE=\$N$i"
	wait=0
	until grep -q "tracing $NODE@" out || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
		sleep 0.05
		wait=$((wait + 1))
	done
done
# all at the same time
for i in 1 2 3 4 5; do
	eval "NODE=\$N$i NODE_PID=\$P$i"
	node_eval "five:run($i)." >"done.$i" &
	all="$all $!"
done
wait $all
cat done.?
kill -TERM $TRACE_PID
wait $TRACE_PID
echo "status $?"
grep -v -e ' does not answer; the others go on$' -e ' answers again$' err
awk -v n1="$N1" -v n2="$N2" -v n3="$N3" -v n4="$N4" -v n5="$N5" '
BEGIN { node[1] = n1; node[2] = n2; node[3] = n3; node[4] = n4; node[5] = n5 }
$2 == "ev" {
	i = int($3 / 1000)
	split($1, at, "@")
	if (at[1] != node[i])
		print $3, "is shown as an event of", $1
	if (seen[$3]++)
		print $3, "is shown twice"
	who = int($3 / 100)
	if ($3 % 100 != last[who] + 1)
		print $3, "comes after", last[who]
	last[who] = $3 % 100
	n++
}
END { print n, "events" }' out
sed -n '/^count/,$p' out | sed -e "s/$N1@[^ ]*/N1/; s/$N2@[^ ]*/N2/; s/$N3@[^ ]*/N3/; s/$N4@[^ ]*/N4/; s/$N5@[^ ]*/N5/" -e 's/  */ /g' -e '/^ *$/d' | grep -v tracing
for i in 1 2 3 4 5; do
	eval "NODE=\$N$i NODE_PID=\$P$i"
	clean_node
done
