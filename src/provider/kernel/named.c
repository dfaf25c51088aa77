/* Providers that are tables of tracepoints and system calls: named.h. */
#include "provider/kernel/named.h"

#include "base/sbuf.h"

#include <stdio.h>
#include <string.h>

static bool
is_same(const struct named *a, const struct named *b)
{
	return b->name && strcmp(a->provider, b->provider) == 0 && strcmp(a->name, b->name) == 0;
}

/* What args[] are called, The first row that fits holds. */
static const struct {
	const char *provider, *name, *args;
} called[] = {
    {"sched", "change-pri", "thread,process,priority"},
    {"sched", "*queue", "thread,process,cpu"},
    {"sched", "*", "thread,process"},
    {"proc", "create", "child"},
    {"proc", "lwp-create", "thread,process"},
    {"proc", "exit", "reason"},
    {"proc", "exec", "path"},
    {"proc", "exec-failure", "errno"},
    {"proc", "signal-clear", "signal"},
    {"proc", "signal-handle", "signal,info,handler"},
    {"proc", "signal-*", "thread,process,signal"},
    {"proc", "fault", "fault,info"},
    {"io", "*", "buffer,device,file"},
    {"fsinfo", "*", "file,result"},
    {"sysinfo", "*", "amount"},
    {"vminfo", "*", "amount"},
    {"lockstat", "*", "lock,waited,mode,writer_had_it,readers"},
    {"ip", "*", "packet,connection,ip,interface,ipv4,ipv6"},
    {"tcp", "*", "packet,connection,ip,socket,tcp,old_state"},
    {"udp", "*", "packet,connection,ip,socket,udp"},
};

const char *
named_args(const char *provider, const char *name)
{
	for (unsigned i = 0; i < sizeof called / sizeof *called; i++)
		if (strcmp(called[i].provider, provider) == 0 && probe_glob(called[i].name, name))
			return called[i].args;
	return NULL;
}

const char *
named_params(struct probes *ps, const struct kbtf *b, const struct btf_param *params, unsigned n)
{
	struct sbuf text = {0};
	for (unsigned i = 0; i < n && i < RT_NARGS; i++)
		sb_printf(&text, "%s%.60s", i ? "," : "", kbtf_name(b, params[i].name_off));
	const char *s = text.failed ? NULL : ar_strndup(probes_arena(ps), text.at ? text.at : "", text.len);
	sb_free(&text);
	return s;
}

static bool
add(struct probes *ps, const struct provider *pv, const struct named *r)
{
	const char *const names[4] = {r->provider, "vmlinux", "", r->name};
	struct probe *p = probe_add(ps, pv, names, r->types, (int64_t)(uintptr_t)r);
	if (p)
		p->argnames = named_args(r->provider, r->name);
	return p != NULL;
}

static bool
is_asked(const struct pdesc *d, const char *provider, const char *name)
{
	return d->names[0] && d->names[3] && strcmp(d->names[0], provider) == 0 && strcmp(d->names[3], name) == 0;
}

bool
named_provide(struct probes *ps, const struct provider *pv, const struct named *rows)
{
	for (const struct named *r = rows; r->name; r++)
		if (!r->rare && strcmp(r->provider, pv->name) == 0 && (r == rows || !is_same(r, r - 1)) &&
		    !add(ps, pv, r))
			return false;
	return true;
}

bool
named_on_demand(
    struct probes *ps, const struct provider *pv, const struct named *rows, const struct pdesc *d, struct why *why)
{
	struct kbtf *b = NULL;
	bool ok = true;
	for (const struct named *r = rows; ok && r->name; r++) {
		const struct pdesc exact = {0, {r->provider, "vmlinux", "", r->name}};
		unsigned n;
		if (!r->rare || strcmp(r->provider, pv->name) != 0 || probes_has(ps, &exact))
			continue;
		if (!b && !(b = kbtf_open(NULL)))
			break;
		if (kbtf_tracepoint(b, r->tp.name, &n))
			ok = add(ps, pv, r);
	}
	kbtf_close(b);
	for (const struct named *r = rows; ok && r->name; r++) {
		const struct pdesc exact = {0, {r->provider, "vmlinux", "", r->name}};
		if (r->rare && strcmp(r->provider, pv->name) == 0 && is_asked(d, pv->name, r->name) &&
		    !probes_has(ps, &exact))
			why_set(why, "this kernel does not have the tracepoint %s, which %s:::%s is made of",
			    r->tp.name, r->provider, r->name);
	}
	return ok && named_absent(ps, pv, d, why);
}

