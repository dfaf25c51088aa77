/*
 * What xz(1) packed, for the small tables of symbols that stripped programs carry (.gnu_debugdata).
 *
 * The library that unpacks it (liblzma) is looked for when the first such file is met; without it, or in a build
 * without its header, these tables are left out. The bytes are a traced process's and so anybody's: what comes out is
 * counted in the budget as it comes, and memory is bounded.
 */
#ifndef ET_SYM_XZ_H
#define ET_SYM_XZ_H

#include "sym/budget.h"

/* The whole on the heap; NULL: it is damaged, too large (sp->over), or there is no library or no memory. */
char *xz_unpack(const void *packed, size_t n, struct spending *sp, size_t *len);

#endif
