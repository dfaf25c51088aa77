/*
 * Providers on the kernel's raw tracepoints. rawtp and sdt have all of them, with the kernel's own arguments; sched and
 * proc give some of them DTrace's names and arguments.
 *
 * A priority is changed by system calls, which fire when they are done, or lent (sched_pi_setprio). A signal is cleared
 * when sigtimedwait() returns it. A fault is a signal that the kernel sends because of a fault.
 */
#include "provider/kernel/named.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define LWP "struct task_struct * : lwpsinfo_t *"
#define PS "struct task_struct * : psinfo_t *"
#define CPU "int : cpuinfo_t *"
static const char *const of_nothing[] = {NULL};
static const char *const of_thread[] = {LWP, PS, NULL};
static const char *const of_queue[] = {LWP, PS, CPU, NULL};
static const char *const of_process[] = {PS, NULL};
static const char *const of_exec[] = {"char *", NULL};
static const char *const of_number[] = {"int", NULL};
static const char *const of_send[] = {LWP, PS, "int", NULL};
static const char *const of_handle[] = {"int", "struct kernel_siginfo *", "void *", NULL};

static const char *const of_fault[] = {"int", "struct kernel_siginfo *", NULL};

#define RAW(m) NAMED_RAW(m)
#define TP(...) NAMED_TP(__VA_ARGS__)
#define TASK(n) \
	{ \
		RAW(n), RAW(n) \
	}
#define QUEUE(n) \
	{ \
		RAW(n), RAW(n), \
		{ \
			KA_FIELD, n, 4, "task_struct", "thread_info.cpu" \
		} \
	}
#define WHEN(w, m) \
	{ \
		.what = w, .n = m \
	}
/* TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE and TASK_RTLOCK_WAIT; others are stopped or have ended. */
#define SLEEPS(m) \
	{ \
		.what = KW_ANY, .n = m, .value = 1 | 2 | 0x1000 \
	}
