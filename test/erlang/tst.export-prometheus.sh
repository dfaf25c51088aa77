# A real Prometheus scrapes erltrace export: it stores the numbers of the workload, histogram_quantile() is within the
# bucket of the exact quantile, and promtool has no complaint about the text in either format.
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
 */
erlang*:known:put/1:entry { @values = quantize(args[0]); @sum = sum(args[0]); @calls = count(); }
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

# Prometheus, on a port that is free
cat >prometheus.yml <<Y
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: erltrace
    static_configs:
      - targets: ['127.0.0.1:$EXPORT_PORT']
Y
try=0
while [ $try -lt 5 ]; do
	port=$((20000 + ($$ + try * 777) % 20000))
	prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:$port --log.level=warn >prometheus.log 2>&1 &
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
export_stop
clean_node
