/* Unpacks tuples: see key.h for the form. */
#include "object/key.h"

#include <string.h>

static uint64_t
word(const char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

/* Returns the bytes of the element at p, including padding, or 0 if it does not fit in `room`. */
static size_t
unpack_one(const struct dobj_key *k, const char *p, size_t room, struct key_elem *e)
{
	*e = (struct key_elem){.kind = k->kind, .at = p, .len = 8};
	switch (k->kind) {
	case DK_INT:
	case DK_SYM:
	case DK_MOD:
		if (room < 8)
			return 0;
		e->num = word(p);
		return 8;
	case DK_STRING:
	case DK_TERM: {
		const char *nul = memchr(p, 0, room);
		if (!nul)
			return 0;
		e->len = (size_t)(nul - p);
		return e->len + 8 - e->len % 8;
	}
	case DK_BYTES:
		e->len = k->size;
		return ((size_t)k->size + 7) & ~(size_t)7;
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		if (room < 16)
			return 0;
		e->len = 16;
		e->pid = word(p);
		e->num = word(p + 8);
		return 16;
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK: {
		if (room < 16)
			return 0;
		uint64_t n = word(p + 8);
		if (n > (room - 16) / 8)
			return 0;
		e->pid = word(p);
		e->pcs = (const uint64_t *)(const void *)(p + 16);
		e->npcs = (unsigned)n;
		e->len = 16 + 8 * (size_t)n;
		return e->len;
	}
	default:
		return 0;
	}
}

bool
key_unpack(const struct dobj_key *keys, unsigned n, const void *bytes, size_t len, struct key_elem *elems)
{
	const char *p = bytes;
	for (unsigned i = 0; i < n; i++) {
		size_t used = unpack_one(&keys[i], p, len, &elems[i]);
		if (used == 0 || used > len)
			return false;
		p += used;
		len -= used;
	}
	return len == 0;
}
