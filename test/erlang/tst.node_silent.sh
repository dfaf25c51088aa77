# A node that stops answering while a script runs: after 30 s the command gives it up, says so, and ends with what it had
# counted. When the node goes on, nothing is left there.
# @@timeout: 180
. "$srcdir/lib.sh"
erlc -o . "$srcdir/load.erl" || exit 1
node_start
trace_start out -n 'erlang*:load:up/1:entry { @ = sum(1); }' # count() may be counted by the VM, where nobody else can read it
node_eval 'load:calls(10), ok.'
freeze "$NODE_PID"
from=$(date +%s)
wait "$TRACE_PID"
echo "status $?"
[ $(($(date +%s) - from)) -ge 25 ] || echo "after only $(($(date +%s) - from)) s"
grep -v '^tracing$' out | tr -s ' \n' ' '
echo
sed -e 's/node [^ ]*/node NAME/' out.err
kill -CONT "$NODE_PID"
clean_node
node_alive && echo alive
