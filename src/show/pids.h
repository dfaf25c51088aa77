/*
 * Names of Erlang processes, for pids that are shown: what the node says about them, remembered for when they are gone.
 * Tables of ETS (references) and ports have names in the same way; "pid" here means any of them.
 *
 * Pids are noted as they come in (pids_note), asked for many at once (pids_ask), and looked up as they are shown
 * (pids_name). If memory runs out, a pid has no name.
 */
#ifndef ET_SHOW_PIDS_H
#define ET_SHOW_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pid_name {
	char pid[64];
	char *name;     /* NULL if none is known */
	uint64_t asked; /* ns: when it was last asked for; 0 for never */
	bool is_due;    /* to be asked for */
};

struct pids {
	struct pid_name *all;
	unsigned n, cap;
	unsigned *slots; /* open addressing: index plus one; 0 if free */
	unsigned nslots;
	unsigned ndue;
};

/* Notes a text that may be a pid. It will be asked for if it never was or, with `now` (ns, otherwise 0), if that was
 * some time ago. */
void pids_note(struct pids *p, const char *s, size_t len, uint64_t now);
/* Tells the names of the processes that are known: calls fn with the number of the pid and its name. */
typedef void pids_names_f(
    void *arg, const char *const *pids, unsigned n, void (*fn)(void *fnarg, unsigned i, const char *name), void *fnarg);
/* Asks for those that are due. */
void pids_ask(struct pids *p, pids_names_f *names, void *arg, uint64_t now);
/* Returns NULL if unknown. */
const char *pids_name(const struct pids *p, const char *s, size_t len);
void pids_free(struct pids *p);

#endif
