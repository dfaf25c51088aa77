/*
 * What tracepoints and system calls tell about threads, faults and requests, in the terms of DTrace's providers: a part
 * of rt.bpf.c.
 */

/* ---- priorities ---- */

inline_ u64
kernel_word(u64 addr, u64 off)
{
	u64 v = 0;
	if (off != ~0ull)
		read_kernel(&v, 8, addr + off);
	return v;
}

/*
 * Finds the thread with a number, as counted in the current thread's name space, in the kernel's own tree (nodes of 64;
 * a pointer to a node has 2 in its lowest bits). Returns 0 if there is none.
 */
fn_ u64
rt_task_of(u64 number)
{
	u64 task = current_task(), pid = kernel_word(task, CONST(TASK_THREAD_PID)), id = number & 0x7fffffff, at;
	u32 level = 0;
	if (id == 0)
		return task;
	read_kernel(&level, 4, pid + CONST(PID_LEVEL));
	/* struct upid: the number, then the name space */
	at = kernel_word(pid, CONST(PID_NUMBERS) + 16 * (u64)level + 8);
	at = kernel_word(at, CONST(NS_TREE));
	for (u32 i = 0; i < 8 && (at & 3) == 2; i++) {
		u8 shift = 0;
		at -= 2;
		read_kernel(&shift, 1, at);
		if (i == 0 && id >> (shift & 31) >> 6)
			return 0;
		at = kernel_word(at, CONST(NODE_SLOTS) + 8 * (id >> (shift & 31) & 63));
	}
	if (!at || at & 3)
		return 0;
	at = kernel_word(at, CONST(PID_TASKS));
	return at ? at - CONST(TASK_PIDS) : 0;
}

/* Finds the thread whose priority a system call has set. Returns 0 if it failed, is another call, or was for several
 * threads. */
fn_ u64
rt_priority_task(u64 regs, u64 ret)
{
	static const u8 at[ARCH_CALL_NARGS] = ARCH_CALL_ARGS;
	u64 word = 0;
	if (ret)
		return 0;
	read_kernel(&word, 8, regs + 8 * ARCH_CALL);
	u32 call = word;
	read_kernel(&word, 8, regs + 8 * ARCH_CALL_KEPT);
	u32 first = word;
	read_kernel(&word, 8, regs + 8 * at[1]);
	u32 second = word;
	if (call == ARCH_NR_SETPRIORITY)
		return first == 0 ? rt_task_of(second) : 0;
	return call == ARCH_NR_SCHED_SETPARAM || call == ARCH_NR_SCHED_SETSCHEDULER || call == ARCH_NR_SCHED_SETATTR
		   ? rt_task_of(first)
		   : 0;
}

/* As in /proc: 20 is the default, real-time priorities are below 0. */
inline_ u64
priority_at(u64 addr)
{
	int prio = 100;
	read_kernel(&prio, 4, addr);
	return (u64)(s64)(prio - 100);
}

fn_ u64
rt_priority_args(struct rt *st, u64 task)
{
	if (!st)
		return 0;
	st->nargs = 3;
	st->args[0] = st->args[1] = task;
	st->args[2] = priority_at(task + CONST(TASK_PRIO));
	for (u32 i = 3; i < RT_NARGS; i++)
		st->args[i] = 0;
	return 0;
}

/* The priority that sched_pi_setprio is about to give to a task: the lender's, if that is higher. */
fn_ u64
rt_lent_priority(u64 task, u64 lender)
{
	s64 own = (s64)priority_at(task + CONST(TASK_NORMAL_PRIO)), lent;
	if (!lender)
		return (u64)own;
	lent = (s64)priority_at(lender + CONST(TASK_PRIO));
	return (u64)(lent < own ? lent : own);
}

/* ---- faults ---- */

/* Returns FLT… if a signal is sent because of a fault: then the kernel tells more about it (struct kernel_siginfo:
 * number, errno, code). Returns 0 for other signals. */
fn_ u64
rt_fault_number(u64 sig, u64 info)
{
	int code = 0;
	if (info < 4096 || read_kernel(&code, 4, info + 8) || code <= 0)
		return 0;
	switch ((u32)sig) {
	case 4: /* SIGILL; ILL_PRVOPC, ILL_PRVREG */
		return code == 5 || code == 6 ? 2 : 1;
	case 5: /* SIGTRAP; TRAP_TRACE, TRAP_HWBKPT */
		return code == 2 ? 4 : code == 4 ? 12 : 3;
	case 7: /* SIGBUS */
		return 5;
	case 8: /* SIGFPE; FPE_INTDIV, FPE_INTOVF */
		return code == 1 ? 8 : code == 2 ? 7 : 9;
	case 11: /* SIGSEGV; SEGV_MAPERR */
		return code == 1 ? 6 : 5;
	default:
		return 0;
	}
}

/* ---- requests ---- */

fn_ u64
rt_is_requeued(u64 req)
{
	return map_lookup(MAP(REQUEUED), &req) != 0;
}

/* Returns what memory a reading or writing request is about, from its first page. */
fn_ u64
rt_request(u64 req)
{
	u64 bio = kernel_word(req, CONST(REQ_BIO)), flags = rt_field(req + CONST(REQ_FLAGS), 4), page, head, mapping;
	if ((flags & 0xff) > 1 || !bio || !rt_field(req + CONST(REQ_LEN), 4))
		return 0;
	page = kernel_word(bio, CONST(BIO_VEC)) + 16 * rt_field(bio + CONST(BIO_INDEX), 4);
	page = kernel_word(page, 0);
	head = kernel_word(page, CONST(PAGE_HEAD));
	page = head & 1 ? head - 1 : page;
	mapping = kernel_word(page, CONST(PAGE_MAPPING));
	if ((CONST(REQ_SWAP) < 32 && flags >> CONST(REQ_SWAP) & 1) ||
	    (CONST(PAGE_SWAPCACHE) < 64 && (mapping & 3 || !mapping) &&
		kernel_word(page, 0) >> CONST(PAGE_SWAPCACHE) & 1))
		return RT_REQ_SWAP;
	if (mapping & 3)
		return RT_REQ_PROCESS;
	/* The cache of a device itself belongs to the file system. */
	if (!mapping || (rt_field(kernel_word(mapping, CONST(MAPPING_HOST)) + CONST(INODE_MODE), 2) & 0xf000) == 0x6000)
		return RT_REQ_OTHER;
	return RT_REQ_FILE;
}

fn_ u64
rt_request_pages(u64 req)
{
	return (rt_field(req + CONST(REQ_LEN), 4) + 4095) >> 12;
}
