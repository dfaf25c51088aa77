# Asserts that every system call is counted, at its entry and at its return.
. "$srcdir/common.sh"
$K -n 'syscall::getppid:entry,syscall::getppid:return /pid == $target/ { @[probename] = count(); }' -c './workload calls 5000' 2>/dev/null
