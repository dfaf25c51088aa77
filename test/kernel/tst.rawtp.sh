# Asserts that raw tracepoints are listed and fire.
. "$srcdir/common.sh"
$K -ln 'rawtp:::' | awk '$NF == "sched_process_fork"' | wc -l
$K -n 'rawtp:::sched_process_fork /pid == $target/ { @ = count(); }' -c './workload forks 30' 2>/dev/null | awk 'NF'
