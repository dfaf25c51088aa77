/*
 * The value of an aggregation: its words, and the mathematics of buckets. Engines add to values (aggval_add), consumers
 * merge and show them. A value of all zeroes is an empty one for every function, min and max included.
 *
 *   count     [n]
 *   sum       [n, sum]
 *   avg       [n, sum]
 *   min, max  [n, value]
 *   stddev    [n, sum, low and high half of the sum of squares]
 *   quantize  [n, 127 buckets: -2^62 … -1, 0, 1 … 2^62]
 *   lquantize [n, levels + 2 buckets: below, each step, above]
 *   llquantize[n, buckets: below, …, above]
 * n is how often the value was added to (not the sum of increments): 0 means "no data since it was cleared".
 */
#ifndef ET_OBJECT_AGGVAL_H
#define ET_OBJECT_AGGVAL_H

#include "object/dobj.h"

enum { AGGVAL_QBUCKETS = 127, AGGVAL_QZERO = 63, AGGVAL_MAXWORDS = (1 << 16) + 8 };
enum { AGGVAL_FIXEDWORDS = 4 }; /* the most words of a value that is not a distribution */

/* A bucket's bounds, both inclusive; INT64_MIN and INT64_MAX are open ends. */
struct aggval_range {
	int64_t lo, hi;
};

const char *aggval_name(unsigned fn);            /* "count", as in D; "" if there is no such function */
uint32_t aggval_words(const struct dobj_agg *a); /* 0 if its parameters make no sense */
uint32_t aggval_nbuckets(const struct dobj_agg *a);
struct aggval_range aggval_bucket(const struct dobj_agg *a, uint32_t i);
uint32_t aggval_bucket_of(const struct dobj_agg *a, int64_t v);

void aggval_add(const struct dobj_agg *a, uint64_t *words, int64_t v, int64_t incr);
void aggval_merge(const struct dobj_agg *a, uint64_t *into, const uint64_t *from);
/* Returns the single number for sorting, printa's @ and users of the library, after normalize(normal): count, sum,
 * average, …; for distributions the sum of counts. normal 0 or 1 means not normalized. */
int64_t aggval_shown(const struct dobj_agg *a, const uint64_t *words, uint64_t normal);
/* Of avg() and stddev(). */
int64_t aggval_average(const uint64_t *words);
/* A bucket's count as normalize(normal) leaves it. */
int64_t aggval_normalized(int64_t v, uint64_t normal);

/* What aggval_add() does for count(), and for sum() and avg(), where a call would cost too much. */
static inline void
aggval_add_count(uint64_t *words, uint64_t more)
{
	words[0] += 1 + more;
}

static inline void
aggval_add_sum(uint64_t *words, int64_t v)
{
	words[0]++;
	words[1] += (uint64_t)v;
}

#endif
