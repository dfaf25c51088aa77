/*
 * Providers on the kernel's raw tracepoints: rawtp has all of them, with arguments as the
 * kernel passes them; sched and proc give some of them DTrace's names.
 */
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"
#include "provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named {
	const char *provider, *name;
	struct kern_tp tp;
};
static const struct named table[] = {
    {"sched", "off-cpu", {"sched_switch", 4, KERN_ANY, KERN_ANY}},
    {"sched", "on-cpu", {"sched_switch", 4, 2, KERN_ANY}},
    {"sched", "wakeup", {"sched_wakeup", 1, KERN_ANY, KERN_ANY}},
    {"proc", "create", {"sched_process_fork", 2, KERN_ANY, 1}},
    {"proc", "lwp-create", {"sched_process_fork", 2, KERN_ANY, ~1}},
    {"proc", "exec-success", {"sched_process_exec", 3, KERN_ANY, KERN_ANY}},
    {"proc", "exit", {"sched_process_exit", 1, KERN_ANY, 0}},
    {"proc", "lwp-exit", {"sched_process_exit", 1, KERN_ANY, KERN_ANY}},
    {"proc", "signal-send", {"signal_generate", 5, KERN_ANY, KERN_ANY}},
    {"proc", "signal-handle", {"signal_deliver", 3, KERN_ANY, KERN_ANY}},
};
enum { NTABLE = sizeof table / sizeof *table };

/* probe.param of sched and proc: row of the table. */
static bool
provide_named(struct probes *ps, const struct provider *pv)
{
	for (int i = 0; i < NTABLE; i++) {
		const char *const names[4] = {table[i].provider, "vmlinux", "", table[i].name};
		if (strcmp(table[i].provider, pv->name) == 0 && !probe_add(ps, pv, names, NULL, i))
			return false;
	}
	return true;
}

/* The kernel's list takes a few ms to read: only when somebody asks for it. */
static bool
provide_none(struct probes *ps, const struct provider *pv)
{
	(void)ps;
	(void)pv;
	return true;
}

struct adding {
	struct probes *ps;
	const struct provider *pv;
	bool ok;
};

static void
add_one(void *arg, const char *name, unsigned nargs)
{
	struct adding *a = arg;
	const char *const names[4] = {"rawtp", "vmlinux", "", name};
	if (a->ok)
		a->ok = probe_add(a->ps, a->pv, names, NULL, (int64_t)nargs) != NULL;
}

static bool
claims(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return d->names[0] && strcmp(d->names[0], "rawtp") == 0;
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, char *why, size_t whylen)
{
	(void)d;
	for (uint32_t id = 1; id <= probes_count(ps); id++)
		if (probe_by_id(ps, id)->pv == pv)
			return true;
	struct kbtf *b = kbtf_open();
	if (!b) {
		snprintf(why, whylen, "this kernel does not tell its types (/sys/kernel/btf/vmlinux)");
		return true;
	}
	struct adding a = {ps, pv, true};
	kbtf_tracepoints(b, add_one, &a);
	kbtf_close(b);
	return a.ok;
}

struct pv_run {
	struct engine *e;
};

static struct pv_run *
start(const struct provider *pv, struct engine *e, const struct engine_ops *ops, unsigned nshards,
    const struct pv_bound *bound, unsigned nbound, char *why, size_t whylen)
{
	(void)nshards;
	if (ops != &engine_kernel) {
		snprintf(why, whylen, "its probes are seen by the kernel engine only (-x engine=kernel)");
		return NULL;
	}
	struct pv_run *run = calloc(1, sizeof *run);
	if (!run)
		return NULL;
	run->e = e;
	for (unsigned i = 0; i < nbound; i++) {
		const struct probe *p = bound[i].probe;
		struct kern_tp raw = {p->names[3], (unsigned)p->param, KERN_ANY, KERN_ANY};
		if (!kern_attach_rawtp(
			e, pv == &provider_rawtp ? &raw : &table[p->param].tp, bound[i].index, why, whylen)) {
			free(run);
			return NULL;
		}
	}
	return run;
}

static void
stop(struct pv_run *run)
{
	free(run);
}

const struct provider provider_rawtp = {.name = "rawtp",
    .provide = provide_none,
    .on_demand = on_demand,
    .claims = claims,
    .start = start,
    .stop = stop,
    .kernel = true,
    .stability = "Unstable/Unstable/Common"};
const struct provider provider_sched = {.name = "sched",
    .provide = provide_named,
    .start = start,
    .stop = stop,
    .kernel = true,
    .stability = "Evolving/Evolving/Common"};
const struct provider provider_proc = {.name = "proc",
    .provide = provide_named,
    .start = start,
    .stop = stop,
    .kernel = true,
    .stability = "Evolving/Evolving/Common"};
