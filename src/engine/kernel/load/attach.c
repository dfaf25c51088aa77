/*
 * Attaching: what providers ask for. Everything is a descriptor that the engine closes when it stops.
 */
#include "engine/kernel/lower/emit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
keep(struct kernel_engine *e, int fd, struct why *why)
{
	if (kern_keep(e, fd))
		return true;
	why_set(why, "out of memory");
	return false;
}

/*
 * Forgets self-> of a thread that has ended, because its number may come again for another thread. A small program of
 * ours does so when the kernel frees the thread. What self-> keeps in associative arrays stays.
 */
static bool
forget_threads(struct kernel_engine *e, struct why *why)
{
	struct prog p;
	bool any = false;
	if (e->forgets || e->consts[RT_C_TASK_PID] > INT32_MAX)
		return true;
	e->forgets = true;
	prog_init(&p, &e->im);
	em_ldx(&p, R3, R1, 0);
	em_alui(&p, BPF_ADD, R3, (int32_t)e->consts[RT_C_TASK_PID]);
	em_sti(&p, R10, -8, 0);
	em_mov(&p, R1, R10);
	em_alui(&p, BPF_ADD, R1, -8);
	em_movi(&p, R2, 4);
	em_help(&p, HELP_READ_KERNEL);
	for (uint32_t i = 0; i < e->o->nvars; i++) {
		if (e->vars[i].scope != DS_THREAD || e->vars[i].assoc)
			continue;
		any = true;
		em_mapfd(&p, R1, e->vars[i].map);
		em_mov(&p, R2, R10);
		em_alui(&p, BPF_ADD, R2, -8);
		em_help(&p, HELP_DELETE);
	}
	if (e->maps[RT_M_VTIMES] >= 0) {
		any = true;
		em_mapfd(&p, R1, e->maps[RT_M_VTIMES]);
		em_mov(&p, R2, R10);
		em_alui(&p, BPF_ADD, R2, -8);
		em_help(&p, HELP_DELETE);
	}
	em_movi(&p, R0, 0);
	em_exit(&p);
	int prog =
	    any && !p.oom ? sys_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, p.insns, p.n, e->btf, NULL, 0, NULL, 0) : -1;
	prog_free(&p);
	if (!any)
		return true;
	int link = prog < 0 ? -1 : sys_raw_tp_open(prog, "sched_process_free");
	int err = errno;
	if (prog >= 0)
		close(prog);
	if (link >= 0)
		return keep(e, link, why);
	why_set(why, "the end of threads cannot be watched, which self-> needs: %s", strerror(err));
	return false;
}

static bool
attach_loaded(struct kernel_engine *e, int prog, const char *tracepoint, struct why *why)
{
	int link = sys_raw_tp_open(prog, tracepoint);
	int err = errno;
	close(prog); /* the link keeps it */
	if (link < 0) {
		why_set(why, "the tracepoint %s cannot be attached to: %s", tracepoint,
		    err == ENOENT ? "this kernel does not have it" : strerror(err));
		return false;
	}
	return keep(e, link, why);
}

/* Attaches a program that passes two arguments of the tracepoint, from the n-th on, to a function of the runtime. */
static bool
attach_teller(struct kernel_engine *e, const char *function, int n, const char *tracepoint, struct why *why)
{
	struct prog p;
	int prog = -1;
	prog_init(&p, &e->im);
	prog_sub(&p, "rt_main");
	em_mov(&p, R8, R1);
	em_ldx(&p, R1, R8, 8 * n);
	em_ldx(&p, R2, R8, 8 * n + 8);
	prog_call_rt(&p, function);
	em_movi(&p, R0, 0);
	em_exit(&p);
	if (prog_link(&p, e->maps, e->consts, why)) {
		prog = sys_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, p.insns, p.n, e->btf, p.fi, p.nfi, NULL, 0);
		if (prog < 0)
			why_set(why, "the kernel refuses to keep account of %s: %s", tracepoint, strerror(errno));
	}
	prog_free(&p);
	return prog >= 0 && attach_loaded(e, prog, tracepoint, why);
}

bool
kern_watch_threads(struct kernel_engine *e, struct why *why)
{
	if (!forget_threads(e, why))
		return false;
	if (e->vtimes || !kern_uses_vtime(e))
		return true;
	e->vtimes = true;
	return attach_teller(e, "rt_vtime_switch", 1, "sched_switch", why);
}

static bool
attach_rawtp(struct kernel_engine *e, const struct kern_use *use, const char *tracepoint, struct why *why)
{
	int prog = kern_watch_threads(e, why) ? kern_load(e, use, why) : -1;
	return prog >= 0 && attach_loaded(e, prog, tracepoint, why);
}

bool
kern_attach_syscalls(struct engine *engine, const unsigned *probes, const uint32_t *numbers, unsigned n,
    enum kern_place place, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	struct kern_use use = {
	    .place = place, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = probes, .nprobes = n, .keys = numbers};
	return attach_rawtp(e, &use, kern_places[place].tracepoint, why);
}

/*
 * Two programs: one records when a wait begins, the other fires when it is over. There can be as many waits as threads
 * that wait for locks.
 */
