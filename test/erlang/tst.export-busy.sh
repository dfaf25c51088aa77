# The ready-made scripts with metrics on a busy node: each takes no more than its share, 1 % of a scheduler. One that
# would take more runs for a part of the time. What it counts, divided by the time that it ran, has the true rate, and its
# counter as it is has what happened, because it also has an estimate of the rest; no counter ever falls. How exact
# estimates are where work is steady is held by test/unit/export_job.c: here it is not on a busy machine, where a second
# of a run may be one in which the node had no processor, or one in which it did what was due from before.
# @@timeout: 600
. "$srcdir/lib.sh"
. "$srcdir/../cli/export.sh"
trap 'export_end; node_end' EXIT

cat >work.erl <<'ERL'
-module(work).
-export([start/0, done/0, spread/0, init/1, handle_call/3, handle_cast/2, born/0]).
-define(BORN, 6000). % each second
-define(CALLS, 3000).
init([]) -> {ok, none}.
handle_call(X, _, S) -> {reply, X, S}.
handle_cast(_, S) -> {noreply, S}.
born() -> lists:sum(lists:seq(1, 300)). % with a collection
start() ->
    Done = counters:new(2, []),
    persistent_term:put(work, Done),
    {ok, _} = gen_server:start({local, till}, ?MODULE, [], []),
    spawn(fun() -> ets:new(log, [named_table, ordered_set]), turn(now_us(), Done) end),
    ok.
now_us() -> erlang:monotonic_time(microsecond).
%% what is due since it began, also if this process was late
turn(Began, Done) ->
    Us = now_us() - Began,
    due(?BORN * Us div 1000000 - counters:get(Done, 1), fun() -> spawn(?MODULE, born, []), counters:add(Done, 1, 1) end),
    due(?CALLS * Us div 1000000 - counters:get(Done, 2), fun() -> x = gen_server:call(till, x), counters:add(Done, 2, 1) end),
    ets:insert(log, {now_us(), counters:get(Done, 1), counters:get(Done, 2)}),
    timer:sleep(10),
    turn(Began, Done).
due(N, _) when N =< 0 -> ok;
due(N, Fun) -> Fun(), due(N - 1, Fun).
done() ->
    Done = persistent_term:get(work),
    io_lib:format("~w ~w ~w", [now_us(), counters:get(Done, 1), counters:get(Done, 2)]).
%% how much a second of it differs from another: the standard deviation, as a part of the mean
spread() ->
    [{First, _, _} | _] = Log = ets:tab2list(log),
    Seconds = seconds(Log, First + 1000000, 0, 0, []),
    Mean = lists:sum(Seconds) / length(Seconds),
    io_lib:format("~.3f", [math:sqrt(lists:sum([(N - Mean) * (N - Mean) || N <- Seconds]) / length(Seconds)) / Mean]).
seconds([], _, _, _, Seconds) -> Seconds;
seconds([{Us, _, _} | _] = Log, End, From, At, Seconds) when Us > End -> seconds(Log, End + 1000000, At, At, [At - From | Seconds]);
seconds([{_, N, _} | Log], End, From, _, Seconds) -> seconds(Log, End, From, N, Seconds).
ERL
erlc work.erl || exit 1
node_start -pa .
node_eval 'work:start().'
scripts='messages scheduling gc calls processes'
{
	printf 'listen 127.0.0.1:0\nnode %s\ninterval 1s\n' "$NODE"
	printf 'script %s\n' $scripts mailboxes schedulers long distribution alarms
} >export.conf
done_now() { node_eval 'lists:flatten(work:done()).' | tr -d '"'; }
started=$(date +%s%N)
export_start || exit
for s in $scripts; do
	wait_value "erltrace_attached{script=\"$s\",node=\"$NODE\"}" 1 120
done
began=$(date +%s%N)
before=$(done_now)
of() { awk -v want="$1" 'substr($0, 1, length(want) + 1) == want " " { print $NF }' last; }
BORN="erlang_process_spawns_total{node=\"$NODE\",function=\"work:born/0\"}"
PROCESSES="{script=\"processes\",node=\"$NODE\"}"
: >scrapes
whole=0 third=
# until the fourth run begins: then what was estimated for the first rests has been added
until [ "$(of "erltrace_attaches_total$PROCESSES" 2>/dev/null)" -ge 4 ] 2>/dev/null; do
	[ $(($(date +%s%N) - began)) -lt 450000000000 ] || { echo 'it does not go on'; cat export.err; break; }
	sleep 1
	fetch /metrics >last
	cat last >>scrapes
	# all that its counters have is counted or estimated; the numbers are not of the same moment
	awk -v all=$(($(of "erltrace_aggregated_total$PROCESSES") + $(of "erltrace_estimated_total$PROCESSES"))) \
		'/^erlang_process_(spawns|exits)_total/ { n += $NF } END { exit n != all }' last && whole=$((whole + 1))
	[ -n "$third" ] || [ "$(of "erltrace_attaches_total$PROCESSES")" -lt 3 ] ||
		third="$(done_now) $(of "erltrace_aggregated_total$PROCESSES")"