/*
 * Probes that DTrace documents and Linux tells nothing of, or not the same.
 */
#define NO_SUCH_COUNT "Linux has no tracepoint for it"
#define BY_PATH "it is about a path, not an open file; syscall::: has these calls"
#define NO_UFS "it is about UFS, which Linux does not count"
#define NO_TERMINAL "Linux has no tracepoint for characters and interrupts of terminals"
#define NO_TICKS "Linux tells nobody of its clock ticks; profile-N samples every CPU"
#define NO_PROCESS_SWAP "Linux does not swap whole processes"
#define NO_EXEC_PAGES "Linux does not tell pages of programs from those of other files: see fspgin, fspgout and fsfree"
#define UNCONTENDED \
	"the kernel tells of locks only when somebody waits: see adaptive-block, adaptive-spin, spin-spin, rw-block and rw-spin"
static const struct {
	const char *provider, *name, *why;
} absent[] = {
    {"io", "wait-start", "nothing in Linux tells which request a thread waits for"},
    {"io", "wait-done", "nothing in Linux tells which request a thread waits for"},
    {"lockstat", "adaptive-acquire", UNCONTENDED},
    {"lockstat", "adaptive-release", UNCONTENDED},
    {"lockstat", "adaptive-acquire-error", UNCONTENDED},
    {"lockstat", "spin-acquire", UNCONTENDED},
    {"lockstat", "spin-release", UNCONTENDED},
    {"lockstat", "rw-acquire", UNCONTENDED},
    {"lockstat", "rw-release", UNCONTENDED},
    {"lockstat", "rw-upgrade", "locks of Linux are not upgraded"},
    {"lockstat", "rw-downgrade", "the kernel tells of locks only when somebody waits"},
    {"lockstat", "thread-spin", "Linux has no thread locks"},
    {"sched", "tick", NO_TICKS},
    {"sched", "schedctl-nopreempt", "Linux has no schedctl"},
    {"sched", "schedctl-preempt", "Linux has no schedctl"},
    {"sched", "schedctl-yield", "Linux has no schedctl"},
    {"proc", "lwp-exec", "Linux has no such moment: see exec and exec-success"},
    {"fsinfo", "access", BY_PATH},
    {"fsinfo", "create", BY_PATH},
    {"fsinfo", "link", BY_PATH},
    {"fsinfo", "lookup", BY_PATH},
    {"fsinfo", "mkdir", BY_PATH},
    {"fsinfo", "open", "at the call there is no open file yet; syscall::openat:return has the descriptor"},
    {"fsinfo", "readlink", BY_PATH},
    {"fsinfo", "remove", BY_PATH},
    {"fsinfo", "rename", BY_PATH},
    {"fsinfo", "rmdir", BY_PATH},
    {"fsinfo", "setattr", BY_PATH},
    {"fsinfo", "symlink", BY_PATH},
    {"sysinfo", "canch", NO_TERMINAL},
    {"sysinfo", "mdmint", NO_TERMINAL},
    {"sysinfo", "outch", NO_TERMINAL},
    {"sysinfo", "rawch", NO_TERMINAL},
    {"sysinfo", "rcvint", NO_TERMINAL},
    {"sysinfo", "xmtint", NO_TERMINAL},
    {"sysinfo", "cpu_ticks_idle", NO_TICKS},
    {"sysinfo", "cpu_ticks_kernel", NO_TICKS},
    {"sysinfo", "cpu_ticks_user", NO_TICKS},
    {"sysinfo", "cpu_ticks_wait", NO_TICKS},
    {"sysinfo", "wait_ticks_io", NO_TICKS},
    {"sysinfo", "intrblk", "interrupts do not block in Linux"},
    {"sysinfo", "intrthread", "interrupts are no threads in Linux; sdt:::irq_handler_entry has them"},
    {"sysinfo", "lread", NO_SUCH_COUNT "; reads from devices are bread"},
    {"sysinfo", "lwrite", NO_SUCH_COUNT "; writes to devices are bwrite"},
    {"sysinfo", "mutex_adenters", NO_SUCH_COUNT "; lockstat:::adaptive-block and adaptive-spin tell of mutexes"},
    {"sysinfo", "namei", NO_SUCH_COUNT "; syscall::: has the calls that take paths"},
    {"sysinfo", "procovf", NO_SUCH_COUNT "; fork and clone fail with EAGAIN: syscall:::return and errno"},
    {"sysinfo", "trap", NO_SUCH_COUNT "; faults of memory are vminfo:::as_fault"},
    {"sysinfo", "ufsdirblk", NO_UFS},
    {"sysinfo", "ufsiget", NO_UFS},
    {"sysinfo", "ufsinopage", NO_UFS},
    {"sysinfo", "ufsipage", NO_UFS},
    {"vminfo", "cow_fault",
	"Linux does not tell a copy from other writes that were not allowed: prot_fault has all of these"},
    {"vminfo", "execfree", NO_EXEC_PAGES},
    {"vminfo", "execpgin", NO_EXEC_PAGES},
    {"vminfo", "execpgout", NO_EXEC_PAGES},
    {"vminfo", "hat_fault", NO_SUCH_COUNT "; all faults of processes are as_fault"},
    {"vminfo", "pgfrec",
	"Linux takes no pages back from its free list: see as_fault, of which maj_fault are those with I/O"},
    {"vminfo", "pgrec", NO_SUCH_COUNT ": see as_fault, of which maj_fault are those with I/O"},
    {"vminfo", "pgswapin", NO_PROCESS_SWAP "; pages that come back are anonpgin"},
    {"vminfo", "pgswapout", NO_PROCESS_SWAP "; pages that go are anonpgout"},
    {"vminfo", "swapin", NO_PROCESS_SWAP "; pages that come back are anonpgin"},
    {"vminfo", "swapout", NO_PROCESS_SWAP "; pages that go are anonpgout"},
    {"vminfo", "rev", "Linux's page daemon has no clock hand: see scan"},
    {"vminfo", "softlock", NO_SUCH_COUNT},
    {"vminfo", "zfod", NO_SUCH_COUNT "; all faults of processes are as_fault"},
};