bool
kern_attach_locks(struct engine *engine, const unsigned *probes, const uint32_t *kinds, unsigned n, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	enum { MAX_WAITS = 16384 };
	struct map_def waits = {
	    BPF_MAP_TYPE_HASH, sizeof(struct rt_waitkey), sizeof(struct rt_waiting), MAX_WAITS, 0, "waits"};
	struct kern_use use = {
	    .place = KP_LOCK, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = probes, .nprobes = n, .keys = kinds};
	if ((e->maps[RT_M_WAITS] = sys_map_create(&waits)) < 0) {
		why_set(why, "the map of waits cannot be made: %s", strerror(errno));
		return false;
	}
	return attach_teller(e, "rt_lock_begin", 0, "contention_begin", why) &&
	       attach_rawtp(e, &use, kern_places[KP_LOCK].tracepoint, why);
}

/* Attaches a program that adds the tracepoint's first argument to a map, or removes it. */
static bool
attach_keeper(struct kernel_engine *e, int map, bool in, const char *tracepoint, struct why *why)
{
	struct prog p;
	prog_init(&p, &e->im);
	em_ldx(&p, R1, R1, 0);
	em_stx(&p, R10, -8, R1);
	em_sti(&p, R10, -16, 1);
	em_mapfd(&p, R1, map);
	em_mov(&p, R2, R10);
	em_alui(&p, BPF_ADD, R2, -8);
	em_mov(&p, R3, R10);
	em_alui(&p, BPF_ADD, R3, -16);
	em_movi(&p, R4, 0);
	em_help(&p, in ? HELP_UPDATE : HELP_DELETE);
	em_movi(&p, R0, 0);
	em_exit(&p);
	int prog = p.oom ? -1 : sys_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, p.insns, p.n, e->btf, NULL, 0, NULL, 0);
	prog_free(&p);
	if (prog < 0) {
		why_set(why, "%s cannot be watched: %s", tracepoint, strerror(errno));
		return false;
	}
	return attach_loaded(e, prog, tracepoint, why);
}

/* A device that has no room gives a request back and gets the same request again later. */
static bool
know_requeues(struct kernel_engine *e, struct why *why)
{
	struct map_def d = {BPF_MAP_TYPE_HASH, 8, 8, 16384, 0, "requeued"};
	if (e->requeues)
		return true;
	if ((e->maps[RT_M_REQUEUED] = sys_map_create(&d)) < 0) {
		why_set(why, "the map of requests cannot be made: %s", strerror(errno));
		return false;
	}
	e->requeues = true;
	return attach_keeper(e, e->maps[RT_M_REQUEUED], false, "block_rq_complete", why) &&
	       attach_keeper(e, e->maps[RT_M_REQUEUED], true, "block_rq_requeue", why);
}

bool
kern_attach_rawtp(struct engine *engine, const struct kern_tp *tp, unsigned probe, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	for (unsigned i = 0; i < 4 && tp->when[i].what != KW_END; i++)
		if (tp->when[i].what == KW_FIRST && !know_requeues(e, why))
			return false;
	struct kern_use use = {
	    .place = KP_RAWTP, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = &probe, .nprobes = 1, .tp = tp};
	return attach_rawtp(e, &use, tp->name, why);
}

bool
kern_attach_function(
    struct engine *engine, const struct kern_tp *tp, uint32_t function, bool at_return, unsigned probe, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	struct kern_use use = {.place = KP_RAWTP,
	    .type = BPF_PROG_TYPE_TRACING,
	    .attach = (uint64_t)function << 32 | (at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY),
	    .probes = &probe,
	    .nprobes = 1,
	    .tp = tp};
	struct why reason;
	if (!kern_watch_threads(e, why))
		return false;
	int prog = kern_load(e, &use, &reason);
	if (prog < 0) {
		why_set(why, "%s() cannot be traced: %s", tp->name, reason.text);
		return false;
	}
	int link = sys_raw_tp_open(prog, NULL);
	int err = errno;
	close(prog); /* the link keeps it */
	if (link < 0) {
		why_set(why, "%s() cannot be traced: %s", tp->name, strerror(err));
		return false;
	}
	return keep(e, link, why);
}

/* Attaches to a software event on every CPU that is online. */
static bool
attach_software(struct kernel_engine *e, unsigned probe, enum kern_place place, uint64_t event, uint64_t period,
    const char *what, struct why *why)
{
	struct kern_use use = {.place = place, .type = BPF_PROG_TYPE_PERF_EVENT, .probes = &probe, .nprobes = 1};
	int prog = kern_watch_threads(e, why) ? kern_load(e, &use, why) : -1;
	if (prog < 0)
		return false;
	bool ok = keep(e, prog, why);
	for (uint32_t cpu = 0; ok && cpu < e->ncpus; cpu++) {
		struct perf_event_attr a = {
		    .type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = event, .sample_period = period};
		int fd = (int)syscall(SYS_perf_event_open, &a, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && errno == ENODEV)
			continue; /* the CPU is offline */
		if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) < 0) {
			char text[256];
			why_set(why, "the %s of CPU %u cannot be used: %s", what, cpu,
			    sys_perf_error(errno, text, sizeof text));
			if (fd >= 0)
				close(fd);
			return false;
		}
		ok = keep(e, fd, why);
	}
	return ok;
}

bool
kern_attach_profile(struct engine *engine, unsigned probe, uint64_t period_ns, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	return attach_software(e, probe, KP_PERF, PERF_COUNT_SW_CPU_CLOCK, period_ns, "clock", why);
}

bool
kern_attach_event(struct engine *engine, unsigned probe, uint64_t event, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	return attach_software(e, probe, KP_EVENT, event, 1, "events", why);
}
