/*
 * What may be spent on files that other people made: bytes read, symbols, notes, sections, and time.
 *
 * A process that nobody asked about must not cost much, whatever it has mapped. So its files are read within a budget,
 * and one that does not fit is left out whole, with the reason. Budgets form a chain: a file counts in the budget of
 * its user, and in the budget of all. A process that the user of erltrace has named gets a large budget.
 *
 * Time is CPU time, so that a busy machine shows the same as an idle one.
 */
#ifndef ET_SYM_BUDGET_H
#define ET_SYM_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spend { SPEND_BYTES, SPEND_SYMS, SPEND_NOTES, SPEND_SECTIONS, SPEND_N };

struct budget {
	uint64_t file[SPEND_N]; /* the most for one file */
	uint64_t left[SPEND_N]; /* for all files together */
	int64_t cpu;            /* ns left for all of them */
	int64_t file_cpu;       /* ns for one file */
	int64_t wait;           /* ns left for waiting for file systems; see slow.h */
	int64_t call_wait;      /* ns for one call */
	struct slow *slow;      /* NULL: calls are made directly, without a thread */
	bool takes_fuse;        /* also read files that a process serves (FUSE) */
	struct budget *all;     /* a budget that is charged too, or NULL */
	/* Returns whether to give up, because the user pressed Ctrl-C or a request ran out of time. NULL means
	 * never. */
	bool (*stopped)(void *arg);
	void *arg;
};

/* For files of a process that the user named, which may be a browser with all its symbols. */
struct budget budget_large(void);
/* For files of other processes. */
struct budget budget_small(void);

/* What one file, or one process, spends. */
struct spending {
	struct budget *b; /* NULL if nothing is counted */
	uint64_t used[SPEND_N];
	int64_t from; /* the time when it began */
	unsigned calls;
	bool is_served;   /* a file was not opened because it is on FUSE */
	const char *over; /* why it must stop, in words; NULL to go on */
};

struct spending spend_begin(struct budget *b);
/* Returns false if there is not that much left; `over` says why. */
bool spend(struct spending *s, enum spend what, uint64_t n);
/* Call it in every turn of a loop. Returns false if time is over. It looks at the clock now and then. */
bool spend_time(struct spending *s);
/* The same, but looks at the clock now. */
bool spend_look(struct spending *s);
/* Returns whether somebody wants it to end. */
bool spend_stopped(const struct spending *s);
/* Charges the time since spend_begin(). */
void spend_end(struct spending *s);

#endif