enum { IGNORED = 1 }; /* TRACE_SIGNAL_IGNORED */
/* clang-format off */
static const struct named table[] = {
    TP("sched", "off-cpu", of_thread, "sched_switch", .nargs = 4, .args = TASK(2)),
    TP("sched", "on-cpu", of_nothing, "sched_switch", .nargs = 4, .subject = KERN_ARG(2)),
    /* A thread that is preempted on its way to sleep stays on the queue. */
    TP("sched", "sleep", of_nothing, "sched_switch", .nargs = 4, .when = {WHEN(KW_CLEAR, 0), SLEEPS(3)}),
    TP("sched", "preempt", of_nothing, "sched_switch", .nargs = 4, .when = {WHEN(KW_SET, 0), WHEN(KW_BUSY, 1)}),
    TP("sched", "preempt", of_nothing, "sched_switch", .nargs = 4, .when = {WHEN(KW_CLEAR, 0), WHEN(KW_CLEAR, 3), WHEN(KW_BUSY, 1)}),
    NAMED_RARE("sched", "remain-cpu", of_nothing, "sched_exit_tp", .nargs = 1, .when = {WHEN(KW_CLEAR, 0)}),
    TP("sched", "wakeup", of_thread, "sched_wakeup", .nargs = 1, .args = TASK(0)),
    TP("sched", "wakeup", of_thread, "sched_wakeup_new", .nargs = 1, .args = TASK(0)),
    TP("sched", "enqueue", of_queue, "sched_wakeup", .nargs = 1, .args = QUEUE(0)),
    TP("sched", "enqueue", of_queue, "sched_wakeup_new", .nargs = 1, .args = QUEUE(0)),
    TP("sched", "enqueue", of_queue, "sched_switch", .nargs = 4, .when = {WHEN(KW_SET, 0), WHEN(KW_BUSY, 1)}, .args = QUEUE(1)),
    TP("sched", "enqueue", of_queue, "sched_switch", .nargs = 4, .when = {WHEN(KW_CLEAR, 0), WHEN(KW_CLEAR, 3), WHEN(KW_BUSY, 1)}, .args = QUEUE(1)),
    TP("sched", "dequeue", of_queue, "sched_switch", .nargs = 4, .when = {WHEN(KW_BUSY, 2)}, .args = QUEUE(2)),
    NAMED_RARE("sched", "surrender", of_thread, "sched_set_need_resched_tp", .nargs = 3, .when = {WHEN(KW_AWAY, 1)}, .args = TASK(0)),
    TP("sched", "change-pri", of_send, "sched_pi_setprio", .nargs = 2, .args = {RAW(0), RAW(0), {.what = KA_LENT, .n = 0}}),
    NAMED_CALL("sched", "change-pri", of_send, SYS_setpriority, KP_PRIORITY),
    NAMED_CALL("sched", "change-pri", of_send, SYS_sched_setparam, KP_PRIORITY),
    NAMED_CALL("sched", "change-pri", of_send, SYS_sched_setscheduler, KP_PRIORITY),
    NAMED_CALL("sched", "change-pri", of_send, SYS_sched_setattr, KP_PRIORITY),
    TP("proc", "create", of_process, "sched_process_fork", .nargs = 2, .when = {WHEN(KW_LEADER, 1)}, .args = {RAW(1)}),
    TP("proc", "start", of_nothing, "sched_switch", .nargs = 4, .subject = KERN_ARG(2),
	.when = {WHEN(KW_BUSY, 2), WHEN(KW_NEW, 2), WHEN(KW_LEADER, 2)}),
    TP("proc", "exit", of_number, "sched_process_exit", .nargs = 1, .when = {WHEN(KW_LEADER, 0)}, .args = {{.what = KA_REASON}}),
    TP("proc", "lwp-create", of_thread, "sched_process_fork", .nargs = 2, .when = {WHEN(KW_THREAD, 1)}, .args = TASK(1)),
    TP("proc", "lwp-start", of_nothing, "sched_switch", .nargs = 4, .subject = KERN_ARG(2),
	.when = {WHEN(KW_BUSY, 2), WHEN(KW_NEW, 2), WHEN(KW_THREAD, 2)}),
    TP("proc", "lwp-exit", of_nothing, "sched_process_exit", .nargs = 1),
    NAMED_CALL("proc", "exec", of_exec, SYS_execve, KP_EXEC),
    NAMED_CALL("proc", "exec", of_exec, SYS_execveat, KP_EXEC),
    NAMED_CALL("proc", "exec-failure", of_number, SYS_execve, KP_EXEC_FAILED),
    NAMED_CALL("proc", "exec-failure", of_number, SYS_execveat, KP_EXEC_FAILED),
    TP("proc", "exec-success", of_nothing, "sched_process_exec", .nargs = 3),
    TP("proc", "signal-send", of_send, "signal_generate", .nargs = 5, .args = {RAW(2), RAW(2), RAW(0)}),
    TP("proc", "signal-discard", of_send, "signal_generate", .nargs = 5, .when = {{.what = KW_IS, .n = 4, .value = IGNORED}}, .args = {RAW(2), RAW(2), RAW(0)}),
    NAMED_CALL("proc", "signal-clear", of_number, SYS_rt_sigtimedwait, KP_CALL_BYTES),
    TP("proc", "fault", of_fault, "signal_generate", .nargs = 5, .when = {WHEN(KW_FAULT, 0)}, .args = {{.what = KA_FAULT, .n = 0}, RAW(1)}),
    TP("proc", "signal-handle", of_handle, "signal_deliver", .nargs = 3,
	.args = {RAW(0), RAW(1), {KA_FIELD, 2, 8, "k_sigaction", "sa.sa_handler"}}),
    {0},
};
/* clang-format on */

static bool
provide_named(struct probes *ps, const struct provider *pv)
{
	return named_provide(ps, pv, table);
}

