/*
 * The lockstat provider: threads that had to wait for a lock of the kernel and have got it. arg0 is the lock, arg1 how
 * long they waited, in ns. From the tracepoints contention_begin and contention_end, whose flags say what kind of lock
 * it is.
 *
 * A mutex or rt_mutex is DTrace's adaptive lock; a rwlock that spins and a semaphore of readers and writers that sleeps
 * are its readers/writer lock. What does not wait is not told by the kernel, so there is no acquire and no release.
 */
#include "provider/kernel/named.h"

#include <stdio.h>

static const char *const of_wait[] = {"uintptr_t", "uint64_t", NULL};
/* RW_READER or RW_WRITER; whether a writer had it; how many readers had it */
static const char *const of_rw[] = {"uintptr_t", "uint64_t", "int", "int", "int", NULL};

/* probe.param: the number of the row */
static const struct {
	const char *name;
	enum rt_waitkind kind;
	const char *const *types;
} rows[] = {
    {"adaptive-block", RT_WAIT_ADAPTIVE_BLOCK, of_wait},
    {"adaptive-spin", RT_WAIT_ADAPTIVE_SPIN, of_wait},
    {"spin-spin", RT_WAIT_SPIN, of_wait},
    {"rw-block", RT_WAIT_RW_BLOCK, of_rw},
    {"rw-spin", RT_WAIT_RW_SPIN, of_rw},
};
enum { NROWS = sizeof rows / sizeof *rows };

static bool
provide(struct probes *ps, const struct provider *pv)
{
	for (unsigned i = 0; i < NROWS; i++) {
		const char *const names[4] = {"lockstat", "vmlinux", "", rows[i].name};
		struct probe *p = probe_add(ps, pv, names, rows[i].types, i);
		if (!p)
			return false;
		p->argnames = named_args("lockstat", rows[i].name);
	}
	return true;
}

static bool
attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, struct why *why)
{
	unsigned probes[NROWS];
	uint32_t kinds[NROWS];
	for (unsigned i = 0; i < nbound && i < NROWS; i++) {
		probes[i] = bound[i].index;
		kinds[i] = rows[bound[i].probe->param].kind;
	}
	return kern_attach_locks(e, probes, kinds, nbound < NROWS ? nbound : NROWS, why);
}

const struct provider provider_lockstat = {.name = "lockstat",
    .provide = provide,
    .on_demand = named_absent,
    .attach = attach,
    .stability = "Evolving/Evolving/ISA"};
