/*
 * Built-in variables. The firing's provider is asked first, because it may know better (an Erlang process has its own
 * vtimestamp and names). The rest is about this process. A value that costs a system call is fetched once per firing.
 */
#include "engine/user/user.h"

#include "base/clock.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { UREGS_MAX = 38 };

static bool
is_engines_own(enum dif_builtin id)
{
	switch (id) {
	case DIF_BI_EPID:
	case DIF_BI_ID:
	case DIF_BI_TIMESTAMP:
	case DIF_BI_WALLTIMESTAMP:
	case DIF_BI_PROBEPROV:
	case DIF_BI_PROBEMOD:
	case DIF_BI_PROBEFUNC:
	case DIF_BI_PROBENAME:
		return true;
	default:
		return false;
	}
}

bool
bi_is_memory(enum dif_builtin id)
{
	static const bool memory[DIF_NBUILTINS] = {
#define X(name, text, type, flags) [DIF_BI_##name] = ((flags)&BIF_STRING) != 0,
	    DIF_BUILTINS(X)
#undef X
	};
	return memory[id] || id == DIF_BI_CURPSINFO || id == DIF_BI_CURLWPSINFO || id == DIF_BI_CURCPU ||
	       id == DIF_BI_FDS;
}

static uint64_t
cpu_now(void)
{
	int cpu = sched_getcpu();
	return cpu < 0 ? 0 : (uint64_t)cpu;
}

static uint64_t
number(struct activation *r, enum dif_builtin id, uint32_t group)
{
	switch (id) {
	case DIF_BI_TIMESTAMP:
		return run_time(r);
	case DIF_BI_VTIMESTAMP:
		if (!r->vts)
			r->vts = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		return r->vts;
	case DIF_BI_WALLTIMESTAMP:
		if (!r->wall)
			r->wall = (int64_t)clock_ns(CLOCK_REALTIME);
		return (uint64_t)r->wall;
	case DIF_BI_CPU:
		return cpu_now();
	case DIF_BI_EPID:
		return r->epid + group;
	case DIF_BI_ID:
		return r->p->id;
	case DIF_BI_PID:
		return (uint64_t)r->e->pid;
	case DIF_BI_PPID:
		return (uint64_t)getppid();
	case DIF_BI_TID:
		return (uint64_t)syscall(SYS_gettid);
	case DIF_BI_UID:
		return getuid();
	case DIF_BI_GID:
		return getgid();
	default:
		return 0; /* caller, chip, curthread, errno, ipl, lgrp, pset, stack depths: unknown here */
	}
}

/* Built-ins that are memory are constants: see decode.c. */
bool
bi_load(struct activation *r, enum dif_builtin id, uint32_t group, uint64_t *v)
{
	if (!charge(r, 256)) /* some are system calls */
		return false;
	if (r->f->ops && r->f->ops->builtin && !is_engines_own(id)) {
		const void *mem = NULL;
		size_t len = 0;
		int err = r->f->ops->builtin(r->f, id, 0, v, &mem, &len);
		if (err != DIF_FAULT_ILLOP)
			return err == 0 || fail(r, (enum dif_fault)err, 0);
	}
	*v = number(r, id, group);
	return true;
}

bool
bi_index(struct activation *r, enum dif_builtin id, uint64_t index, uint64_t *v)
{
	if (!charge(r, 64))
		return false;
	if (id == DIF_BI_FDS) {
		if (index > 0xffff)
			return fail(r, DIF_FAULT_BADINDEX, index);
		*v = DIF_ADDR(DIF_R_BUILTIN, (uint64_t)id << 40 | index << 24);
		return true;
	}
	if (r->f->ops && r->f->ops->builtin) {
		const void *mem = NULL;
		size_t len = 0;
		int err = r->f->ops->builtin(r->f, id, index, v, &mem, &len);
		if (err != DIF_FAULT_ILLOP)
			return err == 0 || fail(r, (enum dif_fault)err, index);
	}
	if (index >= UREGS_MAX)
		return fail(r, DIF_FAULT_BADINDEX, index);
	*v = 0;
	return true;
}

/* ---- memory ---- */

static bool
have(struct shard *sh, enum dif_builtin id)
{
	bool had = sh->bi_have >> id & 1;
	sh->bi_have |= 1ULL << id;
	return had;
}

