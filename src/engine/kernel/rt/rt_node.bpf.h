/*
 * A traced Erlang node, seen from the kernel: which process runs on one of its threads, and its events. A part of
 * rt.bpf.c. What is read here the library in the node has written (object/node_event.h), so it is in memory. If that
 * library could map RT_M_SEEN, threads are found there, which takes a few instructions; otherwise in the memory of the
 * node.
 */

enum { NODE_TRIES = 4 }; /* rows of the node's table that a thread may be in */

/* Finds the Erlang process that runs on the current thread: st->node is then its row of the node's table. Returns 0 if
 * the thread is not of that node, or none runs there. */
inline_ u64
node_process(struct rt *st)
{
	st->node.process = 0;
	if (!CONST(NODE_PID) || st->pid != CONST(NODE_PID))
		return 0;
	/* The kernel knows this pointer's type, so the member can be read directly, which is the cheapest way. */
	u64 self = *(u64 *)((char *)current_task_btf() + CONST(THREAD_POINTER));
	if (!self)
		return 0;
	u64 at = NODE_THREAD_PLACE(self);
	for (u32 i = 0; CONST(NODE_SEEN) && i < NODE_TRIES; i++) {
		const char *rows = VALUE(SEEN);
		const struct node_thread *t = (const void *)(rows + ((at + i) & (NODE_THREADS - 1)) * NODE_THREAD_SIZE);
		if (t->self == self) {
			st->node = *t;
			return st->node.process;
		}
		if (!t->self)
			break;
	}
	for (u32 i = 0; i < NODE_TRIES; i++, at++) {
		u64 row = CONST(NODE_THREADS_AT) + (at & (NODE_THREADS - 1)) * NODE_THREAD_SIZE;
		if (read_user(&st->node, sizeof st->node, row) || !st->node.self)
			break;
		if (st->node.self == self)
			return st->node.process;
	}
	st->node.process = 0;
	return 0;
}

/* Who owns self-> in this firing. A probe that is about another thread than the running one belongs to that thread. */
fn_ u64
rt_owner(struct rt *st)
{
	if (!st || st->owner)
		return 0;
	u64 other = st->task;
	rt_who(st);
	u64 process = !other || other == current_task() ? node_process(st) : 0;
	st->node.process = process;
	st->owner = process ? NODE_OWNER(process) : st->thread;
	return 0;
}

/* An event of the node: it is about this process, whoever runs. eproc and mfa are addresses of text. */
fn_ u64
rt_node_event(struct rt *st, u64 process, u64 eproc, u64 mfa)
{
	if (!st)
		return 0;
	rt_who(st);
	st->owner = process ? NODE_OWNER(process) : st->thread;
	st->node.process = process;
	st->node.mfa = mfa;
	st->node.eproc[0] = 0;
	if (process)
		read_user_str(st->node.eproc, sizeof st->node.eproc, eproc);
	return 0;
}
