# dbg, started before or after a script, keeps its processes, flags and patterns and sees its events. The command says
# what it cannot share with dbg.
# @@timeout: 60
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
[ "$(node_eval 'erlang:system_info(otp_release) < "27".')" = true ] || { echo "from OTP 27 on nothing is shared: tst.sessions.sh" >&2; exit 67; }
node_eval '
	Sink = spawn(fun S() -> receive {get, P, R} -> P ! {R, get(n)}, S(); {trace, _, call, {load, up, _}} -> put(n, case get(n) of undefined -> 1; N -> N + 1 end), S(); _ -> S() end end),
	register(sink, Sink),
	Idle = fun I() -> receive {do, F, P} -> F(), P ! did, I() end end,
	register(theirs, spawn(Idle)), register(ours, spawn(Idle)), unlink(whereis(theirs)),
	{ok, _} = dbg:tracer(process, {fun(M, _) -> sink ! M, ok end, ok}),
	{ok, _} = dbg:p(theirs, [c]), {ok, _} = dbg:tpl(load, up, 1, []), ok.'
trace_start out -n 'erlang*:load:up/1:entry { @["up"] = count(); } erlang*:load:call/1:entry { @["call"] = count(); }
	erlang*:::message-send /copyinstr(arg1) == "nobody_here"/ { @["send"] = count(); }'
# everything that dbg was sent has reached the sink
DELIVERED='Traced = erlang:trace_delivered(whereis(theirs)), receive {trace_delivered, _, Traced} -> ok end,
	{ok, Tracer} = dbg:get_tracer(),
	(fun Quiet() -> case process_info(Tracer, [message_queue_len, status]) of
	    [{_, 0}, {_, waiting}] -> ok; _ -> timer:sleep(10), Quiet() end end)(),'
node_eval '
	Do = fun(W) -> W ! {do, fun() -> [load:call(I) || I <- lists:seq(1, 10)] end, self()}, receive did -> ok end end,
	Do(theirs), Do(ours), '"$DELIVERED"'
	Get = fun() -> R = make_ref(), sink ! {get, self(), R}, receive {R, N} -> N end end,
	{dbg_saw, Get()}.'
trace_stop
cat out.txt
sed 's/.*erltrace: //' out.err
node_eval '
	Do = fun(W) -> W ! {do, fun() -> [load:call(I) || I <- lists:seq(1, 10)] end, self()}, receive did -> ok end end,
	Do(theirs), '"$DELIVERED"'
	Get = fun() -> R = make_ref(), sink ! {get, self(), R}, receive {R, N} -> N end end,
	{dbg_saw, Get(), erlang:trace_info(whereis(theirs), flags), erlang:trace_info({load, up, 1}, traced)}.'
# scripts about all functions go around theirs, also when the hub is killed; a pattern that they set meanwhile stays, too
node_eval '{ok, _} = dbg:tpl(load, call, 1, [{[1], [], [{return_trace}]}]), {ok, _} = dbg:tp(lists, seq, 2, []), ok.'
theirs='[begin {traced, T} = erlang:trace_info(MFA, traced), {match_spec, S} = erlang:trace_info(MFA, match_spec), {F, T, S} end
	|| {_, F, _} = MFA <- [{load, up, 1}, {load, call, 1}, {lists, seq, 2}, {lists, reverse, 1}]].'
node_eval "$theirs"
trace_start out -x maxoverhead=0 -n 'erlang*:::function-entry /copyinstr(arg1) != "x"/ { @ = count(); } END { clear(@); trunc(@); }'
node_eval "$theirs" | sed 's/{reverse, local, .*}/{reverse, ours}/'
node_eval '{ok, _} = dbg:tpl(lists, reverse, 1, [{[[]], [], []}]), ok.'
trace_stop 2>/dev/null
sed 's/.*erltrace: //' out.err
node_eval "$theirs"
trace_start out -x maxoverhead=0 -n 'erlang*:::function-return { @ = count(); } END { clear(@); trunc(@); }'
node_eval '{traced, local} = erlang:trace_info({lists, append, 2}, traced), exit(whereis(erltrace_hub), kill), ok.'
trace_stop 2>/dev/null
node_eval 'None = fun() -> erlang:trace_info({lists, append, 2}, traced) =:= {traced, false} end,
	(fun Wait(0) -> None(); Wait(N) -> None() orelse begin timer:sleep(100), Wait(N - 1) end end)(100).'
node_eval "$theirs"
node_eval 'dbg:stop_clear(), timer:sleep(500), ok.'
echo "after: $(clean_node)"
