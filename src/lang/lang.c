/* The shared state of a handle, and taking back what a failed compilation left in it. */
#include "lang/lang.h"

#include <stdlib.h>

/* Returns false if there is no memory. */
static bool
fill(struct lang *l, uint32_t strsize)
{
	jmp_buf oom;
	ar_init(&l->ar, &oom);
	if (setjmp(oom))
		return false;
	sm_init(&l->globals, &l->ar);
	sm_init(&l->selfs, &l->ar);
	sm_init(&l->locals, &l->ar);
	sm_init(&l->aggs, &l->ar);
	sm_init(&l->inlines, &l->ar);
	sm_init(&l->protos, &l->ar);
	l->types = types_new(l, &l->ar, strsize);
	l->ar.oom = NULL;
	return l->types != NULL;
}

struct lang *
lang_new(struct opts *opts)
{
	struct lang *l = calloc(1, sizeof *l);
	if (l && !fill(l, (uint32_t)opts->num[OPT_STRSIZE])) {
		lang_free(l);
		return NULL;
	}
	return l;
}

void
lang_free(struct lang *l)
{
	if (!l)
		return;
	if (l->types)
		types_close(l->types);
	ar_free(&l->ar);
	free(l);
}

static unsigned
next_var_id(const struct strmap *m, unsigned next)
{
	for (unsigned i = 0; i < m->n; i++) {
		const struct dvar *v = m->entries[i].val;
		if (v && v->has_id && v->id >= next)
			next = v->id + 1;
	}
	return next;
}

static unsigned
next_agg_id(const struct strmap *m)
{
	unsigned next = 0;
	for (unsigned i = 0; i < m->n; i++) {
		const struct dagg *a = m->entries[i].val;
		if (a && a->has_id && a->id >= next)
			next = a->id + 1;
	}
	return next;
}

struct lang_mark
lang_mark(const struct lang *l)
{
	return (struct lang_mark){
	    .types = types_mark(l->types),
	    .globals = l->globals.n,
	    .selfs = l->selfs.n,
	    .locals = l->locals.n,
	    .aggs = l->aggs.n,
	    .inlines = l->inlines.n,
	    .xlators = l->xlators.n,
	    .kernel_loaded = l->kernel_loaded,
	    .vars_ids = next_var_id(&l->locals, next_var_id(&l->selfs, next_var_id(&l->globals, 0))),
	    .aggs_ids = next_agg_id(&l->aggs),
	};
}

/* Variables of earlier programs may have got their row in the object during the compilation that is undone. */
static void
undo_vars(struct strmap *m, unsigned n, unsigned ids)
{
	sm_truncate(m, n);
	for (unsigned i = 0; i < m->n; i++) {
		struct dvar *v = m->entries[i].val;
		if (v && v->has_id && v->id >= ids)
			v->has_id = false;
	}
}

void
lang_undo(struct lang *l, struct lang_mark m)
{
	types_undo(l->types, m.types);
	undo_vars(&l->globals, m.globals, m.vars_ids);
	undo_vars(&l->selfs, m.selfs, m.vars_ids);
	undo_vars(&l->locals, m.locals, m.vars_ids);
	sm_truncate(&l->aggs, m.aggs);
	for (unsigned i = 0; i < l->aggs.n; i++) {
		struct dagg *a = l->aggs.entries[i].val;
		if (a && a->has_id && a->id >= m.aggs_ids)
			a->has_id = false;
	}
	sm_truncate(&l->inlines, m.inlines);
	l->xlators.n = m.xlators;
	l->kernel_loaded = m.kernel_loaded;
}
