/*
 * Sorts aggregations as DTrace does: by aggregation, then by value with the key as tie-breaker, or by key.
 * Distributions compare by the sum of their buckets' values times counts, then by their count at zero.
 *
 * What is compared most (the value, the beginning of the key) is computed once and kept beside the pointer, so that
 * sorting a million elements hardly touches the elements.
 */
#include "consume/aggset.h"

#include "object/aggval.h"
#include "object/key.h"

#include <stdlib.h>
#include <string.h>

struct sort_item {
	struct aggent *e;
	uint64_t value;  /* orders like the value; for distributions only approximately */
	uint64_t prefix; /* orders like the beginning of the key's first element */
};

struct ctx {
	const struct aggset *t;
	const struct aggorder *order;
};

static int
cmp_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
cmp_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* The sum of a distribution's values, each bucket standing for one of its ends. */
static long double
weigh(const struct dobj_agg *a, const uint64_t *words, int64_t *zero)
{
	uint32_t n = aggval_nbuckets(a);
	bool is_open = aggfn_is(a->fn, AT_OPEN);
	long double sum = 0;
	*zero = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t count = (int64_t)words[1 + i];
		if (count == 0)
			continue;
		struct aggval_range r = aggval_bucket(a, i);
		long double at = (long double)r.lo;
		if (is_open ? i == 0 : i < AGGVAL_QZERO)
			at = (long double)r.hi;
		else if (is_open && i == n - 1)
			at = (long double)r.lo + 1;
		if (r.lo == 0 || (is_open && at == 0))
			*zero = count;
		sum += at * (long double)count;
	}
	return sum;
}

static int
cmp_elem(const struct dobj_key *k, const struct key_elem *a, const struct key_elem *b)
{
	int c;
	switch (k->kind) {
	case DK_INT:
		/* As unsigned numbers, whatever the type: DTrace's order. */
		return cmp_u64(a->num, b->num);
	case DK_STRING:
	case DK_TERM:
		return strcmp(a->at, b->at);
	case DK_BYTES:
		return memcmp(a->at, b->at, a->len);
	case DK_STACK:
	case DK_USTACK:
	case DK_JSTACK:
		c = cmp_u64(a->pid, b->pid);
		for (unsigned i = 0; c == 0 && i < a->npcs && i < b->npcs; i++)
			c = cmp_u64(a->pcs[i], b->pcs[i]);
		return c ? c : cmp_u64(a->npcs, b->npcs);
	default:
		c = cmp_u64(a->pid, b->pid);
		return c ? c : cmp_u64(a->num, b->num);
	}
}

/* Keys of two aggregations that are not of the same kind compare by their bytes. */
static int
cmp_keys(const struct aggset *t, const struct aggent *x, const struct aggent *y, unsigned keypos)
{
	const struct dobj_agg *a = &t->o->aggs[x->agg], *b = &t->o->aggs[y->agg];
	const struct dobj_key *keys = t->o->keys + a->key;
	struct key_elem ex[DOBJ_MAXKEYS], ey[DOBJ_MAXKEYS];
	unsigned n = a->nkeys;
	bool alike = n == b->nkeys && n <= DOBJ_MAXKEYS;
	for (unsigned i = 0; alike && x->agg != y->agg && i < n; i++)
		alike = keys[i].kind == t->o->keys[b->key + i].kind && keys[i].size == t->o->keys[b->key + i].size;
	if (!alike || !key_unpack(keys, n, aggent_key(t, x), x->keylen, ex) ||
	    !key_unpack(keys, n, aggent_key(t, y), y->keylen, ey)) {
		size_t len = x->keylen < y->keylen ? x->keylen : y->keylen;
		int c = len ? memcmp(aggent_key(t, x), aggent_key(t, y), len) : 0;
		return c ? c : cmp_u64(x->keylen, y->keylen);
	}
	if (keypos >= n)
		keypos = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned at = (i + keypos) % n;
		int c = cmp_elem(&keys[at], &ex[at], &ey[at]);
		if (c)
			return c;
	}
	return 0;
}

/* Numbers as unsigned ones that order alike. */
static uint64_t
order_i64(int64_t v)
{
	return (uint64_t)v ^ (uint64_t)1 << 63;
}

