/*
 * Unpacks xz(1) data, for the small tables of symbols that stripped programs carry (.gnu_debugdata).
 *
 * The library for it (liblzma) is looked for when the first such file is met. Without it, or in a build without its
 * header, these tables are left out. The bytes come from a traced process and so from anybody: what comes out is
 * charged to the budget as it comes, and memory is bounded.
 */
#ifndef ET_SYM_XZ_H
#define ET_SYM_XZ_H

#include "sym/budget.h"

/* Returns everything on the heap. Returns NULL if it is damaged or too large (sp->over), or if there is no library
 * or no memory. */
char *xz_unpack(const void *packed, size_t n, struct spending *sp, size_t *len);

#endif
