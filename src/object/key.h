/*
 * Packed tuples: how keys of aggregations and associative arrays are laid out
 * in bytes. Elements follow each other, each a multiple of 8 bytes, in order:
 *   DK_INT                  the number, sign- or zero-extended to 64 bits
 *   DK_STRING, DK_TERM      the bytes, a NUL, zeroes up to a multiple of 8
 *   DK_BYTES                `size` bytes, zeroes up to a multiple of 8
 *   DK_SYM, DK_MOD          the address
 *   DK_USYM, DK_UMOD, DK_UADDR  process id, address
 *   DK_STACK, DK_USTACK, DK_JSTACK  process id, number of frames n, n addresses
 * Equal tuples have equal bytes. All in the byte order of the machine. Stacks in records have the same form, padded to
 * the field's size; user symbols too.
 */
#ifndef ET_OBJECT_KEY_H
#define ET_OBJECT_KEY_H

#include "object/dobj.h"

struct key_elem {
	uint8_t kind;
	const void *at; /* DK_INT: 8 bytes; strings: NUL-terminated; … as above */
	size_t len;     /* bytes without padding; strings: without the NUL */
	uint64_t num;   /* DK_INT, DK_SYM, DK_MOD: the number; user symbols: the address */
	uint64_t pid;   /* user symbols and stacks */
	const uint64_t *pcs;
	unsigned npcs;
};

/* Unpacks n elements. Returns false if the bytes do not fit the description. */
bool key_unpack(const struct dobj_key *keys, unsigned n, const void *bytes, size_t len, struct key_elem *elems);

#endif
