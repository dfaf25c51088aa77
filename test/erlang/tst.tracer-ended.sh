# A tracer that has ended leaves its flags to the processes that it traced. A script adds its own to none of them: it gets
# no events that it has not asked for, children do not inherit its flags, and when it ends nothing is left.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
[ "$(node_eval 'erlang:system_info(otp_release) < "27".')" = true ] || { echo "from OTP 27 on nothing is shared: tst.sessions.sh" >&2; exit 67; }
ended='Tracer = spawn(fun() -> receive stop -> ok end end), Ref = monitor(process, Tracer),
	erlang:trace(all, true, [{tracer, Tracer}, running, timestamp, set_on_spawn, set_on_link, send, procs, garbage_collection]),
	Tracer ! stop, receive {_, Ref, _, _, _} -> ok end.'
flags='F = fun(P) -> {_, Flags} = erlang:trace_info(P, flags), {_, T} = erlang:trace_info(P, tracer), {lists:sort(Flags), T} end,'
# What the next tracer finds: whoever asks for flags makes the VM remove those of a tracer that has ended, so first it sets one.
next='Next = spawn(fun() -> receive stop -> ok end end), Port = hd(erlang:ports()),
	erlang:trace(whereis(w), true, [{tracer, Next}, exiting]), erlang:trace(Port, true, [{tracer, Next}, ports]),
	Found = [string:join([atom_to_list(A) || A <- lists:sort(element(2, erlang:trace_info(P, flags)))], " ") || P <- [whereis(w), Port]],
	Ref = monitor(process, Next), Next ! stop, receive {_, Ref, _, _, _} -> ok end,
	[erlang:trace_info(P, flags) || P <- [whereis(w), Port]], Found.'
PID=$(node_eval 'Wait = fun W() -> receive {F, P} -> P ! {did, F()}, W() end end,
	W = spawn(Wait), register(w, W), pid_to_list(W).' | tr -d '"')
child='whereis(w) ! {fun() -> spawn(timer, sleep, [60000]) end, self()}, receive {did, C} -> C end, F(C).'

node_eval "$ended"
echo "without a script: $(node_eval "$next")"

node_eval "$ended"
trace_start out -n 'erlang*:lists:seq/2:entry, erlang*:::message-send { @ = count(); } END { clear(@); trunc(@); }'
node_eval "$flags F(whereis(w))."
node_eval "$flags F(hd(erlang:ports()))."
node_eval "$flags $child"
trace_stop
echo "after it: $(node_eval "$next")"

# a script about one process
node_eval "$ended"
trace_start out -n 'erlang*:::message-send /copyinstr(arg0) == "'"$PID"'"/ { @ = count(); } END { clear(@); trunc(@); }'
node_eval "$flags F(whereis(w))."
node_eval "$flags $child"
first=$TRACE_PID
# and one about all, which comes and goes beside it
trace_start more -n 'erlang*:::process-exit /copyinstr(arg0) == "x"/ { @ = count(); } END { clear(@); trunc(@); }'
node_eval "$flags F(whereis(w))."
trace_stop
node_eval "$flags F(whereis(w))."
TRACE_PID=$first trace_out=out
trace_stop
node_eval "$flags F(whereis(w))."

# a killed hub
node_eval "$ended"
trace_start out -n 'erlang*:::message-send { @ = count(); } END { clear(@); trunc(@); }'
node_eval 'exit(whereis(erltrace_hub), kill), ok.'
trace_stop 2>/dev/null
node_eval 'Wait = fun W() -> code:is_loaded(erltrace_tracer) =:= false orelse begin timer:sleep(50), W() end end, Wait().'
echo "after it: $(node_eval "$next")"
echo "at last: $(clean_node)"
