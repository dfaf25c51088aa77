/*
 * What may be spent on files that other people made: bytes that are read, symbols, notes, sections, and time.
 *
 * A process that nobody has asked about must not cost much, whatever it has mapped: its files are read within a budget,
 * and one that does not fit is left out whole, with the reason. Budgets stand in a row: a file counts in that of its
 * user, and in that of all. A process that the user of erltrace has named has a large one.
 *
 * Time is the CPU's, so that a busy machine does not leave out what an idle one shows.
 */
#ifndef ET_SYM_BUDGET_H
#define ET_SYM_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spend { SPEND_BYTES, SPEND_SYMS, SPEND_NOTES, SPEND_SECTIONS, SPEND_N };

struct budget {
	uint64_t file[SPEND_N]; /* the most that one file may have */
	uint64_t left[SPEND_N]; /* for all files together */
	int64_t cpu;            /* ns that are left for all of them */
	int64_t file_cpu;       /* ns that one may take */
	int64_t wait;           /* ns that are left for waiting for file systems; see slow.h */
	int64_t call_wait;      /* ns that one call may take */
	struct slow *slow;      /* NULL: calls are not waited for, but made */
	bool takes_fuse;        /* files that a process serves are read too */
	struct budget *all;     /* counts too; or NULL */
	/* Whether to give up: somebody has pressed Ctrl-C, or a request has run out of time. NULL: never. */
	bool (*stopped)(void *arg);
	void *arg;
};

/* For files of a process that was named, which may be a browser with all its symbols. */
struct budget budget_large(void);
/* For those that were met in passing. */
struct budget budget_small(void);

/* What one file, or one process, spends. */
struct spending {
	struct budget *b; /* NULL: nothing is counted */
	uint64_t used[SPEND_N];
	int64_t from; /* the clock when it began */
	unsigned calls;
	bool is_served;   /* a file was not opened because it is on FUSE */
	const char *over; /* why no more, in words; NULL: go on */
};

struct spending spend_begin(struct budget *b);
/* False: there is not that much left; `over` says why. */
bool spend(struct spending *s, enum spend what, uint64_t n);
/* For every turn of a loop: false when time is over. Looks at the clock now and then. */
bool spend_time(struct spending *s);
/* The same, and looks now. */
bool spend_look(struct spending *s);
/* Whether somebody wants it to end. */
bool spend_stopped(const struct spending *s);
/* Charges the time since spend_begin(). */
void spend_end(struct spending *s);

#endif
