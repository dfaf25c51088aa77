/*
 * Subroutines of the BPF runtime: a part of rt.bpf.c. There is one function, named rt_subr_ID, for each row of
 * DIF_SUBRS that this engine has. The lowering finds it by that name, and refuses scripts that call one that is
 * missing. a, b, c are the operands, n is their number. Subroutines on text are in rt_text.bpf.h.
 */
#define SUBR(id) fn_ u64 rt_subr_##id(struct rt *st, u64 a, u64 b, u64 c, u32 n)
#define CHAR(st, off) (*(uint8_t *)AT(st, off))

inline_ u64
result(struct rt *st, u64 v)
{
	st->res = v;
	return 0;
}

/* ---- memory ---- */

SUBR(ALLOC_ZERO)
{
	if (!st)
		return 0;
	u64 fault = scratch_new(st, a);
	if (fault)
		return fault;
	rt_zero(st, st->ptr, (a + 7) & ~7ull);
	return 0;
}

SUBR(ALLOCA)
{
	return rt_subr_ALLOC_ZERO(st, a, b, c, n);
}

inline_ u64
copy(struct rt *st, u64 from, u64 to, u64 n)
{
	if (n == 0)
		return 0;
	if (to >> 48 != R_SCRATCH)
		return fail(st, BADADDR, to);
	if (n > CONST(SCRATCHSIZE))
		return fail(st, BADADDR, from);
	return rt_memcpy(st, to, from ? from : 1, n);
}

SUBR(BCOPY)
{
	return st ? copy(st, a, b, c) : 0;
}

SUBR(COPYINTO)
{
	return st ? copy(st, a, c, b) : 0;
}

SUBR(COPYIN)
{
	if (!st)
		return 0;
	u64 fault = scratch_new(st, b);
	return fault ? fault : rt_put_mem(st, st->ptr, a, b);
}

SUBR(STRDUP_SCRATCH)
{
	if (!st)
		return 0;
	u64 most = n > 1 ? b : ~0ull, used = st->scratch, fault;
	/* Directly to its final place, if there is room for any string. */
	if (used + CONST(STRSIZE) + 8 <= CONST(SCRATCHSIZE)) {
		if ((fault = rt_strn(st, RT_SCRATCH + used, a, most)) || (fault = scratch_new(st, st->len + 1)))
			return fault;
		st->str_at = st->res;
		st->str_len = st->len;
		return 0;
	}
	fault = rt_strn(st, RT_TMP0, a, most);
	return fault ? fault : rt_scratch_str(st, RT_TMP0, st->len);
}

SUBR(COPYINSTR)
{
	return rt_subr_STRDUP_SCRATCH(st, a, b, c, n);
}

/* ---- numbers ---- */

SUBR(HTONS)
{
	return st ? result(st, __builtin_bswap16((uint16_t)a)) : 0;
}
SUBR(NTOHS)
{
	return st ? result(st, __builtin_bswap16((uint16_t)a)) : 0;
}
SUBR(HTONL)
{
	return st ? result(st, __builtin_bswap32((u32)a)) : 0;
}
SUBR(NTOHL)
{
	return st ? result(st, __builtin_bswap32((u32)a)) : 0;
}
SUBR(HTONLL)
{
	return st ? result(st, __builtin_bswap64(a)) : 0;
}
SUBR(NTOHLL)
{
	return st ? result(st, __builtin_bswap64(a)) : 0;
}
SUBR(GETMAJOR)
{
	return st ? result(st, (u32)a >> 20) : 0;
}
SUBR(GETMINOR)
{
	return st ? result(st, a & 0xfffff) : 0;
}
SUBR(RAND)
{
	return st ? result(st, random32() >> 1) : 0;
}

/* ---- actions ---- */

SUBR(EXIT)
{
	if (!st)
		return 0;
	if (__sync_val_compare_and_swap(&CTL->state, RT_RUNNING, RT_EXITING) == RT_RUNNING || st->kind == RT_END) {
		CTL->status = (u32)a;
		CTL->exited = 1;
	} else {
		st->norec = 1;
	}
	return 0;
}

static long
take_spec(u32 i, void *ctx)
{
	struct span *s = ctx;
	if (i >= RT_MAXSPEC)
		return 1;
	u32 was = CTL->spec[i];
	if (was & 1 || __sync_val_compare_and_swap(&CTL->spec[i], was, was | 1) != was)
		return 0;
	CTL->spec_used[i] = 0;
	s->found = i + 1;
	return 1;
}

