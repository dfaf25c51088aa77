# How calls of load:call/1 are counted on the node, for the tests of counters; sourced after lib.sh.
ERL=${OTP27:-${ERL:-erl}}
erlc -o . "$srcdir/load.erl" || exit 1
node_start
[ "$(node_eval 'erlang:system_info(otp_release) >= "27".')" = true ] && way=counters || way=events
node_eval 'code:add_patha("'"$PWD"'"), {module, load} = code:ensure_loaded(load), ok.'
# the ways that are set now
COUNTS="$INFO"'
	Counters = [S || HasSessions, {erltrace_counters, _} = S <- apply(trace, session_info, [all])],
	Ways = fun() -> [counters || S <- Counters, {call_count, N} <- [apply(trace, info, [S, {load, call, 1}, call_count])], is_integer(N)]
	    ++ [events || {traced, local} <- [Info({load, call, 1}, traced)]] end,'
is_way() { # is_way NAME: says how calls are counted, or what was expected instead
	[ "$(node_eval "$COUNTS Ways().")" = "[$1]" ] || echo "by $(node_eval "$COUNTS Ways()."), not by $1"
}
wait_for_way() {
	for i in $(seq 600); do
		[ "$(node_eval "$COUNTS Ways().")" != '[]' ] && return
		sleep 0.1
	done
	echo "nothing counts calls"
}
