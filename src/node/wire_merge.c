/* See wire.h. Values stay where they are until their key's turn comes: only the places of all keys are kept, so merging
 * needs little memory besides its result. */
#include "base/hash.h"
#include "node/wire.h"
#include "object/aggval.h"

#include <stdlib.h>
#include <string.h>

/* A value in one of the inputs. */
struct wire_value {
	const char *at, *end; /* its struct wire_agg; the end of the input's bytes */
	uint64_t hash;        /* of the key */
	uint32_t next;        /* of the same slot: its number plus one */
	bool merged;
};

struct wire_values {
	struct wire_value *all;
	uint32_t n, cap;
	uint32_t *slots; /* by hash: the number of a value plus one; 0 if there is none */
	uint32_t nslots; /* a power of two */
};

static const struct wire_agg *
head_of(const struct wire_value *p)
{
	return (const struct wire_agg *)(const void *)p->at;
}

static const char *
key_of(const struct wire_value *p)
{
	return p->at + sizeof(struct wire_agg);
}

/* Returns whether it is a value of one of the object's aggregations. */
static bool
makes_sense(const struct dobj *o, const struct wire_agg *a)
{
	return ENG_AGG_OF(a->agg) < o->naggs && a->nwords == aggval_words(&o->aggs[ENG_AGG_OF(a->agg)]);
}

static bool
note(struct wire_values *all, const char *at, const char *end, const void *key, size_t keylen)
{
	if (all->n == all->cap) {
		uint32_t cap = all->cap ? 2 * all->cap : 1024;
		struct wire_value *grown = cap < UINT32_MAX / 2 ? realloc(all->all, cap * sizeof *grown) : NULL;
		if (!grown)
			return false;
		all->all = grown;
		all->cap = cap;
	}
	all->all[all->n++] = (struct wire_value){.at = at, .end = end, .hash = hash_bytes(key, keylen)};
	return true;
}

static bool
find_all(struct wire_values *all, const struct dobj *o, const struct wire_in *in)
{
	struct wire_in from = {.at = in->at, .left = in->left};
	const char *end = in->at + in->left;
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	bool ok = true;
	for (const char *at = from.at; ok && wire_next_agg(&from, &a, &key, &words); at = from.at)
		ok = !makes_sense(o, &a) || note(all, at, end, key, a.keylen);
	wire_done(&from);
	return ok;
}

/* In reverse, so that a slot's first is that of the first input. */
static bool
make_slots(struct wire_values *all)
{
	for (all->nslots = 64; all->nslots < 2 * all->n;)
		all->nslots *= 2;
	all->slots = calloc(all->nslots, sizeof *all->slots);
	for (uint32_t i = all->n; all->slots && i-- > 0;) {
		uint32_t *slot = &all->slots[all->all[i].hash & (all->nslots - 1)];
		all->all[i].next = *slot;
		*slot = i + 1;
	}
	return all->slots != NULL;
}

static bool
is_same(const struct wire_value *a, const struct wire_value *b)
{
	return a->hash == b->hash && head_of(a)->agg == head_of(b)->agg && head_of(a)->keylen == head_of(b)->keylen &&
	       memcmp(key_of(a), key_of(b), head_of(a)->keylen) == 0;
}

/* Adds one place's value to *sum. */
static bool
add(const struct dobj_agg *desc, const struct wire_value *p, uint64_t *sum, struct wire_in *room)
{
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	room->at = p->at;
	room->left = (size_t)(p->end - p->at);
	if (!wire_next_agg(room, &a, &key, &words))
		return false; /* it was read before, so there is no memory */
	aggval_merge(desc, sum, words);
	return true;
}

/* Adds a key's value, of all inputs, to the result. */
static bool
merge_key(
    struct sbuf *out, const struct dobj *o, struct wire_values *all, uint32_t i, struct wire_in *room, uint64_t *sum)
{
	struct wire_value *first = &all->all[i];
	const struct wire_agg *head = head_of(first);
	const struct dobj_agg *desc = &o->aggs[ENG_AGG_OF(head->agg)];
	uint32_t nwords = aggval_words(desc);
	memset(sum, 0, nwords * sizeof *sum);
	for (uint32_t k = i + 1; k; k = all->all[k - 1].next) {
		struct wire_value *p = &all->all[k - 1];
		if (p->merged || (p != first && !is_same(p, first)))
			continue;
		p->merged = true;
		if (!add(desc, p, sum, room))
			return false;
	}
	wire_add_agg(out, head->agg, key_of(first), head->keylen, sum, nwords);
	return !out->failed;
}

bool
wire_merge(struct sbuf *out, const struct dobj *o, const struct wire_in *in, unsigned n)
{
	struct wire_values all = {0};
	struct wire_in room = {0};
	uint32_t most = 1;
	for (uint32_t i = 0; i < o->naggs; i++) {
		uint32_t nwords = aggval_words(&o->aggs[i]);
		most = nwords > most ? nwords : most;
	}
	uint64_t *sum = malloc(most * sizeof *sum);
	bool ok = sum != NULL;
	for (unsigned i = 0; ok && i < n; i++)
		ok = find_all(&all, o, &in[i]);
	ok = ok && make_slots(&all);
	for (uint32_t i = 0; ok && i < all.n; i++)
		ok = all.all[i].merged || merge_key(out, o, &all, i, &room, sum);
	wire_done(&room);
	free(sum);
	free(all.all);
	free(all.slots);
	return ok;
}

void
wire_fold(struct sbuf *b, size_t *folded, const struct dobj *o)
{
	struct wire_in in = {.at = b->at, .left = b->len};
	struct sbuf out = {0};
	if (b->failed || b->len < WIRE_FOLD || b->len / 2 < *folded)
		return;
	if (wire_merge(&out, o, &in, 1) && !out.failed) {
		sb_free(b);
		*b = out;
	} else
		sb_free(&out); /* without memory they stay as they are */
	*folded = b->len;
}