static bool
claims_sched(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return named_claims(d, "sched");
}

static bool
demand_sched(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	return named_on_demand(ps, pv, table, d, why);
}

struct adding {
	struct probes *ps;
	const struct provider *pv;
	const struct kbtf *b;
	const char *module;
	bool ok;
};

/* The types of args[], as text that lives as long as the probes. */
static const char *const *
argument_types(const struct adding *a, const struct btf_param *params, unsigned n)
{
	const char **types = ar_alloc(probes_arena(a->ps), (n + 1) * sizeof *types);
	for (unsigned i = 0; types && i < n; i++) {
		char text[128];
		kbtf_text(a->b, params[i].type, text, sizeof text);
		if (!(types[i] = ar_strdup(probes_arena(a->ps), text)))
			return NULL;
	}
	if (types)
		types[n] = NULL;
	return types;
}

static void
add_one(void *arg, const char *name, const struct btf_param *params, unsigned nargs)
{
	struct adding *a = arg;
	const char *const names[4] = {a->pv->name, a->module, "", name};
	const char *const *types = a->ok ? argument_types(a, params, nargs) : NULL;
	a->ok = types && probe_add(a->ps, a->pv, names, types, (int64_t)nargs) != NULL;
}

/* The tracepoints of modules that are loaded, each with a description of its own types. */
static void
add_modules(struct adding *a, const struct kbtf *base)
{
	DIR *d = opendir(KBTF_FOLDER);
	for (struct dirent *e; d && a->ok && (e = readdir(d));) {
		char path[sizeof KBTF_FOLDER + sizeof e->d_name + 1];
		snprintf(path, sizeof path, "%s/%s", KBTF_FOLDER, e->d_name);
		if (e->d_name[0] == '.' || strcmp(path, KBTF_PATH) == 0)
			continue;
		struct kbtf *b = kbtf_open_module(path, base);
		if (b) {
			a->b = b;
			a->module = e->d_name;
			kbtf_tracepoints(b, add_one, a);
		}
		kbtf_close(b);
	}
	if (d)
		closedir(d);
}

static bool
claims_rawtp(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return named_claims(d, "rawtp");
}

static bool
claims_sdt(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return named_claims(d, "sdt");
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	for (uint32_t id = probes_count(ps); id > 0; id--)
		if (probe_by_id(ps, id)->pv == pv)
			return true;
	struct why reason;
	struct kbtf *b = kbtf_open(NULL, &reason);
	if (!b) {
		if (d->names[0] && strcmp(d->names[0], pv->name) == 0)
			why_set(why, "this kernel does not tell its types (%s)", reason.text);
		return true;
	}
	struct adding a = {ps, pv, b, "vmlinux", true};
	kbtf_tracepoints(b, add_one, &a);
	add_modules(&a, b);
	kbtf_close(b);
	return a.ok;
}

/*
 * The names of the arguments: a tracepoint's own type does not have them, but the function that calls its programs
 * does. All are gathered when the first is asked for. Tracepoints of modules have no names.
 */
struct called {
	const char *name, *args;
};

struct called_all {
	struct probes *ps;
	const struct kbtf *b;
	struct called *rows; /* sorted by name; NULL while counting */
	unsigned n;
};

static void
on_caller(void *arg, const char *name, const struct btf_param *params, unsigned n)
{
	struct called_all *c = arg;
	if (n < 2)
		return;
	if (c->rows) {
		struct called r = {ar_strdup(probes_arena(c->ps), name), named_params(c->ps, c->b, params + 1, n - 1)};
		if (!r.name || !r.args)
			return;
		c->rows[c->n] = r;
	}
	c->n++;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct called *)a)->name, ((const struct called *)b)->name);
}

