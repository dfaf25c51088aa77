# Calls carry their arguments only while a script looks at them: the flag arity is off during that time, also if another
# script that does not look at arguments runs before and after.
. "$srcdir/lib.sh"

arity() {
	node_eval "$INFO"'P = spawn(fun() -> timer:sleep(5000) end), {flags, F} = Info(P, flags), exit(P, kill),
	    case {lists:member(call, F), lists:member(arity, F)} of {true, true} -> arity; {true, false} -> arguments; _ -> off end.'
}
node_start
trace_start first -n 'erlang*:lists:reverse/1:entry { @ = count(); }'
FIRST=$TRACE_PID
arity
trace_start second -n 'erlang*:lists:reverse/1:entry { @[args[0]] = count(); }'
arity
node_eval 'apply(lists, reverse, [[mine, 1]]).'
trace_stop
grep -c "^\[mine,1\] " second.txt
arity
trace_start second -n 'erlang*:lists:reverse/1:return { @[args[0]] = count(); }'
arity
trace_stop
kill -TERM $FIRST
wait $FIRST
arity
clean_node
