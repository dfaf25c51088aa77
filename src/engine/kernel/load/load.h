/* A program being assembled: what load.c shares with the files that make parts of it. */
#ifndef ET_ENGINE_KERNEL_LOAD_LOAD_H
#define ET_ENGINE_KERNEL_LOAD_LOAD_H

#include "engine/kernel/lower/emit.h"

struct load {
	struct kernel_engine *e;
	const struct kern_use *use;
	struct prog p;
	uint32_t *clauses; /* rows, in order, each once */
	uint32_t nclauses;
	uint32_t per_block,
	    nblocks; /* clauses in each of the functions that hold them; 0 if the main function has them */
	uint32_t fault_sub;
	uint32_t nargs; /* that the clauses ask for */
	bool exits;
	int epids, dispatch;            /* maps, when there are several probes */
	uint32_t *starts, nstarts, end; /* instructions: where each clause starts, and what follows the last one */
};

/* ---- load_gather.c ---- */
/* The clauses of all probes in order, and what they ask for. */
bool load_gather(struct load *l, struct why *why);
/* The maps that lead to a probe and its enabled ids. */
bool load_make_tables(struct load *l, struct why *why);
/* A program with only one probe needs no tables. Returns NULL if there are several. */
const struct kprobe *load_only_probe(const struct load *l);
uint32_t load_nerrors(const struct load *l); /* clauses of ERROR */

/* ---- places.c: by the row of the place. out gets jumps to the end; the result is how many. ---- */
/* r6 = the number of the probe plus one. */
unsigned load_which_probe(struct load *l, uint32_t *out);
/* What must hold for the probe to fire. */
unsigned load_conditions(struct load *l, uint32_t *out);
/* Those that the clauses ask for, and as many as the place can tell at no cost. */
bool load_arguments(struct load *l, struct why *why);

/* ---- load_usdt.c ---- */
/* Returns whether the program needs to know which place fired. */
bool load_usdt_needs_place(const struct load *l);
/* The arguments that the clauses ask for, as the note of the place says; its number, when it is needed, is in r7. */
void load_usdt_args(struct load *l);

/* ---- explain.c ---- */
/* Says why the kernel refused the program, from its verifier's log, as a sentence about the script. */
void load_explain(struct load *l, int err, struct why *why);

#endif
