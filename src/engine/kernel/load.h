/* A program being put together: what load.c shares with the files that make parts of it. */
#ifndef ET_ENGINE_KERNEL_LOAD_H
#define ET_ENGINE_KERNEL_LOAD_H

#include "engine/kernel/emit.h"

struct load {
	struct engine *e;
	const struct kern_use *use;
	struct prog p;
	uint32_t *clauses; /* rows, in order, each once */
	uint32_t nclauses;
	uint32_t per_block,
	    nblocks; /* clauses in each of the functions that hold them; 0: the main function has them */
	uint32_t fault_sub;
	uint32_t nargs; /* that the clauses ask for */
	bool exits;
	int epids, dispatch;            /* maps, when there are several probes */
	uint32_t *starts, nstarts, end; /* instructions: where each clause starts, and what follows the last one */
};

/* ---- load_usdt.c ---- */
/* Whether the program needs to know which place fired. */
bool load_usdt_needs_place(const struct load *l);
/* The arguments that the clauses ask for, as the note of the place says; its number, when it is needed, is in r7. */
void load_usdt_args(struct load *l);

/* ---- explain.c ---- */
/* Why the kernel did not take the program, from its verifier's log, as a sentence about the script. */
void load_explain(struct load *l, int err, char *why, size_t whylen);

#endif
