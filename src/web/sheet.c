/* Copies what a handle has aggregated, so that the handle can go on, and merges several copies. */
#include "web/web.h"

#include "object/aggval.h"
#include "consume/aggset.h"
#include "show/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* JavaScript's numbers are exact up to this. */
static const int64_t EXACT = (int64_t)1 << 53;

/* Adds the text of a value as a string. */
static void
add_text(struct sbuf *b, struct et *h, const struct et_value *v)
{
	char *text = et_value_text(h, v);
	size_t n = text ? strlen(text) : 0;
	b->failed |= !text;
	web_text(b, text ? text : "", n < RUN_KEY ? n : RUN_KEY);
	free(text);
}

static void
add_integer(struct sbuf *b, struct et *h, const struct et_value *v)
{
	char *text = et_value_text(h, v);
	bool is_exact = v->num <= EXACT && v->num >= (v->is_signed ? -EXACT : 0);
	b->failed |= !text;
	sb_printf(b, is_exact ? "%s" : "\"%s\"", text ? text : "");
	free(text);
}

static void
add_stack(struct sbuf *b, struct et *h, const struct et_value *v)
{
	const char *sep = "";
	sb_adds(b, "{\"stack\":[");
	for (unsigned i = 0; i < v->npcs && v->pcs[i]; i++, sep = ",") {
		struct et_value frame = {.kind = ET_K_SYMBOL, .pid = v->pid, .num = (int64_t)v->pcs[i]};
		sb_adds(b, sep);
		add_text(b, h, &frame);
	}
	sb_adds(b, "]}");
}

/* Adds a key as JSON. Integers that JavaScript cannot hold become text. */
void
web_key(struct sbuf *b, struct et *h, const struct et_value *v)
{
	switch (v->kind) {
	case ET_K_INT:
		add_integer(b, h, v);
		return;
	case ET_K_STRING:
		web_text(b, v->data, v->len < RUN_KEY ? v->len : RUN_KEY);
		return;
	case ET_K_BYTES:
		sb_adds(b, "{\"bytes\":\"");
		text_hex(b, v->data, v->len < RUN_KEY / 2 ? v->len : RUN_KEY / 2);
		sb_adds(b, "\"}");
		return;
	case ET_K_STACK:
		add_stack(b, h, v);
		return;
	case ET_K_SYMBOL:
		add_text(b, h, v);
		return;
	}
}

/* NULL is allowed. */
static void
bounds_drop(struct bounds *b)
{
	if (b && atomic_fetch_sub(&b->refs, 1) == 1)
		free(b);
}

void
sheet_free(struct sheet *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nkinds; i++) {
		free(s->kinds[i].name);
		bounds_drop(s->kinds[i].bounds);
	}
	free(s->kinds);
	free(s->items);
	free(s->buckets);
	sb_free(&s->text);
	charge_end(&s->charge);
	free(s);
}

const struct aggkind *
sheet_kind(const struct sheet *s, unsigned id)
{
	for (unsigned i = 0; i < s->nkinds; i++)
		if (s->kinds[i].id == id)
			return &s->kinds[i];
	return NULL;
}

static void
add_bound(struct sbuf *b, int64_t v, char after)
{
	if (v == INT64_MIN || v == INT64_MAX)
		sb_printf(b, "null%c", after);
	else
		sb_printf(b, "%" PRId64 "%c", v, after);
}

void
bounds_free(struct bounds_kept *k)
{
	for (unsigned i = 0; i < k->n; i++)
		bounds_drop(k->at[i]);
	free(k->at);
	*k = (struct bounds_kept){0};
}

static struct bounds *
bounds_ref(struct bounds *b)
{
	if (b)
		atomic_fetch_add(&b->refs, 1);
	return b;
}

static struct bounds *
bounds_new(const struct et_aggdata *a)
{
	struct sbuf b = {0};
	sb_addc(&b, '[');
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t low, high;
		et_agg_bucket(a, i, &low, &high);
		sb_adds(&b, i ? ",[" : "[");
		add_bound(&b, low, ',');
		add_bound(&b, high, ']');
	}
	sb_addc(&b, ']');
	struct bounds *to = b.failed ? NULL : malloc(sizeof *to + b.len + 1);
	if (to) {
		atomic_init(&to->refs, 1);
		to->len = b.len;
		memcpy(to->text, b.at, b.len);
		to->text[b.len] = '\0';
	}
	sb_free(&b);
	return to;
}

/* Returns another reference to the bounds of an aggregation, which are made when first asked for. Returns NULL if
 * there is no memory. */
