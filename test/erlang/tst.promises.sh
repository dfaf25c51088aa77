# The promises hold while 4 processes call functions as fast as they can: what does not fit is dropped and reported, a
# bad address is a fault and not a signal, destructive actions need -w, two consumers do not disturb each other while
# others start and end, and nothing is left. Other promises are tested in tst.clean.sh, tst.guard.sh and tst.silence.sh.
# @@timeout: 300
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
node_eval 'load:start(4).'
# events, not time: a busy machine needs longer until tracing is on
UNTIL='erlang*:load:down/1:entry /++events > 20000/ { exit(0); } tick-60s { exit(9); }'

# memory is fixed
trace -q -x maxoverhead=1000 -x aggsize=4k -n 'erlang*:load:call/1:entry { @[timestamp] = count(); } '"$UNTIL" >out 2>err
grep -q '[1-9][0-9]* aggregation drop' err && echo "aggregations: dropped and said"
trace -q -x maxoverhead=1000 -x bufsize=4k -n 'erlang*:load:call/1:entry { trace(timestamp); } '"$UNTIL" >out 2>err
grep -q '[0-9] drops\{0,1\} on CPU' err && echo "records: dropped and said"
trace -q -x maxoverhead=1000 -x dynvarsize=4k -n 'erlang*:load:call/1:entry { x[timestamp] = 1; } '"$UNTIL" >out 2>err
grep -q 'dynamic variable drop' err && echo "variables: dropped and said"

# any address
trace -q -x maxoverhead=1000 -n 'erlang*:load:call/1:entry { this->p = (int *)copyin(timestamp, 8); n = *this->p; } erlang*:load:up/1:entry { n = *(int *)(timestamp * 4096); }
	ERROR { @[arg4 != 0] = count(); } '"$UNTIL" >out 2>err
echo "faults: status $?, $(grep -c '^ *1 *[1-9][0-9]*$' out) kind"
trace -q -n 'erlang*:load:call/1:entry { raise(9); }' 2>&1 | grep -c 'destructive'

# two at once, and others beside them
trace_start one -x maxoverhead=1000 -n 'erlang*:load:calls/1:entry { @ = count(); }'
one_pid=$TRACE_PID
trace_start two -x maxoverhead=1000 -n 'erlang*:load:calls/1:entry { @[probefunc] = count(); } erlang*:load:calls/1:return { @r = count(); }'
two_pid=$TRACE_PID
for i in 1 2 3 4 5; do
	node_eval 'load:calls(1999).' >>did
	trace -q -x maxoverhead=1000 -n 'erlang*:load:call/1:entry, erlang*:load:calls/1:return { @ = count(); } tick-300ms { exit(0); }' >out 2>err || cat err
done
sort did | uniq -c | sed 's/^ *//'
trace_out=two TRACE_PID=$two_pid
trace_stop
cat two.txt
trace_out=one TRACE_PID=$one_pid
trace_stop
cat one.txt
node_eval 'load:stop().'
echo "after: $(clean_node)"
node_alive && echo alive
