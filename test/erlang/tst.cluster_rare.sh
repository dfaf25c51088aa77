# A long aggrate costs no memory: keys that change all the time are merged while they wait, from one node, from two, and
# merged on the way. Nodes are asked for them as rarely as aggrate says. At the end the values are exact.
# @@timeout: 150
. "$srcdir/lib.sh"
cat >many.erl <<'END'
-module(many).
-export([start/0, await/1, stop/0, key/1]).
%% rounds of 2000 keys
start() ->
    register(many, spawn(fun() -> loop(0) end)), ok.
loop(Rounds) ->
    [key(I) || I <- lists:seq(1, 2000)],
    receive
        {rounds, From} -> From ! {rounds, Rounds + 1}, loop(Rounds + 1);
        {stop, From} -> From ! {rounds, Rounds + 1}
    after 10 -> loop(Rounds + 1)
    end.
ask(What) -> many ! {What, self()}, receive {rounds, N} -> N end.
await(N) -> case ask(rounds) of R when R >= N -> ok; _ -> timer:sleep(100), await(N) end.
stop() -> ask(stop).
key(I) -> I.
END
erlc many.erl || exit 1
node_start -pa . -s many module_info; A=$NODE PIDA=$NODE_PID
node_start -pa . -s many module_info; B=$NODE PIDB=$NODE_PID
node_eval "{ok, H} = inet:gethostname(), net_adm:ping(list_to_atom(\"$A@\" ++ H))."
on() { # on EXPRESSION: on the nodes of this run
	for NODE in $nodes; do
		node_eval "$1"
	done
}
kb() {
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$TRACE_PID/status"
}
run() { # run 'NODES' [arguments]
	nodes=$1
	shift
	args=
	for NODE in $nodes; do
		args="$args -N $NODE"
	done
	: >out
	began=$(date +%s)
	env --default-signal "$ERLTRACE" --cookie "$COOKIE" $args -v "$@" -x aggrate=60s -x switchrate=20ms -x maxoverhead=0 -qn '
		erlang*:many:key/1:entry { @[(int)args[0]] = count(); @all = sum(1); }
		tick-20ms { printf("tracing %s\n", node); }
		END { printa("key %d %@d\n", @); printa("all %@d\n", @all); }' >out 2>err &
	TRACE_PID=$!
	for NODE in $nodes; do
		wait=0
		until grep -q "tracing $NODE@" out || ! kill -0 $TRACE_PID || [ $wait -gt 2400 ]; do
			sleep 0.05
			wait=$((wait + 1))
		done
	done
	on 'many:start().'
	on 'many:await(50).'
	before=$(kb)
	on 'many:await(300).'
	after=$(kb)
	[ $((after - before)) -le 6000 ] && echo "memory stays as it is" || echo "$before kB, then $after kB"
	: >rounds
	on 'many:stop().' >rounds
	kill -TERM $TRACE_PID
	wait $TRACE_PID
	echo "status $?"
	took=$(($(date +%s) - began))
	awk -v rounds="$(paste -sd+ rounds)" 'BEGIN { n = split(rounds, r, "+"); while (n) all += r[n--] }
		$1 == "key" { keys++; wrong += $3 != all }
		$1 == "all" { print keys " keys, " wrong + 0 " are wrong; of all " ($2 == all * 2000 ? "none" : $2 - all * 2000) " is missing" }' out
}
run "$A"
run "$A $B"
run "$A $B" -x mergeabove=1
sed -n 's/.*: [0-9]* snapshots of nodes were merged on the way, and came as \([0-9]*\).*/\1/p' err |
	awk -v took=$took '{ print ($1 <= 2 + took / 5 ? "merged rarely" : $1 " times merged in " took " s") }'
NODE=$A NODE_PID=$PIDA
clean_node
NODE=$B NODE_PID=$PIDB
clean_node
