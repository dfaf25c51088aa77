# Asserts that a thread that goes off the CPU comes back, and that on-cpu is about the thread that comes.
. "$srcdir/common.sh"
$K -n 'sched:::off-cpu /execname == "workload"/ { @[probename] = count(); } sched:::on-cpu /execname == "workload"/ { @[probename] = count(); }' -c './workload threads 100' 2>/dev/null |
    awk 'NF { n[$1] = $2 } END { print (n["off-cpu"] > 50), (n["on-cpu"] > 50) }'
