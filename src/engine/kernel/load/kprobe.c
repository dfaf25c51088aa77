/*
 * Probes at functions of the kernel by kprobes: for functions without fentry programs, and for many at once. All share
 * one program; a cookie tells it which one fired.
 *
 * If the kernel has it (5.18), all functions are one link. Otherwise each is a perf event and takes two descriptors.
 */
#include "engine/kernel/lower/emit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_EVENTS = 500 };

static const struct bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};

/* Returns whether one link can have many functions: then a function that does not exist is refused for its name. */
static bool
has_multi(void)
{
	const char *name = "erltrace: no such function";
	uint64_t cookie = 1;
	int prog = sys_prog_load(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, nothing, 2, 0, NULL, 0, NULL, 0);
	int link = prog < 0 ? -1 : sys_link_kprobes(prog, &name, &cookie, 1, false);
	bool ok = prog >= 0 && link < 0 && (errno == ENOENT || errno == ESRCH);
	if (link >= 0)
		close(link);
	if (prog >= 0)
		close(prog);
	return ok;
}

static int
event_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "re");
	int n = -1;
	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

enum kern_kprobes
kern_has_kprobes(void)
{
	return has_multi() ? KERN_KPROBES_MANY : event_type() >= 0 ? KERN_KPROBES_FEW : KERN_KPROBES_NONE;
}

struct kprobe_attaching {
	struct kernel_engine *e;
	int prog, type;
	bool at_return;
	const struct kern_kprobe *all;
	const char **names; /* of all, and their cookies */
	uint64_t *cookies;
	unsigned failed;
	int err;
};

static bool
keep(struct kprobe_attaching *a, int fd)
{
	if (kern_keep(a->e, fd))
		return true;
	a->err = ENOMEM;
	return false;
}

static bool
attach_event(struct kprobe_attaching *a, unsigned i)
{
	struct perf_event_attr p = {.type = (uint32_t)a->type, .size = sizeof p, .config = a->at_return};
	p.kprobe_func = (uint64_t)(uintptr_t)a->names[i];
	int event = (int)syscall(SYS_perf_event_open, &p, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	int link = event < 0 ? -1 : sys_link_perf(a->prog, event, a->cookies[i]);
	if (link < 0) {
		a->err = errno;
		if (event >= 0)
			close(event);
		return false;
	}
	return keep(a, event) && keep(a, link);
}

/* Attaches some of them as one link. If the kernel refuses it, bisection finds the functions that it does not know;
 * those are not traced. */
static void
attach_some(struct kprobe_attaching *a, unsigned from, unsigned n)
{
	int link = sys_link_kprobes(a->prog, a->names + from, a->cookies + from, n, a->at_return);
	a->err = errno;
	if (link >= 0) {
		if (!keep(a, link))
			a->failed += n;
		return;
	}
	bool hopeless = a->err == EPERM || a->err == ENOMEM || a->err == EMFILE;
	if (n == 1 || hopeless) {
		char text[256];
		a->failed += n;
		kern_note(a->e, "fbt::%s%s is not traced: %s", a->names[from], n > 1 ? " …" : "",
		    sys_perf_error(a->err, text, sizeof text));
		return;
	}
	attach_some(a, from, n / 2);
	attach_some(a, from + n / 2, n - n / 2);
}

static bool
attach_events(struct kprobe_attaching *a, unsigned n, struct why *why)
{
	if (n > MAX_EVENTS) {
		why_set(why, "%u functions match: %d can be traced at once on this kernel; name them more closely", n,
		    MAX_EVENTS);
		return false;
	}
	for (unsigned i = 0; i < n; i++)
		if (!attach_event(a, i)) {
			char text[256];
			a->failed++;
			kern_note(
			    a->e, "fbt::%s is not traced: %s", a->names[i], sys_perf_error(a->err, text, sizeof text));
		}
	return true;
}

bool
kern_attach_kprobes(struct engine *engine, const struct kern_kprobe *k, unsigned n, bool at_return, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	enum kern_kprobes has = kern_has_kprobes();
	unsigned *probes = malloc(n * sizeof *probes);
	struct kprobe_attaching a = {.e = e, .at_return = at_return, .all = k, .prog = -1};
	a.names = malloc(n * sizeof *a.names);
	a.cookies = malloc(n * sizeof *a.cookies);
	bool ok = probes && a.names && a.cookies;
	if (!ok)
		why_set(why, "out of memory");
	for (unsigned i = 0; ok && i < n; i++) {
		probes[i] = k[i].probe;
		a.names[i] = k[i].name;
		a.cookies[i] = (uint64_t)k[i].probe + 1;
	}
	struct kern_use use = {.place = at_return ? KP_URETURN : KP_UENTRY,
	    .type = BPF_PROG_TYPE_KPROBE,
	    .attach = has == KERN_KPROBES_MANY ? BPF_TRACE_KPROBE_MULTI : 0,
	    .probes = probes,
	    .nprobes = n,
	    .several = true};
	if (ok)
		a.prog = kern_watch_threads(e, why) ? kern_load(e, &use, why) : -1;
	ok = a.prog >= 0;
	if (ok && has == KERN_KPROBES_MANY)
		attach_some(&a, 0, n);
	else if (ok) {
		a.type = event_type();
		ok = attach_events(&a, n, why);
	}
	if (ok && a.failed == n) {
		char text[256];
		why_set(why, "%s() cannot be traced: %s", k->name, sys_perf_error(a.err, text, sizeof text));
		ok = false;
	}
	if (a.prog >= 0)
		close(a.prog); /* the links keep it */
	free(probes);
	free(a.names);
	free(a.cookies);
	return ok;
}
