/* The table of aggregations: elements by (aggregation, key). */
#include "consume/aggset.h"

#include "base/hash.h"
#include "object/aggval.h"
#include "object/key.h"

#include <stdlib.h>
#include <string.h>

#ifdef ET_TINY
enum { FIRST_CAP = 1, FIRST_SLOTS = 2 };
#else
enum { FIRST_CAP = 64, FIRST_SLOTS = 256 };
#endif

bool
aggset_init(struct aggset *t, const struct dobj *o, et_memory_f *memory, void *arg)
{
	*t = (struct aggset){.o = o, .memory = memory, .memoryarg = arg};
	size_t n = o->naggs ? o->naggs : 1;
	t->nwords = calloc(n, sizeof *t->nwords);
	t->printed = calloc(n, sizeof *t->printed);
	if (!t->nwords || !t->printed) {
		aggset_free(t);
		return false;
	}
	for (uint32_t i = 0; i < o->naggs; i++)
		t->nwords[i] = aggval_words(&o->aggs[i]);
	return true;
}

/* What an element takes: itself, its places in the array, the index and a sorted copy of the array, and the overhead
 * of malloc(). */
static int64_t
bytes_of(const struct aggent *e)
{
	return e->bytes + 64;
}

static void
drop_element(struct aggset *t, struct aggent *e)
{
	if (t->memory)
		t->memory(-bytes_of(e), t->memoryarg);
	free(e);
}

void
aggset_free(struct aggset *t)
{
	for (size_t i = 0; i < t->n; i++)
		drop_element(t, t->all[i]);
	free(t->all);
	free(t->slots);
	free(t->nwords);
	free(t->printed);
	*t = (struct aggset){0};
}

static uint32_t
slot_hash(uint32_t agg, uint64_t hash)
{
	uint64_t h = hash + agg * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h ^ h >> 32);
}

struct aggent *
aggset_find(const struct aggset *t, uint32_t agg, const void *key, size_t keylen, uint64_t hash)
{
	uint32_t want = slot_hash(agg, hash);
	if (t->nslots == 0)
		return NULL;
	for (size_t i = want & (t->nslots - 1); t->slots[i].at; i = (i + 1) & (t->nslots - 1)) {
		if (t->slots[i].hash != want)
			continue;
		struct aggent *e = t->all[t->slots[i].at - 1];
		if (e->hash == hash && e->agg == agg && e->keylen == keylen &&
		    (keylen == 0 || memcmp(aggent_key(t, e), key, keylen) == 0))
			return e;
	}
	return NULL;
}

static void
put_slot(struct aggset *t, struct aggslot slot)
{
	size_t i = slot.hash & (t->nslots - 1);
	while (t->slots[i].at)
		i = (i + 1) & (t->nslots - 1);
	t->slots[i] = slot;
}

static void
index_one(struct aggset *t, size_t at)
{
	put_slot(t, (struct aggslot){(uint32_t)at + 1, slot_hash(t->all[at]->agg, t->all[at]->hash)});
}

/* Twice the slots. */
static bool
grow_slots(struct aggset *t)
{
	size_t n = t->nslots;
	struct aggslot *old = t->slots, *slots = calloc(n ? n * 2 : FIRST_SLOTS, sizeof *slots);
	if (!slots)
		return false;
	t->slots = slots;
	t->nslots = n ? n * 2 : FIRST_SLOTS;
	for (size_t i = 0; i < n; i++)
		if (old[i].at)
			put_slot(t, old[i]);
	free(old);
	return true;
}

/* Room for one more element in the array and the index, which is at most half full. */
static bool
grow(struct aggset *t)
{
	if (t->n == t->cap) {
		size_t cap = t->cap ? t->cap * 2 : FIRST_CAP;
		struct aggent **all = realloc(t->all, cap * sizeof *all);
		if (!all)
			return false;
		t->all = all;
		t->cap = cap;
	}
	return (t->n + 1) * 2 <= t->nslots || (t->n < UINT32_MAX / 2 && grow_slots(t));
}

bool
aggset_add(struct aggset *t, uint32_t agg, const void *key, size_t keylen, const uint64_t *words)
{
	if (agg >= t->o->naggs || t->nwords[agg] == 0 || keylen > UINT32_MAX)
		return true;
	uint64_t hash = hash_bytes(key, keylen);
	struct aggent *e = aggset_find(t, agg, key, keylen, hash);
	if (!e) {
		uint32_t n = t->nwords[agg];
		size_t bytes = sizeof *e + n * sizeof *words + keylen;
		struct aggent as = {.bytes = (int64_t)bytes};
		if (t->memory && !t->memory(bytes_of(&as), t->memoryarg)) {
			t->dropped += words[0];
			return true;
		}
		e = grow(t) ? malloc(bytes) : NULL;
		if (!e) {
			if (t->memory)
				t->memory(-bytes_of(&as), t->memoryarg);
			return false;
		}
		e->bytes = (int64_t)bytes;
		e->agg = agg;
		e->keylen = (uint32_t)keylen;
		e->hash = hash;
		e->normal = 1;
		memset(e->words, 0, n * sizeof *words);
		if (keylen)
			memcpy(e->words + n, key, keylen);
		t->all[t->n] = e;
		index_one(t, t->n++);
	}
	aggval_merge(&t->o->aggs[agg], e->words, words);
	return true;
}

void
aggent_clear(const struct aggset *t, struct aggent *e)
{
	memset(e->words, 0, t->nwords[e->agg] * sizeof *e->words);
}

void
aggset_sweep(struct aggset *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->all[i]->agg == DOBJ_NONE)
			drop_element(t, t->all[i]);
		else
			t->all[kept++] = t->all[i];
	}
	if (kept == t->n)
		return;
	t->n = kept;
	memset(t->slots, 0, t->nslots * sizeof *t->slots);
	for (size_t i = 0; i < kept; i++)
		index_one(t, i);
}

unsigned
aggent_vals(const struct aggset *t, const struct aggent *e, struct val vals[DOBJ_MAXKEYS])
{
	const struct dobj_agg *a = &t->o->aggs[e->agg];
	struct key_elem elems[DOBJ_MAXKEYS];
	if (a->nkeys > DOBJ_MAXKEYS)
		return 0;
	const struct dobj_key *keys = t->o->keys + a->key;
	if (!key_unpack(keys, a->nkeys, aggent_key(t, e), e->keylen, elems))
		return 0;
	for (unsigned i = 0; i < a->nkeys; i++)
		vals[i] = val_of_key(&keys[i], &elems[i]);
	return a->nkeys;
}
