/*
 * Whole programs: the code around the clauses of the probes of one place.
 *
 * The main function finds out which probe it is, takes a state, and calls the clauses in order. A clause that faults
 * goes through another function, which runs ERROR's clauses and records the fault.
 */
#include "engine/kernel/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OUTS = 8 }; /* jumps to the end of the main function */

static void
zero_locals(struct load *l, uint32_t base)
{
	if (!l->e->lsize)
		return;
	em_mov(&l->p, R1, R9);
	em_movi(&l->p, R2, (int32_t)base);
	em_movi(&l->p, R3, (int32_t)l->e->lsize);
	prog_call_rt(&l->p, "rt_zero");
}

/* A clause begins without anything of the one before. The enabled id is in st->epid. */
static void
begin_clause(struct load *l)
{
	struct prog *p = &l->p;
	em_sti(p, R9, ST(scratch), 0);
	em_sti(p, R9, ST(str_at), 0);
	em_sti(p, R9, ST(file), 0);
	em_sti(p, R9, ST(norec), 0);
	em_sti(p, R9, ST(spec), 0);
	em_sti(p, R9, ST(recopen), 0);
}

static void
begin_function(struct load *l)
{
	prog_sub(&l->p, "rt_clause");
	em_mov(&l->p, R8, R1);
	em_mov(&l->p, R9, R2);
}

static void
call_function(struct load *l, uint32_t sub)
{
	em_mov(&l->p, R1, R8);
	em_mov(&l->p, R2, R9);
	prog_call_sub(&l->p, sub);
}

static void
fault_function(struct load *l)
{
	struct prog *p = &l->p;
	const struct kprobe *err = l->e->error_probe < 0 ? NULL : &l->e->probes[l->e->error_probe];
	begin_function(l);
	em_mov(p, R1, R9);
	em_movi(p, R2, l->e->error_probe);
	prog_call_rt(p, "rt_fault");
	uint32_t over = em_jump(p, BPF_JEQ, R0, 0);
	if (err)
		zero_locals(l, RT_IN(l->e, RT_ELOCAL));
	for (uint32_t i = 0; err && i < err->nbound; i++) {
		em_sti(p, R9, ST(epid), (int32_t)err->bound[i].epid);
		begin_clause(l);
		call_function(l, l->fault_sub + 1 + i);
		uint32_t fine = em_jump(p, BPF_JEQ, R0, 0);
		em_mov(p, R1, R9);
		em_movi(p, R2, l->e->error_probe);
		prog_call_rt(p, "rt_fault");
		em_here(p, fine);
	}
	em_mov(p, R1, R9);
	prog_call_rt(p, "rt_fault_end");
	em_here(p, over);
	em_movi(p, R0, 0);
	em_exit(p);
}

/* Sets st->epid for a clause of one of several probes: 0 if it is not bound to this probe. */
static uint32_t
choose(struct load *l, uint32_t i)
{
	struct prog *p = &l->p;
	em_ldx(p, R1, R9, ST(probe));
	em_alui(p, BPF_MUL, R1, (int32_t)l->nclauses);
	em_alui(p, BPF_ADD, R1, (int32_t)i);
	prog_emit(p, BPF_STX | BPF_MEM | BPF_W, R10, R1, -4, 0);
	em_mapfd(p, R1, l->epids);
	em_mov(p, R2, R10);
	em_alui(p, BPF_ADD, R2, -4);
	em_help(p, HELP_LOOKUP);
	prog_emit(p, BPF_JMP | BPF_JEQ | BPF_K, R0, 0, 1, 0);
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_W, R0, R0, 0, 0);
	em_stx(p, R9, ST(epid), R0);
	return em_jump(p, BPF_JEQ, R0, 0);
}

static bool
calls_exit(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = 0; i < c->ncode; i++)
		if (o->code[c->code + i].op == DIF_CALL && o->code[c->code + i].imm == DIF_SUBR_EXIT)
			return true;
	return false;
}

/* Gives the state back and ends the program. */
static void
leave(struct load *l)
{
	em_sti(&l->p, R9, ST(busy), 0);
	em_movi(&l->p, R0, 0);
	em_exit(&l->p);
}

