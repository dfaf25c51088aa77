/*
 * Memory and built-in variables of the BPF runtime: a part of rt.bpf.c.
 *
 * Regions of D's addresses are in maps, whose addresses the state keeps as numbers. Reading one uses the same
 * bpf_probe_read_kernel() as reading any other memory, after a check of the region's bounds. Writing goes to places
 * that the verifier can see.
 */
/* ---- memory ---- */

/* What a loop works on. */
struct span {
	struct rt *st;
	u64 a, b, n, i, found, x, y;
};

fn_ u64
rt_zero(struct rt *st, u64 off, u64 n)
{
	if (!st)
		return 0;
	for (u32 i = 0; i < 18; i++) {
		u64 piece = n < RT_ZEROES ? n : RT_ZEROES;
		if (piece == 0)
			break;
		HIDE(piece);
		piece &= RT_ZEROES * 2 - 1;
		read_kernel(AT(st, off), piece, st->cbase);
		off += piece;
		n -= piece;
	}
	return 0;
}

inline_ u64
task_word(u64 task, u64 off, u32 size)
{
	u64 v = 0;
	if (off == ~0ull || read_kernel(&v, size, task + off))
		return 0;
	return v;
}

/* The command line: its words with spaces between them, at most `size` bytes (a power of two) including a NUL. */
static long
nul_to_space(u32 i, void *ctx)
{
	struct span *s = ctx;
	if (s->st->mem[(s->a + i) & (RT_MEM - 1)] == 0)
		s->st->mem[(s->a + i) & (RT_MEM - 1)] = ' ';
	return 0;
}

inline_ u64
command_line(struct rt *st, u64 to, u32 size)
{
	u64 mm = task_word(task_of(st), CONST(TASK_MM), 8);
	u64 from = mm ? task_word(mm, CONST(MM_ARG_START), 8) : 0, end = mm ? task_word(mm, CONST(MM_ARG_END), 8) : 0;
	u64 n = end - from;
	if (!from || end <= from)
		return 0;
	if (n > size)
		n = size;
	HIDE(n);
	n &= 2047;
	if (n == 0 || read_user(AT(st, to), n, from))
		return 0;
	struct span s = {.st = st, .a = to};
	loop(n - 1, nul_to_space, &s, 0);
	u64 last = to + n - 1;
	HIDE(last);
	*AT(st, last) = 0;
	return n;
}

/* The number of a struct pid, as the first name space counts. */
inline_ u64
number_of(u64 pid)
{
	return pid ? task_word(pid, CONST(PID_NUMBERS), 4) : 0;
}

/* The terminal as Linux numbers devices, or -1. */
inline_ u64
terminal_of(u64 signal)
{
	u64 tty = signal ? task_word(signal, CONST(SIGNAL_TTY), 8) : 0, driver;
	if (!tty || !(driver = task_word(tty, CONST(TTY_DRIVER), 8)))
		return ~0ull;
	return task_word(driver, CONST(DRIVER_MAJOR), 4) << 20 |
	       (u32)(task_word(driver, CONST(DRIVER_MINOR), 4) + task_word(tty, CONST(TTY_INDEX), 4));
}

/* A program's stack begins with the number of arguments, their addresses, a NULL, and the addresses of the
 * environment. */
inline_ void
first_words(struct rt *st, struct procinfo_ps *ps)
{
	u64 mm = task_word(task_of(st), CONST(TASK_MM), 8), at = mm ? task_word(mm, CONST(MM_START_STACK), 8) : 0,
	    n = 0;
	if (!at)
		return;
	ps->pr_argv = at + 8;
	if (read_user(&n, 8, at) || n > 1 << 22)
		return;
	ps->pr_argc = n;
	ps->pr_envp = at + 8 + 8 * (n + 1);
}

enum { TIF_ADDR32 = 1 << 29, PF_KTHREAD = 0x00200000 };

