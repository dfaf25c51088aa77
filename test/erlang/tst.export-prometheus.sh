# A real Prometheus scrapes erltrace export: it stores the numbers of the workload, histogram_quantile() is within the
# bucket of the exact quantile, and promtool has no complaint about the text in either format. One that takes native
# histograms gets protobuf, and stores the same numbers in exact buckets.
# @@timeout: 240
command -v prometheus >/dev/null && command -v promtool >/dev/null || { echo 'prometheus is not installed' >&2; exit 67; }
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
prometheus=
finish() {
	[ -z "$prometheus" ] || kill -9 $prometheus 2>/dev/null
	export_end
	node_end
}
trap finish EXIT

cat >known.erl <<'ERL'
-module(known).
-export([run/0, put/1]).
put(N) -> N.
run() -> lists:foreach(fun ?MODULE:put/1, lists:seq(1, 1000)).
ERL
erlc known.erl || exit 1
node_start -pa .
[ "$(node_eval 'element(1, code:ensure_loaded(known)).')" = module ] || exit 1
cat >known.d <<'D'
/*
 * @metric @values test_value_seconds in us sum @sum: Known numbers.
 * @metric @calls test_puts_total: Calls.
 * @metric @sides test_sides by odd: Numbers on both "sides" of zero; \ is a backslash.
 */
erlang*:known:put/1:entry { @values = quantize(args[0]); @sum = sum(args[0]); @calls = count(); }
erlang*:known:put/1:entry /args[0] <= 8/ { @sides["a \"b\" \\ c"] = quantize((int64_t)args[0] - 4); }
D
cat >export.conf <<C
listen 127.0.0.1:0
interval 100ms
node $NODE
script known.d
script gc
C
export_start || exit
wait_value "erltrace_attached{script=\"known.d\",node=\"$NODE\"}" 1
[ "$(node_eval 'known:run().')" = ok ] || exit 1
wait_value "test_puts_total{node=\"$NODE\"}" 1000
fetch /metrics | promtool check metrics || exit 1
grep -q 'version=0.0.4' headers || cat headers

# native histograms need the protobuf format; which scraper gets it
for accept in 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,text/plain;q=0.5' \
	'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text' 'application/vnd.google.protobuf' \
	'text/plain,application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.1'; do
	fetch /metrics "$accept" >/dev/null
	sed -n 's/^[Cc]ontent-[Tt]ype: \([^;]*\).*/\1/p' headers
done

# Prometheus, on a port that is free; run: starts it with more arguments
cat >prometheus.yml <<Y
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: erltrace
    static_configs:
      - targets: ['127.0.0.1:$EXPORT_PORT']
Y
run() {
	try=0
	while [ $try -lt 5 ]; do
		port=$((20000 + ($$ + try * 777) % 20000))
		prometheus --config.file=prometheus.yml --storage.tsdb.path=data "$@" --web.listen-address=127.0.0.1:$port --log.level=warn >prometheus.log 2>&1 &
		prometheus=$!
		wait=0
		until promtool query instant http://127.0.0.1:$port 'test_puts_total' 2>/dev/null | grep -q '=> 1000 ' || [ $wait -ge 150 ]; do
			kill -0 $prometheus 2>/dev/null || break
			wait=$((wait + 1))
			sleep 0.4
		done
		kill -0 $prometheus 2>/dev/null && break
		try=$((try + 1))
	done
}
run
ask() {
	promtool query instant http://127.0.0.1:$port "$1" | sed 's/.*=> \(.*\) @.*/\1/'
}
ask test_puts_total
ask test_value_seconds_count
ask test_value_seconds_sum
ask 'test_value_seconds_bucket{le="0.000511"}'
ask 'count(test_value_seconds_bucket)'
ask 'up{job="erltrace"}'
# the exact quantiles are 500 us and 900 us, in the buckets up to 511 us and up to 1023 us
for q in 0.5 0.9 0.99; do
	ask "histogram_quantile($q, test_value_seconds_bucket)" |
		awk -v q=$q '{ low = q == 0.5 ? 255e-6 : 511e-6; high = q == 0.5 ? 511e-6 : 1023e-6; print q, ($1 > low && $1 <= high ? "is within the bucket" : "is " $1) }'
done
# It asked for OpenMetrics, and could read it.
[ "$(ask 'erltrace_scrapes_total{format="openmetrics"}')" -ge 1 ] || echo 'it did not ask for OpenMetrics'
[ "$(ask 'erltrace_attached{script="gc"}')" = 1 ] || echo 'gc is not attached'
grep -i error prometheus.log

# -- native histograms
kill -9 $prometheus
wait $prometheus 2>/dev/null
rm -rf data
# later releases have a setting for it
sed 's/^  scrape_interval: 1s$/&\n  scrape_native_histograms: true/' prometheus.yml >native.yml
promtool check config native.yml >/dev/null 2>&1 && mv native.yml prometheus.yml
run --enable-feature=native-histograms
# promtool does not show them: the buckets are [kind of edges, low, high, count]
native() {
	timeout 60 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "GET /api/v1/query?query=%s HTTP/1.0\r\nHost: x\r\n\r\n" "$2" >&3 && cat <&3' - $port "$1" |
		sed -n -e "s/.*\"metric\":{\"__name__\":\"\([^\"]*\)\"/\1 /" -e 's/,"instance.*"histogram":\[[^,]*,/ /' -e 's/\]}\]}}$//p'
	echo
}
native test_sides
native test_value_microseconds
ask 'histogram_count(test_value_microseconds)'
ask 'histogram_sum(test_value_microseconds)'
for q in 0.5 0.9 0.99; do
	ask "histogram_quantile($q, test_value_microseconds)" |
		awk -v q=$q '{ low = q == 0.5 ? 256 : 512; high = q == 0.5 ? 512 : 1024; print q, ($1 > low && $1 <= high ? "is within the bucket" : "is " $1) }'
done
# the others are as before
ask test_puts_total
ask 'test_value_seconds_bucket{le="0.000511"}'
ask test_value_seconds_sum
ask 'erltrace_attached{script="known.d"}'
[ "$(ask 'erltrace_scrapes_total{format="protobuf"}')" -ge 1 ] || echo 'it did not ask for protobuf'
grep -i error prometheus.log
export_stop
clean_node