SUBR(SPECULATION)
{
	if (!st)
		return 0;
	struct span s = {.st = st};
	loop(CTL->nspec, take_spec, &s, 0);
	if (!s.found)
		drop(DROP_SPECUNAVAIL);
	return result(st, s.found);
}

/* What ends a clause without a fault. */
enum { QUIET = 255 };

SUBR(SPECULATE)
{
	if (!st)
		return 0;
	if (st->recopen)
		return fail(st, ILLOP, 0);
	u64 i = a - 1;
	HIDE(i);
	if (i >= RT_MAXSPEC || a > CTL->nspec)
		return QUIET;
	u32 now = CTL->spec[i];
	if (!(now & 1))
		return QUIET;
	st->spec = RT_SPEC_TAG((u32)a, now >> 1);
	return 0;
}

/* The consumer has the speculation's records; this tells it what to do with them. */
inline_ u64
end_spec(struct rt *st, u64 id, u32 type)
{
	u64 i = id - 1;
	HIDE(i);
	if (i >= RT_MAXSPEC)
		return 0;
	u32 was = CTL->spec[i];
	if (!(was & 1) || __sync_val_compare_and_swap(&CTL->spec[i], was, was + 1) != was)
		return 0;
	struct rt_rec *r = (struct rt_rec *)&st->mem[RT_REC];
	r->type = type;
	r->spec = RT_SPEC_TAG((u32)id, was >> 1);
	emit(st, 0);
	return 0;
}

SUBR(COMMIT)
{
	if (!st)
		return 0;
	if (st->recopen || a > CTL->nspec)
		return fail(st, ILLOP, 0);
	return end_spec(st, a, RT_RT_COMMIT);
}

SUBR(DISCARD)
{
	if (!st)
		return 0;
	if ((st->recopen && (st->spec & 0xffff) == a) || a > CTL->nspec)
		return fail(st, ILLOP, 0);
	return end_spec(st, a, RT_RT_DISCARD);
}

SUBR(RAISE)
{
	if (!st)
		return 0;
	if (!CONST(DESTRUCTIVE))
		return fail(st, UPRIV, 0);
	if (a > 64)
		return fail(st, ILLOP, 0);
	if (a)
		send_signal(a);
	return 0;
}

/* Copies c bytes at a to the process's address b. Linked only if the kernel permits it: see lower.c. */
SUBR(COPYOUT)
{
	if (!st)
		return 0;
	if (!CONST(DESTRUCTIVE))
		return fail(st, UPRIV, 0);
	for (u32 i = 0; i < 16; i++) {
		u64 piece = c < RT_MAXSTR ? c : RT_MAXSTR, fault;
		if (piece == 0)
			break;
		if ((fault = rt_read(st, RT_TMP0, a, piece)))
			return fault;
		/* Never 0, written so that all verifiers understand it. */
		u64 size = piece - 1;
		HIDE(size);
		size = (size & (RT_MAXSTR - 1)) + 1;
		if (write_user(b, &st->mem[RT_TMP0], size))
			return fail(st, BADADDR, b);
		a += piece;
		b += piece;
		c -= piece;
	}
	return 0;
}

/* The string at a with its NUL, at most c bytes. */
SUBR(COPYOUTSTR)
{
	if (!st)
		return 0;
	if (!CONST(DESTRUCTIVE))
		return fail(st, UPRIV, 0);
	u64 fault = rt_strn(st, RT_TMP0, a, c ? c - 1 : 0), size = st->len;
	if (fault || c == 0)
		return fault;
	HIDE(size);
	size = (size & (RT_MAXSTR - 1)) + 1;
	return write_user(b, &st->mem[RT_TMP0], size) ? fail(st, BADADDR, b) : 0;
}

/* At most half of each second, as in DTrace. */
static long
wait_until(u32 i, void *ctx)
{
	struct span *s = ctx;
	return ends(ktime_ns() >= s->x);
}

SUBR(CHILL)
{
	if (!st)
		return 0;
	if (!CONST(DESTRUCTIVE))
		return fail(st, UPRIV, 0);
	u64 now = ktime_ns();
	if (now - st->chill_from > 1000000000) {
		st->chill_from = now;
		st->chilled = 0;
	}
	if (a > 500000000 || st->chilled + a > 500000000)
		return fail(st, ILLOP, 0);
	struct span s = {.st = st, .x = now + a};
	for (u32 i = 0; i < 16; i++)
		if (loop(1 << 23, wait_until, &s, 0) < 1 << 23)
			break;
	st->chilled += a;
	return 0;
}