/* Some clauses after each other. */
static bool
clauses(struct load *l, uint32_t from, uint32_t to, struct why *why)
{
	struct prog *p = &l->p;
	const struct kprobe *only = load_only_probe(l);
	for (uint32_t i = from; i < to; i++) {
		uint32_t skip = 0;
		/* After a possible exit(), each clause asks whether it may run. */
		if (l->exits) {
			em_mov(p, R1, R9);
			prog_call_rt(p, "rt_next");
			uint32_t on = em_jump(p, BPF_JNE, R0, 0);
			if (l->nblocks)
				em_exit(p);
			else
				leave(l);
			em_here(p, on);
		}
		if (only)
			em_sti(p, R9, ST(epid), (int32_t)only->bound[i].epid);
		else
			skip = choose(l, i);
		begin_clause(l);
		l->starts[l->nstarts++] = p->n;
		if (!lower_clause(l->e, p, l->use, l->clauses[i], false, l->nblocks ? 2 : 1, l->fault_sub, why))
			return false;
		l->exits |= calls_exit(l->e->o, &l->e->o->clauses[l->clauses[i]]);
		if (only)
			continue;
		if (p->n - skip > INT16_MAX) {
			why_set(why, "a clause is too long for the kernel: make several clauses of it");
			return false;
		}
		em_here(p, skip);
	}
	return true;
}

/* r9 = the state whose index is on the stack. Returns the jump for the case that there is none. */
static uint32_t
get_state(struct load *l)
{
	struct prog *p = &l->p;
	em_mapfd(p, R1, l->e->maps[RT_M_STATES]);
	em_mov(p, R2, R10);
	em_alui(p, BPF_ADD, R2, -4);
	em_help(p, HELP_LOOKUP);
	uint32_t none = em_jump(p, BPF_JEQ, R0, 0);
	em_mov(p, R9, R0);
	return none;
}

/*
 * Takes a state and prepares it; `out` gets the jumps to the end. In the common case the first state of the CPU is free
 * and nothing is called, because a short program would spend most of its time in calls.
 */
static unsigned
take_state(struct load *l, uint32_t *out)
{
	struct prog *p = &l->p;
	unsigned nout = 0;
	em_help(p, HELP_CPU);
	em_alui(p, BPF_MUL, R0, RT_LEVELS);
	prog_emit(p, BPF_STX | BPF_MEM | BPF_W, R10, R0, -4, 0);
	out[nout++] = get_state(l);
	em_movi(p, R0, 0);
	em_movi(p, R1, 1);
	prog_emit(p, BPF_STX | BPF_ATOMIC | BPF_DW, R9, R1, ST(busy), BPF_CMPXCHG);
	uint32_t taken = em_jump(p, BPF_JEQ, R0, 0);
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_W, R1, R10, -4, 0);
	prog_call_rt(p, "rt_enter");
	em_alui(p, BPF_LSH, R0, 32);
	em_alui(p, BPF_ARSH, R0, 32);
	out[nout++] = em_jump(p, BPF_JSLT, R0, 0);
	prog_emit(p, BPF_STX | BPF_MEM | BPF_W, R10, R0, -4, 0);
	out[nout++] = get_state(l);
	em_here(p, taken);
	return nout;
}

/* Notes that the probe has fired. The byte is only read after the first time, so that CPUs can share it. */
static void
note_fired(struct load *l)
{
	struct prog *p = &l->p;
	bool is_one = load_only_probe(l) != NULL;
	uint32_t beyond = 0;
	if (is_one) {
		em_value(p, R1, l->e->maps[RT_M_FIRED], l->use->probes[0]);
	} else {
		beyond = em_jump(p, BPF_JGE, R6, (int32_t)l->e->nprobes);
		em_value(p, R1, l->e->maps[RT_M_FIRED], 0);
		prog_emit(p, BPF_ALU64 | BPF_ADD | BPF_X, R1, R6, 0, 0);
	}
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_B, R0, R1, 0, 0);
	uint32_t known = em_jump(p, BPF_JNE, R0, 0);
	prog_emit(p, BPF_ST | BPF_MEM | BPF_B, R1, 0, 0, 1);
	em_here(p, known);
	if (!is_one)
		em_here(p, beyond);
}

