# A consumer that is silent for too long (30 s; here 1 s) ends the tracing. When it wakes up it is told so.
# @@timeout: 60
. "$srcdir/lib.sh"
node_start
node_eval 'application:set_env(erltrace, silence, 1000).'
trace_start out -n 'erlang*:::process-spawn { @ = count(); }'
freeze $TRACE_PID
sleep 2
echo "stopped: $(clean_node)"
kill -CONT $TRACE_PID
wait $TRACE_PID
echo "status $?"
sed -e 's/node [^ ]*/node NAME/' out.err