static bool
is_in_proc(enum dif_builtin id)
{
	return id == DIF_BI_EXECNAME || id == DIF_BI_THREADNAME || id == DIF_BI_EXECARGS || id == DIF_BI_CWD ||
	       id == DIF_BI_ROOT || id == DIF_BI_CURPSINFO || id == DIF_BI_CURLWPSINFO;
}

static const struct procinfo_file *
file_of(struct activation *r, uint32_t fd)
{
	struct bi_cache *c = r->sh->bi;
	if (!have(r->sh, DIF_BI_FDS))
		c->nfds = 0;
	for (unsigned i = 0; i < FDS_CACHED && i < c->nfds; i++)
		if (c->fd[i] == fd)
			return &c->fds[i];
	unsigned i = c->nfds++ % FDS_CACHED;
	c->fd[i] = fd;
	return pi_file(r, fd, &c->fds[i]) ? &c->fds[i] : NULL;
}

/* Returns the bytes of a built-in: a structure, or a string with its NUL. Returns NULL on a fault. */
static const char *
memory(struct activation *r, enum dif_builtin id, uint32_t index, size_t *len)
{
	struct bi_cache *c = r->sh->bi;
	const char *s = "";
	int name = bi_name(id);
	if (name >= 0) {
		*len = r->p->lens[name] + 1;
		return r->p->names[name];
	}
	if (is_in_proc(id) && !(r->sh->bi_have >> id & 1) && !charge(r, ENG_LOOK)) /* reading /proc takes time */
		return NULL;
	switch (id) {
	case DIF_BI_ZONENAME:
		s = "global";
		break;
	case DIF_BI_NODE:
		s = r->e->conf.node ? atomic_load_explicit(r->e->conf.node, memory_order_acquire) : "";
		break;
	case DIF_BI_EXECNAME:
		if (!have(r->sh, id))
			pi_text("comm", c->execname, sizeof c->execname);
		s = c->execname;
		break;
	case DIF_BI_THREADNAME:
		if (!have(r->sh, id))
			pi_text("../thread-self/comm", c->threadname, sizeof c->threadname);
		s = c->threadname;
		break;
	case DIF_BI_EXECARGS:
		if (!have(r->sh, id))
			pi_text("cmdline", c->execargs, sizeof c->execargs);
		s = c->execargs;
		break;
	case DIF_BI_CWD:
		if (!have(r->sh, id))
			pi_link("cwd", c->cwd, sizeof c->cwd);
		s = c->cwd;
		break;
	case DIF_BI_ROOT:
		if (!have(r->sh, id))
			pi_link("root", c->root, sizeof c->root);
		s = c->root;
		break;
	case DIF_BI_CURPSINFO:
		if (!have(r->sh, id))
			pi_ps(&c->ps);
		*len = sizeof c->ps;
		return (const char *)&c->ps;
	case DIF_BI_CURLWPSINFO:
		if (!have(r->sh, id))
			pi_lwp(&c->lwp);
		*len = sizeof c->lwp;
		return (const char *)&c->lwp;
	case DIF_BI_CURCPU:
		c->cpu = (struct procinfo_cpu){.cpu_id = (int32_t)cpu_now()};
		*len = sizeof c->cpu;
		return (const char *)&c->cpu;
	case DIF_BI_FDS:
		*len = sizeof(struct procinfo_file);
		return (const char *)file_of(r, index);
	default:
		break; /* eproc: only an Erlang provider knows it */
	}
	*len = strlen(s) + 1;
	return s;
}

bool
bi_mem(struct activation *r, uint64_t off, const char **at, size_t *left)
{
	enum dif_builtin id = (enum dif_builtin)(off >> 40);
	uint32_t index = (uint32_t)(off >> 24 & 0xffff);
	size_t from = off & 0xffffff, len = 0;
	const void *mem = NULL;
	uint64_t num = 0;

	if ((unsigned)id >= DIF_NBUILTINS || !bi_is_memory(id) || (index && id != DIF_BI_FDS) || !charge(r, 32))
		return false;
	if (r->f->ops && r->f->ops->builtin && !is_engines_own(id)) {
		int err = r->f->ops->builtin(r->f, id, index, &num, &mem, &len);
		if (err == DIF_FAULT_ILLOP)
			mem = NULL;
		else if (err != 0)
			return false;
	}
	if (!mem)
		mem = memory(r, id, index, &len);
	if (!mem || from > len)
		return false;
	*at = (const char *)mem + from;
	*left = len - from;
	return true;
}