/* What /proc would show about the thread, as far as the kernel has it at hand. The bytes are in RT_BI. */
fn_ u64
rt_info(struct rt *st, u64 id)
{
	if (!st)
		return 0;
	rt_zero(st, RT_BI, 1024);
	rt_who(st);
	switch (id) {
	case DIF_BI_CURPSINFO: {
		struct procinfo_ps *ps = (struct procinfo_ps *)&st->mem[RT_BI];
		u64 parent = task_word(task_of(st), CONST(TASK_PARENT), 8), ids = uid_gid();
		u64 signal = task_word(task_of(st), CONST(TASK_SIGNAL), 8),
		    leader = task_word(task_of(st), CONST(TASK_LEADER), 8);
		ps->pr_pid = st->pid;
		ps->pr_ppid = parent ? task_word(parent, CONST(TASK_TGID), 4) : 0;
		ps->pr_uid = ps->pr_euid = (u32)ids;
		ps->pr_gid = ps->pr_egid = ids >> 32;
		ps->pr_nlwp = signal ? task_word(signal, CONST(SIGNAL_THREADS), 4) : 0;
		ps->pr_pgid = signal ? number_of(task_word(signal, CONST(SIGNAL_PIDS) + 16, 8)) : 0;
		ps->pr_sid = signal ? number_of(task_word(signal, CONST(SIGNAL_PIDS) + 24, 8)) : 0;
		ps->pr_state = 6; /* SONPROC */
		ps->pr_addr = task_of(st);
		ps->pr_start = task_word(task_of(st), CONST(TASK_START), 8) + CONST(WALL);
		ps->pr_dmodel =
		    task_word(task_of(st), CONST(TASK_INFO_FLAGS), 8) & TIF_ADDR32 ? PR_MODEL_ILP32 : PR_MODEL_LP64;
		ps->pr_ttydev = terminal_of(signal);
		first_words(st, ps);
		if (leader && CONST(TASK_COMM) != ~0ull)
			read_kernel(ps->pr_fname, sizeof ps->pr_fname, leader + CONST(TASK_COMM));
		command_line(st, RT_BI + __builtin_offsetof(struct procinfo_ps, pr_psargs), sizeof ps->pr_psargs);
		return sizeof *ps;
	}
	case DIF_BI_CURLWPSINFO: {
		struct procinfo_lwp *lwp = (struct procinfo_lwp *)&st->mem[RT_BI];
		lwp->pr_lwpid = st->tid;
		lwp->pr_onpro = cpu_id();
		lwp->pr_bindpro = task_word(task_of(st), CONST(TASK_NCPUS), 4) == 1 ? (int)cpu_id() : -1;
		lwp->pr_bindpset = -1;
		lwp->pr_addr = task_of(st);
		/* SONPROC, or what it is about to be when it gives the CPU away: SSLEEP, SSTOP, SZOMB. */
		u64 state = task_word(task_of(st), CONST(TASK_STATE), 4);
		lwp->pr_state = !state ? 6 : state & 3 ? 1 : state & 12 ? 4 : state & 0x80 ? 3 : 1;
		lwp->pr_sname = !state         ? 'R'
				: state & 1    ? 'S'
				: state & 2    ? 'D'
				: state & 4    ? 'T'
				: state & 8    ? 't'
				: state & 0x80 ? 'X'
					       : 'S';
		lwp->pr_flag = state & 4 ? PR_STOPPED : state & 8 ? PR_STOPPED | PR_ISTOP : 0;
		if (!st->tid)
			lwp->pr_flag |= PR_IDLE;
		/* A thread that is not in a system call has -1 in place of its number. */
		u64 flags = task_word(task_of(st), CONST(TASK_FLAGS), 4);
		int call = -1;
		if (!(flags & PF_KTHREAD))
			read_kernel(&call, sizeof call, task_pt_regs(current_task_btf()) + 8 * ARCH_CALL);
		lwp->pr_syscall = call < 0 ? 0 : call;
		/* SCHED_FIFO, SCHED_RR and SCHED_DEADLINE */
		u64 policy = task_word(task_of(st), CONST(TASK_POLICY), 4);
		u32 is_rt = policy == 1 || policy == 2 || policy == 6;
		lwp->pr_clname[0] = is_rt ? 'R' : flags & PF_KTHREAD ? 'S' : 'T';
		lwp->pr_clname[1] = is_rt ? 'T' : flags & PF_KTHREAD ? 'Y' : 'S';
		lwp->pr_clname[2] = !is_rt && flags & PF_KTHREAD ? 'S' : 0;
		lwp->pr_pri = (int)task_word(task_of(st), CONST(TASK_PRIO), 4) - 100;
		if (CONST(TASK_COMM) != ~0ull)
			read_kernel(lwp->pr_name, sizeof lwp->pr_name, task_of(st) + CONST(TASK_COMM));
		return sizeof *lwp;
	}
	case DIF_BI_CURCPU: {
		struct procinfo_cpu *cpu = (struct procinfo_cpu *)&st->mem[RT_BI];
		cpu->cpu_id = cpu_id();
		return sizeof *cpu;
	}
	case DIF_BI_EXECARGS: {
		u64 n = command_line(st, RT_BI, 1024);
		return n ? n : 1;
	}
	default:
		return 1;
	}
}

