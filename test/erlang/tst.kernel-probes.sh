# A script with probes of the kernel is about one node of this machine. On several nodes, or if it must run inside the node,
# it is refused, not run in vain. With -p such a script looks at the node from outside.
# @@timeout: 90
. "$srcdir/lib.sh"
"$ERLTRACE" -l -n 'syscall::read:entry' >/dev/null 2>&1 || { echo "built without the kernel engine" >&2; exit 67; }
node_start
first=$NODE
node_start
for s in 'syscall::read:entry { }' 'erlang*:::process-spawn, syscall::read:entry { }' 'rawtp:::sched_switch { } erlang*:::process-spawn { }'; do
	trace -x engine=user -n "$s" 2>&1 | sed -n 's/.*tracing: //p'
done
trace -N "$first" -n 'syscall::read:entry { }' 2>&1 | sed -n 's/.*tracing: //p'
trace -N "$first" -x engine=kernel -n 'erlang*:::process-spawn { }' 2>&1 | sed -n 's/.*tracing: //p'
"$ERLTRACE" -xengine=kernel -qn 'BEGIN { exit(0); }' >/dev/null 2>err || { sed 's/^/# /' err >&2; echo "after: $(clean_node)"; exit 0; }
"$ERLTRACE" -q --cookie wrong -p $NODE_PID -n 'syscall:::entry /pid == $target/ { printf("a system call of the node\n"); exit(0); } tick-30s { exit(1); }'
"$ERLTRACE" -q -c "erl -noshell -eval halt()." -n 'syscall::exit_group:entry /pid == $target/ { printf("the end of a node\n"); }'
echo "after: $(clean_node)"
