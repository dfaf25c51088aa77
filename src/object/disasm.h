/* The listing of a compiled clause, for -S. */
#ifndef ET_OBJECT_DISASM_H
#define ET_OBJECT_DISASM_H

#include "object/dobj.h"

/* Returns text on the heap, or NULL if there is no memory. */
char *dif_disasm(const struct dobj *o, unsigned clause);

#endif
