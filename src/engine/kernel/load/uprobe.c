/*
 * Probes in the code of processes.
 *
 * A uprobe belongs to a place in a file. The kernel puts a breakpoint into every process that maps the file, or into
 * one process. One program serves all probes of a kind; a cookie tells it which one fired. If the kernel has it (6.6),
 * all places of a file are one link. Otherwise each is a perf event. Everything hangs on descriptors of this process.
 *
 * Until 6.10 the process filter of those links saw only the first thread; so before that, one process means perf
 * events.
 */
#include "engine/kernel/kernel.h"
#include "engine/kernel/lower/emit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MAX_NOTES = 20, MULTI_MAX = 1 << 16, SPARE_FDS = 16 };

void
kern_note(struct kernel_engine *e, const char *fmt, ...)
{
	va_list ap;
	char *line = NULL, *all = NULL;
	unsigned n = 0;
	for (const char *p = e->notes; p && (p = strchr(p, '\n')); p++)
		n++;
	if (n >= MAX_NOTES)
		return;
	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	if (line && asprintf(&all, "%s%s%s", e->notes ? e->notes : "", e->notes ? "\n" : "", line) >= 0) {
		free(e->notes);
		e->notes = all;
	}
	free(line);
}

static bool
kernel_is(unsigned major, unsigned minor)
{
	struct utsname u;
	unsigned a = 0, b = 0;
	if (uname(&u) != 0 || sscanf(u.release, "%u.%u", &a, &b) != 2)
		return false;
	return a > major || (a == major && b >= minor);
}

/* Returns whether one link can have many places: then a link without a valid path is refused for the path. */
static bool
has_multi(void)
{
	static const struct bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
	uint64_t off = 0;
	if (!kernel_is(6, 6))
		return false;
	int prog = sys_prog_load(BPF_PROG_TYPE_KPROBE, SYS_UPROBE_MULTI, nothing, 2, 0, NULL, 0, NULL, 0);
	int link = prog < 0 ? -1 : sys_link_uprobes(prog, "/", &off, NULL, NULL, 1, false, 0);
	bool ok = prog >= 0 && link < 0 && errno == EBADF;
	if (link >= 0)
		close(link);
	if (prog >= 0)
		close(prog);
	return ok;
}

