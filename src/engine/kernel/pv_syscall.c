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

static bool
attach_side(struct engine *e, const struct pv_bound *bound, unsigned nbound, bool entry, char *why, size_t whylen)
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

/* Returns first: an entry that is seen has its return seen. */
static bool
attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, char *why, size_t whylen)
{
	return attach_side(e, bound, nbound, false, why, whylen) && attach_side(e, bound, nbound, true, why, whylen);
}

const struct provider provider_syscall = {
    .name = "syscall", .provide = provide, .attach = attach, .stability = "Evolving/Evolving/Common"};
