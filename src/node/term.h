/*
 * Terms that come from a node, before anything decodes them.
 *
 * ei believes the lengths that it reads. So everything received is walked over first: each length is checked against
 * the bytes that are there, nesting has a bound, and what ei might take in another way than we do is refused. Behind
 * the bytes there must be TERM_PAD zeros: no term begins with 0, so a decoder that asks for more than there is fails.
 *
 * After that every place that ei's decoders reach from the front is the beginning of a term, or the padding.
 */
#ifndef ET_NODE_TERM_H
#define ET_NODE_TERM_H

#include <ei.h>

#include <stdbool.h>
#include <stddef.h>

enum { TERM_PAD = 16, TERM_DEPTH = 256 };

/* The bytes of the term at the front of `len` bytes, without a version byte; 0: it is not whole, or refused. */
size_t term_len(const char *at, size_t len);
/* The same for a version byte and a term, both counted. */
size_t term_len_versioned(const char *at, size_t len);

/* Reads past a term that has been walked over. */
bool term_skip(const ei_x_buff *x, int *index);
/* Finds a field of the map at `map`: *index then stands on its value. False: it is no map, or has no such field. */
bool term_field(const ei_x_buff *x, int map, const char *name, int *index);
/* A binary as text on the heap, with '?' for what a terminal would obey; NULL: it is no binary, or there is no memory.
 */
char *term_read_text(const ei_x_buff *x, int *index);

#endif