done
after=$(done_now)
ended=$(date +%s%N)
spread=$(node_eval 'lists:flatten(work:spread()).' | tr -d '"')
awk -v spread="$spread" 'BEGIN { exit spread >= 0.5 }' || { echo "work differs too much from second to second here: $spread" >&2; exit 67; }
[ $whole -ge 3 ] || echo "only $whole scrapes have all that was counted and estimated"
# how far the mean of so many seconds may be from the truth
within() { # within SCRIPT
	awk -v spread="$spread" -v starts="$(of "erltrace_attaches_total{script=\"$1\",node=\"$NODE\"}")" 'BEGIN { print 0.15 + 3 * spread / sqrt(starts) }'
}
# Ten seconds of a rest and more are estimated from one, however busy the machine is.
[ "$(of "erltrace_estimated_total$PROCESSES")" -gt "$(of "erltrace_aggregated_total$PROCESSES")" ] || echo 'little was estimated'
# What was estimated is of the rests before the third run. It may not be all there, because the rest before that run may
# have been longer than the one behind it. Births and ends are counted.
echo "$third $after" | awk -v n="$(of "$BORN")" -v all="$(of "erltrace_aggregated_total$PROCESSES")" -v within="$(within processes)" '{
	most = $2 + (all - $4) / 2
	if (n < $2 / 2 * (1 - within) || n > most * (1 + within))
		print "births: the counter has " n ", of " $2 " until the third run and " most " with it, within " within
}'

# each with what it was before it took its first look
for s in $scripts; do
	m="{script=\"$s\",node=\"$NODE\"}"
	awk -v s=$s -v took="$(of "erltrace_overhead_seconds_total$m")" -v ran="$(of "erltrace_running_seconds_total$m")" \
		-v starts="$(of "erltrace_attaches_total$m")" -v ms=$(((ended - started) / 1000000)) 'BEGIN {
		all = ms / 1000
		# Four times what is measured counts; ten seconds are saved at the start. What a run took too long is saved in the
		# rest behind it, so only the last one counts: a second until the look, and what the look and the end take.
		allowed = 0.01 * (all + 10) + 4 * took / ran * 10
		if (4 * took + 0.025 * starts > allowed + 0.025)
			print s " took " took " s in " starts " turns of " all " s"
		if (ran > all || ran < 1)
			print s " ran for " ran " s of " all
	}'
done
grep -q "processes on $NODE: takes more than its share, 1 %" export.err || { echo 'nothing had to rest'; cat export.err; }

# rates, by the time that it ran
rate() { # rate WHAT COUNTED SCRIPT COLUMN
	echo "$before $after" | awk -v what="$1" -v n="$2" -v ran="$(of "erltrace_running_seconds_total{script=\"$3\",node=\"$NODE\"}")" -v at="$4" \
		-v within="$(within "$3")" '{
		true = ($(3 + at) - $at) / ($4 - $1) * 1e6
		if (n / ran < true * (1 - within) || n / ran > true * (1 + within))
			print what ": " n " in " ran " s are " n / ran " a second instead of " true ", within " within
	}'
}
# births and ends; of a call its time, twice
rate births $(($(of "erltrace_aggregated_total$PROCESSES") / 2)) processes 2
rate calls $(($(of "erltrace_aggregated_total{script=\"calls\",node=\"$NODE\"}") / 2)) calls 3
[ "$(of "erlang_gc_duration_seconds_count{node=\"$NODE\",kind=\"minor\"}")" -gt 100 ] || echo 'no collections'

awk '/^#/ { next }
	/_total[{ ]|_count[{ ]|_bucket\{/ {
		name = $0; sub(/ [^ ]*$/, "", name)
		if (name in was && $NF + 0 < was[name] + 0) print name " fell from " was[name] " to " $NF
		was[name] = $NF
	}' scrapes | head -5
export_stop
clean_node
