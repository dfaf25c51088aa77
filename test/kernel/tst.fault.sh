# Asserts that faults in the kernel are reported with their place.
. "$srcdir/common.sh"
$K -n 'syscall::getppid:entry /pid == $target/ { trace(*(int *)arg9); exit(0); } ERROR { printf("%d\n", arg4); exit(0); }' -c './workload calls 1' 2>err | awk 'NF'
grep -c 'invalid address' err
