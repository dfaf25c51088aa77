# All memory of a script is counted, including what speculations need besides their buffers. A script that needs more
# than is free is refused, with the numbers. All memory is allocated when tracing starts, so no event makes the node
# grow.
# @@timeout: 120
. "$srcdir/lib.sh"
node_start
rss() { awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$NODE_PID/status"; }
# what the node has: its own memory, and all of the files that the command can map, mapped already or not
has() {
	{
		awk '/^RssAnon/ { print $2 * 2 }' "/proc/$NODE_PID/status"
		for fd in "/proc/$NODE_PID/fd"/*; do
			case $(readlink "$fd") in /memfd:erltrace*) stat -L -c %b "$fd" ;; esac
		done
	} | awk '{ n += $1 } END { print int(n / 2048) }'
}
SCRIPT='tick-10ms { exit(0); } erlang*:::process-spawn { self->n = speculation(); speculate(self->n); trace(timestamp); }'
before=$(rss)
trace -q -x bufresize=manual -x nspec=1048576 -x specsize=8 -x bufsize=4k -x aggsize=4k -n "$SCRIPT" >out 2>err
status=$?
grown=$(($(rss) - before))
# with enough memory it runs and takes what it says; else it is refused: never more than half of what is free
free=$(awk '/^MemAvailable/ { print int($2 / 2048) }' /proc/meminfo)
if [ $status = 0 ]; then echo counted; else sed -n 's/.*would need [0-9]* MiB in the node, more than half of the memory that is free .*/counted/p' err; fi
[ $grown -lt "$free" ] || echo "grown by $grown MiB of $free"
trace -q -x bufresize=manual -x bufsize=4095m -x nspec=100 -x specsize=4095m -n "$SCRIPT" 2>&1 | sed 's/.*the buffers would need [0-9]* MiB in the node, more than half of the memory that is free [a-z'"'"' ]* ([0-9]* MiB): use a smaller.*/refused/'
# the node has it all when tracing starts, and gets no more by events
start=$(has)
trace_start out -x bufsize=8m -x aggsize=8m -n 'erlang*:::process-spawn { trace(timestamp); @[timestamp] = count(); }'
one=$(has)
node_eval '[spawn(fun() -> ok end) || _ <- lists:seq(1, 20000)], ok.' >/dev/null
two=$(has)
[ $((one - start)) -ge 60 ] && echo there || echo "from $start to $one MiB"
[ $((two - one)) -le 16 ] && echo "no growth" || echo "from $one to $two MiB"
trace_stop >/dev/null 2>&1
node_alive && echo alive
