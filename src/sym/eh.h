/*
 * Where functions begin, by what a file says for unwinding (.eh_frame_hdr). Stripped libraries keep that, so a function
 * that has no name has at least a place.
 */
#ifndef ET_SYM_EH_H
#define ET_SYM_EH_H

#include <stddef.h>
#include <stdint.h>

/* The starts of functions, ascending, on the heap; NULL: there is no table of the form that linkers make, or no memory.
 * `addr` is where the section's n bytes are loaded. */
uint64_t *eh_starts(const char *section, size_t n, uint64_t addr, size_t *count);

#endif
