/*
 * The value of an aggregation: its words, and the mathematics of buckets.
 * Engines add to values (aggval_add), consumers merge and show them. A value of
 * all zeroes is an empty one for every function, min and max included.
 *
 *   count     [n]
 *   sum       [n, sum]
 *   avg       [n, sum]
 *   min, max  [n, value]
 *   stddev    [n, sum, low and high half of the sum of squares]
 *   quantize  [n, 127 buckets: -2^62 … -1, 0, 1 … 2^62]
 *   lquantize [n, levels + 2 buckets: below, each step, above]
 *   llquantize[n, buckets: below, …, above]
 * n is how often the value was added to (not the sum of increments): 0 means
 * "no data since it was cleared".
 */
#ifndef ET_OBJECT_AGGVAL_H
#define ET_OBJECT_AGGVAL_H

#include "object/dobj.h"

enum { AGGVAL_QBUCKETS = 127, AGGVAL_QZERO = 63, AGGVAL_MAXWORDS = (1 << 16) + 8 };

/* A bucket's bounds, both inclusive; INT64_MIN and INT64_MAX are open ends. */
struct aggval_range {
	int64_t lo, hi;
};

const char *aggval_name(unsigned fn);            /* "count", as D has it; "": no such function */
uint32_t aggval_words(const struct dobj_agg *a); /* 0: its parameters make no sense */
uint32_t aggval_nbuckets(const struct dobj_agg *a);
struct aggval_range aggval_bucket(const struct dobj_agg *a, uint32_t i);
uint32_t aggval_bucket_of(const struct dobj_agg *a, int64_t v);

void aggval_add(const struct dobj_agg *a, uint64_t *words, int64_t v, int64_t incr);
void aggval_merge(const struct dobj_agg *a, uint64_t *into, const uint64_t *from);
/* The single number that sorting and printa's @ use: count, sum, average, …; for distributions the sum of counts. */
int64_t aggval_scalar(const struct dobj_agg *a, const uint64_t *words);
/* Standard deviation and average as DTrace shows them with normalize(normal); normal 1: not normalized. */
uint64_t aggval_stddev(const uint64_t *words, int64_t normal);
int64_t aggval_avg(const uint64_t *words, int64_t normal);

#endif
