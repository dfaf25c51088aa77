/*
 * Waits for locks, from the tracepoints contention_begin and contention_end: a part of rt.bpf.c.
 *
 * The runtime's own maps have locks too. A wait for one of these, while a firing or this code runs on the CPU, is left
 * out (and counted). It is not the system's wait, and a program that runs while a map's lock is being taken must not
 * take it again.
 */
enum { LCB_SPIN = 1, LCB_READ = 2, LCB_WRITE = 4, LCB_RT = 8, LCB_PERCPU = 16, LCB_MUTEX = 32 };

/* Returns this CPU's first state, marked, or NULL if this must not run now. */
inline_ struct rt *
lock_enter(void)
{
	u32 cpu = cpu_id(), key = cpu * RT_LEVELS;
	struct rt *st = map_lookup(MAP(STATES), &key);
	if (!st)
		return 0;
	if (rt_is_firing(cpu) || __sync_val_compare_and_swap(&st->locking, 0, 1) != 0) {
		__sync_fetch_and_add(&CTL->lost_nested, 1);
		return 0;
	}
	return st;
}

inline_ void
wait_key(struct rt_waitkey *k, u64 lock)
{
	u64 id = pid_tgid();
	/* As struct rt's thread. */
	k->thread = (u32)id ? (u32)id : (u64)1 << 32 | cpu_id();
	k->lock = lock;
}

/* Finds who holds a lock of readers and writers: struct rw_semaphore and struct qrwlock begin with a word that says
 * it. */
inline_ void
wait_holders(struct rt_waiting *w, u64 lock, u64 flags)
{
	if (!(flags & (LCB_READ | LCB_WRITE)) || flags & (LCB_RT | LCB_PERCPU))
		return;
	if (flags & LCB_SPIN) {
		u64 count = rt_field(lock, 4);
		w->writer = (count & 0xff) != 0;
		w->readers = count >> 9;
	} else {
		u64 count = rt_field(lock, 8);
		w->writer = count & 1;
		w->readers = (s64)count < 0 ? 0 : count >> 8;
	}
}

/*
 * A mutex reports each time that it begins to spin (first) or to sleep, and one end: if it never slept, it has spun. If
 * it spins twice without sleeping in between, an end was lost, and this is another wait.
 */
fn_ u64
rt_lock_begin(u64 lock, u64 flags)
{
	struct rt_waitkey k;
	struct rt_waiting w = {0}, *old;
	struct rt *st = lock_enter();
	if (!st)
		return 0;
	wait_key(&k, lock);
	old = flags & LCB_MUTEX ? map_lookup(MAP(WAITS), &k) : 0;
	if (old && (!(flags & LCB_SPIN) || old->slept)) {
		if (!old->slept)
			old->slept = ktime_ns();
	} else {
		w.since = ktime_ns();
		w.slept = flags & LCB_SPIN ? 0 : w.since;
		w.flags = flags;
		wait_holders(&w, lock, flags);
		if (map_update(MAP(WAITS), &k, &w, 0))
			__sync_fetch_and_add(&CTL->lost_nested, 1);
	}
	st->locking = 0;
	return 0;
}

/* Returns the kind of the wait that is over, with the arguments of its probe, or 0 if the lock was not taken. */
fn_ u64
rt_lock_end(u64 lock, u64 failed, struct rt_wait *out)
{
	struct rt_waitkey k;
	struct rt_waiting *w;
	u64 kind = 0, rw;
	struct rt *st = out ? lock_enter() : 0;
	if (!st)
		return 0;
	wait_key(&k, lock);
	w = map_lookup(MAP(WAITS), &k);
	if (w) {
		rw = w->flags & (LCB_READ | LCB_WRITE);
		if ((u32)failed)
			kind = 0;
		else if (rw)
			kind = w->slept ? RT_WAIT_RW_BLOCK : RT_WAIT_RW_SPIN;
		else if (w->flags & (LCB_MUTEX | LCB_RT))
			kind = w->slept ? RT_WAIT_ADAPTIVE_BLOCK : RT_WAIT_ADAPTIVE_SPIN;
		else if (w->flags & LCB_SPIN)
			kind = RT_WAIT_SPIN;
		out->args[0] = lock;
		out->args[1] = ktime_ns() - (w->slept ? w->slept : w->since);
		out->args[2] = (w->flags & LCB_READ) != 0;
		out->args[3] = w->writer;
		out->args[4] = w->readers;
		map_delete(MAP(WAITS), &k);
	}
	st->locking = 0;
	return kind;
}
