/*
 * The unit: tables that grow while programs are compiled; equal strings and integers are kept once. A failed
 * compilation is undone by cutting all tables back to their old length. The hash indexes are then rebuilt in place,
 * which cannot fail.
 */
#include "gen/gen_priv.h"

#include <stdlib.h>
#include <string.h>

#ifdef ET_TINY
enum { FIRST_ROWS = 1, FIRST_SLOTS = 2 };
#else
enum { FIRST_ROWS = 64, FIRST_SLOTS = 256 };
#endif
enum { MAX_ROWS = 1 << 25 };

static _Noreturn void
no_memory(struct cc *cc)
{
	longjmp(*cc->fail, 1);
}

static bool
grow(void **tab, uint32_t *cap, uint64_t want, size_t size)
{
	uint64_t n = *cap ? *cap : FIRST_ROWS;
	while (n < want)
		n *= 2;
	void *p = realloc(*tab, (size_t)n * size);
	if (!p)
		return false;
	*tab = p;
	*cap = (uint32_t)n;
	return true;
}

static void
reserve(struct cc *cc, void **tab, uint32_t n, uint32_t *cap, uint32_t more, size_t size)
{
	if ((uint64_t)n + more > MAX_ROWS)
		cc_error(cc, (struct pos){0}, "D_UNKNOWN", "the program is too large");
	if ((uint64_t)n + more > *cap && !grow(tab, cap, (uint64_t)n + more, size))
		no_memory(cc);
}