static uint64_t
order_double(double d)
{
	uint64_t u;
	memcpy(&u, &d, sizeof u);
	return u >> 63 ? ~u : u | (uint64_t)1 << 63;
}

/* Distributions whose weights are nearly the same. */
static int
cmp_dist(const struct dobj_agg *a, const struct aggent *x, const struct aggent *y)
{
	int64_t zx = 0, zy = 0;
	long double wx = x ? weigh(a, x->words, &zx) : 0, wy = y ? weigh(a, y->words, &zy) : 0;
	if (wx < wy || wx > wy)
		return wx < wy ? -1 : 1;
	return cmp_i64(zx, zy);
}

static int
cmp_value(const struct aggset *t, const struct sort_item *x, const struct sort_item *y)
{
	if (x->e->agg != y->e->agg && t->o->aggs[x->e->agg].fn != t->o->aggs[y->e->agg].fn)
		return cmp_u64(t->o->aggs[x->e->agg].fn, t->o->aggs[y->e->agg].fn);
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	const struct dobj_agg *a = &t->o->aggs[x->e->agg];
	return aggfn_is(a->fn, AT_DIST) ? cmp_dist(a, x->e, y->e) : 0;
}

static int
cmp_key(const struct ctx *c, const struct sort_item *x, const struct sort_item *y)
{
	if (x->prefix != y->prefix && x->e->agg == y->e->agg)
		return x->prefix < y->prefix ? -1 : 1;
	return cmp_keys(c->t, x->e, y->e, c->order->keypos);
}

static int
cmp_items(const struct ctx *c, const struct sort_item *x, const struct sort_item *y)
{
	int r = c->order->across ? 0 : cmp_u64(x->e->agg, y->e->agg);
	if (r == 0 && c->order->by == BY_VALUE)
		r = cmp_value(c->t, x, y);
	if (r == 0)
		r = cmp_key(c, x, y);
	if (r == 0)
		r = cmp_u64(x->e->agg, y->e->agg);
	return c->order->reverse ? -r : r;
}

/* Returns 0 if 8 bytes cannot tell the key's order. */
static uint64_t
key_prefix(const struct aggset *t, const struct aggent *e, unsigned keypos)
{
	const struct dobj_agg *a = &t->o->aggs[e->agg];
	if (a->nkeys == 0 || e->keylen < 8 || (keypos > 0 && keypos < a->nkeys))
		return 0;
	const struct dobj_key *k = t->o->keys + a->key;
	const char *key = aggent_key(t, e);
	uint64_t v = 0;
	if (k->kind == DK_STRING) {
		for (unsigned i = 0; i < 8 && key[i]; i++)
			v |= (uint64_t)(unsigned char)key[i] << (56 - 8 * i);
		return v;
	}
	if (k->kind != DK_INT)
		return 0;
	memcpy(&v, key, 8);
	return v;
}

static struct sort_item
make_item(const struct aggset *t, struct aggent *e, const struct aggorder *order)
{
	const struct dobj_agg *a = &t->o->aggs[e->agg];
	struct sort_item it = {.e = e, .prefix = key_prefix(t, e, order->keypos)};
	if (order->by != BY_VALUE)
		return it;
	int64_t zero;
	if (aggfn_is(a->fn, AT_DIST))
		it.value = order_double((double)weigh(a, e->words, &zero));
	else
		it.value = order_i64(aggval_shown(a, e->words, 1));
	return it;
}

/* Merge sort, from runs of one: faster here than qsort_r(), whose comparison cannot be inlined. */
static void
sort_items(const struct ctx *c, struct sort_item *items, struct sort_item *spare, size_t n)
{
	struct sort_item *from = items, *to = spare;
	for (size_t run = 1; run < n; run *= 2) {
		for (size_t at = 0; at < n; at += 2 * run) {
			size_t i = at, mid = at + run < n ? at + run : n, j = mid, end = mid + run < n ? mid + run : n;
			for (size_t k = at; k < end; k++)
				to[k] = j >= end || (i < mid && cmp_items(c, &from[i], &from[j]) <= 0) ? from[i++]
												       : from[j++];
		}
		struct sort_item *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof *items);
}

