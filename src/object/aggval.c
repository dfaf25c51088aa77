/*
 * Values of aggregations: adding, merging, normalizing, and which bucket a number falls in. All arithmetic of values
 * is here, but for what the kernel engine generates.
 *
 * The bucket rules are DTrace's:
 *   quantize    powers of two; a bucket holds what is at least its power, away from zero
 *   lquantize   below, (hi - lo) / step levels, above; a rest of hi - lo that makes no whole step belongs to "above"
 *   llquantize  for each order of magnitude from low to high: `steps` equal steps from 0 to factor^(order + 1), of
 *               which those under factor^order belong to the order before; a magnitude with fewer
 *               numbers than steps has steps of one
 * Words may come from anywhere (a merge of many engines), so all sums wrap.
 */
#include "object/aggval.h"

typedef __int128 i128;
typedef unsigned __int128 u128;

enum { LLQ_MAXMAG = 62 };

uint32_t
dobj_agg_words(const struct dobj_agg *a)
{
	return aggval_words(a);
}

static uint64_t
magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static uint64_t
lq_levels(const struct dobj_agg *a)
{
	if (a->par[1] <= a->par[0] || a->par[2] <= 0)
		return 0;
	return ((uint64_t)a->par[1] - (uint64_t)a->par[0]) / (uint64_t)a->par[2];
}

/* Buckets of the order of magnitude that ends under `top`, a power of the factor. */
static uint64_t
llq_per_order(const struct dobj_agg *a, i128 top)
{
	uint64_t steps = (uint64_t)a->par[3], factor = (uint64_t)a->par[0];
	uint64_t n = top > (i128)steps ? steps : (uint64_t)top;
	return n - n / factor;
}

static i128
llq_step(const struct dobj_agg *a, i128 top)
{
	return top > (i128)a->par[3] ? top / a->par[3] : 1;
}

/* factor^low; the parameters have been checked. */
static i128
llq_bottom(const struct dobj_agg *a)
{
	i128 v = 1;
	for (int64_t i = 0; i < a->par[1]; i++)
		v *= a->par[0];
	return v;
}

static uint32_t
llq_nbuckets(const struct dobj_agg *a)
{
	int64_t factor = a->par[0], low = a->par[1], high = a->par[2], steps = a->par[3];
	if (factor < 2 || low < 0 || high < low || high > LLQ_MAXMAG || steps < factor || steps % factor != 0 ||
	    steps > AGGVAL_MAXWORDS)
		return 0;
	/* A step must be a whole number in every order that has more numbers than steps. */
	i128 v = factor;
	while (v < steps)
		v *= factor;
	if (v % steps != 0)
		return 0;
	i128 top = 1;
	for (int64_t i = 0; i < high; i++) {
		top *= factor;
		if (top > INT64_MAX)
			return 0;
	}
	uint64_t n = 2;
	top = llq_bottom(a);
	for (int64_t order = low; order <= high; order++) {
		top *= factor;
		n += llq_per_order(a, top);
		if (n >= AGGVAL_MAXWORDS)
			return 0;
	}
	return (uint32_t)n;
}

uint32_t
aggval_nbuckets(const struct dobj_agg *a)
{
	switch (a->fn) {
	case AGG_QUANTIZE:
		return AGGVAL_QBUCKETS;
	case AGG_LQUANTIZE: {
		uint64_t levels = lq_levels(a);
		return levels == 0 || levels > AGGVAL_MAXWORDS - 3 ? 0 : (uint32_t)levels + 2;
	}
	case AGG_LLQUANTIZE:
		return llq_nbuckets(a);
	default:
		return 0;
	}
}

