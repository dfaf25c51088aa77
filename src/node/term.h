/*
 * Terms from a node, before anything decodes them.
 *
 * ei trusts the lengths that it reads. So everything received is validated first: each length is checked against the
 * bytes that are there, nesting is bounded, and forms that ei might read differently than we do are refused. TERM_PAD
 * zeros must follow the bytes: no term begins with 0, so a decoder that asks for more than there is fails.
 *
 * After that, every place that ei's decoders reach from the front is the beginning of a term, or the padding.
 */
#ifndef ET_NODE_TERM_H
#define ET_NODE_TERM_H

#include <ei.h>

#include <stdbool.h>
#include <stddef.h>

enum { TERM_PAD = 16, TERM_DEPTH = 256 };

/* Returns the length of the term at the front of `len` bytes, without a version byte, or 0 if it is not whole or
 * refused. */
size_t term_len(const char *at, size_t len);
/* The same for a version byte and a term, counting both. */
size_t term_len_versioned(const char *at, size_t len);

/* Moves past a term that has been validated. */
bool term_skip(const ei_x_buff *x, int *index);
/* Finds a field of the map at `map` and moves *index to its value. Returns false if it is not a map or has no such
 * field. */
bool term_field(const ei_x_buff *x, int map, const char *name, int *index);
/* Returns a binary as text on the heap, with '?' for what a terminal would obey. Returns NULL if it is not a binary
 * or there is no memory. */
char *term_read_text(const ei_x_buff *x, int *index);

#endif
