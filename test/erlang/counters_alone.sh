# The counters without a script, on a node that has nothing else of erltrace; sourced after lib.sh.
ERL=${OTP27:-${ERL:-erl}}
mkdir ebin && cp "$BUILD/otp/erltrace/ebin"/erltrace_counters.beam "$BUILD/otp/erltrace/ebin"/erltrace_session.beam ebin || exit 1
node_start -pa "$PWD/ebin"
[ "$(node_eval 'erlang:system_info(otp_release) >= "27".')" = true ] || { echo "this OTP has no counters of ours" >&2; exit 67; }
node_eval '[{module, _} = code:ensure_loaded(M) || M <- [erltrace_counters, trace, queue, array]], ok.' >/dev/null
# Functions: all, with a probe each, but for some functions or modules. Times: how often a function was called meanwhile.
# IsCounted: whether it has a counter.
ALONE='Functions = fun(But) -> [{{M, F, A}, 1} || M <- erlang:loaded(), not lists:member(M, [erltrace_counters, erltrace_session | But]),
	                                          {F, A} <- erlang:get_module_info(M, functions), not lists:member({M, F, A}, But)] end,
	Times = fun({_, _, _} = MFA, Do) ->
	    Watch = trace:session_create(watch, self(), []),
	    1 = trace:function(Watch, MFA, true, [call_count]),
	    Result = Do(),
	    {call_count, N} = trace:info(Watch, MFA, call_count),
	    trace:session_destroy(Watch),
	    {Result, N}
	end,
	IsCounted = fun(MFA) ->
	    [Ours] = [S || {erltrace_counters, _} = S <- trace:session_info(all)],
	    is_integer(element(2, trace:info(Ours, MFA, call_count)))
	end,'
