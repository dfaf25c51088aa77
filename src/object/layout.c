/* Lays out records: the sizes that depend on options, and every field's place. */
#include "object/aggval.h"
#include "object/node_event.h"

#include <stdio.h>

enum { MAX_RECORD = 16 << 20 };

/* Process id, number of frames, frames, and the strings that go with them. */
static uint64_t
stack_size(uint64_t arg, uint32_t frames, uint32_t strbytes)
{
	uint64_t n = arg & 0xffffffff, bytes = arg >> 32;
	if (n == 0)
		n = frames;
	if (bytes == 0)
		bytes = strbytes;
	return 16 + n * 8 + ((bytes + 7) & ~(uint64_t)7);
}

static uint64_t
field_size(const struct dobj_field *f, const struct dobj_sizes *sz)
{
	switch (f->kind) {
	case DK_STRING:
		return f->arg == DOBJ_WHOSE ? NODE_EPROC : sz->strsize;
	case DK_TERM:
		return sz->strsize;
	case DK_STACK:
		return stack_size(f->arg & 0xffffffff, sz->stackframes, 0);
	case DK_USTACK:
		return stack_size(f->arg, sz->ustackframes, 0);
	case DK_JSTACK:
		return stack_size(f->arg, sz->jstackframes, sz->jstackstrsize);
	case DK_SYM:
	case DK_MOD:
		return 8;
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		return 16;
	default:
		return f->size;
	}
}

bool
dobj_layout(struct dobj *o, const struct dobj_sizes *sz, struct why *why)
{
	for (uint32_t i = 0; i < o->ngroups; i++) {
		struct dobj_group *g = &o->groups[i];
		uint64_t at = 0;
		for (uint32_t j = 0; j < g->nfields; j++) {
			struct dobj_field *f = &o->fields[g->field + j];
			uint64_t size = field_size(f, sz);
			if (size > MAX_RECORD - at) {
				why_set(why,
				    "a record of %llu bytes is over the limit of %d: use a smaller strsize, fewer stack "
				    "frames or fewer values in one clause",
				    (unsigned long long)at + size, (int)MAX_RECORD);
				return false;
			}
			f->size = (uint32_t)size;
			f->offset = (uint32_t)at;
			at = (at + size + 7) & ~(uint64_t)7;
		}
		g->recsize = (uint32_t)at;
	}
	return true;
}
