/*
 * vtimestamp, how long a thread has run: a part of rt.bpf.c.
 *
 * The scheduler updates its own account only at clock ticks and at switches. So a program of ours keeps an account at
 * each switch. It starts with the scheduler's when a thread is first seen, and the time since then is added.
 */

inline_ u64
thread_of(u64 task)
{
	u32 tid = 0;
	read_kernel(&tid, 4, task + CONST(TASK_PID));
	return tid ? tid : (u64)1 << 32 | cpu_id();
}

inline_ u64
scheduler_time(u64 task)
{
	u64 v = 0;
	read_kernel(&v, 8, task + CONST(TASK_VTIME));
	return v;
}

fn_ u64
rt_vtime_switch(u64 prev, u64 next)
{
	u32 cpu = cpu_id();
	struct rt_vcpu *c = map_lookup(MAP(VCPUS), &cpu);
	u64 thread = thread_of(prev), now = ktime_ns(), used, *known;
	if (!c)
		return 0;
	if (c->thread == thread) {
		used = c->used + (now - c->since);
		map_update(MAP(VTIMES), &thread, &used, 0);
	}
	thread = thread_of(next);
	known = map_lookup(MAP(VTIMES), &thread);
	c->used = known ? *known : scheduler_time(next);
	c->since = now;
	c->thread = thread;
	return 0;
}

/* In st->res. */
fn_ u64
rt_vtime(struct rt *st)
{
	u32 cpu = cpu_id();
	struct rt_vcpu volatile *c = map_lookup(MAP(VCPUS), &cpu);
	u64 now, thread, since, used, *known;
	if (!st || !c)
		return 0;
	rt_who(st);
	thread = st->thread;
	now = time_of(st);
	if (c->thread != thread) {
		/* The thread has just ended, or there was no switch on this CPU since tracing began. */
		known = map_lookup(MAP(VTIMES), &thread);
		st->res = known ? *known : scheduler_time(task_of(st));
		if (!c->thread && !known) {
			c->used = st->res;
			c->since = now;
			c->thread = thread;
		}
		return 0;
	}
	since = c->since;
	used = c->used;
	/* Switched away and back in between. */
	if (c->since != since) {
		since = c->since;
		used = c->used;
	}
	st->res = now > since ? used + (now - since) : used;
	return 0;
}
