# erltrace_metrics for Prometheus, inside an application: the text for a server of the application's own, and a small server
# that is started with it. Both formats have exact edges, sums and counts, and labels that need escaping; promtool has no
# complaint. Who connects and does not ask is cut off, who asks for something else is told so, and the end leaves no server.
# A collector of OTLP that does not answer delays no scrape.
# @@timeout: 300
. "$srcdir/lib.sh"
command -v bash >/dev/null || { echo 'bash is not installed' >&2; exit 67; }
node_start -pa "$BUILD/otp/erltrace/ebin"
cat >script.d <<'D'
/*
 * @metric @calls shop_calls_total by function: Calls.
 * @metric @to shop_length_seconds by function in us sum @sum buckets 3..1000: How "far" it \ counts.
 * @metric @level shop_level by kind sum @sums: Levels.
 * @metric @signed shop_signed sum @total: Both signs.
 * @metric @most shop_most_ratio in percent: Largest.
 * @metric @delta shop_delta as gauge: May fall.
 * @metric @spread shop_spread as gauge: A distribution all the same. */
erlang*:lists:seq/2:entry
/args[1] > 1000000/
{
	@calls[probefunc] = count();
	this->n = args[1] - 1000000;
	@to[probefunc] = quantize(this->n);
	@sum[probefunc] = sum(this->n);
	@level["a \"b\" \\\n"] = lquantize(this->n, 0, 300, 10);
	@sums["a \"b\" \\\n"] = sum(this->n);
	@signed = quantize(this->n - 50);
	@total = sum(this->n - 50);
	@most = max(this->n);
	@delta = sum(-1500);
	@spread = lquantize(this->n, 0, 300, 100);
	@failed[1 / (this->n - 7)] = count();
}
D
node_eval "{ok, D} = file:read_file(\"$PWD/script.d\"), {ok, P} = erltrace_metrics:start_link(D, #{interval => 100, listen => 0}),
	unlink(P), register(metrics, P), [catch lists:seq(1000000 + N, 1000000 + N) || N <- [7, 100]], ok."
PORT=$(node_eval 'erltrace_metrics:port(metrics).')
get() { # get LINE [ACCEPT]
	timeout 60 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" || exit
		printf "%s HTTP/1.1\r\nHost: test\r\nAccept: %s\r\n\r\n" "$2" "$3" >&3
		cat <&3' - "$PORT" "$1" "${2:-*/*}" | tr -d '\r'
}
wait=0
until get 'GET /metrics' | grep -q '^shop_calls_total.* 2$'; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || { get 'GET /metrics'; break; }
	sleep 0.1
done
get 'GET /metrics?x=1' | sed -e 's/^Content-Length: [1-9][0-9]*$/Content-Length: N/'
echo '-- OpenMetrics'
get 'GET /metrics' 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2' | grep -e '^Content-Type' -e _signed -e '# .*_calls' -e '# .*length' -e '"9' -e EOF
if command -v promtool >/dev/null; then
	get 'GET /metrics' | sed '1,/^$/d' | promtool check metrics
fi
echo '-- by the application'
node_eval "{T, Text} = erltrace_metrics:scrape(metrics), ok = file:write_file(\"$PWD/scraped\", Text), binary_to_list(T)."
get 'GET /metrics' | sed '1,/^$/d' | cmp - scraped
echo '-- others'
get 'GET /' | sed -n '1p;$p'
get 'POST /metrics' | sed -n '1p;$p'
get 'nonsense' | sed -n '1p;$p'
node_eval "process_flag(trap_exit, true), {error, {dtrace, listen, E}} = erltrace_metrics:start_link(\"BEGIN { @ = count(); }\", #{listen => $PORT}), E."
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && sleep 60' - "$PORT" &
	silent="$silent $!"
done
get 'GET /metrics' | sed -n 1p
kill $silent
node_eval 'erltrace_metrics:stop(metrics).'
get 'GET /metrics' 2>/dev/null
echo '-- the port is free at once'
node_eval "[begin
		{ok, P} = erltrace_metrics:start_link(\"BEGIN { @ = count(); }\", #{listen => $PORT}),
		unlink(P), erltrace_metrics:stop(P),
		{error, _} = erltrace_metrics:start_link(\"BEGIN {\", #{listen => $PORT})
	end || process_flag(trap_exit, true) =/= x, _ <- lists:seq(1, 5)], ok."
echo '-- a collector that does not answer delays nobody, and nothing of this is traced'
node_eval "{ok, L} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]), {ok, Deaf} = inet:port(L),
	{ok, P} = erltrace_metrics:start_link(\"erlang*:gen_tcp:accept/1:entry, erlang*:gen_tcp:recv/3:entry, erlang*:httpc:request/4:entry, erlang*:lists:seq/2:entry { @seen[probefunc] = count(); }\",
		#{interval => 100, listen => $PORT, otlp => \"http://127.0.0.1:\" ++ integer_to_list(Deaf) ++ \"/\"}),
	unlink(P), register(metrics, P), gen_tcp:controlling_process(L, P),
	spawn(fun F() -> lists:seq(1, 2), timer:sleep(20), F() end), ok."
wait=0
until get 'GET /metrics' | grep -q seq/2; do
	wait=$((wait + 1))
	[ $wait -lt 600 ] || break
	sleep 0.1
done
# There is always something to push. A scrape that waited for the collector would take most of the 5 s that it has for each.
for i in 1 2 3 4 5; do
	begun=$(date +%s%N)
	get 'GET /metrics' >scraped
	echo $((($(date +%s%N) - begun) / 1000000)) >>took
	sleep 0.2
done
sort -n took | awk 'NR == 3 && $1 > 4000 { print "scrapes took " $1 " ms" }'
sed -n 's/^\(erltrace_seen_total.*\) [1-9][0-9]*$/\1/p' scraped
node_eval 'erltrace_metrics:stop(metrics).'
clean_node release
