# The process that finds out how deep stacks are is killed while it does: the next script with returns finds it out.
. "$srcdir/lib.sh"
# what is found out on this VM
node_start
trace_start one -qn 'erlang*:calendar:is_leap_year/1:return { @ = count(); }'
FOUND=$(node_eval 'erltrace_tracer:level(state).')
trace_stop
case $FOUND in
known | impossible) ;;
*) echo "nothing was found out: $FOUND" ;;
esac
node_start
trace_start one -qn 'erlang*:calendar:is_leap_year/1:entry { @ = count(); }'
ONE=$TRACE_PID
node_eval "Self = self(),
	{P, Ref} = spawn_monitor(fun() -> Self ! {begins, erltrace_tracer:level('begin')}, receive never -> ok end end),
	Begins = receive {begins, B} -> B end,
	Before = erltrace_tracer:level(state),
	exit(P, kill),
	receive {'DOWN', Ref, _, _, Why} -> {Begins, Before, Why} end."
trace_start two -qn 'erlang*:calendar:is_leap_year/1:return { printf("returned\n"); }'
node_eval "erltrace_tracer:level(state) =:= $FOUND."
node_eval 'calendar:is_leap_year(2000).'
trace_stop
cat two.txt
TRACE_PID=$ONE trace_out=one
trace_stop
echo "after: $(clean_node)"
