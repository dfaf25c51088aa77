#include "object/cond.h"

#include "object/aggval.h"

#include <string.h>

static const struct {
	const char *name;
	uint32_t on;
	bool empty;
} fns[COND_NFNS] = {
#define X(id, name, on, empty) {name, on, empty},
    COND_FNS(X)
#undef X
};

enum { MOST_DIGITS = 4 };

/* p999 */
static bool
percentile(const char *name, uint32_t *percent)
{
	size_t n = strlen(name);
	uint32_t v = 0;
	if (name[0] != 'p' || n < 3 || n > 1 + MOST_DIGITS)
		return false;
	for (size_t i = 1; i <= MOST_DIGITS; i++) {
		if (i < n && (name[i] < '0' || name[i] > '9'))
			return false;
		v = v * 10 + (i < n ? (uint32_t)(name[i] - '0') : 0);
	}
	*percent = v;
	return true;
}

int
cond_find(const char *name, uint32_t *percent)
{
	*percent = 0;
	if (percentile(name, percent))
		return COND_PERCENTILE;
	for (int i = 0; i < COND_PERCENTILE; i++)
		if (strcmp(fns[i].name, name) == 0)
			return i;
	return -1;
}

bool
cond_takes(uint32_t fn, uint32_t aggfn)
{
	return fn < COND_NFNS && aggfn < AGG_NFNS && fns[fn].on >> aggfn & 1;
}

/* Buckets may have been given negative increments: those count as empty. */
static uint64_t
bucket_count(const uint64_t *words, uint32_t i)
{
	return (int64_t)words[1 + i] > 0 ? words[1 + i] : 0;
}

static uint64_t
total(const struct dobj_agg *a, const uint64_t *words)
{
	uint64_t n = 0;
	if (!aggfn_is(a->fn, AT_DIST))
		return words[0];
	for (uint32_t i = 0; i < aggval_nbuckets(a); i++)
		if (__builtin_add_overflow(n, bucket_count(words, i), &n))
			return UINT64_MAX;
	return n;
}

static int64_t
of_percent(const struct dobj_agg *a, const uint64_t *words, uint32_t percent)
{
	long double rank = (long double)total(a, words) * percent / 10000, before = 0;
	int64_t edge = 0;
	for (uint32_t i = 0; i < aggval_nbuckets(a); i++) {
		uint64_t n = bucket_count(words, i);
		if (!n)
			continue;
		struct aggval_range r = aggval_bucket(a, i);
		edge = r.hi == INT64_MAX ? r.lo : r.hi;
		if (before + (long double)n >= rank) {
			if (r.lo == INT64_MIN || r.hi == INT64_MAX)
				return edge;
			long double wide = (long double)r.hi - (long double)r.lo;
			return r.lo + (int64_t)(wide * (rank - before) / (long double)n);
		}
		before += (long double)n;
	}
	return edge;
}

static int64_t
per_second(const struct dobj_agg *a, const uint64_t *words, uint64_t span)
{
	__int128 v = a->fn == AGG_SUM ? (__int128)(int64_t)words[1] : (__int128)total(a, words);
	/* just begun: a few values in a moment are no rate */
	v = v * 1000000000 / (span > 1000000000 ? span : 1000000000);
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

bool
cond_value(const struct dobj_cond *c, const struct dobj_agg *a, const uint64_t *words, uint64_t span, int64_t *v)
{
	uint64_t n;
	*v = 0;
	if (words[0] == 0 && !fns[c->fn].empty)
		return false;
	switch ((enum cond_fn)c->fn) {
	case COND_COUNT:
		n = total(a, words);
		*v = n > INT64_MAX ? INT64_MAX : (int64_t)n;
		return true;
	case COND_SUM:
		*v = (int64_t)words[1];
		return true;
	case COND_RATE:
		*v = per_second(a, words, span);
		return true;
	case COND_AVG:
		*v = aggval_average(words);
		return true;
	case COND_MIN:
	case COND_MAX:
	case COND_STDDEV:
		*v = aggval_shown(a, words, 1);
		return true;
	case COND_PERCENTILE:
		if (total(a, words) == 0)
			return false;
		*v = of_percent(a, words, c->percent);
		return true;
	case COND_NFNS:
		break;
	}
	return false;
}

bool
cond_compare(uint32_t op, int64_t v, int64_t limit)
{
	switch ((enum cond_op)op) {
	case COND_GT:
		return v > limit;
	case COND_GE:
		return v >= limit;
	case COND_LT:
		return v < limit;
	case COND_LE:
		return v <= limit;
	case COND_NOPS:
		break;
	}
	return false;
}

const char *
cond_op_text(uint32_t op)
{
	static const char *const texts[COND_NOPS] = {">", ">=", "<", "<="};
	return op < COND_NOPS ? texts[op] : "";
}
