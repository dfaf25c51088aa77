# Asserts that mutex_owned() and its kin are right about locks that are certainly held: by the thread that just got one
# after waiting, and, for those that wait, by another.
# @@timeout: 60
. "$srcdir/common.sh"
${CC:-cc} -O1 -pthread -o locks "$srcdir/locks.c" || exit 1
./locks mutex 1 || exit $?
cat >held.d <<'D'
/* How many waits the workload makes for sure: those of 20 ms and more. */
lockstat:::adaptive-block /pid == $target && arg1 >= 20000000/ {
	this->m = (struct mutex *)arg0;
	@m[mutex_owned(this->m), mutex_owner(this->m) == curthread, mutex_owner(this->m)->pid == tid,
	    mutex_type_adaptive(this->m), mutex_type_spin(this->m)] = count();
}
rawtp:::contention_begin /pid == $target && arg1 == 32/ { @w[mutex_owned((struct mutex *)arg0)] = count(); }
lockstat:::rw-block /pid == $target && arg1 >= 20000000/ {
	this->r = (struct rw_semaphore *)arg0;
	@r[arg2 == RW_READER ? "reader" : "writer", rw_read_held(this->r), rw_write_held(this->r)] = count();
}
lockstat:::rw-block /pid == $target && arg1 >= 20000000 && arg2 != RW_READER/ {
	@i[rw_iswriter((struct rw_semaphore *)arg0)] = count();
}
END {
	printa("has mutex: owned %d, owner is me %d %d, adaptive %d, spin %d: %@d\n", @m);
	printa("waits for mutex: owned %d\n", @w);
	printa("has semaphore, %s: read %d, write %d: %@d\n", @r);
	printa("has semaphore, iswriter %d: %@d\n", @i);
}
D
for what in mutex file folder; do
	$K -s held.d -c "./locks $what 7" 2>&1 | awk 'NF && !/never fired/' | sort
done
# Locks that nobody has.
$K -n 'BEGIN { this->m = &curthread->signal->cred_guard_mutex; printf("free: %d %d", mutex_owned(this->m), mutex_owner(this->m) != NULL); exit(0); }' | awk 'NF'
$K -n 'BEGIN { printf("spin: %d %d", mutex_type_spin(&curthread->alloc_lock), mutex_type_adaptive(&curthread->alloc_lock)); exit(0); }' | awk 'NF'
$K -n 'BEGIN { trace(mutex_owned((struct mutex *)8)); } BEGIN { exit(0); }' 2>&1 | grep -o 'invalid address'
$K -n 'BEGIN { trace(mutex_owned(&curthread->alloc_lock)); }' 2>&1 | grep -o 'a spinlock of Linux does not say who has it'
# Which engine runs it is told by the function.
$ERLTRACE -qn 'BEGIN { trace(mutex_owned((void *)8)); } BEGIN { exit(0); }' 2>&1 | grep -o 'invalid address'
