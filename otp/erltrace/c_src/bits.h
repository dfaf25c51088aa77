/*
 * Binaries and bit strings, without touching them.
 *
 * The VM's own way to a binary's bytes, enif_inspect_binary, copies a binary that does not begin at a byte boundary,
 * whole and for as long as the callback runs. It also makes a binary that grows by appending be copied at the next
 * append. So sizes and bytes are read in place. The layout is internal to the VM: bits_load() makes some binaries and
 * checks whether they look as this file expects. If not, sizes are unknown, and bytes come from the VM after all.
 */
#ifndef ERLTRACE_BITS_H
#define ERLTRACE_BITS_H

#include <erl_nif.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bits {
	uint64_t nbits;
	uint32_t words;            /* of a message's heap, as the VM counts them */
	const unsigned char *base; /* the byte that the first bit is in */
	unsigned shift;            /* which bit of it, from 0 on */
};

/* Once, before all others. */
void bits_load(ErlNifEnv *env);
/* t is a bit string. Returns false if its size cannot be known. */
bool bits_of(ERL_NIF_TERM t, struct bits *b);
/* Returns the first n bytes (or as many as there are: *n), in place or in buf, which holds n. */
const unsigned char *bits_bytes(const struct bits *b, unsigned char *buf, size_t *n);

#endif
