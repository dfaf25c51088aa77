# erltrace_metrics inside an application: handlers get totals that grow, with the names and labels of the script's
# @metric lines. A handler that fails is removed. An OTLP receiver gets requests that follow the published schema, with
# exact numbers.
# @@timeout: 300
command -v node >/dev/null || { echo 'node is not installed' >&2; exit 67; }
. "$srcdir/lib.sh"
ls /usr/lib/erlang/lib/inets-*/ebin/httpc.beam >/dev/null 2>&1 || [ "$(erl -noinput -eval 'io:put_chars(atom_to_list(element(1, code:ensure_loaded(httpc)))), halt().')" = module ] || { echo 'inets is not installed' >&2; exit 67; }
node_start -pa "$BUILD/otp/erltrace/ebin" -pa "$BUILD/test/erlang"
port=$(node_eval "hook:start(\"$PWD/otlp.txt\").")
cat >script.d <<'D'
/*
 * @metric @calls shop_calls_total by function: Calls.
 * @metric @to shop_length by function in us sum @sum buckets 1..1000: How far it "counts".
 * @metric @level shop_level by kind: Levels.
 * @metric @most shop_most: Largest.
 */
erlang*:lists:seq/2:entry
{
	@calls[probefunc] = count();
	@to[probefunc] = quantize(args[1]);
	@sum[probefunc] = sum(args[1]);
	@level["l\n"] = lquantize(args[1], 0, 30, 10);
	@most = max(args[1]);
	@unnamed = count();
}
D
# what the library telemetry has of this
cat >telemetry.erl <<'ERL'
-module(telemetry).
-export([execute/3]).
execute([erltrace, metric], #{}, #{name := _}) -> ets:update_counter(told, telemetry, 1, {telemetry, 0}).
ERL
erlc telemetry.erl || exit 1
node_eval "
	code:add_path(\"$PWD\"),
	{ok, D} = file:read_file(\"$PWD/script.d\"),
	Self = self(),
	spawn(fun() -> ets:new(told, [public, named_table, ordered_set]), Self ! made, receive never -> ok end end),
	receive made -> ok end,
	Keep = fun([erltrace, metric], V, #{name := N, type := T, labels := L, unit := U}) -> ets:insert(told, {{N, T, L, U}, V}) end,
	logger:set_primary_config(level, none),
	{ok, P} = erltrace_metrics:start_link(D, #{interval => 100, service => \"shop\", otlp => \"http://127.0.0.1:$port/v1/metrics\",
		handlers => [fun(_, _, _) -> error(bad) end, telemetry, Keep]}),
	unlink(P), register(metrics, P), ok."
told() {
	node_eval 'lists:flatten([io_lib:format("~ts ~p ~0p ~ts ~0p; ", [N, T, L, U, lists:sort(maps:to_list(V))]) || {{N, T, L, U}, V} <- ets:tab2list(told)]).'
}
count=0
calls() { # each more than the last; waits until they are there, in all four
	node_eval "[lists:seq(1, $1) || _ <- [a, b]], ok."
	count=$((count + 2)) wait=0
	until [ "$(node_eval 'ets:tab2list(told).' | tr -d ' \n' | grep -Eo "value=>($count|$1)}|count=>$count\>" | wc -l)" = 4 ]; do
		wait=$((wait + 1))
		[ $wait -lt 600 ] || { echo "it did not become $count"; told; exit 1; }
		sleep 0.1
	done
}
calls 5
calls 8
calls 100
told
node_eval '[{telemetry, N}] = ets:lookup(told, telemetry), N >= 12.'
node_eval 'erltrace_metrics:stop(metrics).'
# two rows and the others: a sum has those of its distribution, also if it has other keys first; both metrics of one
# aggregation are told
cat >rows.d <<'D'
/* @metric @to shop_to by n sum @sum: How far.
 * @metric @sum shop_sum_total by n: The same.
 * @metric @last shop_last by n: Gauges. */
erlang*:lists:seq/2:entry /args[0] == 1/ { @sum[(int)args[1]] = sum(args[1]); @last[(int)args[1]] = max(args[1]); }
erlang*:lists:seq/2:entry /args[0] == 1 && args[1] != 7/ { @to[(int)args[1]] = quantize(args[1]); }
D
cat >rows.erl <<ERL
{ok, D} = file:read_file("$PWD/rows.d"),
Self = self(),
Keep = fun(_, V, #{name := N, labels := L}) -> Self ! {told, {N, maps:get(<<"n">>, L)}, V} end,
{ok, P} = erltrace_metrics:start_link(D, #{interval => 500, rows => 2, handlers => [Keep]}),
lists:seq(1, 7),
receive {told, {<<"shop_sum_total">>, <<"7">>}, _} -> ok end, % so the next snapshot is half a second away
[lists:seq(1, N) || N <- [2, 3, 4]],
erltrace_metrics:stop(P),
Take = fun Take(M) -> receive {told, K, V} -> Take(M#{K => V}) after 0 -> M end end,
M = Take(#{}),
To = [{N, S} || {{<<"shop_to">>, N}, #{sum := S}} <- lists:sort(maps:to_list(M))],
{Rows, [{<<"other">>, Others}]} = lists:split(length(To) - 1, To),
{length(Rows), lists:sum([S || {_, S} <- Rows]) + Others, lists:all(fun({N, S}) -> S =:= binary_to_integer(N) end, Rows),
 lists:sum([V || {{<<"shop_sum_total">>, _}, #{value := V}} <- maps:to_list(M)]),
 length([x || {<<"shop_last">>, _} <- maps:keys(M)])}.
ERL
node_eval "$(cat rows.erl)"
clean_node release
cat >check.js <<'J'
// The messages of opentelemetry/proto/metrics/v1 as protobuf's JSON: a name that is not in the schema, or a value of another type, is an error.
const u64 = v => typeof v === 'string' && /^-?\d+$/.test(v), num = v => typeof v === 'number', str = v => typeof v === 'string',
	int = Number.isInteger, bool = v => typeof v === 'boolean';
const many = f => v => Array.isArray(v) && v.every(f), message = fields => v => v && typeof v === 'object' && Object.keys(v).every(k => {
	const ok = fields[k] && fields[k](v[k]); if (!ok) console.log('not in the schema:', k, JSON.stringify(v[k])); return ok; });
const attributes = many(message({key: str, value: message({stringValue: str})}));
const point = {attributes, startTimeUnixNano: u64, timeUnixNano: u64};
const sides = message({offset: int, bucketCounts: many(u64)});
const metric = message({name: str, description: str, unit: str,
	gauge: message({dataPoints: many(message({...point, asInt: u64}))}),
	sum: message({dataPoints: many(message({...point, asInt: u64})), aggregationTemporality: int, isMonotonic: bool}),
	histogram: message({dataPoints: many(message({...point, count: u64, sum: num, bucketCounts: many(u64), explicitBounds: many(num)})), aggregationTemporality: int}),
	exponentialHistogram: message({dataPoints: many(message({...point, count: u64, sum: num, scale: int, zeroCount: u64, positive: sides, negative: sides})), aggregationTemporality: int})});
const request = message({resourceMetrics: many(message({resource: message({attributes}), scopeMetrics: many(message({scope: message({name: str}), metrics: many(metric)}))}))});
const all = require('fs').readFileSync('otlp.txt', 'utf8').trim().split('\n').map(l => JSON.parse(l));
console.log(all.every(request) ? 'the schema is kept' : 'the schema is not kept');
const last = all[all.length - 1].resourceMetrics[0];
console.log(last.resource.attributes[0].value.stringValue);
for (const m of last.scopeMetrics[0].metrics) {
	const data = m.sum || m.gauge || m.histogram || m.exponentialHistogram;
	for (const p of data.dataPoints) {
		if (BigInt(p.timeUnixNano) <= BigInt(p.startTimeUnixNano)) console.log('time goes backwards');
		const sides = p.bucketCounts ? p.bucketCounts : p.positive ? [p.zeroCount, ...p.positive.bucketCounts, ...p.negative.bucketCounts] : [];
		if (p.count && Number(p.count) !== sides.reduce((a, b) => a + Number(b), 0)) console.log('buckets do not add up');
		delete p.timeUnixNano; delete p.startTimeUnixNano;
		if (!m.gauge) console.log(m.name, m.unit, ['sum', 'histogram', 'exponentialHistogram'].find(k => m[k]), JSON.stringify(p));
	}
}
J
node check.js
