# Tracing returns does not break tail recursion. Exceptions, exits of processes, new code and its purge leave no state.
# A flood of calls queues nothing and takes little memory.
# @@timeout: 120
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
trace_start out -x maxoverhead=1000 -n 'erlang*:load:tail/2:entry { self->t = timestamp; } erlang*:load:tail/2:return { @["tail"] = count(); self->t = 0; }
	erlang*:load:throws/1:return { @["throws"] = count(); } erlang*:load:throws/1:exception { @["exception"] = count(); }
	erlang*:load:die/1:entry { self->x = 1; @["die"] = count(); } erlang*:load:die/1:return { @["died"] = count(); }
	erlang*:load:down/1:return { @["down"] = count(); }'
TURNS=${TURNS:-1000000}
node_eval "spawn(load, tail, [$TURNS, self()]), receive {memory, M} when M < 20000 -> small; Other -> Other end."
node_eval '[catch load:throws(X) || X <- lists:seq(1, 1000)], 10 = load:down(10), ok.'
# The new code is traced as soon as erltrace has heard of it.
node_eval "$INFO"'{module, load} = code:load_file(load), code:purge(load), {module, load} = code:load_file(load), code:purge(load),
	Wait = fun Wait(0) -> ok; Wait(N) -> Info({load, down, 1}, traced) =:= {traced, local} orelse begin timer:sleep(10), Wait(N - 1) end end,
	Wait(2000), load:down(3).'
PROCESSES=${PROCESSES:-20000}
node_eval "Go = fun Go(0) -> ok; Go(N) -> {P, R} = spawn_monitor(load, die, [crash]), receive {_, R, _, P, _} -> ok end, Go(N - 1) end,
	Go($PROCESSES), timer:sleep(100), {_, _, Processes, Frames, _} = erltrace_tracer:state(), {kept, Processes < 30, Frames < 30}."
trace_stop
sed -e "s/ $TURNS$/ TURNS/; s/ $PROCESSES$/ PROCESSES/" out.txt | sort
echo "after: $(clean_node)"

trace_start out -x maxoverhead=1000 -n 'erlang*:load:up/1:entry { @ = count(); }'
CALLS=${CALLS:-100000}
node_eval "
	erlang:garbage_collect(), Before = erlang:memory(total),
	Self = self(),
	Ps = [spawn(fun() -> load:calls($CALLS), Self ! done end) || _ <- lists:seq(1, 8)],
	[receive done -> ok end || _ <- Ps],
	Longest = lists:max([N || P <- processes(), {message_queue_len, N} <- [process_info(P, message_queue_len)]]),
	{flood, (erlang:memory(total) - Before) div 1048576 < 16, Longest < 100}."
trace_stop
sed -e "s/^$((8 * CALLS))$/all/" out.txt
echo "after: $(clean_node)"
