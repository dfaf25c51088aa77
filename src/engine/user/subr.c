/*
 * Subroutines: the table, memory, numbers and the actions that the engine itself performs. Strings are in subr_str.c,
 * paths in subr_path.c, addresses in subr_net.c, json() in subr_json.c, Erlang terms in subr_term.c.
 *
 * Operands past nargs are missing.
 */
#include "engine/user/user.h"

#include "base/clock.h"

#include <endian.h>
#include <signal.h>

subr_fn *const subr_table[DIF_NSUBRS] = {
#define X(id, name, proto, operands, flags) [DIF_SUBR_##id] = subr_##id,
    DIF_SUBRS(X)
#undef X
};

/* ---- memory ---- */

SUBR(ALLOCA)
{
	UNUSED;
	return scratch_new0(r, arg[0], result) != NULL;
}

SUBR(ALLOC_ZERO)
{
	UNUSED;
	return scratch_new0(r, arg[0], result) != NULL;
}

/* Copies in pieces, so that overlapping or racing memory gives some bytes and nothing worse. */
static bool
copy(struct activation *r, uint64_t from, uint64_t to, uint64_t n)
{
	/* D's variables change only by assignment. As in DTrace, only memory of alloca() can be copied to. */
	if (DIF_REGION(to) != DIF_R_SCRATCH)
		return fail(r, DIF_FAULT_BADADDR, to);
	const char *at = mem_direct(r, from, n);
	if (at)
		return mem_put(r, to, at, n);
	uint64_t addr;
	size_t used = r->scratch_used;
	char *buf = scratch_new(r, n, &addr);
	if (!buf)
		return false;
	r->scratch_used = used; /* the bytes stay until the next allocation; the copy is not memory of the script */
	return mem_get(r, from, buf, n) && mem_put(r, to, buf, n);
}

SUBR(BCOPY)
{
	UNUSED;
	if (arg[2] == 0)
		return true;
	return copy(r, arg[0], arg[1], arg[2]);
}

SUBR(COPYIN)
{
	UNUSED;
	void *to = scratch_new(r, arg[1], result);
	return to && mem_get(r, arg[0], to, arg[1]);
}

SUBR(COPYINTO)
{
	UNUSED;
	if (arg[1] == 0)
		return true;
	return copy(r, arg[0], arg[2], arg[1]);
}

/* Memory that cannot change while the clause runs can be used as a string in place. */
ET_HOT
SUBR(COPYINSTR)
{
	UNUSED;
	struct str s;
	unsigned region = DIF_REGION(arg[0]);
	if (nargs < 2 && (region == DIF_R_CONST || region == DIF_R_ARG || region == DIF_R_TERM)) {
		*result = arg[0];
		return mem_direct(r, arg[0], 0) || fail(r, DIF_FAULT_BADADDR, arg[0]);
	}
	return mem_strn(r, arg[0], 0, nargs > 1 ? arg[1] : UINT64_MAX, &s) && scratch_str(r, s.at, s.len, result);
}

SUBR(STRDUP_SCRATCH)
{
	UNUSED;
	struct str s;
	return mem_strn(r, arg[0], 0, nargs > 1 ? arg[1] : UINT64_MAX, &s) && scratch_str(r, s.at, s.len, result);
}

/* ---- numbers ---- */

SUBR(HTONS)
{
	UNUSED;
	*result = htobe16((uint16_t)arg[0]);
	return true;
}

SUBR(HTONL)
{
	UNUSED;
	*result = htobe32((uint32_t)arg[0]);
	return true;
}

SUBR(HTONLL)
{
	UNUSED;
	*result = htobe64(arg[0]);
	return true;
}

SUBR(NTOHS)
{
	return subr_HTONS(r, arg, nargs, result);
}

SUBR(NTOHL)
{
	return subr_HTONL(r, arg, nargs, result);
}

SUBR(NTOHLL)
{
	return subr_HTONLL(r, arg, nargs, result);
}

/* The kernel's dev_t: 12 bits major, 20 bits minor. */
SUBR(GETMAJOR)
{
	UNUSED;
	*result = (uint32_t)arg[0] >> 20;
	return true;
}

SUBR(GETMINOR)
{
	UNUSED;
	*result = arg[0] & 0xfffff;
	return true;
}

/* xorshift64*; never negative as an int */
SUBR(RAND)
{
	UNUSED;
	uint64_t x = r->sh->rng;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	r->sh->rng = x;
	*result = x * 0x2545f4914f6cdd1du >> 33;
	return true;
}

SUBR(PROGENYOF)
{
	UNUSED;
	bool is = false;
	if (!pi_progeny(r, r->e->pid, (int32_t)arg[0], &is))
		return false;
	*result = is;
	return true;
}