/* Initializes what a firing begins with. The rest of the state is old, and set before it is read. */
static void
begin_firing(struct load *l)
{
	struct prog *p = &l->p;
	bool here = kern_places[l->use->place].here;
	uint32_t kind = here ? kern_kind(l->e->probes[l->use->probes[0]].role) : RT_OTHER;
	em_value(p, R1, l->e->maps[RT_M_CTL], offsetof(struct rt_ctl, state));
	em_ldx(p, R1, R1, 0);
	uint32_t runs = kind == RT_END ? em_jump(p, BPF_JNE, R1, RT_SETUP) : em_jump(p, BPF_JEQ, R1, RT_RUNNING);
	leave(l);
	em_here(p, runs);
	note_fired(l);
	em_ldx(p, R1, R9, ST(gen));
	em_alui(p, BPF_ADD, R1, 1);
	em_stx(p, R9, ST(gen), R1);
	em_stx(p, R9, ST(self), R9);
	prog_emit(p, BPF_LDX | BPF_MEM | BPF_W, R1, R10, -4, 0);
	em_stx(p, R9, ST(index), R1);
	em_value(p, R1, l->e->maps[RT_M_CONSTS], 0);
	em_stx(p, R9, ST(cbase), R1);
	em_value(p, R1, l->e->maps[RT_M_GLOBALS], 0);
	em_stx(p, R9, ST(gbase), R1);
	em_stx(p, R9, ST(probe), R6);
	em_sti(p, R9, ST(kind), (int32_t)kind);
	em_sti(p, R9, ST(fired), here);
	em_sti(p, R9, ST(lbase), (int32_t)RT_IN(l->e, RT_LOCAL));
	em_sti(p, R9, ST(ts), 0);
	em_sti(p, R9, ST(task), 0);
	em_sti(p, R9, ST(thread), 0);
	em_sti(p, R9, ST(owner), 0);
	em_sti(p, R9, ST(err), 0);
	em_sti(p, R9, ST(cut), 0);
}

/* Makes a cut at the end of a firing that has left a record of printa() and the like. */
static void
cut(struct load *l)
{
	bool may = l->e->error_probe >= 0;
	for (uint32_t i = 0; i < l->nclauses; i++)
		may |= dobj_cuts(l->e->o, &l->e->o->clauses[l->clauses[i]]);
	if (!may || l->e->nsets != RT_SETS_CUTS)
		return;
	em_mov(&l->p, R1, R9);
	prog_call_rt(&l->p, "rt_cut");
}

static bool
main_function(struct load *l, struct why *why)
{
	struct prog *p = &l->p;
	uint32_t out[MAX_OUTS + 4], nout, on;

	em_mov(p, R8, R1);
	nout = load_which_probe(l, out);
	nout += load_conditions(l, out + nout);
	em_alui(p, BPF_SUB, R6, 1);
	if (kern_places[l->use->place].alone || (l->use->tp && l->use->tp->alone)) {
		em_movi(p, R1, 0);
		prog_call_rt(p, "rt_is_alone");
		out[nout++] = em_jump(p, BPF_JEQ, R0, 0);
	}
	nout += take_state(l, out + nout);
	on = em_jump(p, BPF_JA, 0, 0);
	while (nout)
		em_here(p, out[--nout]);
	em_movi(p, R0, 0);
	em_exit(p);
	em_here(p, on);
	begin_firing(l);
	if (!load_arguments(l, why))
		return false;
	zero_locals(l, RT_IN(l->e, RT_LOCAL));
	/* Functions are numbered as they are made: main, the blocks, faults, ERROR's clauses. */
	for (uint32_t i = 0; i < l->nblocks; i++)
		call_function(l, 1 + i);
	if (!l->nblocks && !clauses(l, 0, l->nclauses, why))
		return false;
	cut(l);
	leave(l);
	return true;
}

static bool
calls_faults(const struct load *l)
{
	for (uint32_t i = 0; i < l->p.nfixups; i++)
		if (l->p.fixups[i].kind == FIX_SUB && l->p.fixups[i].to == l->fault_sub)
			return true;
	return false;
}

static bool
block(struct load *l, uint32_t from, uint32_t to, struct why *why)
{
	begin_function(l);
	if (!clauses(l, from, to, why))
		return false;
	em_movi(&l->p, R0, 0);
	em_exit(&l->p);
	return true;
}

static bool
lower_all(struct load *l, struct why *why)
{
	struct kernel_engine *e = l->e;
	for (uint32_t i = 0; l->nblocks && i < l->nclauses; i += l->per_block) {
		uint32_t to = i + l->per_block < l->nclauses ? i + l->per_block : l->nclauses;
		if (!block(l, i, to, why))
			return false;
	}
	l->end = l->p.n;
	/* The kernel refuses a function that nothing calls. */
	if (!calls_faults(l))
		return true;
	fault_function(l);
	for (uint32_t i = 0; i < load_nerrors(l); i++) {
		begin_function(l);
		if (!lower_clause(
			e, &l->p, l->use, e->probes[e->error_probe].bound[i].clause, true, l->nblocks ? 4 : 3, 0, why))
			return false;
	}
	return true;
}

