/* Which clauses a program has, how they are distributed over its functions, and the tables that tell its probes
 * apart. */
#include "engine/kernel/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program can have 256 functions; the runtime's take some of them, and ERROR's clauses others. If all clauses
 * together have at most MAX_INLINE instructions, they are part of the main function. */
#ifdef ET_TINY
enum { MAX_BLOCKS = 2, MAX_ERRORS = 60, MAX_INLINE = 20 };
#else
enum { MAX_BLOCKS = 100, MAX_ERRORS = 60, MAX_INLINE = 500 };
#endif

/* A program with only one probe needs no tables. */
const struct kprobe *
load_only_probe(const struct load *l)
{
	return l->use->keys || l->use->several ? NULL : &l->e->probes[l->use->probes[0]];
}

static int
by_row(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Returns how many arguments a clause may ask for. */
static uint32_t
arguments_of(const struct dobj *o, const struct dobj_clause *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->ncode; i++) {
		const struct dif_insn *in = &o->code[c->code + i];
		if (in->op == DIF_LDARGX)
			return RT_NARGS;
		if (in->op == DIF_LDARG && (uint32_t)in->imm >= n && in->imm < RT_NARGS)
			n = (uint32_t)in->imm + 1;
	}
	return n;
}

uint32_t
load_nerrors(const struct load *l)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): with the ERROR probe there are probes */
	return l->e->error_probe < 0 ? 0 : l->e->probes[l->e->error_probe].nbound;
}

/* Gathers the clauses of all probes in order: for one probe as they are bound, for several each once. */
bool
load_gather(struct load *l, struct why *why)
{
	uint32_t n = 0, ninsns = 0;
	for (unsigned i = 0; i < l->use->nprobes; i++)
		n += l->e->probes[l->use->probes[i]].nbound;
	l->clauses = malloc((n + 1) * sizeof *l->clauses);
	l->starts = malloc((n + 1) * sizeof *l->starts);
	if (!l->clauses || !l->starts) {
		why_set(why, "out of memory");
		return false;
	}
	for (unsigned i = 0; i < l->use->nprobes; i++) {
		const struct kprobe *k = &l->e->probes[l->use->probes[i]];
		for (uint32_t j = 0; j < k->nbound; j++)
			l->clauses[l->nclauses++] = k->bound[j].clause;
	}
	if (!load_only_probe(l)) {
		qsort(l->clauses, l->nclauses, sizeof *l->clauses, by_row);
		uint32_t to = 0;
		for (uint32_t i = 0; i < l->nclauses; i++)
			if (!to || l->clauses[to - 1] != l->clauses[i])
				l->clauses[to++] = l->clauses[i];
		l->nclauses = to;
	}
	for (uint32_t i = 0; i < l->nclauses; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): all of nclauses are set above */
		uint32_t args = arguments_of(l->e->o, &l->e->o->clauses[l->clauses[i]]);
		if (args > l->nargs)
			l->nargs = args;
		ninsns += l->e->o->clauses[l->clauses[i]].ncode;
	}
	if (load_nerrors(l) > MAX_ERRORS) {
		why_set(
		    why, "dtrace:::ERROR has %u clauses: in the kernel it can have %d", load_nerrors(l), MAX_ERRORS);
		return false;
	}
	l->per_block = (l->nclauses + MAX_BLOCKS - 1) / MAX_BLOCKS;
	/* Short ones need no functions. */
	l->nblocks = l->nclauses > 1 && ninsns > MAX_INLINE ? (l->nclauses + l->per_block - 1) / l->per_block : 0;
	l->fault_sub = 1 + l->nblocks;
	return true;
}

bool
load_make_tables(struct load *l, struct why *why)
{
	const struct kern_use *u = l->use;
	if (load_only_probe(l))
		return true;
	uint32_t top = 0, n = l->e->nprobes * l->nclauses;
	for (unsigned i = 0; u->keys && i < u->nprobes; i++)
		if (u->keys[i] > top)
			top = u->keys[i];
	struct map_def d = {BPF_MAP_TYPE_ARRAY, 4, 4, top + 1, 0, "dispatch"};
	struct map_def ed = {BPF_MAP_TYPE_ARRAY, 4, 4, n ? n : 1, 0, "epids"};
	if (u->keys)
		l->dispatch = sys_map_create(&d);
	l->epids = sys_map_create(&ed);
	bool ok = (l->dispatch >= 0 || !u->keys) && l->epids >= 0;
	for (unsigned i = 0; ok && i < u->nprobes; i++) {
		uint32_t probe = u->probes[i] + 1;
		const struct kprobe *k = &l->e->probes[u->probes[i]];
		ok = !u->keys || sys_map_update(l->dispatch, &u->keys[i], &probe, 0) == 0;
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what uses probes has some */
		for (uint32_t j = 0; ok && j < k->nbound; j++) {
			uint32_t c = 0;
			while (l->clauses[c] != k->bound[j].clause)
				c++;
			uint32_t key = u->probes[i] * l->nclauses + c;
			ok = sys_map_update(l->epids, &key, &k->bound[j].epid, 0) == 0;
		}
	}
	if (!ok)
		why_set(why, "the tables of probes cannot be made: %s", strerror(errno));
	return ok;
}
