/*
 * Conditions over aggregations: what the declaration `alert p99(@wait) > 50ms for 30s` may ask, and how it is computed
 * from the value of an aggregation (aggval.h).
 *
 * A percentile is computed from the buckets of a distribution as Prometheus' histogram_quantile() does: values are
 * taken to lie evenly in their bucket. Of an open bucket the edge that it has counts.
 */
#ifndef ET_OBJECT_COND_H
#define ET_OBJECT_COND_H

#include "object/dobj.h"

enum { COND_MOST = 256 };            /* conditions of a program */
#define COND_LONGEST 86400000000000u /* ns: a day */
#define COND_SHORTEST 1000000000u    /* ns: of a window */
#define COND_WINDOW 10000000000u     /* ns: of a window, if the script says nothing */
#define ON(fn) (1u << AGG_##fn)
#define ON_DISTS (ON(QUANTIZE) | ON(LQUANTIZE) | ON(LLQUANTIZE))

/* X(id, name, functions it can be asked of, whether an empty window has a value: 0) */
#define COND_FNS(X) \
	X(COUNT, "count", ~0u, true) \
	X(SUM, "sum", ON(SUM) | ON(AVG) | ON(STDDEV), true) \
	X(RATE, "rate", ~(ON(MIN) | ON(MAX)), true) \
	X(AVG, "avg", ON(AVG) | ON(STDDEV), false) \
	X(MIN, "min", ON(MIN), false) \
	X(MAX, "max", ON(MAX), false) \
	X(STDDEV, "stddev", ON(STDDEV), false) \
	X(PERCENTILE, "p99", ON_DISTS, false)

enum cond_fn {
#define X(id, name, on, empty) COND_##id,
	COND_FNS(X)
#undef X
	    COND_NFNS
};

enum cond_op { COND_GT, COND_GE, COND_LT, COND_LE, COND_NOPS };

/* Finds a function by its name. p and at least two digits are a percentile: p50, p99, p999; *percent is set for it.
 * Returns -1 if there is none. */
int cond_find(const char *name, uint32_t *percent);
/* Returns whether it can be asked of an aggregation with this function. */
bool cond_takes(uint32_t fn, uint32_t aggfn);
/* Computes it. span is the ns in which the value was aggregated. Returns false if there is nothing to compute it
 * from. */
bool cond_value(const struct dobj_cond *c, const struct dobj_agg *a, const uint64_t *words, uint64_t span, int64_t *v);
bool cond_compare(uint32_t op, int64_t v, int64_t limit);
const char *cond_op_text(uint32_t op); /* ">" */

#endif