enum { OLD_LOG_MAX = (16 << 20) - 1 };

static int
load_it(struct load *l, struct why *why)
{
	struct kernel_engine *e = l->e;
	struct prog *p = &l->p;
	int fd = sys_prog_load(l->use->type, l->use->attach, p->insns, p->n, e->btf, p->fi, p->nfi, NULL, 0);
	if (fd >= 0)
		return fd;
	int err = errno;
	if (err == EPERM) {
		sys_not_permitted(why);
		return -1;
	}
	/* Loads it once more to get the reason, because a log costs time. */
	uint64_t size = e->conf.bpflogsize;
	uint32_t loglen = size < 4096 ? 4096 : size > UINT32_MAX >> 2 ? UINT32_MAX >> 2 : (uint32_t)size;
	if (!e->log && !(e->log = malloc(loglen))) {
		why_set(why, "out of memory");
		return -1;
	}
	e->log[0] = '\0';
	fd = sys_prog_load(l->use->type, l->use->attach, p->insns, p->n, e->btf, p->fi, p->nfi, e->log, loglen);
	/* Before Linux 6.4 only the beginning of a long log is kept, so the largest size is used. */
	if (fd < 0 && errno == ENOSPC && loglen < OLD_LOG_MAX) {
		char *more = realloc(e->log, OLD_LOG_MAX);
		if (more) {
			e->log = more;
			loglen = OLD_LOG_MAX;
			fd = sys_prog_load(
			    l->use->type, l->use->attach, p->insns, p->n, e->btf, p->fi, p->nfi, e->log, loglen);
		}
	}
	if (fd >= 0)
		return fd;
	e->log[loglen - 1] = '\0';
	if (errno == ENOSPC)
		e->log[0] = '\0'; /* its end is missing */
	load_explain(l, err, why);
	return -1;
}

/*
 * The kernel does not run a program inside itself. A probe that fires in an interrupt of its own program is lost, and
 * only the program's counter knows how often.
 */
uint64_t
kern_missed(const struct kernel_engine *e)
{
	uint64_t n = e->missed;
	for (uint32_t i = 0; i < e->nprogs; i++)
		n += sys_prog_missed(e->progs[i]);
	return n;
}

uint64_t
kern_spent(const struct kernel_engine *e)
{
	uint64_t n = e->spent;
	for (uint32_t i = 0; i < e->nprogs; i++)
		n += sys_prog_spent(e->progs[i]);
	return n;
}

void
kern_progs_close(struct kernel_engine *e)
{
	e->missed = kern_missed(e);
	e->spent = kern_spent(e);
	while (e->nprogs)
		close(e->progs[--e->nprogs]);
}

/* If this fails, only the count is too low. */
static void
remember(struct kernel_engine *e, int prog)
{
	if (e->nprogs == e->capprogs) {
		uint32_t cap = e->capprogs ? e->capprogs * 2 : 8;
		int *progs = realloc(e->progs, cap * sizeof *progs);
		if (!progs)
			return;
		e->progs = progs;
		e->capprogs = cap;
	}
	int fd = fcntl(prog, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0)
		e->progs[e->nprogs++] = fd;
}

int
kern_load(struct kernel_engine *e, const struct kern_use *use, struct why *why)
{
	struct load l = {.e = e, .use = use, .epids = -1, .dispatch = -1};
	int fd = -1;
	prog_init(&l.p, &e->im);
	if (load_gather(&l, why) && load_make_tables(&l, why)) {
		prog_sub(&l.p, "rt_main");
		if (main_function(&l, why) && lower_all(&l, why) && prog_link(&l.p, e->maps, e->consts, why))
			fd = load_it(&l, why);
	}
	if (l.epids >= 0)
		close(l.epids);
	if (l.dispatch >= 0)
		close(l.dispatch);
	prog_free(&l.p);
	free(l.clauses);
	free(l.starts);
	if (fd >= 0 && !kern_places[use->place].here)
		remember(e, fd);
	return fd;
}

bool
kern_keep(struct kernel_engine *e, int fd)
{
	if (e->nfds == e->capfds) {
		uint32_t cap = e->capfds ? e->capfds * 2 : 8;
		int *fds = realloc(e->fds, cap * sizeof *fds);
		if (!fds) {
			close(fd);
			return false;
		}
		e->fds = fds;
		e->capfds = cap;
	}
	e->fds[e->nfds++] = fd;
	return true;
}
