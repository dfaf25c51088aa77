# The process that removes the modules is killed while it keeps others from starting. Scripts then start and end as
# usual, and nothing is left.
. "$srcdir/lib.sh"
node_start
trace_start out
node_eval "Self = self(),
	{Closer, Ref} = spawn_monitor(fun() -> erltrace_agent:'erltrace_place.close'(), Self ! {held, is_pid(whereis(erltrace_place))}, receive never -> ok end end),
	receive {held, true} -> ok end,
	exit(Closer, kill), receive {'DOWN', Ref, _, _, killed} -> killed end."
trace -q -n 'BEGIN { printf("next\n"); } tick-20ms { exit(0); }'
trace_stop
clean_node
