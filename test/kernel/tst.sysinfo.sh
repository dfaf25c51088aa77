# Asserts that sysinfo counts calls, bytes, processes and threads, that a fault on a new page is one of vminfo's, and that fsinfo has
# the bytes of reads and writes by descriptor.
. "$srcdir/common.sh"
# @@timeout: 60
$K -n 'sysinfo:::syswrite,sysinfo:::writech /pid == $target/ { @[probename] = sum(args[0]); }' -c './workload writes 70 333' 2>&1 | awk 'NF { print $1, $2 }'
$K -n 'sysinfo:::sysfork,sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }' -c './workload forks 12' 2>&1 | awk 'NF { print $1, $2 }' | sort
$K -n 'sysinfo:::sysfork,sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }' -c './workload threads 12' 2>&1 | awk 'NF { print $1, $2 }'
$K -n 'vminfo:::as_fault /pid == $target/ { @ = sum(args[0]); }' -c './workload pages 500' 2>&1 | awk 'NF { print ($1 >= 500 && $1 < 900) }'
$K -n 'fsinfo:::write /pid == $target && args[1] == 333/ { @[arg0] = sum(args[1]); }' -c './workload writes 70 333' 2>&1 | awk 'NF { print $2 }'