/* The bytes of a built-in, made in RT_BI or found among the constants. Returns the address, with how many are left,
 * or 0. */
inline_ u64
builtin_at(struct rt *st, u64 off, u64 *left)
{
	u64 id = off >> 40, from = off & 0xffffff, at, len = 16;
	st->mem[RT_BI] = 0;
	switch (id) {
	case DIF_BI_PROBEPROV:
		at = probe_names(st), len = RT_NAMELEN;
		break;
	case DIF_BI_PROBEMOD:
		at = probe_names(st) + RT_NAMELEN, len = RT_NAMELEN;
		break;
	case DIF_BI_PROBEFUNC:
		at = probe_names(st) + 2 * RT_NAMELEN, len = RT_NAMELEN;
		break;
	case DIF_BI_PROBENAME:
		at = probe_names(st) + 3 * RT_NAMELEN, len = RT_NAMELEN;
		break;
	case DIF_BI_EXECNAME: {
		/* The name of the process; its threads may have other names. */
		u64 leader = 0;
		if (CONST(TASK_LEADER) == ~0ull || read_kernel(&leader, 8, task_of(st) + CONST(TASK_LEADER)) ||
		    read_kernel(&st->mem[RT_BI], 16, leader + CONST(TASK_COMM)))
			get_comm(&st->mem[RT_BI], 16);
		at = 0;
		break;
	}
	case DIF_BI_THREADNAME:
		if (CONST(TASK_COMM) == ~0ull || read_kernel(&st->mem[RT_BI], 16, task_of(st) + CONST(TASK_COMM)))
			get_comm(&st->mem[RT_BI], 16);
		at = 0;
		break;
	case DIF_BI_EPROC:
		rt_owner(st);
		at = 0;
		if (st->node.process)
			__builtin_memcpy(&st->mem[RT_BI], st->node.eproc, NODE_EPROC);
		len = NODE_EPROC;
		break;
	case DIF_BI_EMFA:
		rt_owner(st);
		at = 0;
		len = 256;
		if (st->node.process && st->node.mfa)
			read_user_str(&st->mem[RT_BI], 256, st->node.mfa);
		break;
	case DIF_BI_NODE:
		rt_who(st);
		at = 0;
		len = 256;
		if (CONST(NODE_PID) && st->pid == CONST(NODE_PID))
			read_user_str(&st->mem[RT_BI], 256, CONST(NODE_NAME_AT));
		break;
	case DIF_BI_ZONENAME:
		*(u64 *)&st->mem[RT_BI] = 0x6c61626f6c67; /* "global" */
		at = 0;
		len = 7;
		break;
	default:
		at = 0;
		len = rt_info(st, id);
		break;
	}
	if (from > len)
		return 0;
	*left = len - from;
	return (at ? st->cbase + at : st->self + __builtin_offsetof(struct rt, mem) + RT_BI) + from;
}

