# What operators fear, by the ready-made scripts alarms and budget, each on a workload that has it: a message queue that
# grows, a long collection, a process that keeps a scheduler, a connection that is too slow, a storm of processes, leaks
# of atoms, ports and ETS tables, a limit that comes near, and a function past its latency budget. Each is told, and told
# to be over when the workload is.
# @@timeout: 180
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; kill -CONT $PEER_PID 2>/dev/null; node_end' EXIT
cat >fear.erl <<'E'
-module(fear).
-export([start/2, queue/0, collect/0, keep/0, spawns/0, leak/0, slow/0, work/1, busy/1]).
%% runs a workload until it is told to stop; what it made is gone with its process
start(Name, Fun) -> register(Name, spawn(Fun)), ok.
again(Ms, Fun) -> receive stop -> ok after Ms -> Fun() end.
queue() -> P = spawn_link(fun() -> receive never -> ok end end), grow(P).
grow(P) -> [P ! N || N <- lists:seq(1, 300)], receive stop -> exit(P, kill) after 50 -> grow(P) end.
%% a quick machine collects a long list in less than the limit of the script, so the list gets longer
collect() -> collect(6000000).
collect(N) ->
    L = lists:seq(1, N),
    erlang:garbage_collect(),
    _ = length(L),
    again(50, fun() -> collect(min(2 * N, 48000000)) end).
keep() -> L = lists:seq(1, 2000000), keep([L || _ <- lists:seq(1, 100)]).
keep(L) -> erts_debug:flat_size(L), receive stop -> ok after 50 -> keep(L) end.
spawns() -> [spawn(fun() -> ok end) || _ <- lists:seq(1, 2000)], again(50, fun spawns/0).
%% by the clock, so that it leaks as fast where it seldom runs: 200 atoms and tables and 100 ports a second
leak() -> leak(erlang:monotonic_time(millisecond), 0).
leak(Begun, N) ->
    Due = (erlang:monotonic_time(millisecond) - Begun) div 5,
    _ = [leak(I) || I <- lists:seq(N + 1, Due)],
    receive stop -> ok after 5 -> leak(Begun, Due) end.
leak(N) ->
    _ = list_to_atom("fear_" ++ integer_to_list(N)),
    _ = ets:new(fear, []),
    [open_port({spawn_driver, "udp_inet"}, []) || N rem 2 =:= 0, N < 6000].
slow() -> work(30), again(1, fun slow/0).
work(Ms) -> receive after Ms -> ok end.
busy(To) -> {nobody, To} ! binary:copy(<<0>>, 1000000), receive stop -> ok after 1 -> busy(To) end.
E
erlc fear.erl || exit 1
node_start -pa . -kernel dist_auto_connect never; PEER=$NODE; PEER_PID=$NODE_PID
node_start -pa . -s fear module_info +Q 4096 -kernel net_ticktime 3600
cat >export.conf <<C
listen 127.0.0.1:0
interval 200ms
alert-resolve 3s
node $NODE
script alarms 1000 150 2000 20 2 20
script budget fear work/1 20 2
C
export_start || exit
wait_value "erltrace_attached{script=\"alarms\",node=\"$NODE\"}" 1
wait_value "erltrace_attached{script=\"budget\",node=\"$NODE\"}" 1
host=$(hostname -s)
# said PATTERN: until standard error has a line with it, at most a minute
said() {
	wait=0
	until grep -q "$1" export.err; do
		wait=$((wait + 1))
		[ $wait -lt 600 ] || { echo "it does not say: $1"; cat export.err; return 1; }
		sleep 0.1
	done
}
# fear NAME EXPRESSION PATTERN…: the texts are said while it runs, and after its end that they are over
fear() {
	name=$1
	node_eval "fear:start($1, fun() -> $2 end)." >/dev/null
	shift 2
	for text; do
		said " alert $text" && echo "$name: told"
	done
	[ $name != busy ] || kill -CONT $PEER_PID
	node_eval "case whereis($name) of undefined -> gone; P -> P ! stop end." >/dev/null
	for text; do
		said " over $text" && echo "$name: over"
	done
}
on="alarms on $NODE:"
fear queue 'fear:queue()' "\[warning\] $on the queue of .* has [0-9]* messages and grows"
fear collect 'fear:collect()' "\[warning\] $on a collection of <.*> took [0-9]* ms"
fear keep 'fear:keep()' "\[warning\] $on <.*> ran for [0-9]* ms without a break"
fear spawns 'fear:spawns()' "\[warning\] $on [0-9]* processes were born in a second"
fear leak 'fear:leak()' "\[warning\] $on atoms grow by [0-9]* a second" "\[warning\] $on ports grow by" \
	"\[warning\] $on ETS tables grow by" "\[critical\] $on ports: [0-9]* % of what the node can have are used"
fear slow 'fear:slow()' "\[error\] budget on $NODE: fear:work/1 takes [0-9]* ms (p99)"
pong=$(node_eval "net_kernel:connect_node('$PEER@$host').")
echo "connected: $pong"
freeze $PEER_PID
fear busy "fear:busy('$PEER@$host')" "\[warning\] $on the connection to .* is too slow"
fetch /metrics | grep -c '^erlang_limit_used_ratio{.*what="\(atoms\|ports\|processes\)"}'
node_eval 'length([T || T <- ets:all(), ets:info(T, name) =:= fear]).'
export_stop
clean_node
