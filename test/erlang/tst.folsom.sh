# erltrace_metrics with the handler folsom: counters grow by exactly what happened, also when the process that tells
# them is started again; gauges and distributions have the values of the script.
. "$srcdir/lib.sh"
ls /usr/lib/erlang/lib/folsom-*/ebin/folsom.beam >/dev/null 2>&1 || { echo 'erlang-folsom is not installed' >&2; exit 67; }
node_start -pa "$BUILD/otp/erltrace/ebin"
cat >script.d <<'D'
/*
 * @metric @calls shop_calls_total by function: Calls.
 * @metric @all shop_all_total: Calls.
 * @metric @to shop_length by function in us sum @sum: How far it counts.
 * @metric @most shop_most: Largest.
 */
erlang*:lists:seq/2:entry
{
	@calls[probefunc] = count();
	@all = count();
	@to[probefunc] = quantize(args[1]);
	@sum[probefunc] = sum(args[1]);
	@most = max(args[1]);
}
D
start() {
	node_eval "
	{ok, D} = file:read_file(\"$PWD/script.d\"),
	{ok, P} = erltrace_metrics:start_link(D, #{interval => 100, handlers => [folsom]}),
	unlink(P), register(metrics, P), ok."
}
# value ID WANTED: waits for it
value() {
	want=$2 wait=0
	until [ "$(node_eval "folsom_metrics:get_metric_value($1)." | tr -d ' \n')" = "$want" ]; do
		wait=$((wait + 1))
		[ $wait -lt 150 ] || { echo "it did not become $want"; break; }
		sleep 0.1
	done
	node_eval "folsom_metrics:get_metric_value($1)." | tr -d ' \n'
	echo
}
SEQ='{<<"shop_calls_total">>, [{<<"function">>, <<"seq/2">>}]}'
LENGTH='{<<"shop_length">>, [{<<"function">>, <<"seq/2">>}]}'
node_eval '{ok, _} = application:ensure_all_started(folsom), ok.'
start
node_eval '[lists:seq(1, N) || N <- [1, 2, 3]], ok.'
value "$SEQ" 3
value '<<"shop_all_total">>' 3
value '<<"shop_most">>' 3
value "$LENGTH" '[{count,3},{buckets,[{{1,1},1},{{2,3},2}]},{sum,6}]'
node_eval '[lists:seq(1, N) || N <- [4, 5]], ok.'
value "$SEQ" 5
value '<<"shop_most">>' 5
node_eval 'erltrace_metrics:stop(metrics).'
# another process: its own totals begin at nothing
start
node_eval 'lists:seq(1, 9), ok.'
value "$SEQ" 6
value "$LENGTH" '[{count,1},{buckets,[{{8,15},1}]},{sum,9}]'
node_eval 'erltrace_metrics:stop(metrics).'
node_eval 'lists:flatten([io_lib:format("~0p ~p; ", [Id, proplists:get_value(type, Info)])
	|| Id <- lists:sort(folsom_metrics:get_metrics()), {_, Info} <- folsom_metrics:get_metric_info(Id)]).'
node_eval 'lists:flatten(io_lib:format("~0p", [folsom_metrics:get_metrics_value(<<"shop_calls_total">>)])).'
# without folsom the handler is taken out, and nothing else happens
node_eval 'application:stop(folsom), logger:set_primary_config(level, none), ok.'
start
node_eval 'lists:seq(1, 9), ok.'
node_eval 'is_process_alive(whereis(metrics)).'
node_eval 'erltrace_metrics:stop(metrics).'
clean_node release