/* Returns the kernel address for a region's address, with the bytes left there, or 0 if there are none. */
inline_ u64
region_at(struct rt *st, u64 addr, u64 *left)
{
	u64 off = addr & 0xffffffffffffull, size, base;
	switch (addr >> 48) {
	case R_CONST:
		size = CONST(NSTRS);
		base = st->cbase + CONST(STRS);
		break;
	case R_SCRATCH:
		size = st->scratch;
		base = st->self + __builtin_offsetof(struct rt, mem) + RT_SCRATCH;
		break;
	case R_LOCAL:
		size = CONST(LSIZE);
		base = st->self + __builtin_offsetof(struct rt, mem) + st->lbase;
		break;
	case R_GLOBAL:
		size = CONST(GSIZE);
		base = st->gbase;
		break;
	case R_BUILTIN:
		return builtin_at(st, off, left);
	default:
		return 0;
	}
	if (off >= size)
		return 0;
	*left = size - off;
	return base + off;
}

inline_ int
is_region(u64 addr)
{
	return addr >> 48 >= R_CONST && addr >> 48 <= R_TERM;
}

/* Addresses of processes are in the lower half. */
inline_ int
is_user(u64 addr)
{
	return addr >> 63 == 0;
}

/* n bytes (at most RT_MAXSTR) at an address, to offset `to` of the state's memory. */
fn_ u64
rt_read(struct rt *st, u64 to, u64 addr, u64 n)
{
	u64 left = 0, at;
	if (!st)
		return 0;
	if (n > RT_MAXSTR)
		return fail(st, BADADDR, addr);
	HIDE(n);
	n &= RT_MAXSTR * 2 - 1;
	if (is_region(addr)) {
		at = region_at(st, addr, &left);
		if (!at || n > left)
			return fail(st, BADADDR, addr);
		read_kernel(AT(st, to), n, at);
		return 0;
	}
	if (is_user(addr) ? read_user(AT(st, to), n, addr) : read_kernel(AT(st, to), n, addr))
		return fail(st, BADADDR, addr);
	return 0;
}

/*
 * Copies the string at an address to offset `to`: at most strsize - 1 or `most` bytes, and not past the end of its
 * region. A NUL and zeroes up to a whole word follow. st->len is its length.
 */
fn_ u64
rt_strn(struct rt *st, u64 to, u64 addr, u64 most)
{
	u64 left = 0, at, max = CONST(STRSIZE) - 1;
	s64 got;
	if (!st)
		return 0;
	if (max > most)
		max = most;
	if (is_region(addr)) {
		at = region_at(st, addr, &left);
		if (!at)
			return fail(st, BADADDR, addr);
		if (max > left)
			max = left;
	}
	u64 n = max + 1;
	HIDE(n);
	n &= RT_MAXSTR * 2 - 1;
	if (is_region(addr))
		got = read_kernel_str(AT(st, to), n, at);
	else if (is_user(addr))
		got = read_user_str(AT(st, to), n, addr);
	else
		got = read_kernel_str(AT(st, to), n, addr);
	if (got < 0)
		return fail(st, BADADDR, addr);
	u64 len = got > 0 ? (u64)got - 1 : 0;
	st->len = len;
	u64 end = to + len;
	HIDE(end);
	char *p = AT(st, end);
	for (u32 i = 0; i < 8; i++)
		p[i] = 0;
	return 0;
}

inline_ u64
str(struct rt *st, u64 to, u64 addr)
{
	return rt_strn(st, to, addr, ~0ull);
}

/* Copies n bytes from offset `from` of the state's memory to an address that may be written. */
fn_ u64
rt_write(struct rt *st, u64 addr, u64 from, u64 n)
{
	if (!st)
		return 0;
	u64 off = addr & 0xffffffffffffull, src = st->self + __builtin_offsetof(struct rt, mem) + from;
	u64 piece = n;
	HIDE(piece);
	piece &= RT_MAXSTR * 2 - 1;
	switch (addr >> 48) {
	case R_SCRATCH:
		if (n > RT_MAXSTR || off > st->scratch || n > st->scratch - off)
			break;
		st->str_at = 0;
		read_kernel(AT(st, RT_SCRATCH + off), piece, src);
		return 0;
	case R_LOCAL:
		if (n > RT_MAXSTR || off > CONST(LSIZE) || n > CONST(LSIZE) - off)
			break;
		read_kernel(AT(st, st->lbase + off), piece, src);
		return 0;
	case R_GLOBAL: {
		/* The map is larger than the globals by RT_SLACK. */
		u64 size = CONST(GSIZE);
		if (n > RT_MAXSTR || off > size || n > size - off)
			break;
		HIDE(off);
		if (off > size)
			break;
		read_kernel((char *)VALUE(GLOBALS) + off, piece, src);
		return 0;
	}
	default:
		break;
	}
	return fail(st, BADADDR, addr);
}

