# Asserts that self-> variables keep their value from entry to return, and are freed.
. "$srcdir/common.sh"
$K -n 'syscall::getppid:entry /pid == $target/ { self->ts = timestamp; } syscall::getppid:return /self->ts/ { @n = count(); @late = max(timestamp - self->ts < 0); self->ts = 0; }' -c './workload calls 20000' 2>&1
