/*
 * The syscall provider: entry and return of every system call, on the kernel
 * engine. One program on each side for all of them, told apart by the number
 * of the call.
 *
 * entry: arg0 … arg5 are the call's arguments. return: arg0 and arg1 are its
 * result, -1 when it failed, and errno says why.
 */
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"
#include "provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name and number of each system call of this machine: made by the build from its headers. */
static const struct {
	const char *name;
	uint32_t nr;
} calls[] = {
#include "syscalls.inc"
};

/* probe.param: number of the call, twice; odd at its return */
static bool
provide(struct probes *ps, const struct provider *pv)
{
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
		const char *const entry[4] = {"syscall", "vmlinux", calls[i].name, "entry"};
		const char *const ret[4] = {"syscall", "vmlinux", calls[i].name, "return"};
		if (!probe_add(ps, pv, entry, NULL, (int64_t)calls[i].nr * 2) ||
		    !probe_add(ps, pv, ret, NULL, (int64_t)calls[i].nr * 2 + 1))
			return false;
	}
	return true;
}

/* Nothing of its own: the engine closes what was attached when it stops. */
struct pv_run {
	struct engine *e;
};

static bool
attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, bool entry, char *why, size_t whylen)
{
	unsigned n = 0, *probes = calloc(nbound, sizeof *probes);
	uint32_t *numbers = calloc(nbound, sizeof *numbers);
	bool ok = probes && numbers;
	if (!ok)
		snprintf(why, whylen, "out of memory");
	for (unsigned i = 0; ok && i < nbound; i++) {
		if ((bound[i].probe->param & 1) == entry)
			continue;
		probes[n] = bound[i].index;
		numbers[n++] = (uint32_t)(bound[i].probe->param / 2);
	}
	if (ok && n)
		ok = kern_attach_syscalls(e, probes, numbers, n, entry ? KP_SYS_ENTER : KP_SYS_EXIT, why, whylen);
	free(probes);
	free(numbers);
	return ok;
}

static struct pv_run *
start(const struct provider *pv, struct engine *e, const struct engine_ops *ops, unsigned nshards,
    const struct pv_bound *bound, unsigned nbound, char *why, size_t whylen)
{
	(void)pv;
	(void)nshards;
	if (ops != &engine_kernel) {
		snprintf(why, whylen, "system calls are seen by the kernel engine only (-x engine=kernel)");
		return NULL;
	}
	struct pv_run *run = calloc(1, sizeof *run);
	if (!run)
		return NULL;
	run->e = e;
	/* Returns first: an entry that is seen has its return seen. */
	if (attach(e, bound, nbound, false, why, whylen) && attach(e, bound, nbound, true, why, whylen))
		return run;
	free(run);
	return NULL;
}

static void
stop(struct pv_run *run)
{
	free(run);
}

const struct provider provider_syscall = {.name = "syscall",
    .provide = provide,
    .start = start,
    .stop = stop,
    .kernel = true,
    .stability = "Evolving/Evolving/Common"};
