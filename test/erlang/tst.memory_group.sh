# In a control group with little memory, a script that needs more is refused and one that needs less runs.
# @@timeout: 60
. "$srcdir/lib.sh"
# of either version
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
	group=/sys/fs/cgroup/erltrace-test-$$ limit=memory.max
else
	group=/sys/fs/cgroup/memory/erltrace-test-$$ limit=memory.limit_in_bytes
fi
mkdir $group 2>/dev/null || { echo "no control group can be made here" >&2; exit 67; }
trap 'node_end; rmdir $group' EXIT
echo 400M 2>/dev/null >$group/$limit || { echo "control groups without a memory controller" >&2; exit 67; }
node_start
echo "$NODE_PID" >$group/cgroup.procs || exit 1
SCRIPT='tick-10ms { exit(0); } erlang*:::process-spawn { trace(timestamp); @[timestamp] = count(); }'
trace -q -x bufresize=manual -x bufsize=64m -n "$SCRIPT" 2>&1 | sed "s/.*that is free \(of the node's control group\).*/refused: \1/"
trace -q -x bufsize=1m -x aggsize=1m -n "$SCRIPT" >/dev/null && echo fits
node_alive && echo alive