/* Returns whether the thread's process is `a` or a descendant of it. */
static long
next_parent(u32 i, void *ctx)
{
	struct span *s = ctx;
	u32 tgid = 0;
	if (!s->x || read_kernel(&tgid, 4, s->x + CONST(TASK_TGID)))
		return 1;
	if (tgid == s->n) {
		s->found = 1;
		return 1;
	}
	u64 parent = 0;
	if (tgid == 0 || read_kernel(&parent, 8, s->x + CONST(TASK_PARENT)) || parent == s->x)
		return 1;
	s->x = parent;
	return 0;
}

SUBR(PROGENYOF)
{
	if (!st)
		return 0;
	struct span s = {.st = st, .x = task_of(st), .n = (u32)a};
	loop(1024, next_parent, &s, 0);
	return result(st, s.found);
}

/* ---- locks of the kernel: b is their enum lock_kind ---- */

enum { MUTEX_FLAGS = 7 }; /* low bits of a mutex's owner */
/* The word that says who holds a semaphore or a lock of readers and writers. */
enum { RWSEM_WRITER = 1, RWSEM_WAITERS = 2, RWSEM_READER_SHIFT = 8 };
enum { RWLOCK_WRITER = 0xff, RWLOCK_WAITING = 0x100, RWLOCK_READER_SHIFT = 9 };

inline_ u64
mutex_owner(struct rt *st, u64 lock)
{
	u64 fault = rt_load(st, lock + CONST(MUTEX_OWNER), 8);
	if (!fault)
		st->res &= ~(u64)MUTEX_FLAGS;
	return fault;
}

SUBR(MUTEX_OWNER)
{
	return st ? mutex_owner(st, a) : 0;
}

SUBR(MUTEX_OWNED)
{
	if (!st)
		return 0;
	u64 fault = mutex_owner(st, a);
	return fault ? fault : result(st, st->res && st->res == task_of(st));
}

/* Every mutex of Linux is adaptive. It is read anyway, so that a bad address faults. */
SUBR(MUTEX_TYPE_ADAPTIVE)
{
	if (!st)
		return 0;
	u64 fault = rt_load(st, a, 4);
	return fault ? fault : result(st, b == LOCK_MUTEX);
}

SUBR(MUTEX_TYPE_SPIN)
{
	if (!st)
		return 0;
	u64 fault = rt_load(st, a, 4);
	return fault ? fault : result(st, b == LOCK_SPIN);
}

enum { RW_HAS_READER = 1, RW_HAS_WRITER = 2, RW_WRITER_WAITS = 4 };

/* Gives who holds it, as bits in st->res. If somebody waits while readers have a semaphore, it is a writer, or
 * behind one. */
fn_ u64
rt_rw_holders(struct rt *st, u64 lock, u64 kind)
{
	if (!st)
		return 0;
	u32 is_sem = kind == LOCK_RWSEM;
	u64 off = is_sem ? CONST(RWSEM_COUNT) : CONST(RWLOCK_CNTS), is = 0;
	if (off == ~0ull)
		return fail(st, ILLOP, 0);
	u64 fault = rt_load(st, lock + off, is_sem ? 8 : 4);
	if (fault)
		return fault;
	u64 word = st->res;
	if (is_sem) {
		if (word & RWSEM_WRITER)
			is |= RW_HAS_WRITER;
		else if ((s64)word > 0 && word >> RWSEM_READER_SHIFT)
			is |= RW_HAS_READER;
		if (word & RWSEM_WAITERS && is & RW_HAS_READER)
			is |= RW_WRITER_WAITS;
	} else {
		if (word & RWLOCK_WRITER)
			is |= RW_HAS_WRITER;
		else if (word >> RWLOCK_READER_SHIFT)
			is |= RW_HAS_READER;
		if (word & RWLOCK_WAITING)
			is |= RW_WRITER_WAITS;
	}
	return result(st, is);
}

SUBR(RW_READ_HELD)
{
	u64 fault = rt_rw_holders(st, a, b);
	return fault || !st ? fault : result(st, (st->res & RW_HAS_READER) != 0);
}

SUBR(RW_WRITE_HELD)
{
	u64 fault = rt_rw_holders(st, a, b);
	return fault || !st ? fault : result(st, (st->res & RW_HAS_WRITER) != 0);
}

SUBR(RW_ISWRITER)
{
	u64 fault = rt_rw_holders(st, a, b);
	return fault || !st ? fault : result(st, (st->res & (RW_HAS_WRITER | RW_WRITER_WAITS)) != 0);
}

SUBR(STOP)
{
	if (!st)
		return 0;
	if (!CONST(DESTRUCTIVE))
		return fail(st, UPRIV, 0);
	send_signal(19);
	return 0;
}