static struct bounds *
bounds_of(struct bounds_kept *k, const struct et_aggdata *a)
{
	if (a->id >= k->n) {
		unsigned n = a->id + 1;
		struct bounds **more = realloc(k->at, n * sizeof *more);
		if (!more)
			return NULL;
		memset(more + k->n, 0, (n - k->n) * sizeof *more);
		k->at = more;
		k->n = n;
	}
	if (!k->at[a->id])
		k->at[a->id] = bounds_new(a);
	return bounds_ref(k->at[a->id]);
}

/* Takes ownership of name and bounds. */
static bool
add_kind(struct sheet *s, unsigned id, enum et_aggfn fn, char *name, struct bounds *bounds, bool has_bounds)
{
	struct aggkind *more = realloc(s->kinds, (s->nkinds + 1) * sizeof *more);
	if (more)
		s->kinds = more;
	if (!more || !name || (has_bounds && !bounds)) {
		free(name);
		bounds_drop(bounds);
		return false;
	}
	s->kinds[s->nkinds++] = (struct aggkind){id, name, bounds, fn};
	s->bounds += bounds ? bounds->len : 0;
	return true;
}

/* Returns the bytes of it, doubled while it grows. */
static size_t
size_of(const struct sheet *s)
{
	return s->bounds + 2 * (s->text.len + s->n * sizeof *s->items + s->nbuckets * sizeof *s->buckets);
}

/* Returns whether it is full: its frame would be too long, or there is no memory. The next element may have bounds
 * of `bounds` bytes. */
static bool
is_full(struct sheet *s, size_t bounds)
{
	return s->n >= RUN_ELEMS || s->text.len + s->bounds + bounds + s->nbuckets * 12 > RUN_FRAME ||
	       !charge_to(&s->charge, size_of(s) + bounds + RUN_KEY);
}

static struct item *
add_item(struct sheet *s)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : RUN_TABLE;
		struct item *more = realloc(s->items, cap * sizeof *more);
		if (!more)
			return NULL;
		s->items = more;
		s->cap = cap;
	}
	s->items[s->n] = (struct item){.key = s->text.len, .bucket = s->nbuckets};
	return &s->items[s->n++];
}

static bool
add_bucket(struct sheet *s, unsigned at, int64_t n)
{
	if (s->nbuckets == s->capbuckets) {
		size_t cap = s->capbuckets ? 2 * s->capbuckets : RUN_TABLE;
		struct bucket *more = realloc(s->buckets, cap * sizeof *more);
		if (!more)
			return false;
		s->buckets = more;
		s->capbuckets = cap;
	}
	s->buckets[s->nbuckets++] = (struct bucket){at, n};
	return true;
}

static bool
take_element(struct sheet *s, const struct et_aggdata *a)
{
	if ((!s->nkinds || s->kinds[s->nkinds - 1].id != a->id) &&
	    !add_kind(s, a->id, a->fn, strdup(a->name), a->nbuckets ? bounds_of(s->kept, a) : NULL, a->nbuckets))
		return false;
	struct item *it = add_item(s);
	if (!it)
		return false;
	for (unsigned i = 0; i < a->nkeys; i++) {
		if (i)
			sb_addc(&s->text, ',');
		web_key(&s->text, a->h, &a->keys[i]);
	}
	it->agg = a->id;
	it->keylen = s->text.len - it->key;
	it->count = a->count;
	it->value = a->value;
	it->raw = a->raw;
	it->normal = a->normal;
	if (!a->nbuckets) {
		const struct aggent *e = a->priv;
		memcpy(it->words, e->words, aggfns[a->fn].words * sizeof *it->words);
	}
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t n = et_agg_bucket(a, i, NULL, NULL);
		if (n && !add_bucket(s, i, n))
			return false;
	}
	it->nbuckets = (unsigned)(s->nbuckets - it->bucket);
	return !s->text.failed;
}

static enum et_aggwalk
on_element(struct et_aggdata *a, void *arg)
{
	struct sheet *s = arg;
	s->counted += a->count;
	bool is_new = a->nbuckets && (!s->nkinds || s->kinds[s->nkinds - 1].id != a->id);
	if (is_full(s, is_new ? (size_t)a->nbuckets * 24 : 0)) {
		s->omitted++;
		return ET_AGGWALK_NEXT;
	}
	s->failed |= !take_element(s, a);
	return s->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
}

struct sheet *
sheet_take(struct et *h, struct memory_budget *b, struct bounds_kept *kept)
{
	struct sheet *s = calloc(1, sizeof *s);
	if (s) {
		s->charge.b = budget_ref(b);
		s->kept = kept;
	}
	if (s && et_aggregate_walk(h, ET_AGGSORT_KEY, on_element, s) == 0 && !s->failed) {
		charge_settle(&s->charge, size_of(s));
		return s;
	}
	sheet_free(s);
	return NULL;
}

