/*
 * Where functions begin, from the unwinding data of a file (.eh_frame_hdr). Stripped libraries keep it, so a function
 * without a name has at least a place.
 */
#ifndef ET_SYM_EH_H
#define ET_SYM_EH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the starts of functions, ascending, on the heap. Returns NULL if there is no table of the form that
 * linkers make, or no memory. `addr` is where the section's n bytes are loaded. */
uint64_t *eh_starts(const char *section, size_t n, uint64_t addr, size_t *count);

#endif
