/*
 * The aggregating functions: one row for each, in the order of their numbers. What is true of a function is said
 * here and nowhere else; how it computes is in aggval.c, and for the kernel in engine/kernel/lower/lower_data.c.
 *
 *   X(id, name, words, arguments, traits, since, fold, help)
 *
 *   words      of a value (see aggval.h); 0: one and its buckets, whose number depends on the parameters
 *   arguments  that it takes at most: the value, the parameters, the increment. All but 0 need the value.
 *   traits     AT_…
 *   since      D 1.since has it; 0: always
 *   fold       how the page shows several keys in one row: "sum", "min", "max", or "mean", weighted by their counts
 *   help       what it gives, for completion in the page
 *
 * Numbers go into objects: a new row goes to the end. enum et_aggfn of erltrace.h has the same order, which the
 * compiler checks.
 */
#ifndef ET_OBJECT_AGGFN_H
#define ET_OBJECT_AGGFN_H

#include <stdbool.h>
#include <stdint.h>

enum agg_trait {
	AT_TOTAL = 1 << 0, /* grows by what is added, so that values of keys add up: shown as bars and flame graphs */
	AT_DIST = 1 << 1,  /* a distribution: buckets instead of one number */
	AT_INCR = 1 << 2,  /* the last argument says how much is added to the bucket */
	AT_OPEN = 1 << 3,  /* the first bucket is all that is below the others, the last all that is above */
	AT_EVEN = 1 << 4,  /* buckets between them are equally wide */
	AT_PACK = 1 << 5,  /* option aggpack shows it in one line */
};

#define AGG_FNS(X) \
	X(COUNT, "count", 1, 0, AT_TOTAL, 0, "sum", "number of events") \
	X(SUM, "sum", 2, 1, AT_TOTAL, 0, "sum", "total") \
	X(AVG, "avg", 2, 1, 0, 0, "mean", "mean") \
	X(MIN, "min", 2, 1, 0, 0, "min", "least") \
	X(MAX, "max", 2, 1, 0, 0, "max", "largest") \
	X(STDDEV, "stddev", 4, 1, 0, 6, "mean", "standard deviation") \
	X(QUANTIZE, "quantize", 0, 2, AT_DIST | AT_INCR | AT_PACK, 0, "sum", "distribution by powers of two") \
	X(LQUANTIZE, "lquantize", 0, 5, AT_DIST | AT_INCR | AT_OPEN | AT_EVEN | AT_PACK, 0, "sum", \
	    "linear distribution: value, low, high, step") \
	X(LLQUANTIZE, "llquantize", 0, 6, AT_DIST | AT_INCR | AT_OPEN, 0, "sum", \
	    "log-linear distribution: value, factor, low, high, steps")

enum agg_fn {
#define X(id, name, words, arguments, traits, since, fold, help) AGG_##id,
	AGG_FNS(X)
#undef X
	    AGG_NFNS
};

struct aggfn {
	const char *name, *fold, *help;
	uint8_t words, arguments, traits, since;
};
extern const struct aggfn aggfns[AGG_NFNS];

/* Returns whether the function has one of these traits. A number that is not a function has none. */
static inline bool
aggfn_is(uint32_t fn, unsigned traits)
{
	return fn < AGG_NFNS && (aggfns[fn].traits & traits) != 0;
}

#endif
