# Asserts that proc counts processes and threads that start and end.
. "$srcdir/common.sh"
$K -n 'proc:::create,proc:::exit /pid == $target || ppid == $target/ { @[probename] = count(); }' -c './workload forks 50' 2>/dev/null | awk 'NF { print $1, $2 }'
$K -n 'proc:::lwp-create,proc:::create /pid == $target/ { @[probename] = count(); }' -c './workload threads 40' 2>/dev/null | awk 'NF { print $1, $2 }'