bool
named_absent(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	(void)ps;
	for (unsigned i = 0; i < sizeof absent / sizeof *absent; i++)
		if (strcmp(absent[i].provider, pv->name) == 0 && is_asked(d, pv->name, absent[i].name))
			why_set(why, "there is no %s:::%s: %s", pv->name, absent[i].name, absent[i].why);
	return true;
}

bool
named_claims(const struct pdesc *d, const char *provider)
{
	bool any = false;
	for (unsigned i = 0; i < 4; i++)
		any |= d->names[i] && d->names[i][0];
	return !any || (d->names[0] && d->names[0][0] && probe_glob(d->names[0], provider));
}

static bool
attach_one(struct engine *e, const struct named *first, unsigned probe, struct why *why)
{
	enum { MAX_CALLS = 16 };
	unsigned probes[MAX_CALLS], n = 0;
	uint32_t calls[MAX_CALLS];
	enum kern_place place = first->place;
	for (const struct named *r = first; is_same(first, r); r++) {
		if (r->tp.name) {
			if (!kern_attach_rawtp(e, &r->tp, probe, why))
				return false;
		} else if (r->event) {
			if (!kern_attach_event(e, probe, r->event - 1, why))
				return false;
		} else if (n < MAX_CALLS) {
			probes[n] = probe;
			calls[n++] = (uint32_t)r->call;
			place = r->place;
		}
	}
	/* One program for all the calls. */
	return n == 0 || kern_attach_syscalls(e, probes, calls, n, place, why);
}

bool
named_attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, struct why *why)
{
	for (unsigned i = 0; i < nbound; i++) {
		const struct named *r = (const struct named *)(uintptr_t)bound[i].probe->param;
		if (!attach_one(e, r, bound[i].index, why))
			return false;
	}
	return true;
}
