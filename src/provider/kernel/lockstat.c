/*
 * The lockstat provider: threads that had to wait for a lock of the kernel and then got it. arg0 is the lock, arg1 how
 * long they waited, in ns. It uses the tracepoints contention_begin and contention_end, whose flags say what kind of
 * lock it is.
 *
 * A mutex or rt_mutex is DTrace's adaptive lock. A spinning rwlock and a sleeping rw_semaphore are its readers/writer
 * lock. The kernel reports only locks that somebody waits for, so there is no acquire and no release.
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
		if (!probe_add(ps, pv, names, rows[i].types, i))
			return false;
	}
	return true;
}

static bool
start(struct pv_start *s, struct why *why)
{
	unsigned probes[NROWS];
	uint32_t kinds[NROWS];
	for (unsigned i = 0; i < s->nbound && i < NROWS; i++) {
		probes[i] = s->bound[i].index;
		kinds[i] = rows[s->bound[i].probe->param].kind;
	}
	return kern_attach_locks(s->engine, probes, kinds, s->nbound < NROWS ? s->nbound : NROWS, why);
}

static const struct pv_text argnames[] = {
    {"*", "lock,waited,mode,writer_had_it,readers"},
    {0},
};

/* Probes that DTrace documents and Linux tells nothing of, or not the same. */
#define UNCONTENDED \
	"the kernel tells of locks only when somebody waits: see adaptive-block, adaptive-spin, spin-spin, rw-block and rw-spin"
static const struct pv_text absent[] = {
    {"adaptive-acquire", UNCONTENDED},
    {"adaptive-release", UNCONTENDED},
    {"adaptive-acquire-error", UNCONTENDED},
    {"spin-acquire", UNCONTENDED},
    {"spin-release", UNCONTENDED},
    {"rw-acquire", UNCONTENDED},
    {"rw-release", UNCONTENDED},
    {"rw-upgrade", "locks of Linux are not upgraded"},
    {"rw-downgrade", "the kernel tells of locks only when somebody waits"},
    {"thread-spin", "Linux has no thread locks"},
    {0},
};

const struct provider provider_lockstat = {.name = "lockstat",
    .provide = provide,
    .kernel = true,
    .start = start,
    .argnames = argnames,
    .absent = absent,
    .stability = "Evolving/Evolving/ISA"};
