# Another tool traces all processes, including those that are not started yet. Neither `-l` nor a script changes its
# flags, and a script says which processes it could not trace. When that tool ends, the script traces them.
# @@timeout: 120
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
[ "$(node_eval 'erlang:system_info(otp_release) < "27".')" = true ] || { echo "from OTP 27 on nothing is shared: tst.sessions.sh" >&2; exit 67; }
node_eval '{ok, _} = dbg:tracer(process, {fun(_, N) -> N end, 0}), {ok, _} = dbg:p(all, [c]), ok.'
theirs='{lists:usort([erlang:trace_info(New, flags) || New <- [new_processes, new_ports]]),
	[P || P <- processes(), {tracer, {erltrace_tracer, _}} <- [erlang:trace_info(P, tracer)]],
	element(2, erlang:trace_info(spawn(fun() -> receive x -> ok end end), flags))}.'
node_eval "$theirs"
trace -l -n 'erlang*:::process-spawn' | grep -c process-spawn
node_eval "$theirs"
trace_start out -n 'erlang*:load:call/1:entry { @ = count(); }'
node_eval "$theirs"
node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
trace_stop
sed -e '/never fired: /d; s/.*erltrace: //; s/^[0-9]* processes have/N processes have/' out.err
node_eval "$theirs"
node_eval 'dbg:stop_clear(), (fun Wait() -> case erlang:trace_info(new, flags) of {flags, []} -> stopped; _ -> timer:sleep(50), Wait() end end)().'
trace_start out -n 'erlang*:load:call/1:entry { @ = count(); }'
node_eval 'length([load:call(I) || I <- lists:seq(1, 10)]).'
trace_stop
cat out.txt
echo "after: $(clean_node)"
