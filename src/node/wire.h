/*
 * What travels from an engine inside a node to the consumer outside: records and aggregations as bytes, little-endian,
 * everything a multiple of 8 long.
 *
 * Both begin with a word: the number of the drain or snapshot, counted from 1, and WIRE_PART if it is not whole: a
 * firing was under way, and the rest comes with the next ones (engine_ops.is_whole).
 *
 *   record       struct wire_rec, then len bytes of data, padded
 *   aggregation  struct wire_agg, then keylen bytes, then nwords words. A distribution is mostly zeros: then `dense` is
 *                the number of its words, and nwords words follow, one for each that is not zero, as WIRE_WORD
 *
 * The reader trusts nothing: wire_next_* check every length.
 */
#ifndef ET_NODE_WIRE_H
#define ET_NODE_WIRE_H

#include "base/sbuf.h"
#include "engine/engine.h"

#define WIRE_PART ((uint64_t)1 << 63)

struct wire_rec {
	uint32_t shard, epid, cpu, len;
	uint64_t time, fault_value;
	int32_t fault;
	uint32_t fault_action, fault_pc, cut;
};

struct wire_agg {
	uint32_t agg; /* includes its cut: ENG_AGG_OF */
	uint32_t keylen, nwords;
	uint32_t dense; /* 0 if all words follow */
};

/* A word that is not zero: its number and its value, which are below these. */
#define WIRE_WORD(number, value) ((uint64_t)(number) << 48 | (value))
enum { WIRE_NUMBERS = 1 << 16, WIRE_DENSE_MOST = 1 << 20 };
#define WIRE_VALUES ((uint64_t)1 << 48)

void wire_add_rec(struct sbuf *b, unsigned shard, const struct eng_rec *r, uint32_t len);
void wire_add_agg(struct sbuf *b, unsigned agg, const void *key, size_t keylen, const uint64_t *words, uint32_t nwords);

/* A place in received bytes. They must be aligned to 8. */
struct wire_in {
	const char *at;
	size_t left;
	uint64_t *room; /* for a value whose zeros did not travel; freed by wire_done() */
	size_t cap;
};
/* Returns false at the end, or for bytes that make no sense (then left is not 0). */
bool wire_next_rec(struct wire_in *in, unsigned *shard, struct eng_rec *r, uint32_t *len);
/* a->nwords is the number of all words, zeros included; they live until the next call. */
bool wire_next_agg(struct wire_in *in, struct wire_agg *a, const void **key, const uint64_t **words);
void wire_done(struct wire_in *in);

/* Adds to *out what n snapshots of the same object have, without their first words: one value for each key, merged.
 * What does not belong to the object is left out. Returns false if there is no memory. */
bool wire_merge(struct sbuf *out, const struct dobj *o, const struct wire_in *in, unsigned n);
/* Has one value for each key in *b, which collects snapshots: it merges when they are more than WIRE_FOLD bytes, and
 * twice as many as *folded, which is what was left of them the last time. *folded is 0 at first. */
enum { WIRE_FOLD = 256 << 10 };
void wire_fold(struct sbuf *b, size_t *folded, const struct dobj *o);

#endif