/* A number of 1, 2, 4 or 8 bytes, to st->res. */
fn_ u64
rt_load(struct rt *st, u64 addr, u64 size)
{
	if (!st)
		return 0;
	u64 fault = rt_read(st, RT_TMP0, addr, size);
	if (fault)
		return fault;
	u64 v = *(u64 *)&st->mem[RT_TMP0];
	u64 shift = (64 - 8 * size) & 63;
	st->res = v << shift >> shift;
	return 0;
}

fn_ u64
rt_store(struct rt *st, u64 addr, u64 size, u64 v)
{
	if (!st)
		return 0;
	*(u64 *)&st->mem[RT_TMP0] = v;
	return rt_write(st, addr, RT_TMP0, size);
}

static long
compare_word(u32 i, void *ctx)
{
	struct span *s = ctx;
	u64 x = *(u64 *)AT(s->st, s->a + 8 * (u64)i), y = *(u64 *)AT(s->st, s->b + 8 * (u64)i);
	if (x == y)
		return 0;
	s->found = __builtin_bswap64(x) < __builtin_bswap64(y) ? ~0ull : 1;
	return 1;
}

/* Strings compared by bytes: -1, 0 or 1 in st->res. 0 is the empty string. */
fn_ u64
rt_scmp(struct rt *st, u64 a, u64 b)
{
	u64 fault, na = 0, nb = 0;
	if (!st)
		return 0;
	*(u64 *)&st->mem[RT_TMP0] = 0;
	*(u64 *)&st->mem[RT_TMP1] = 0;
	if (a) {
		if ((fault = str(st, RT_TMP0, a)))
			return fault;
		na = st->len;
	}
	if (b) {
		if ((fault = str(st, RT_TMP1, b)))
			return fault;
		nb = st->len;
	}
	/* The shorter one's last word contains its NUL, so the difference is found there at the latest. */
	struct span s = {.st = st, .a = RT_TMP0, .b = RT_TMP1};
	loop((na < nb ? na : nb) / 8 + 1, compare_word, &s, 0);
	st->res = s.found;
	return 0;
}

fn_ u64
rt_strcpy(struct rt *st, u64 to, u64 from, u64 cut)
{
	u64 fault;
	if (!st)
		return 0;
	st->len = 0;
	*(u64 *)&st->mem[RT_TMP0] = 0;
	if (!from && cut == DIF_STRVAR)
		st->mem[RT_TMP0 + 1] = (char)DIF_STR_NULL;
	if (from && (fault = rt_strn(st, RT_TMP0, from, cut - 1)))
		return fault;
	return rt_write(st, to, RT_TMP0, st->len + (!st->len && cut == DIF_STRVAR ? 2 : 1));
}

/* st->res: the value of the string variable at an address. */
fn_ u64
rt_strval(struct rt *st, u64 addr)
{
	u64 fault;
	if (!st)
		return 0;
	if ((fault = rt_read(st, RT_TMP0, addr, 2)))
		return fault;
	st->res = *(u16 *)&st->mem[RT_TMP0] == DIF_STR_NULL << 8 ? 0 : addr;
	return 0;
}

