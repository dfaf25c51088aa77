/*
 * Counting: clauses whose firings need not be seen one by one.
 *
 * `erlang*:shop:*:entry { @[probefunc] = count(); }` does the same at each firing of a probe. If somebody else counts
 * the firings, it is enough to run the clause once for all of them, with that number (firing.more in engine.h). The
 * answer is found in the clause's code, so it holds for objects from anywhere. It is on the safe side.
 */
#ifndef ET_OBJECT_COUNTS_H
#define ET_OBJECT_COUNTS_H

#include "object/dobj.h"

/* Returns whether the clause does nothing but count(), under keys and with a predicate that are the same at each
 * firing of a probe that is a function by name; there copyinstr(arg1) is that name. The object must be verified. */
bool counts_only(const struct dobj *o, const struct dobj_clause *c);
/* Returns whether the clause may end the script. */
bool counts_exits(const struct dobj *o, const struct dobj_clause *c);

#endif
