# Asserts that arguments of system calls are right, also in lquantize().
. "$srcdir/common.sh"
$K -n 'syscall::write:entry /pid == $target && arg2 == 777/ { @ = sum(arg2); @m = min(arg0); }' -c './workload writes 400 777' 2>/dev/null | sed -n 2p
