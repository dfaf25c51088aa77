# Nodes of different OTP releases merge snapshots for each other: each release is at the top of the tree once and merges
# for the others. Every event counts once, whoever merges. OTP27 and OTP29 name an erl of that release beside the
# installed one.
# @@timeout: 120
. "$srcdir/lib.sh"
[ -n "$OTP27$OTP29" ] || { echo 'neither OTP27 nor OTP29 names an erl of another release' >&2; exit 67; }
pids=
names=
for erl in "$ERL" $OTP27 $OTP29; do
	ERL=$erl
	node_start
	names="$names $NODE"
	pids="$pids $NODE:$NODE_PID"
done
n=$(echo $names | wc -w)
releases=$(for NODE in $names; do node_eval 'erlang:system_info(otp_release).'; done | sort -u | wc -l)
[ "$releases" -gt 1 ] || { echo 'all erl are of the same release' >&2; exit 67; }
connect='{ok, H} = inet:gethostname(), '
for NODE in $names; do
	connect="$connect net_kernel:connect_node(list_to_atom(\"$NODE@\" ++ H)), "
done
for NODE in $names; do
	node_eval "$connect length(nodes()) >= $n - 1."
done | sort -u

for top in $names; do
	nodes="-N $top"
	for i in $names; do
		[ $i = $top ] || nodes="$nodes -N $i"
	done
	: >out
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" $nodes -v -x mergeabove=1 -x switchrate=20ms -x aggrate=50ms -x statusrate=50ms -q -n '
	erlang*:calendar:is_leap_year/1:entry
	{
		this->v = (int)args[0];
		@n[node] = count(); @f[probefunc, this->v] = count(); @s = sum(this->v);
		@a = avg(this->v); @d = stddev(this->v); @min = min(this->v); @max = max(this->v);
		@q = quantize(this->v); @l = lquantize(this->v, 0, 10, 1); @ll = llquantize(this->v * 10, 10, 0, 2, 10);
	}
	tick-20ms { printf("tracing %s\n", node); }
	END
	{
		printa("node %s %@d\n", @n); printa("%s %d %@d\n", @f); printa("sum %@d\n", @s);
		printa("avg %@d\n", @a); printa("dev %@d\n", @d); printa("min %@d\n", @min); printa("max %@d\n", @max);
		printa(@q); printa(@l); printa(@ll);
	}' >out 2>err &
	TRACE_PID=$!
	for i in $names; do
		wait=0
		until grep -q "tracing $i@" out || ! kill -0 $TRACE_PID 2>/dev/null || [ $wait -gt 1200 ]; do
			sleep 0.05
			wait=$((wait + 1))
		done
	done
	# in rounds, so that many snapshots are taken meanwhile
	all=
	for NODE in $names; do
		node_eval '[begin [calendar:is_leap_year(I) || I <- [1, 2, 3, 4, 5, 6, 7]], timer:sleep(20) end || _ <- lists:seq(1, 50)], ok.' >"done.$NODE" &
		all="$all $!"
	done
	wait $all
	kill -TERM $TRACE_PID
	wait $TRACE_PID
	echo "status $?"
	# counts and sums are those of all nodes: shown is the part of one
	sed -n '/^node /,$p' out | sed -e '/tracing/d; /^ *$/d; /Distribution/d' -e 's/^\(node\) [^ ]*/\1/; s/|@*/|/' |
		awk -v n="$n" '/^(is_leap|sum)/ || /\|/ { $NF = $NF / n } { $1 = $1; print }' | uniq
	sed -n 's/.*: \([0-9]*\) snapshots of nodes were merged on the way, and came as \([0-9]*\).*/\1 \2/p' err |
		awk '{ print ($2 > 5) ? "merged on the way" : "not merged: " $0 }'
	grep -v -e ' does not answer; the others go on$' -e ' answers again$' -e 'merged on the way' -e 'tracing takes' -e matched -e 'are events, because' err
done >merged
# the first is as good as any other
end=$(grep -n '^merged on the way' merged | head -n 1 | cut -d: -f1)
head -n "${end:-0}" merged >first
cat first
for top in $names; do cat first; done | diff - merged && echo 'the same whoever merges'
for i in $pids; do
	NODE=${i%:*} NODE_PID=${i#*:}
	clean_node
done | sort -u
