# However tracing ends, nothing is left on the node after two seconds: no flag, pattern, module, mapping or file. This
# is tested under load.
# @@timeout: 480
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
node_eval 'load:start(4).'
SCRIPT='erlang*:load:call/1:entry { self->t = timestamp; } erlang*:load:call/1:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); self->t = 0; }
	erlang*:load:throws/1:exception { @e = count(); } erlang*:::process-spawn { @s = count(); } erlang*:::message-send { @m = sum(arg2); }
	erlang*:::process-exit_signal { @x = count(); } erlang*:::process-scheduled { @r = avg(vtimestamp); } erlang*:::system-long_gc { @g = count(); }'

one() {
	case $1 in
	term | kill) trace_start out -x maxoverhead=1000 -n "$SCRIPT"; kill -$1 $TRACE_PID; wait $TRACE_PID ;;
	begin) trace -q -n 'BEGIN { exit(0); }' -n "$SCRIPT" ;;
	clause) trace -q -n 'erlang*:load:call/1:entry { exit(0); }' -n "$SCRIPT" ;;
	end) trace -q -n 'tick-100ms { exit(0); } END { exit(3); }' -n "$SCRIPT" ;;
	agent)
		trace_start out -x maxoverhead=1000 -n "$SCRIPT"
		node_eval '{registered_name, _} = process_info(whereis(erltrace_hub), registered_name),
			[exit(P, kill) || P <- processes(), {initial_call, {erltrace_agent, _, _}} <- [process_info(P, initial_call)]], killed.' ;;
	hub) trace_start out -x maxoverhead=1000 -n "$SCRIPT"; node_eval 'exit(whereis(erltrace_hub), kill), killed.' ;;
	both) # at the same instant
		trace_start out -x maxoverhead=1000 -n "$SCRIPT"
		node_eval '[exit(P, kill) || P <- [whereis(erltrace_hub) | processes()],
			P =:= whereis(erltrace_hub) orelse process_info(P, initial_call) =:= {initial_call, {erltrace_agent, init, 4}}], killed.'
		kill -9 $TRACE_PID ;;
	cut) trace_start out -x maxoverhead=1000 -n "$SCRIPT"
		node_eval '[erlang:disconnect_node(N) || N <- nodes(hidden), lists:prefix("erltrace_", atom_to_list(N))], cut.' ;;
	esac >/dev/null 2>&1
}
[ $# -gt 0 ] || set -- term kill begin clause end agent hub both cut
for way; do
	one $way
	echo "$way: $(clean_node)"
	# one that was waited for has left its number to others
	[ "$(cut -d' ' -f4 "/proc/$TRACE_PID/stat" 2>/dev/null)" != $$ ] || kill -9 $TRACE_PID
	wait $TRACE_PID 2>/dev/null
done
node_eval 'load:stop().'
node_alive && echo alive
