# On OTP 27 and later erltrace has its own trace session. Another tool's tracing of the same processes and functions
# continues, and both see their events. Calls have whole stacks. A killed hub leaves nothing. Runs if `erl`, or the one
# that OTP27 names, is from OTP 27 or later.
# @@timeout: 120
. "$srcdir/lib.sh"
ERL=${OTP27:-${ERL:-erl}}
erlc -o . "$srcdir/load.erl" || exit 1
node_start
[ "$(node_eval 'erlang:system_info(otp_release) >= "27".')" = true ] || { echo 'erl is older than OTP 27, and OTP27 names no other' >&2; exit 67; }
# another tool: counts calls of load:up/1 by all processes
node_eval '
	{module, load} = code:ensure_loaded(load),
	register(sink, spawn(fun S() -> receive {get, P, R} -> P ! {R, get(n)}, S(); {trace, _, call, {load, up, _}} -> put(n, case get(n) of undefined -> 1; N -> N + 1 end), S(); _ -> S() end end)),
	register(other, spawn(fun() ->
	    Other = trace:session_create(other, whereis(sink), []),
	    trace:process(Other, all, true, [call]), trace:function(Other, {load, up, 1}, true, [local]),
	    receive stop -> trace:session_destroy(Other) end
	end)),
	timer:sleep(200), ok.'
saw='R = make_ref(), sink ! {get, self(), R}, {other_saw, receive {R, N} -> N end}.'
trace_start out -n 'erlang*:load:up/1:entry { @[ustack()] = count(); } erlang*:load:call/1:return { @r["returned"] = count(); }
	erlang*:::port-open { @p["port"] = count(); } erlang*:::message-send /copyinstr(arg1) == "nobody_here"/ { @s["send"] = count(); }
	erlang*:::process-spawn /copyinstr(arg1) == "load:die/1"/ { @d["spawn"] = count(); }'
node_eval 'lists:foreach(fun load:call/1, [1, 2, 3]), catch (nobody_here ! x), spawn(load, die, [normal]), os:cmd("true"), timer:sleep(100), ok.'
node_eval "$saw"
trace_stop
sed -n '/^load:up/,/foreach/p; /^returned\|^port\|^send\|^spawn/p' out.txt | sed -e 's/\(foreach_1\/2\):.*/\1/'
cat out.err
node_eval 'lists:foreach(fun load:call/1, [1, 2]), timer:sleep(50), ok.'
node_eval "$saw"
# a script ends and takes flags with it; new processes keep those of the other
trace_start first -n 'erlang*:load:up/1:entry { @["calls of new processes"] = count(); }'
first=$TRACE_PID
trace_start out -n 'erlang*:load:up/1:entry { @[args[0]] = count(); } erlang*:::process-spawn, erlang*:::port-open { @p = count(); }'
trace_stop
node_eval '[begin {_, R} = spawn_monitor(fun() -> load:call(1) end), receive {_, R, _, _, _} -> ok end end || _ <- lists:seq(1, 7)], ok.'
trace_out=first TRACE_PID=$first
trace_stop
cat first.txt
sessions='[S || {S, _} <- trace:session_info(all), S =:= erltrace].'
trace_start out -n 'erlang*:load:up/1:entry { @ = count(); }'
node_eval "$sessions"
node_eval 'exit(whereis(erltrace_hub), kill), ok.'
trace_stop 2>/dev/null
node_eval 'Left = fun() -> [S || {S, _} <- trace:session_info(all), S =:= erltrace] end,
	(fun Wait(0) -> Left(); Wait(N) -> case Left() of [] -> []; _ -> timer:sleep(100), Wait(N - 1) end end)(600).'
node_eval 'lists:foreach(fun load:call/1, [1]), timer:sleep(50), ok.'
node_eval "$saw"
echo "after: $(clean_node)"
