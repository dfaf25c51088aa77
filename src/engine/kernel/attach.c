/*
 * Attaching: what providers ask of the engine. Everything is a descriptor that
 * the engine closes when it stops.
 */
#include "engine/kernel/emit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool
keep_or_close(struct engine *e, int fd, char *why, size_t whylen)
{
	if (kern_keep(e, fd))
		return true;
	close(fd);
	snprintf(why, whylen, "out of memory");
	return false;
}

/*
 * self-> of a thread that has ended: its number may come again, for another thread. A small program of our own
 * forgets it when the kernel lets the thread's last traces go. What self-> keeps in associative arrays stays.
 */
static bool
forget_threads(struct engine *e, char *why, size_t whylen)
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
		return keep_or_close(e, link, why, whylen);
	snprintf(why, whylen, "the end of threads cannot be watched, which self-> needs: %s", strerror(err));
	return false;
}

static bool
attach_rawtp(struct engine *e, const struct kern_use *use, const char *tracepoint, char *why, size_t whylen)
{
	int prog = forget_threads(e, why, whylen) ? kern_load(e, use, why, whylen) : -1;
	if (prog < 0)
		return false;
	int link = sys_raw_tp_open(prog, tracepoint);
	int err = errno;
	close(prog); /* the link keeps it */
	if (link < 0) {
		snprintf(why, whylen, "the tracepoint %s cannot be attached to: %s", tracepoint,
		    err == ENOENT ? "this kernel does not have it" : strerror(err));
		return false;
	}
	return keep_or_close(e, link, why, whylen);
}

/* The runtime knows where x86-64 keeps arguments and the program counter. */
static bool
knows_registers(char *why, size_t whylen)
{
#ifdef __x86_64__
	(void)why;
	(void)whylen;
	return true;
#else
	snprintf(why, whylen, "the registers of this processor are not known: only those of x86-64 are");
	return false;
#endif
}

bool
kern_may_attach(struct engine *e, char *why, size_t whylen)
{
	return knows_registers(why, whylen) && forget_threads(e, why, whylen);
}

bool
kern_attach_syscalls(struct engine *e, const unsigned *probes, const uint32_t *numbers, unsigned n,
    enum kern_place place, char *why, size_t whylen)
{
	struct kern_use use = {
	    .place = place, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = probes, .nprobes = n, .keys = numbers};
	bool entry = place == KP_SYS_ENTER || place == KP_EXEC || place == KP_CALLED || place == KP_CLOSING;
	return knows_registers(why, whylen) && attach_rawtp(e, &use, entry ? "sys_enter" : "sys_exit", why, whylen);
}

bool
kern_attach_rawtp(struct engine *e, const struct kern_tp *tp, unsigned probe, char *why, size_t whylen)
{
	struct kern_use use = {
	    .place = KP_RAWTP, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = &probe, .nprobes = 1, .tp = tp};
	return attach_rawtp(e, &use, tp->name, why, whylen);
}

bool
kern_attach_function(struct engine *e, const struct kern_tp *tp, uint32_t function, bool at_return, unsigned probe,
    char *why, size_t whylen)
{
	struct kern_use use = {.place = KP_RAWTP,
	    .type = BPF_PROG_TYPE_TRACING,
	    .attach = (uint64_t)function << 32 | (at_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY),
	    .probes = &probe,
	    .nprobes = 1,
	    .tp = tp};
	char reason[256];
	if (!forget_threads(e, why, whylen))
		return false;
	int prog = kern_load(e, &use, reason, sizeof reason);
	if (prog < 0) {
		snprintf(why, whylen, "%s() cannot be traced: %s", tp->name, reason);
		return false;
	}
	int link = sys_raw_tp_open(prog, NULL);
	int err = errno;
	close(prog); /* the link keeps it */
	if (link < 0) {
		snprintf(why, whylen, "%s() cannot be traced: %s", tp->name, strerror(err));
		return false;
	}
	return keep_or_close(e, link, why, whylen);
}

/* A software clock on every CPU that is there. */
bool
kern_attach_profile(struct engine *e, unsigned probe, uint64_t period_ns, char *why, size_t whylen)
{
	struct kern_use use = {.place = KP_PERF, .type = BPF_PROG_TYPE_PERF_EVENT, .probes = &probe, .nprobes = 1};
	int prog = kern_may_attach(e, why, whylen) ? kern_load(e, &use, why, whylen) : -1;
	if (prog < 0)
		return false;
	bool ok = keep_or_close(e, prog, why, whylen);
	for (uint32_t cpu = 0; ok && cpu < e->ncpus; cpu++) {
		struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
		    .size = sizeof a,
		    .config = PERF_COUNT_SW_CPU_CLOCK,
		    .sample_period = period_ns};
		int fd = (int)syscall(SYS_perf_event_open, &a, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && errno == ENODEV)
			continue; /* a CPU that is off */
		if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) < 0) {
			snprintf(why, whylen, "the clock of CPU %u cannot be used: %s", cpu, strerror(errno));
			if (fd >= 0)
				close(fd);
			return false;
		}
		ok = keep_or_close(e, fd, why, whylen);
	}
	return ok;
}
