/*
 * Narrowing: what a clause's predicate says about the probe's arguments.
 *
 * `/copyinstr(arg1) == "lists:seq/2"/` means that nothing happens unless argument 1 is that string. So fewer probes
 * need to be set. The answer is found in the clause's code, so it holds for objects from anywhere. It is on the safe
 * side: an argument without a known set may be anything.
 */
#ifndef ET_OBJECT_NARROW_H
#define ET_OBJECT_NARROW_H

#include "base/sbuf.h"
#include "object/dobj.h"

enum { NARROW_ARGS = 2, NARROW_MAX = 8 };

/* For each of the first arguments: the strings that it may be when a statement of the clause runs. */
struct narrow {
	struct narrow_set {
		bool any;                  /* nothing is known */
		unsigned n;                /* 0 if the clause never runs */
		uint32_t strs[NARROW_MAX]; /* offsets in the object's strings */
	} arg[NARROW_ARGS];
};

/* The object must be verified. Returns false if there is no memory. */
bool narrow_clause(const struct dobj *o, unsigned clause, struct narrow *out);
/* For people: a line for each argument about which something is known. */
void narrow_text(struct sbuf *b, const struct dobj *o, unsigned clause, const char *indent);

#endif
