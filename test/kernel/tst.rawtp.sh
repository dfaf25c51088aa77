# Asserts that raw tracepoints are listed and fire.
. "$srcdir/common.sh"
$K -ln 'rawtp:::' | awk '$NF == "sched_process_fork"' | wc -l
$K -n 'rawtp:::sched_process_fork /pid == $target/ { @ = count(); }' -c './workload forks 30' 2>/dev/null | awk 'NF'
# … and that their arguments have the kernel's types.
$K -n 'rawtp:::sched_process_exec /args[0]->pid == $target/ { printf("%s\n", stringof(args[2]->filename)); }' -c './workload calls 1' | awk 'NF'
$K -n 'sdt:::sched_process_exit /args[0]->tgid == $target && stringof(args[0]->comm) == "workload"/ { @[stringof(args[0]->comm)] = count(); }' -c './workload calls 1' | awk 'NF { print $1, $2 }'
# Those of modules, where there are some: here of the one that brings the files into a virtual machine.
if [ -e /sys/kernel/btf/9pnet ]; then
	$ERLTRACE -lvn 'rawtp:9pnet::9p_client_req' | grep -c 'struct p9_client \*\|void \*' | awk '{ print ($1 >= 1 ? "module" : "no types") }'
	$K -n 'rawtp:9pnet::9p_client_req { @ = count(); } END { printa("%@d\n", @); }' -c 'find /usr/share/doc -maxdepth 2 -newer /nowhere' 2>/dev/null | awk 'NF && $1 > 0 { print "fired" }'
else
	printf 'module\nfired\n'
fi