static int
pmu_number(const char *file, const char *format)
{
	FILE *f = fopen(file, "re");
	int n = -1;
	if (f && fscanf(f, format, &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

struct uprobe_attaching {
	struct kernel_engine *e;
	int prog;
	const struct rt_loc *locs; /* of USDT probes, or NULL */
	bool at_return, multi;
	int pmu, retbit;
	unsigned failed;
	int err; /* of the last that failed */
};

static uint64_t
cookie_of(const struct uprobe_attaching *a, const struct kern_uprobe *u)
{
	/* A USDT probe that depends on the process is 0 here, and is found by its place. */
	return a->locs ? (uint64_t)u->loc << 32 | a->locs[u->loc].probe : u->probe + 1;
}

static bool
keep(struct uprobe_attaching *a, int fd)
{
	if (kern_keep(a->e, fd))
		return true;
	a->err = ENOMEM;
	return false;
}

/* One place as a perf event. */
static bool
attach_event(struct uprobe_attaching *a, const struct kern_uprobe *u)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", u->fd);
	struct perf_event_attr p = {.type = (uint32_t)a->pmu, .size = sizeof p};
	p.config = (a->at_return ? 1ull << a->retbit : 0) | u->ref << 32;
	p.uprobe_path = (uint64_t)(uintptr_t)path;
	p.probe_offset = u->off;
	int pid = u->pid ? (int)u->pid : -1;
	int event = (int)syscall(SYS_perf_event_open, &p, pid, pid < 0 ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0) {
		a->err = errno;
		return false;
	}
	int link = sys_link_perf(a->prog, event, cookie_of(a, u));
	if (link < 0) {
		a->err = errno;
		close(event);
		return false;
	}
	return keep(a, event) && keep(a, link);
}

/* n places of one file and process as one link. */
static bool
attach_link(struct uprobe_attaching *a, const struct kern_uprobe *u, unsigned n)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", u->fd);
	uint64_t *words = malloc((size_t)n * 3 * sizeof *words);
	bool refs = false;
	if (!words) {
		a->err = ENOMEM;
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		words[i] = u[i].off;
		words[n + i] = u[i].ref;
		words[2 * (size_t)n + i] = cookie_of(a, &u[i]);
		refs |= u[i].ref != 0;
	}
	int link = sys_link_uprobes(
	    a->prog, path, words, refs ? words + n : NULL, words + 2 * (size_t)n, n, a->at_return, u->pid);
	a->err = errno;
	free(words);
	return link >= 0 && keep(a, link);
}

static const char *
reason(int err, char *buf, size_t len)
{
	switch (err) {
	case 524: /* ENOTSUPP, for which only the kernel has a name */
	case EOPNOTSUPP:
		return "the instruction there cannot be probed";
	case ESRCH:
		return "the process has ended";
	case EMFILE:
		return "too many open files: raise the limit (ulimit -n)";
	case EACCES:
		return sys_perf_error(err, buf, len);
	case EPERM:
		return "not permitted: run erltrace as root, or give it CAP_BPF and CAP_PERFMON";
	default:
		return strerror(err);
	}
}

/* Attaches the places of one file and process. If the kernel refuses some, bisection finds out which. */
static void
attach_group(struct uprobe_attaching *a, const struct kern_uprobe *u, unsigned n)
{
	if (a->multi ? attach_link(a, u, n) : n == 1 && attach_event(a, u))
		return;
	bool hopeless = a->multi && (a->err == EPERM || a->err == ENOMEM || a->err == ESRCH || a->err == EMFILE);
	if (n > 1 && !hopeless) {
		attach_group(a, u, n / 2);
		attach_group(a, u + n / 2, n - n / 2);
		return;
	}
	a->failed += n;
	char text[256];
	const char *const *names = a->e->probes[u->probe].names;
	kern_note(a->e, "%s:%s:%s:%s%s is not traced: %s", names[0], names[1], names[2], names[3], n > 1 ? " …" : "",
	    reason(a->err, text, sizeof text));
}

/* As a perf event, each place takes two descriptors. This is checked before anything is attached. */
static bool
has_descriptors(unsigned places, struct why *why)
{
	struct rlimit r;
	int first = dup(STDERR_FILENO); /* the lowest free one: about as many are in use */
	uint64_t used = first < 0 ? 3 : (uint64_t)first;
	if (first >= 0)
		close(first);
	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur == RLIM_INFINITY ||
	    used + 2 * (uint64_t)places + SPARE_FDS <= r.rlim_cur)
		return true;
	why_set(why,
	    "%u places match, which take 2 file descriptors each on this kernel, and the limit is %llu: raise it "
	    "(ulimit -n), or name them more closely",
	    places, (unsigned long long)r.rlim_cur);
	return false;
}

static bool
attach_all(struct kernel_engine *e, struct kern_use *use, const struct kern_uprobe *u, unsigned n, struct why *why)
{
	struct uprobe_attaching a = {.e = e, .at_return = kern_places[use->place].at_return, .locs = use->locs};
	bool one_process = false;
	for (unsigned i = 0; i < n; i++)
		one_process |= u[i].pid != 0;
	a.multi = has_multi() && (!one_process || kernel_is(6, 10));
	a.pmu = pmu_number("/sys/bus/event_source/devices/uprobe/type", "%d");
	a.retbit = pmu_number("/sys/bus/event_source/devices/uprobe/format/retprobe", "config:%d");
	if (!a.multi && (a.pmu < 0 || a.retbit < 0)) {
		why_set(why, "this kernel has no uprobes (CONFIG_UPROBE_EVENTS)");
		return false;
	}
	if (!a.multi && !has_descriptors(n, why))
		return false;
	use->type = BPF_PROG_TYPE_KPROBE;
	use->attach = a.multi ? SYS_UPROBE_MULTI : 0;
	use->several = use->nprobes > 1;
	a.prog = kern_watch_threads(e, why) ? kern_load(e, use, why) : -1;
	if (a.prog < 0)
		return false;
	for (unsigned i = 0, to; i < n; i = to) {
		for (to = i + 1; to < n && to - i < MULTI_MAX && u[to].fd == u[i].fd && u[to].pid == u[i].pid;)
			to++;
		attach_group(&a, u + i, to - i);
	}
	close(a.prog); /* the links keep it */
	char text[256];
	if (a.failed == n)
		why_set(why, "%s: %s", e->probes[u->probe].names[2], reason(a.err, text, sizeof text));
	return a.failed < n;
}