/* ---- what only a kernel knows ---- */

#define NOT_HERE(id) \
	SUBR(id) \
	{ \
		UNUSED; \
		return fail(r, DIF_FAULT_ILLOP, 0); \
	}
NOT_HERE(D_PATH)
NOT_HERE(MUTEX_OWNED)
NOT_HERE(MUTEX_OWNER)
NOT_HERE(MUTEX_TYPE_ADAPTIVE)
NOT_HERE(MUTEX_TYPE_SPIN)
NOT_HERE(RW_ISWRITER)
NOT_HERE(RW_READ_HELD)
NOT_HERE(RW_WRITE_HELD)
NOT_HERE(MSGSIZE)
NOT_HERE(MSGDSIZE)
NOT_HERE(BREAKPOINT)
NOT_HERE(PANIC)

/* ---- actions ---- */

/*
 * The first exit() wins. The data of a clause that comes second are lost, so that only one exit is recorded. In END the
 * newest status counts.
 */
SUBR(EXIT)
{
	UNUSED;
	struct user_engine *e = r->e;
	int running = ENG_RUNNING;
	if (atomic_compare_exchange_strong(&e->state, &running, ENG_EXITING) || r->p->role == ROLE_END) {
		atomic_store_explicit(&e->exit_status, (int)arg[0], memory_order_relaxed);
		atomic_store_explicit(&e->exited, true, memory_order_release);
		atomic_store_explicit(&e->head->exit_status, (int32_t)arg[0], memory_order_relaxed);
		atomic_store_explicit(&e->head->exited, 1, memory_order_release);
		if (e->conf.over)
			e->conf.over(e->conf.overarg);
	} else {
		r->norec = true;
		r->rec = NULL;
	}
	return true;
}

SUBR(SPECULATION)
{
	UNUSED;
	*result = spec_new(r);
	return true;
}

SUBR(SPECULATE)
{
	UNUSED;
	return spec_speculate(r, arg[0]);
}

SUBR(COMMIT)
{
	UNUSED;
	return spec_commit(r, arg[0]);
}

SUBR(DISCARD)
{
	UNUSED;
	return spec_discard(r, arg[0]);
}

static bool
destructive(struct activation *r)
{
	return r->e->conf.destructive || fail(r, DIF_FAULT_UPRIV, 0);
}

/* Signals wait until the firing is over and its lock free. */
SUBR(RAISE)
{
	UNUSED;
	if (!destructive(r))
		return false;
	if (arg[0] > 64)
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (arg[0])
		r->raise |= 1ULL << (arg[0] - 1);
	return true;
}

SUBR(STOP)
{
	UNUSED;
	if (!destructive(r))
		return false;
	r->raise |= 1ULL << (SIGSTOP - 1);
	return true;
}

/* At most half of each second, as in DTrace, so that a script cannot stop the machine. The user asked for the wait,
 * with -w, so it does not count as the firing's time. */
SUBR(CHILL)
{
	UNUSED;
	const uint64_t most = 500000000u, second = 1000000000u;
	struct shard *sh = r->sh;
	if (!destructive(r))
		return false;
	uint64_t now = mono_ns();
	if (now - sh->chill_from > second) {
		sh->chill_from = now;
		sh->chilled = 0;
	}
	if (arg[0] > most || sh->chilled + arg[0] > most)
		return fail(r, DIF_FAULT_ILLOP, 0);
	uint64_t cpu = eng_cpu_now();
	while (mono_ns() - now < arg[0])
		;
	sh->chilled += arg[0];
	if (r->budget->began)
		r->budget->began += eng_cpu_now() - cpu;
	return true;
}

static bool
write_out(struct activation *r, uint64_t from, uint64_t to, uint64_t n)
{
	char piece[512];
	for (uint64_t done = 0, len; done < n; done += len) {
		len = n - done < sizeof piece ? n - done : sizeof piece;
		if (!mem_get(r, from + done, piece, len) || !mem_raw_write(r, to + done, piece, len))
			return false;
	}
	return true;
}

SUBR(COPYOUT)
{
	UNUSED;
	return destructive(r) && write_out(r, arg[0], arg[1], arg[2]);
}

SUBR(COPYOUTSTR)
{
	UNUSED;
	struct str s;
	char nul = 0;
	if (!destructive(r) || !mem_str(r, arg[0], 0, &s))
		return false;
	if (arg[2] == 0)
		return true;
	size_t n = s.len < arg[2] ? s.len : (size_t)arg[2];
	return mem_raw_write(r, arg[1], s.at, n) && (n == arg[2] || mem_raw_write(r, arg[1] + n, &nul, 1));
}