/* -- several as one -- */

struct keyed {
	const struct sheet *s;
	const struct item *it;
};

static int
by_key(const void *x, const void *y)
{
	const struct keyed *a = x, *b = y;
	if (a->it->agg != b->it->agg)
		return a->it->agg < b->it->agg ? -1 : 1;
	size_t n = a->it->keylen < b->it->keylen ? a->it->keylen : b->it->keylen;
	int c = n ? memcmp(a->s->text.at + a->it->key, b->s->text.at + b->it->key, n) : 0;
	return c ? c : a->it->keylen < b->it->keylen ? -1 : a->it->keylen > b->it->keylen;
}

_Static_assert(sizeof((struct item *)0)->words >= AGGVAL_FIXEDWORDS * sizeof(uint64_t), "room for every value");

/* Merges places[0 … n), which have the same key. */
static bool
merge_keyed(struct sheet *to, const struct keyed *places, size_t n, enum et_aggfn fn)
{
	const struct item *first = places->it;
	const struct dobj_agg desc = {.fn = (uint32_t)fn};
	struct item *it = add_item(to);
	size_t at[RUN_LEGS] = {0};
	if (!it)
		return false;
	if (first->keylen)
		sb_add(&to->text, places->s->text.at + first->key, first->keylen);
	it->agg = first->agg;
	it->keylen = first->keylen;
	it->normal = first->normal;
	bool is_dist = aggfn_is((uint32_t)fn, AT_DIST);
	for (size_t i = 0; i < n; i++) {
		it->count += places[i].it->count;
		it->value += is_dist ? places[i].it->value : 0;
		it->raw += is_dist ? places[i].it->raw : 0;
		if (!is_dist)
			aggval_merge(&desc, it->words, places[i].it->words);
	}
	if (!is_dist) {
		it->raw = aggval_shown(&desc, it->words, 1);
		it->value = aggval_shown(&desc, it->words, it->normal);
	}
	for (;;) {
		/* the lowest bucket that is left */
		uint32_t low = UINT32_MAX;
		int64_t sum = 0;
		for (size_t i = 0; i < n; i++)
			if (at[i] < places[i].it->nbuckets &&
			    places[i].s->buckets[places[i].it->bucket + at[i]].at < low)
				low = places[i].s->buckets[places[i].it->bucket + at[i]].at;
		if (low == UINT32_MAX)
			break;
		for (size_t i = 0; i < n; i++)
			if (at[i] < places[i].it->nbuckets &&
			    places[i].s->buckets[places[i].it->bucket + at[i]].at == low)
				sum += places[i].s->buckets[places[i].it->bucket + at[i]++].n;
		if (!add_bucket(to, low, sum))
			return false;
	}
	it->nbuckets = (unsigned)(to->nbuckets - it->bucket);
	return !to->text.failed;
}

static bool
merge_kinds(struct sheet *to, const struct sheet *from)
{
	for (unsigned i = 0; i < from->nkinds; i++) {
		const struct aggkind *k = &from->kinds[i];
		if (!sheet_kind(to, k->id) &&
		    !add_kind(to, k->id, k->fn, strdup(k->name), bounds_ref(k->bounds), k->bounds != NULL))
			return false;
	}
	return true;
}

struct sheet *
sheet_merge(struct sheet *const *from, unsigned n, struct memory_budget *b)
{
	struct sheet *to = calloc(1, sizeof *to);
	if (to)
		to->charge.b = budget_ref(b);
	size_t all = 0, k = 0;
	for (unsigned i = 0; i < n; i++)
		all += from[i] ? from[i]->n : 0;
	struct keyed *places = malloc((all + 1) * sizeof *places);
	bool ok = to && places;
	for (unsigned i = 0; ok && i < n; i++) {
		if (!from[i])
			continue;
		for (size_t j = 0; j < from[i]->n; j++)
			places[k++] = (struct keyed){from[i], &from[i]->items[j]};
		to->omitted += from[i]->omitted;
		to->counted += from[i]->counted;
		ok = merge_kinds(to, from[i]);
	}
	if (ok)
		qsort(places, k, sizeof *places, by_key);
	for (size_t i = 0, j; ok && i < k; i = j) {
		for (j = i + 1; j < k && j - i < RUN_LEGS && by_key(&places[i], &places[j]) == 0;)
			j++;
		if (is_full(to, 0)) {
			to->omitted++;
			continue;
		}
		ok = merge_keyed(to, places + i, j - i, sheet_kind(to, places[i].it->agg)->fn);
	}
	free(places);
	if (ok)
		return to;
	sheet_free(to);
	return NULL;
}