#define X(table, type) \
	type *unit_add_##table(struct cc *cc) \
	{ \
		struct unit *u = cc->unit; \
		void *tab = u->o.table; \
		reserve(cc, &tab, u->o.n##table, &u->cap_##table, 1, sizeof(type)); \
		u->o.table = tab; \
		return memset(&u->o.table[u->o.n##table++], 0, sizeof(type)); \
	}
UNIT_ROWS(X)
#undef X

static uint32_t
hash_bytes(const char *s, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 15;
}

static uint32_t
hash_word(uint64_t v)
{
	v *= 0x9e3779b97f4a7c15u;
	return (uint32_t)(v >> 32);
}

static uint32_t
hash_ptr(const void *p)
{
	return hash_word((uint64_t)(uintptr_t)p);
}

/* There must be room for it. */
static void
index_put(struct index *x, uint32_t hash, uint32_t row)
{
	uint32_t at = hash & (x->nslots - 1);
	while (x->slots[at])
		at = (at + 1) & (x->nslots - 1);
	x->slots[at] = row + 1;
	x->n++;
}

static void
index_clear(struct index *x)
{
	if (x->slots)
		memset(x->slots, 0, x->nslots * sizeof *x->slots);
	x->n = 0;
}

static void
reindex_strs(struct unit *u)
{
	index_clear(&u->by_str);
	for (uint32_t off = 1; off < u->o.nstrs;) {
		size_t len = strlen(u->o.strs + off);
		index_put(&u->by_str, hash_bytes(u->o.strs + off, len), off);
		off += (uint32_t)len + 1;
	}
}

static void
reindex_ints(struct unit *u)
{
	index_clear(&u->by_int);
	for (uint32_t i = 0; i < u->o.nints; i++)
		index_put(&u->by_int, hash_word((uint64_t)u->o.ints[i]), i);
}

static void
reindex_types(struct unit *u)
{
	index_clear(&u->by_type);
	for (uint32_t i = 0; i < u->o.ntypes; i++)
		index_put(&u->by_type, hash_ptr(u->type_of[i]), i);
}

/* Makes room for one more, at most half full. */
static void
index_room(struct cc *cc, struct index *x, void (*reindex)(struct unit *))
{
	if (x->slots && (x->n + 1) * 2 <= x->nslots)
		return;
	uint32_t n = x->slots ? x->nslots * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(n, sizeof *slots);
	if (!slots)
		no_memory(cc);
	free(x->slots);
	x->slots = slots;
	x->nslots = n;
	reindex(cc->unit);
}

uint32_t
unit_str(struct cc *cc, const char *s)
{
	struct unit *u = cc->unit;
	if (!s || !*s)
		return 0;
	size_t len = strlen(s);
	uint32_t hash = hash_bytes(s, len);
	index_room(cc, &u->by_str, reindex_strs);
	for (uint32_t at = hash & (u->by_str.nslots - 1); u->by_str.slots[at]; at = (at + 1) & (u->by_str.nslots - 1)) {
		uint32_t off = u->by_str.slots[at] - 1;
		if (strcmp(u->o.strs + off, s) == 0)
			return off;
	}
	if (len >= MAX_ROWS)
		cc_error(cc, (struct pos){0}, "D_UNKNOWN", "the program is too large");
	void *tab = u->o.strs;
	reserve(cc, &tab, u->o.nstrs, &u->cap_strs, (uint32_t)len + 1, 1);
	u->o.strs = tab;
	uint32_t off = u->o.nstrs;
	memcpy(u->o.strs + off, s, len + 1);
	u->o.nstrs += (uint32_t)len + 1;
	index_put(&u->by_str, hash, off);
	return off;
}

uint32_t
unit_int(struct cc *cc, int64_t v)
{
	struct unit *u = cc->unit;
	uint32_t hash = hash_word((uint64_t)v);
	index_room(cc, &u->by_int, reindex_ints);
	for (uint32_t at = hash & (u->by_int.nslots - 1); u->by_int.slots[at]; at = (at + 1) & (u->by_int.nslots - 1)) {
		uint32_t i = u->by_int.slots[at] - 1;
		if (u->o.ints[i] == v)
			return i;
	}
	*unit_add_ints(cc) = v;
	index_put(&u->by_int, hash, u->o.nints - 1);
	return u->o.nints - 1;
}

bool
unit_find_type(struct unit *u, const struct type *t, uint32_t *row)
{
	if (!u->by_type.slots)
		return false;
	uint32_t mask = u->by_type.nslots - 1;
	for (uint32_t at = hash_ptr(t) & mask; u->by_type.slots[at]; at = (at + 1) & mask) {
		*row = u->by_type.slots[at] - 1;
		if (u->type_of[*row] == t)
			return true;
	}
	return false;
}

/* Owners are remembered before the row is added, so that a failure between the two leaves no row without an owner. */
void
unit_own_var(struct cc *cc, struct dvar *v)
{
	struct unit *u = cc->unit;
	void *tab = u->var_of;
	reserve(cc, &tab, u->o.nvars, &u->cap_var_of, 1, sizeof *u->var_of);
	u->var_of = tab;
	u->var_of[u->o.nvars] = v;
}

void
unit_own_agg(struct cc *cc, struct dagg *a)
{
	struct unit *u = cc->unit;
	void *tab = u->agg_of;
	reserve(cc, &tab, u->o.naggs, &u->cap_agg_of, 1, sizeof *u->agg_of);
	u->agg_of = tab;
	u->agg_of[u->o.naggs] = a;
}

struct dobj_type *
unit_own_type(struct cc *cc, struct type *t)
{
	struct unit *u = cc->unit;
	index_room(cc, &u->by_type, reindex_types);
	void *tab = u->type_of;
	reserve(cc, &tab, u->o.ntypes, &u->cap_type_of, 1, sizeof *u->type_of);
	u->type_of = tab;
	u->type_of[u->o.ntypes] = t;
	struct dobj_type *row = unit_add_types(cc);
	index_put(&u->by_type, hash_ptr(t), u->o.ntypes - 1);
	return row;
}

struct unit *
unit_new(void)
{
	struct unit *u = calloc(1, sizeof *u);
	if (!u)
		return NULL;
	void *tab = NULL;
	if (!grow(&tab, &u->cap_strs, 1, 1)) {
		free(u);
		return NULL;
	}
	u->o.strs = tab;
	u->o.strs[0] = 0;
	u->o.nstrs = 1;
	return u;
}

void
unit_free(struct unit *u)
{
	if (!u)
		return;
	dobj_free(&u->o);
	free(u->by_str.slots);
	free(u->by_int.slots);
	free(u->by_type.slots);
	free(u->var_of);
	free(u->agg_of);
	free(u->type_of);
	free(u);
}

struct unit_mark
unit_mark(const struct unit *u)
{
	struct unit_mark m = {{0}};
	unsigned i = 0;
#define X(table, type) m.n[i++] = u->o.n##table;
	UNIT_TABLES(X)
#undef X
	return m;
}

void
unit_undo(struct unit *u, const struct unit_mark *m)
{
	unsigned i = 0;
#define X(table, type) u->o.n##table = m->n[i++];
	UNIT_TABLES(X)
#undef X
	reindex_strs(u);
	reindex_ints(u);
	reindex_types(u);
}

void
gen_option(struct cc *cc, const char *name, const char *value)
{
	uint32_t n = unit_str(cc, name), v = value ? unit_str(cc, value) : DOBJ_NONE;
	*unit_add_opts(cc) = (struct dobj_opt){n, v};
}

void
gen_alert(struct cc *cc, const struct alert_decl *d)
{
	struct dobj_cond row = d->row;
	row.agg = d->agg->id;
	row.unit = unit_str(cc, d->unit_name);
	row.fmt = d->fmt ? unit_str(cc, d->fmt->u.str.at) : DOBJ_NONE;
	row.text = unit_str(cc, d->text);
	row.file = unit_str(cc, d->pos.file);
	row.line = d->pos.line;
	*unit_add_conds(cc) = row;
}

unsigned
unit_nclauses(const struct unit *u)
{
	return u->o.nclauses;
}

static bool
copy_table(void **to, const void *from, size_t bytes)
{
	*to = malloc(bytes ? bytes : 1); /* not NULL when empty, so that pointing at row 0 is not an error */
	if (*to && bytes)
		memcpy(*to, from, bytes);
	return *to != NULL;
}

bool
unit_object(const struct unit *u, struct dobj *o)
{
	*o = (struct dobj){0};
	bool ok = true;
#define X(table, type) \
	if (ok) { \
		void *tab = NULL; \
		ok = copy_table(&tab, u->o.table, u->o.n##table * sizeof(type)); \
		o->table = tab; \
		o->n##table = ok ? u->o.n##table : 0; \
	}
	UNIT_TABLES(X)
#undef X
	if (!ok)
		dobj_free(o);
	return ok;
}