const struct aggfn aggfns[AGG_NFNS] = {
#define X(id, name, words, arguments, traits, since, fold, help) \
	[AGG_##id] = {name, fold, help, words, arguments, traits, since},
    AGG_FNS(X)
#undef X
};

#define X(id, name, words, arguments, traits, since, fold, help) \
	_Static_assert( \
	    (words) <= AGGVAL_FIXEDWORDS && !(words) == !!((traits)&AT_DIST), name "() has words or buckets");
AGG_FNS(X)
#undef X

const char *
aggval_name(unsigned fn)
{
	return fn < AGG_NFNS ? aggfns[fn].name : "";
}

uint32_t
aggval_words(const struct dobj_agg *a)
{
	if (a->fn < AGG_NFNS && aggfns[a->fn].words)
		return aggfns[a->fn].words;
	uint32_t n = aggval_nbuckets(a);
	return n ? n + 1 : 0;
}

static int64_t
clip(i128 v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

static struct aggval_range
quantize_range(uint32_t i)
{
	struct aggval_range r = {0, 0};
	if (i < AGGVAL_QZERO) {
		unsigned bit = AGGVAL_QZERO - 1 - i;
		r.hi = -((int64_t)1 << bit);
		r.lo = i == 0 ? INT64_MIN : -(r.hi * -2) + 1;
	} else if (i > AGGVAL_QZERO) {
		unsigned bit = i - AGGVAL_QZERO - 1;
		r.lo = (int64_t)1 << bit;
		r.hi = i >= AGGVAL_QBUCKETS - 1 ? INT64_MAX : r.lo * 2 - 1;
	}
	return r;
}

static struct aggval_range
lquantize_range(const struct dobj_agg *a, uint32_t i)
{
	uint64_t levels = lq_levels(a);
	i128 lo = a->par[0], step = a->par[2];
	if (i == 0)
		return (struct aggval_range){INT64_MIN, clip(lo - 1 < INT64_MIN ? INT64_MIN : lo - 1)};
	if (i > levels)
		return (struct aggval_range){clip(lo + step * (i128)levels), INT64_MAX};
	return (struct aggval_range){clip(lo + step * (i128)(i - 1)), clip(lo + step * (i128)i - 1)};
}

static struct aggval_range
llquantize_range(const struct dobj_agg *a, uint32_t i)
{
	i128 last = llq_bottom(a);
	if (i == 0)
		return (struct aggval_range){INT64_MIN, clip(last - 1)};
	uint64_t base = 1;
	for (int64_t order = a->par[1]; order <= a->par[2]; order++) {
		i128 top = last * a->par[0];
		uint64_t n = llq_per_order(a, top);
		if (i < base + n) {
			i128 step = llq_step(a, top);
			i128 lo = last + step * (i128)(i - base);
			return (struct aggval_range){clip(lo), clip(lo + step - 1)};
		}
		base += n;
		last = top;
	}
	return (struct aggval_range){clip(last), INT64_MAX};
}

struct aggval_range
aggval_bucket(const struct dobj_agg *a, uint32_t i)
{
	switch (a->fn) {
	case AGG_QUANTIZE:
		return quantize_range(i);
	case AGG_LQUANTIZE:
		return lquantize_range(a, i);
	case AGG_LLQUANTIZE:
		return llquantize_range(a, i);
	default:
		return (struct aggval_range){INT64_MIN, INT64_MAX};
	}
}

static uint32_t
quantize_of(int64_t v)
{
	if (v == 0)
		return AGGVAL_QZERO;
	unsigned bit = 63u - (unsigned)__builtin_clzll(magnitude(v));
	if (v > 0)
		return AGGVAL_QZERO + 1 + bit;
	return bit > 62 ? 0 : AGGVAL_QZERO - 1 - bit;
}

static uint32_t
lquantize_of(const struct dobj_agg *a, int64_t v)
{
	if (v < a->par[0])
		return 0;
	uint64_t level = ((uint64_t)v - (uint64_t)a->par[0]) / (uint64_t)a->par[2];
	uint64_t levels = lq_levels(a);
	return (uint32_t)(level < levels ? level : levels) + 1;
}

static uint32_t
llquantize_of(const struct dobj_agg *a, int64_t v)
{
	/* Powers up to factor^high fit in 63 bits; only the one above may not, and then v is under it. */
	uint64_t factor = (uint64_t)a->par[0], steps = (uint64_t)a->par[3], last = (uint64_t)llq_bottom(a);
	if (v < 0 || (uint64_t)v < last)
		return 0;
	uint64_t u = (uint64_t)v, base = 1;
	for (int64_t order = a->par[1]; order <= a->par[2]; order++) {
		uint64_t top;
		if (__builtin_mul_overflow(last, factor, &top))
			return (uint32_t)(base + (uint64_t)((i128)(u - last) / llq_step(a, (i128)last * (i128)factor)));
		if (u < top)
			return (uint32_t)(base + (u - last) / (top > steps ? top / steps : 1));
		base += llq_per_order(a, (i128)top);
		last = top;
	}
	return (uint32_t)base;
}

uint32_t
aggval_bucket_of(const struct dobj_agg *a, int64_t v)
{
	switch (a->fn) {
	case AGG_QUANTIZE:
		return quantize_of(v);
	case AGG_LQUANTIZE:
		return lquantize_of(a, v);
	case AGG_LLQUANTIZE:
		return llquantize_of(a, v);
	default:
		return 0;
	}
}

static u128
wide(const uint64_t *w)
{
	return (u128)w[1] << 64 | w[0];
}

static void
set_wide(uint64_t *w, u128 v)
{
	w[0] = (uint64_t)v;
	w[1] = (uint64_t)(v >> 64);
}

void
aggval_add(const struct dobj_agg *a, uint64_t *w, int64_t v, int64_t incr)
{
	switch ((enum agg_fn)a->fn) {
	case AGG_COUNT:
		break;
	case AGG_SUM:
	case AGG_AVG:
		aggval_add_sum(w, v);
		return;
	case AGG_MIN:
		if (w[0] == 0 || v < (int64_t)w[1])
			w[1] = (uint64_t)v;
		break;
	case AGG_MAX:
		if (w[0] == 0 || v > (int64_t)w[1])
			w[1] = (uint64_t)v;
		break;
	case AGG_STDDEV: {
		u128 u = (u128)magnitude(v);
		w[1] += (uint64_t)v;
		set_wide(w + 2, wide(w + 2) + u * u);
		break;
	}
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		w[1 + aggval_bucket_of(a, v)] += (uint64_t)incr;
		break;
	case AGG_NFNS:
		return;
	}
	aggval_add_count(w, 0);
}

void
aggval_merge(const struct dobj_agg *a, uint64_t *into, const uint64_t *from)
{
	if (from[0] == 0)
		return;
	switch ((enum agg_fn)a->fn) {
	case AGG_COUNT:
		break;
	case AGG_SUM:
	case AGG_AVG:
		into[1] += from[1];
		break;
	case AGG_MIN:
		if (into[0] == 0 || (int64_t)from[1] < (int64_t)into[1])
			into[1] = from[1];
		break;
	case AGG_MAX:
		if (into[0] == 0 || (int64_t)from[1] > (int64_t)into[1])
			into[1] = from[1];
		break;
	case AGG_STDDEV:
		into[1] += from[1];
		set_wide(into + 2, wide(into + 2) + wide(from + 2));
		break;
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE: {
		uint32_t n = aggval_nbuckets(a);
		for (uint32_t i = 1; i <= n; i++)
			into[i] += from[i];
		break;
	}
	case AGG_NFNS:
		return;
	}
	into[0] += from[0];
}

/* INT64_MIN / -1 wraps. */
static int64_t
divide(int64_t a, int64_t b)
{
	if (b == -1)
		return (int64_t) - (uint64_t)a;
	return b ? a / b : 0;
}

int64_t
aggval_average(const uint64_t *w)
{
	return divide((int64_t)w[1], (int64_t)w[0]);
}

static int64_t
average(const uint64_t *w, int64_t normal)
{
	return divide(divide((int64_t)w[1], normal), (int64_t)w[0]);
}

static uint64_t
square_root(u128 v)
{
	u128 root = 0;
	for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (uint64_t)root;
}

/*
 * DTrace's formula with its order of rounding: the square root of (the average of squares minus the square of the
 * average), where each division cuts.
 */
static int64_t
deviation(const uint64_t *w, int64_t normal)
{
	if (w[0] == 0)
		return 0;
	uint64_t by = (uint64_t)normal;
	u128 squares = wide(w + 2) / by / by / w[0];
	u128 u = (u128)magnitude(average(w, normal));
	return squares > u * u ? (int64_t)square_root(squares - u * u) : 0;
}

static int64_t
sum_of_buckets(const struct dobj_agg *a, const uint64_t *w)
{
	uint64_t sum = 0;
	uint32_t n = aggval_nbuckets(a);
	for (uint32_t i = 1; i <= n; i++)
		sum += w[i];
	return (int64_t)sum;
}

int64_t
aggval_normalized(int64_t v, uint64_t normal)
{
	if (normal <= 1)
		return v;
	return normal > INT64_MAX ? 0 : v / (int64_t)normal;
}

int64_t
aggval_shown(const struct dobj_agg *a, const uint64_t *w, uint64_t normal)
{
	if (normal > INT64_MAX)
		return 0;
	switch ((enum agg_fn)a->fn) {
	case AGG_COUNT:
		return aggval_normalized((int64_t)w[0], normal);
	case AGG_SUM:
	case AGG_MIN:
	case AGG_MAX:
		return aggval_normalized((int64_t)w[1], normal);
	case AGG_AVG:
		return average(w, normal ? (int64_t)normal : 1);
	case AGG_STDDEV:
		return deviation(w, normal ? (int64_t)normal : 1);
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		return aggval_normalized(sum_of_buckets(a, w), normal);
	case AGG_NFNS:
		break;
	}
	return 0;
}
