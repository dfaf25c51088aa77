# Asserts that a failed system call returns -1 and sets errno.
. "$srcdir/common.sh"
$K -n 'syscall::close:return /pid == $target && errno/ { @[(int)arg0, errno] = count(); }' -c './workload fails 300' 2>/dev/null