fn_ u64
rt_memcpy(struct rt *st, u64 to, u64 from, u64 n)
{
	if (!st)
		return 0;
	for (u32 i = 0; i < 16; i++) {
		u64 piece = n < RT_MAXSTR ? n : RT_MAXSTR, fault;
		if (piece == 0)
			break;
		if (from) {
			if ((fault = rt_read(st, RT_TMP0, from, piece)))
				return fault;
			from += piece;
		} else {
			rt_zero(st, RT_TMP0, piece);
		}
		if ((fault = rt_write(st, to, RT_TMP0, piece)))
			return fault;
		to += piece;
		n -= piece;
	}
	return 0;
}

/* Scratch of n bytes: its address in st->res, its offset in the state's memory in st->ptr. */
inline_ u64
scratch_new(struct rt *st, u64 n)
{
	u64 used = st->scratch, size = CONST(SCRATCHSIZE);
	if (n > size || used > size || ((n + 7) & ~7ull) > size - used)
		return fail(st, NOSCRATCH, 0);
	st->scratch = used + ((n + 7) & ~7ull);
	st->str_at = 0;
	st->res = ADDR(R_SCRATCH, used);
	st->ptr = RT_SCRATCH + used;
	return 0;
}

/* The len bytes at offset `from` of the state's memory as a string of its own in scratch. */
fn_ u64
rt_scratch_str(struct rt *st, u64 from, u64 len)
{
	if (!st)
		return 0;
	if (len > CONST(STRSIZE) - 1)
		len = CONST(STRSIZE) - 1;
	u64 fault = scratch_new(st, len + 1), n = len;
	if (fault)
		return fault;
	HIDE(n);
	n &= RT_MAXSTR * 2 - 1;
	u64 end = st->ptr + n;
	HIDE(end);
	read_kernel(AT(st, st->ptr), n, st->self + __builtin_offsetof(struct rt, mem) + from);
	char *p = AT(st, end);
	for (u32 i = 0; i < 8; i++)
		p[i] = 0;
	st->str_at = st->res;
	st->str_len = len;
	return 0;
}

/* ---- built-ins ---- */

fn_ u64
rt_builtin(struct rt *st, u64 id, u64 group)
{
	if (!st)
		return 0;
	u64 v = 0;
	switch (id) {
	case DIF_BI_TIMESTAMP:
		v = time_of(st);
		break;
	case DIF_BI_WALLTIMESTAMP:
		v = time_of(st) + CONST(WALL);
		break;
	case DIF_BI_CPU:
		v = cpu_id();
		break;
	case DIF_BI_EPID:
		v = st->epid + group;
		break;
	case DIF_BI_ID:
		v = probe_id(st);
		break;
	case DIF_BI_PID:
		rt_who(st);
		v = st->pid;
		break;
	case DIF_BI_TID:
		rt_who(st);
		v = st->tid;
		break;
	case DIF_BI_PPID: {
		u64 parent = task_word(task_of(st), CONST(TASK_PARENT), 8);
		v = parent ? task_word(parent, CONST(TASK_TGID), 4) : 0;
		break;
	}
	case DIF_BI_UID:
		v = (u32)uid_gid();
		break;
	case DIF_BI_GID:
		v = uid_gid() >> 32;
		break;
	case DIF_BI_ERRNO:
		v = st->err;
		break;
	case DIF_BI_CURTHREAD:
		v = task_of(st);
		break;
	default:
		break;
	}
	st->res = v;
	return 0;
}

fn_ u64
rt_argx(struct rt *st, u64 i)
{
	if (!st)
		return 0;
	if (i >= st->nargs || i >= RT_NARGS)
		return fail(st, BADINDEX, i);
	HIDE(i);
	if (i < RT_NARGS)
		st->res = st->args[i];
	return 0;
}

/* The processor divides without a sign. b is not 0. */
fn_ u64
rt_sdiv(u64 a, u64 b)
{
	u64 x = (s64)a < 0 ? -a : a, y = (s64)b < 0 ? -b : b, q = y ? x / y : 0;
	return (s64)(a ^ b) < 0 ? -q : q;
}

fn_ u64
rt_srem(u64 a, u64 b)
{
	u64 x = (s64)a < 0 ? -a : a, y = (s64)b < 0 ? -b : b, r = y ? x % y : 0;
	return (s64)a < 0 ? -r : r;
}
