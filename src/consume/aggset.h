/*
 * The consumer's aggregations: what all snapshots of all shards add up to.
 *
 * A table owns its elements; a struct aggent * lives until the element is
 * removed or the table freed. Functions that take memory return false when there is none.
 */
#ifndef ET_CONSUME_AGGSET_H
#define ET_CONSUME_AGGSET_H

#include "show/text.h"

struct aggent {
	uint32_t agg; /* row of the object's aggs */
	uint32_t keylen;
	int64_t bytes;    /* of all of it */
	uint64_t hash;    /* of the key's bytes */
	uint64_t normal;  /* 1: not normalized. Of the element, as only those that exist are normalized */
	uint64_t words[]; /* the value, then the packed key */
};

/* The hash stands beside the index, so that looking for a key and growing touch few elements. */
struct aggslot {
	uint32_t at;   /* index in all + 1; 0: free */
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
	et_memory_f *memory;   /* who is asked for room; NULL: nobody */
	void *memoryarg;
	uint64_t dropped; /* values for which there was none */
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

/* The key's elements; the number, 0 when the bytes are not what the aggregation says. */
unsigned aggent_vals(const struct aggset *t, const struct aggent *e, struct val vals[DOBJ_MAXKEYS]);

/* -- sorting (aggsort.c) */
struct aggorder {
	enum { BY_NONE, BY_KEY, BY_VALUE } by;
	bool across; /* by key or value first, then by aggregation */
	bool reverse;
	unsigned keypos; /* the element of the key to begin with */
};
enum { AGG_ALL = -1, AGG_UNPRINTED = -2 };
/* Elements of one aggregation, of all, or of those that printa() has not shown, in order; an array on the heap. */
bool aggset_sorted(const struct aggset *t, int which, const struct aggorder *order, struct aggent ***out, size_t *n);

/* Elements of several aggregations that have the same key. */
struct aggjoin {
	struct aggent *rep;  /* one that has the key */
	struct aggent **ent; /* n of them; NULL: the aggregation has no such key */
};
/* Rows on the heap (aggjoin_free), sorted by values beginning with aggregation `sortpos`, or by key. */
bool aggset_joined(const struct aggset *t, const uint32_t *aggs, unsigned naggs, unsigned sortpos,
    const struct aggorder *order, struct aggjoin **out, size_t *n);
void aggjoin_free(struct aggjoin *j, size_t n);

#endif
