# The library's module is loaded again while the agent reads the VM's counters: what it has read is not lost and not
# counted twice, and the script goes on. OTP27 names an erl of OTP 27 if the installed one is older.
# @@timeout: 120
. "$srcdir/lib.sh"
. "$srcdir/counters.sh"
[ $way = counters ] || { echo "this OTP has no counters of ours" >&2; exit 67; }
node_eval 'code:add_patha("'"$BUILD"'/otp/erltrace/ebin"), ok.'
trace_start out -x maxoverhead=0 -n 'erlang*:load:call/1:entry { @ = count(); } erlang*:*:*:entry { @all = count(); }
	tick-20ms { printa("so far %@d\n", @); } END { printa("end %@d\n", @); trunc(@all); }'
wait_for_way
node_eval "[Agent] = [P || P <- processes(), process_info(P, initial_call) =:= {initial_call, {erltrace_agent, init, 4}}],
	process_flag(priority, high),
	Reading = fun Reading() ->
	    case process_info(Agent, current_function) of
	        {current_function, {M, _, _}} when M =:= erltrace_counters; M =:= erltrace_session -> ok;
	        undefined -> dead;
	        _ -> receive after 1 -> Reading() end
	    end
	end,
	%% it reads for much longer than this takes (on OTP 29 a suspended process may wait for ever afterwards)
	[begin
	     [load:call(I) || I <- lists:seq(1, 50)],
	     Reading(),
	     code:purge(erltrace_tracer), {module, _} = code:load_file(erltrace_tracer),
	     (fun Wait() -> erltrace_tracer:is_loaded() orelse not is_process_alive(Agent) orelse begin timer:sleep(10), Wait() end end)()
	 end || _ <- lists:seq(1, 20)],
	is_process_alive(Agent)."
trace_stop
tail -1 out.txt
echo "$(clean_node release)"
