/*
 * The consumer's aggregations: the sum of all snapshots of all shards.
 *
 * A table owns its elements. A struct aggent * lives until the element is removed or the table freed. Functions that
 * allocate return false if there is no memory.
 */
#ifndef ET_CONSUME_AGGSET_H
#define ET_CONSUME_AGGSET_H

#include "show/text.h"

struct aggent {
	uint32_t agg; /* row of the object's aggs */
	uint32_t keylen;
	int64_t bytes;    /* of all of it */
	uint64_t hash;    /* of the key's bytes */
	uint64_t normal;  /* 1 if not normalized. Kept per element, because only existing elements are normalized */
	uint64_t words[]; /* the value, then the packed key */
};

/* The hash is beside the index, so that looking for a key and growing touch few elements. */
struct aggslot {
	uint32_t at;   /* index in all plus one; 0 if free */
	uint32_t hash; /* of aggregation and key */
};

struct aggset {
	const struct dobj *o;
	uint32_t *nwords; /* of each aggregation's value */
	bool *printed;    /* printa() has shown elements of it */
	struct aggent **all;
	size_t n, cap;
	struct aggslot *slots; /* open addressing */
	size_t nslots;         /* a power of two, or 0 */
	et_memory_f *memory;   /* asked for room; NULL for no limit */
	void *memoryarg;
	uint64_t dropped; /* values for which there was no room */
};

/* The object must outlive the table. memory may be NULL. */
bool aggset_init(struct aggset *t, const struct dobj *o, et_memory_f *memory, void *arg);
void aggset_free(struct aggset *t);
/* Merges a value in. */
bool aggset_add(struct aggset *t, uint32_t agg, const void *key, size_t keylen, const uint64_t *words);
struct aggent *aggset_find(const struct aggset *t, uint32_t agg, const void *key, size_t keylen, uint64_t hash);
void aggent_clear(const struct aggset *t, struct aggent *e);
/* Removes the elements whose agg was set to DOBJ_NONE. */
void aggset_sweep(struct aggset *t);

static inline const char *
aggent_key(const struct aggset *t, const struct aggent *e)
{
	return (const char *)(e->words + t->nwords[e->agg]);
}

/* Unpacks the key's elements. Returns their number, or 0 if the bytes do not fit the aggregation. */
unsigned aggent_vals(const struct aggset *t, const struct aggent *e, struct val vals[DOBJ_MAXKEYS]);

/* -- sorting (aggsort.c) */
struct aggorder {
	enum { BY_NONE, BY_KEY, BY_VALUE } by;
	bool across; /* by key or value first, then by aggregation */
	bool reverse;
	unsigned keypos; /* the element of the key to sort by first */
};
enum { AGG_ALL = -1, AGG_UNPRINTED = -2 };
/* Elements in order: of one aggregation, of all, or of those that printa() has not shown. An array on the heap. */
bool aggset_sorted(const struct aggset *t, int which, const struct aggorder *order, struct aggent ***out, size_t *n);

/* Elements of several aggregations that have the same key. */
struct aggjoin {
	struct aggent *rep;  /* an element that has the key */
	struct aggent **ent; /* n of them; NULL if the aggregation has no such key */
};
/* Rows on the heap (aggjoin_free), sorted by values beginning with aggregation `sortpos`, or by key. */
bool aggset_joined(const struct aggset *t, const uint32_t *aggs, unsigned naggs, unsigned sortpos,
    const struct aggorder *order, struct aggjoin **out, size_t *n);
void aggjoin_free(struct aggjoin *j, size_t n);

#endif
