# Asserts that raw tracepoints are listed and fire.
. "$srcdir/common.sh"
$K -ln 'rawtp:::' | awk '$NF == "sched_process_fork"' | wc -l
$K -n 'rawtp:::sched_process_fork /pid == $target/ { @ = count(); }' -c './workload forks 30' 2>/dev/null | awk 'NF'
# … and that their arguments have the kernel's types.
$K -n 'rawtp:::sched_process_exec /args[0]->pid == $target/ { printf("%s\n", stringof(args[2]->filename)); }' -c './workload calls 1' | awk 'NF'
$K -n 'sdt:::sched_process_exit /args[0]->tgid == $target && stringof(args[0]->comm) == "workload"/ { @[stringof(args[0]->comm)] = count(); }' -c './workload calls 1' | awk 'NF { print $1, $2 }'