static bool
selected(const struct aggset *t, const struct aggent *e, int which)
{
	if (which == AGG_ALL)
		return true;
	if (which == AGG_UNPRINTED)
		return !t->printed[e->agg];
	return e->agg == (uint32_t)which;
}

bool
aggset_sorted(const struct aggset *t, int which, const struct aggorder *order, struct aggent ***out, size_t *n)
{
	size_t count = 0;
	for (size_t i = 0; i < t->n; i++)
		count += selected(t, t->all[i], which);
	*out = malloc((count + 1) * sizeof **out);
	struct sort_item *items = malloc((2 * count + 1) * sizeof *items);
	*n = 0;
	if (!*out || !items) {
		free(*out);
		free(items);
		*out = NULL;
		return false;
	}
	for (size_t i = 0; i < t->n; i++)
		if (selected(t, t->all[i], which))
			items[(*n)++] = make_item(t, t->all[i], order);
	if (order->by != BY_NONE)
		sort_items(&(struct ctx){t, order}, items, items + count, *n);
	for (size_t i = 0; i < *n; i++)
		(*out)[i] = items[i].e;
	free(items);
	return true;
}

struct joinctx {
	const struct aggset *t;
	const struct aggorder *order;
	const uint32_t *aggs;
	unsigned naggs, sortpos;
};

/* An aggregation without the key counts as empty. */
static int
cmp_maybe(const struct dobj_agg *a, const struct aggent *x, const struct aggent *y)
{
	if (aggfn_is(a->fn, AT_DIST))
		return cmp_dist(a, x, y);
	return cmp_i64(x ? aggval_shown(a, x->words, 1) : 0, y ? aggval_shown(a, y->words, 1) : 0);
}

static int
cmp_joins(const void *a, const void *b, void *arg)
{
	const struct aggjoin *x = a, *y = b;
	const struct joinctx *c = arg;
	int r = 0;
	for (unsigned i = 0; r == 0 && c->order->by == BY_VALUE && i < c->naggs; i++) {
		unsigned at = (i + c->sortpos) % c->naggs;
		r = cmp_maybe(&c->t->o->aggs[c->aggs[at]], x->ent[at], y->ent[at]);
	}
	if (r == 0)
		r = cmp_keys(c->t, x->rep, y->rep, c->order->keypos);
	return c->order->reverse ? -r : r;
}

static struct aggent *
find_like(const struct aggset *t, uint32_t agg, const struct aggent *e)
{
	return aggset_find(t, agg, aggent_key(t, e), e->keylen, e->hash);
}

/* Whether e is the first of the listed aggregations to have its key. */
static bool
is_rep(const struct aggset *t, const uint32_t *aggs, unsigned naggs, const struct aggent *e)
{
	for (unsigned i = 0; i < naggs; i++) {
		if (aggs[i] == e->agg)
			return true;
		if (find_like(t, aggs[i], e))
			return false;
	}
	return false;
}

void
aggjoin_free(struct aggjoin *j, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(j[i].ent);
	free(j);
}

bool
aggset_joined(const struct aggset *t, const uint32_t *aggs, unsigned naggs, unsigned sortpos,
    const struct aggorder *order, struct aggjoin **out, size_t *n)
{
	struct aggjoin *rows = NULL;
	size_t cap = 0;
	*n = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct aggent *e = t->all[i];
		if (!is_rep(t, aggs, naggs, e))
			continue;
		if (*n == cap) {
			cap = cap ? cap * 2 : 16;
			struct aggjoin *more = realloc(rows, cap * sizeof *rows);
			if (!more)
				goto fail;
			rows = more;
		}
		struct aggent **ent = calloc(naggs, sizeof *ent);
		if (!ent)
			goto fail;
		rows[(*n)++] = (struct aggjoin){e, ent};
		for (unsigned k = 0; k < naggs; k++)
			ent[k] = find_like(t, aggs[k], e);
	}
	struct joinctx ctx = {t, order, aggs, naggs, sortpos < naggs ? sortpos : 0};
	if (*n > 1 && order->by != BY_NONE)
		qsort_r(rows, *n, sizeof *rows, cmp_joins, &ctx);
	*out = rows;
	return true;
fail:
	aggjoin_free(rows, *n);
	*n = 0;
	*out = NULL;
	return false;
}
