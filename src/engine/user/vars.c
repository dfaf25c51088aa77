/* Resolves the variables and keys of the object: where each lives, and how large it is with the engine's sizes. */
#include "engine/user/user.h"

#include <stdio.h>

/* Bytes of strings, arrays and structures. Clause-locals are cleared at each firing, so their size costs time. */
#define MAX_GLOBALS (256u << 20)
#define MAX_LOCALS (4u << 20)
#define MAX_VARS (1u << 16)

unsigned
stack_frames(const struct dobj_sizes *s, enum dobj_kind kind, uint64_t arg)
{
	uint32_t n = (uint32_t)(arg & 0xffffffff);
	if (!n)
		n = kind == DK_STACK ? s->stackframes : kind == DK_USTACK ? s->ustackframes : s->jstackframes;
	return n < MAX_FRAMES ? n : MAX_FRAMES;
}

static void
layout_key(struct user_engine *e, const struct dobj_key *d, struct key *k)
{
	*k = (struct key){.kind = d->kind, .is_signed = d->is_signed, .size = d->size, .max = 8};
	switch (d->kind) {
	case DK_INT:
		k->shift = (uint8_t)(64 - 8 * (d->size >= 1 && d->size <= 8 ? d->size : 8));
		break;
	case DK_STRING:
	case DK_TERM:
		k->max = (uint32_t)up8(e->strsize);
		break;
	case DK_BYTES:
		k->max = (uint32_t)up8(d->size);
		break;
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		k->max = 16;
		break;
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		k->frames = stack_frames(&e->conf.sizes, d->kind, d->arg);
		k->max = 16 + k->frames * 8;
		break;
	default:
		break;
	}
}

size_t
key_max(const struct user_engine *e, uint32_t key, uint32_t nkeys)
{
	size_t n = 0;
	for (uint32_t i = 0; i < nkeys; i++)
		n += e->keys[key + i].max;
	return n;
}

bool
vars_layout(struct user_engine *e, struct why *why)
{
	const struct dobj *o = e->o;
	uint64_t gsize = 0, lsize = 0;
	uint32_t nglobals = 0;
	if (o->nvars > MAX_VARS) {
		why_set(why, "more than %u variables", MAX_VARS);
		return false;
	}
	if (!(e->vars = eng_alloc(e, (o->nvars + 1) * sizeof *e->vars)) ||
	    !(e->keys = eng_alloc(e, (o->nkeys + 1) * sizeof *e->keys))) {
		why_set(why, "out of memory");
		return false;
	}
	for (uint32_t i = 0; i < o->nkeys; i++)
		layout_key(e, &o->keys[i], &e->keys[i]);
	for (uint32_t i = 0; i < o->nvars; i++) {
		const struct dobj_var *d = &o->vars[i];
		struct var *v = &e->vars[i];
		*v = (struct var){.scope = d->scope,
		    .kind = d->kind,
		    .assoc = d->assoc,
		    .id = i,
		    .key = d->key,
		    .nkeys = d->assoc ? d->nkeys : 0};
		v->nbytes = d->kind == DK_STRING ? e->strsize : d->size;
		v->size = d->kind == DK_INT ? 8 : (uint32_t)up8(v->nbytes);
		if (d->kind == DK_INT && d->scope == DS_THREAD && !v->nkeys)
			v->quick = QUICK_THREAD;
		else if (d->kind == DK_INT && d->scope != DS_THREAD && v->nkeys == 1 && e->keys[v->key].kind == DK_INT)
			v->quick = QUICK_ARRAY;
		if (d->assoc || d->scope == DS_THREAD)
			continue;
		uint64_t *region = d->scope == DS_GLOBAL ? &gsize : &lsize;
		if (d->kind == DK_INT) {
			v->off = d->scope == DS_GLOBAL ? nglobals++ : e->nlscalars++;
		} else if (*region + v->size > (d->scope == DS_GLOBAL ? MAX_GLOBALS : MAX_LOCALS)) {
			why_set(why, "%s variables need more than %u MiB",
			    d->scope == DS_GLOBAL ? "global" : "clause-local",
			    (d->scope == DS_GLOBAL ? MAX_GLOBALS : MAX_LOCALS) >> 20);
			return false;
		} else {
			v->off = (uint32_t)*region;
			*region += v->size;
		}
	}
	e->gsize = (size_t)gsize;
	e->lsize = (size_t)lsize;
	e->ngscalars = nglobals;
	return true;
}
