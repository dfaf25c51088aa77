# The ready-made scripts with metrics: each runs on a node and counts what the node does. The Grafana dashboard uses
# exactly the metrics that they make, and promtool accepts its expressions.
# @@timeout: 400
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT
scripts=$srcdir/../../scripts/metrics

cat >work.erl <<'ERL'
-module(work).
-export([run/0, init/1, handle_call/3, handle_cast/2, born/0]).
init([]) -> {ok, none}.
handle_call(X, _, S) -> {reply, X, S}.
handle_cast(_, S) -> {noreply, S}.
born() -> ok.
wait({Pid, Ref}) -> receive {'DOWN', Ref, process, Pid, _} -> ok end.
run() ->
    {ok, _} = gen_server:start({local, till}, ?MODULE, [], []),
    [x = gen_server:call(till, x) || _ <- lists:seq(1, 25)],
    %% answers come to an alias of the caller, each to another
    {ok, Other} = gen_server:start(?MODULE, [], []),
    [x = gen_server:call(Other, x) || _ <- lists:seq(1, 20000)],
    ok = gen_server:stop(Other),
    [wait(spawn_monitor(?MODULE, born, [])) || _ <- lists:seq(1, 12)],
    [wait(spawn_monitor(fun() -> exit({shutdown, x}) end)) || _ <- lists:seq(1, 7)],
    [wait(spawn_monitor(fun() -> exit(boom) end)) || _ <- lists:seq(1, 5)],
    [wait(begin P = spawn_monitor(fun() -> receive never -> ok end end), exit(element(1, P), kill), P end) || _ <- lists:seq(1, 3)],
    %% twenty messages that nobody reads
    Idle = spawn(fun() -> receive never -> ok end end),
    [Idle ! N || N <- lists:seq(1, 20)],
    %% a collection that ends with a large heap
    wait(spawn_monitor(fun() -> L = lists:seq(1, 2000000), erlang:garbage_collect(), length(L) end)),
    ok.
ERL
erlc work.erl || exit 1
node_start -pa .
node_eval 'element(1, code:ensure_loaded(work)).'
{
	echo 'listen 127.0.0.1:0'
	echo 'interval 100ms'
	echo "node $NODE"
	for f in "$scripts"/*.d; do
		f=${f##*/}
		# a busy machine makes fewer processes
		case $f in
		alarms.d) echo 'script alarms 10000 200 2000' ;;
		budget.d) echo 'script budget work born/0 50' ;;
		*) echo "script ${f%.d}" ;;
		esac
	done
} >export.conf
"$ERLTRACE" export --check export.conf >metrics || exit 1
export_start || exit
for s in $(sed -n 's/^script \([a-z]*\).*/\1/p' export.conf); do
	wait_value "erltrace_attached{script=\"$s\",node=\"$NODE\"}" 1
done
node_eval 'work:run().'
# another node comes and goes
"${ERL:-erl}" -sname "peer$$" -setcookie "$COOKIE" -noinput -eval "pong = net_adm:ping('$NODE@$(hostname -s)'), halt()."
n="node=\"$NODE\""
wait_value "erlang_server_call_seconds_count{$n,server=\"till\"}" 25
wait_value "erlang_process_spawns_total{$n,function=\"work:born/0\"}" 12
# the node's own processes end too
wait_least "erlang_process_exits_total{$n,reason=\"shutdown\"}" 7
wait_least "erlang_process_exits_total{$n,reason=\"error\"}" 5
wait_least "erlang_process_exits_total{$n,reason=\"killed\"}" 3
wait_least "erlang_mailbox_messages_bucket{$n,le=\"31\"}" 1
wait_least "erlang_run_delay_seconds_count{$n}" 2
wait=0
until fetch /metrics >all && for m in erlang_gc_duration_seconds_bucket erlang_gc_reclaimed_words_total erlang_message_latency_seconds_sum \
	erlang_process_run_seconds_sum erlang_mailbox_messages_bucket erlang_large_heaps_total 'erlang_dist_nodes_total.*event="nodedown"'; do
	grep -q "^$m.* [0-9.]*[1-9]" all || break
done && grep -q "^$m.* [0-9.]*[1-9]" all; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || { echo "$m stays 0"; break; }
	sleep 0.2
done
# a queue that grows and a storm of processes are alarming
node_eval 'Idle = spawn(fun() -> receive never -> ok end end), [Idle ! N || N <- lists:seq(1, 10005)], [spawn(fun() -> ok end) || _ <- lists:seq(1, 45000)], ok.'
wait_said "alert [warning] alarms on $NODE: the queue of <0."
wait_said ' processes were born in a second'
grep -c 'has 100[0-9]* messages and grows' export.err
command -v promtool >/dev/null && { promtool check metrics <all || echo 'promtool does not like it'; }
grep '^erltrace_errors_total.* [1-9]' all
grep '^erltrace_drops_total.* [1-9]' all

echo '-- the dashboard'
grep '"expr"' "$scripts/grafana.json" | grep -Eo '\b(erlang|erltrace)_[a-z_]+' | sort -u >asked
sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' all >there
awk '{ print $1 }' metrics >>there
while read -r m; do
	s=$(echo "$m" | sed -E 's/_(bucket|sum|count)$//')
	grep -qx -e "$m" -e "$s" there || echo "the dashboard asks for $m, which nobody makes"
	echo "$s" >>shown
done <asked
awk '{ print $1 }' metrics | while read -r m; do
	grep -qx "$m" shown || echo "the dashboard does not show $m"
done
[ "$(wc -l <asked)" -gt 15 ] || echo 'the expressions were not found'
if command -v promtool >/dev/null; then
	{
		echo 'groups: [{name: dashboard, rules: ['
		grep '"expr"' "$scripts/grafana.json" | sed -e 's/^ *"expr": \(".*"\),*$/{record: "a:b", expr: \1},/; s/\[\$__rate_interval\]/[5m]/g' |
			awk '{ sub(/"a:b"/, "\"a:b" NR "\""); print }'
		echo ']}]'
	} >rules.yml
	promtool check rules rules.yml >rules.out 2>&1 || cat rules.out
fi
if command -v node >/dev/null; then
	node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$scripts/grafana.json" || echo 'not JSON'
fi
export_stop
clean_node