static struct called_all *
all_called(struct probes *ps, const struct provider *pv)
{
	void **state = probes_state(ps, pv);
	struct called_all *c = *state;
	if (c || !(c = AR_NEW(probes_arena(ps), struct called_all)))
		return c;
	*c = (struct called_all){.ps = ps};
	*state = c;
	struct kbtf *b = kbtf_open(NULL, NULL);
	c->b = b;
	kbtf_functions(b, "__traceiter_", on_caller, c);
	c->rows = AR_NEWN(probes_arena(ps), struct called, c->n + 1);
	c->n = 0;
	if (c->rows) {
		kbtf_functions(b, "__traceiter_", on_caller, c);
		qsort(c->rows, c->n, sizeof *c->rows, by_name);
	}
	kbtf_close(b);
	c->b = NULL;
	return c;
}

static void
args_of(struct probes *ps, const struct probe *p, struct probe_args *a)
{
	const struct called_all *c = all_called(ps, p->pv);
	const struct called key = {.name = p->names[3]}, *r = c && c->n && strcmp(p->names[1], "vmlinux") == 0
								  ? bsearch(&key, c->rows, c->n, sizeof key, by_name)
								  : NULL;
	if (r)
		a->names = r->args;
}

static bool
start(struct pv_start *s, struct why *why)
{
	for (unsigned i = 0; i < s->nbound; i++) {
		const struct probe *p = s->bound[i].probe;
		struct kern_tp raw = {.name = p->names[3], .nargs = (unsigned)p->param, .all = true};
		raw.alone = strncmp(raw.name, "contention_", 11) == 0;
		if (!kern_attach_rawtp(s->engine, &raw, s->bound[i].index, why))
			return false;
	}
	return true;
}

static const struct pv_text argnames_of_sched[] = {
    {"change-pri", "thread,process,priority"},
    {"*queue", "thread,process,cpu"},
    {"*", "thread,process"},
    {0},
};
static const struct pv_text argnames_of_proc[] = {
    {"create", "child"},
    {"lwp-create", "thread,process"},
    {"exit", "reason"},
    {"exec", "path"},
    {"exec-failure", "errno"},
    {"signal-clear", "signal"},
    {"signal-handle", "signal,info,handler"},
    {"signal-*", "thread,process,signal"},
    {"fault", "fault,info"},
    {0},
};

/* Probes that DTrace documents and Linux tells nothing of, or not the same. */
static const struct pv_text absent_of_sched[] = {
    {"tick", "Linux tells nobody of its clock ticks; profile-N samples every CPU"},
    {"schedctl-nopreempt", "Linux has no schedctl"},
    {"schedctl-preempt", "Linux has no schedctl"},
    {"schedctl-yield", "Linux has no schedctl"},
    {0},
};
static const struct pv_text absent_of_proc[] = {
    {"lwp-exec", "Linux has no such moment: see exec and exec-success"},
    {0},
};

/* The kernel's list takes a few ms to read, so rawtp and sdt have their probes on demand. */
const struct provider provider_rawtp = {.name = "rawtp",
    .on_demand = on_demand,
    .claims = claims_rawtp,
    .kernel = true,
    .start = start,
    .args = args_of,
    .stability = "Unstable/Unstable/Common"};
const struct provider provider_sdt = {.name = "sdt",
    .on_demand = on_demand,
    .claims = claims_sdt,
    .kernel = true,
    .start = start,
    .args = args_of,
    .stability = "Unstable/Unstable/Common"};
const struct provider provider_sched = {.name = "sched",
    .provide = provide_named,
    .on_demand = demand_sched,
    .claims = claims_sched,
    .kernel = true,
    .start = named_start,
    .argnames = argnames_of_sched,
    .absent = absent_of_sched,
    .stability = "Evolving/Evolving/Common"};
const struct provider provider_proc = {.name = "proc",
    .provide = provide_named,
    .kernel = true,
    .start = named_start,
    .argnames = argnames_of_proc,
    .absent = absent_of_proc,
    .stability = "Evolving/Evolving/Common"};