bool
kern_attach_uprobes(
    struct engine *engine, enum kern_place place, const struct kern_uprobe *u, unsigned n, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	unsigned *probes = malloc((n + 1) * sizeof *probes);
	if (!probes) {
		why_set(why, "out of memory");
		return false;
	}
	for (unsigned i = 0; i < n; i++)
		probes[i] = u[i].probe;
	struct kern_use use = {.place = place, .probes = probes, .nprobes = n};
	bool ok = attach_all(e, &use, u, n, why);
	free(probes);
	return ok;
}

/* ---- USDT ---- */

static bool
make_places(struct kernel_engine *e, const struct kern_usdt *u, struct why *why)
{
	struct map_def places = {BPF_MAP_TYPE_ARRAY, 4, sizeof *u->locs, u->n, 0, "usdt_places"};
	struct map_def which = {BPF_MAP_TYPE_HASH, sizeof *u->keys, 4, u->nkeys ? u->nkeys : 1, 0, "usdt_probes"};
	bool ok = (e->maps[RT_M_LOCS] = sys_map_create(&places)) >= 0 &&
		  (e->maps[RT_M_LOCPIDS] = sys_map_create(&which)) >= 0;
	for (uint32_t i = 0; ok && i < u->n; i++)
		ok = sys_map_update(e->maps[RT_M_LOCS], &i, &u->locs[i], 0) == 0;
	for (unsigned i = 0; ok && i < u->nkeys; i++)
		ok = sys_map_update(e->maps[RT_M_LOCPIDS], &u->keys[i], &u->values[i], 0) == 0;
	if (!ok)
		why_set(why, "the places of USDT probes cannot be given to the kernel: %s", strerror(errno));
	return ok;
}

bool
kern_attach_usdt(struct engine *engine, const struct kern_usdt *u, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	struct kern_use use = {
	    .place = KP_USDT, .probes = u->probes, .nprobes = u->nprobes, .locs = u->locs, .nlocs = u->n};
	return make_places(e, u, why) && attach_all(e, &use, u->uprobes, u->n, why);
}

/* ---- an Erlang node ---- */

void
kern_know_node(struct engine *engine, struct kern_node *n)
{
	struct kernel_engine *e = kernel_of(engine);
	const struct map_def seen = {BPF_MAP_TYPE_ARRAY, 4, NODE_SEEN_SIZE, 1, BPF_F_MMAPABLE, "threads"};
	/* without it the node's memory is read */
	n->seen = e->maps[RT_M_SEEN] = sys_map_create(&seen);
	e->consts[RT_C_NODE_PID] = (uint64_t)n->pid;
	e->consts[RT_C_NODE_THREADS_AT] = n->threads;
	e->consts[RT_C_NODE_SEEN] = n->seen >= 0;
	e->consts[RT_C_NODE_NAME_AT] = n->name;
	e->half = n->half;
	e->half_ops = n->half_ops;
}

bool
kern_attach_node(struct engine *engine, const struct kern_node *n, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	struct kern_use use = {
	    .place = KP_NODE, .probes = n->probes, .nprobes = n->n, .keys = n->numbers, .key = n->key};
	const struct kern_uprobe u = {.probe = n->n ? n->probes[0] : 0, .fd = n->fd, .off = n->off, .pid = n->pid};
	return attach_all(e, &use, &u, 1, why);
}

bool
kern_reads_arg(const struct engine *engine, unsigned probe, unsigned n)
{
	const struct kernel_engine *e = kernel_of(engine);
	const struct kprobe *k = &e->probes[probe];
	for (uint32_t i = 0; i < k->nbound; i++) {
		const struct dobj_clause *c = &e->o->clauses[k->bound[i].clause];
		for (uint32_t j = 0; j < c->ncode; j++) {
			const struct dif_insn *in = &e->o->code[c->code + j];
			if (in->op == DIF_LDARGX || (in->op == DIF_LDARG && (unsigned)in->imm == n))
				return true;
		}
	}
	return false;
}
