# A script of erltrace export with a share of a scheduler: where it costs more, it runs for a part of the time. What it
# takes stays within the share, what it counts only grows, and no time is measured across a rest. A script that
# costs less runs all the time. One that the overhead guard ends rests, too. SIGTERM during a rest leaves nothing on the node.
# @@timeout: 600
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT

cat >work.erl <<'ERL'
-module(work).
-export([start/0]).
%% two processes that do nothing but send to each other, for as long as the node lives
start() ->
    A = spawn(fun() -> receive Other -> Other ! self(), play(Other) end end),
    B = spawn(fun() -> play(A) end),
    A ! B,
    ok.
play(Other) -> receive _ -> Other ! ball, play(Other) end.
ERL
erlc work.erl || exit 1
node_start -pa .
node_eval 'work:start().'
cat >export.conf <<C
listen 127.0.0.1:0
interval 2s
node $NODE
script messages
share 20
script distribution
share 0.5
script scheduling
share 90
option maxoverhead=3
C
export_start || exit
began=$(date +%s%N)
m="script=\"messages\",node=\"$NODE\"" d="script=\"distribution\",node=\"$NODE\""
wait_value "erltrace_attached{$d}" 1 120
attached=$(date +%s%N)
wait_said "messages on $NODE: takes more than its share, 20 % of a scheduler, so it runs for a part of the time"
value "erltrace_attached{$m}"
first=$(value "erlang_message_latency_seconds_count{node=\"$NODE\"}")
[ "${first:-0}" -gt 1000 ] || echo "only $first messages before the first rest"
# it begins again, and rests again; a rest is long where a look was late
wait_least "erltrace_attaches_total{$m}" 2 200
wait_least "erlang_message_latency_seconds_count{node=\"$NODE\"}" $((first + 1000)) 200
wait_least "erltrace_attaches_total{$m}" 3 200
fetch /metrics >all
ended=$(date +%s%N)
of() { awk -v want="$1" 'substr($0, 1, length(want) + 1) == want " " { print $NF }' all; }
awk -v took="$(of "erltrace_overhead_seconds_total{$m}")" -v ran="$(of "erltrace_running_seconds_total{$m}")" \
	-v all=$(((ended - began) / 1000000)) 'BEGIN {
	all /= 1000
	# what may be saved at the start, and one look beyond it on two schedulers
	if (took > 0.2 * (all + 10) + 2)
		print "it took " took " s of " all
	if (ran > all * 0.8 || ran < 0.5)
		print "it ran for " ran " s of " all
}'
of "erltrace_attach_failures_total{$m}"
# a message that was sent before a rest of ten seconds is not one that waited as long
[ "$(of "erlang_message_latency_seconds_bucket{node=\"$NODE\",le=\"8.589934591\"}")" = "$(of "erlang_message_latency_seconds_count{node=\"$NODE\"}")" ] ||
	echo 'latencies were measured across a rest'
of "erltrace_attaches_total{$d}"
awk -v ran="$(of "erltrace_running_seconds_total{$d}")" -v all=$(((ended - attached) / 1000000)) \
	'BEGIN { if (ran * 1000 < all * 0.8) print "distribution ran only " ran " s of " all / 1000 }'
wait_said "scheduling on $NODE: takes more than its share, 90 %"
wait_least "erltrace_attaches_total{script=\"scheduling\",node=\"$NODE\"}" 2 120
grep -c 'takes more' export.err
export_stop
clean_node
