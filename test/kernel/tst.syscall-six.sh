# Asserts that all six arguments of a system call are right, and that the others are 0.
. "$srcdir/common.sh"
$K -n 'syscall::futex:entry /pid == $target && arg0 == 111/ { printf("%d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6); }' -c './workload six 1' 2>/dev/null | awk 'NF'
