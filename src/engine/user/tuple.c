/*
 * Tuples: packs the keys of aggregations and associative arrays into bytes as object/key.h lays them out, and hashes
 * them. Also stacks, which have the same form in keys and in records.
 */
#include "engine/user/user.h"

static bool
pack_str(struct activation *r, uint64_t addr, char *to, size_t *n)
{
	struct str s;
	if (!mem_str(r, addr, 0, &s))
		return false;
	size_t len = up8(s.len + 1);
	/* the last word comes first: it zeroes the padding before the bytes overwrite it */
	memset(to + len - 8, 0, 8);
	memcpy(to, s.at, s.len);
	*n = len;
	return true;
}

size_t
stack_pack(struct activation *r, enum dobj_kind kind, unsigned frames, uint64_t *to)
{
	unsigned n = 0;
	if (!charge(r, 128 + (uint64_t)frames * 8))
		return 0;
	if (r->f->ops && r->f->ops->stack)
		n = r->f->ops->stack(r->f, kind, to + 2, frames);
	if (n > frames)
		n = frames;
	to[0] = kind == DK_STACK ? 0 : (uint64_t)(uint32_t)r->e->pid;
	to[1] = n;
	return 16 + (size_t)n * 8;
}

bool
tuple_pack(struct activation *r, const struct key *k, unsigned n, const uint64_t *slots, char *to, size_t *len)
{
	char *at = to;
	for (const struct key *end = k + n; k < end; k++, slots++) {
		size_t bytes = 8;
		uint64_t v = *slots;
		switch (k->kind) {
		case DK_INT:
			v = key_int(k, v);
			memcpy(at, &v, 8);
			break;
		case DK_SYM:
		case DK_MOD:
			memcpy(at, &v, 8);
			break;
		case DK_STRING:
		case DK_TERM:
			if (!pack_str(r, v, at, &bytes))
				return false;
			break;
		case DK_BYTES:
			bytes = up8(k->size);
			memset(at + bytes - 8, 0, 8);
			if (!mem_get(r, v, at, k->size))
				return false;
			break;
		case DK_USYM:
		case DK_UMOD:
		case DK_UADDR: {
			uint64_t pid = (uint32_t)r->e->pid;
			memcpy(at, &pid, 8);
			memcpy(at + 8, &v, 8);
			bytes = 16;
			break;
		}
		case DK_STACK:
		case DK_USTACK:
		case DK_JSTACK:
			if (!(bytes = stack_pack(r, k->kind, k->frames, (uint64_t *)(void *)at)))
				return false;
			break;
		default:
			return fail(r, DIF_FAULT_ILLOP, 0);
		}
		at += bytes;
	}
	*len = (size_t)(at - to);
	return true;
}
