/* Values of aggregations, against slow oracles that follow the definition of each function word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "object/aggval.h"
#include "object/cond.h"
#include "object/key.h"

#include <stdlib.h>
#include <string.h>

static const int64_t edges[] = {0, 1, -1, 2, -2, 3, -3, 4, 7, 8, 9, 10, 11, 15, 16, 99, 100, 101, 999, 1000, 1001,
    12345, -4, -7, -8, -9, -100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1,
    (int64_t)1 << 62, ((int64_t)1 << 62) - 1, -((int64_t)1 << 62), -((int64_t)1 << 62) - 1, -((int64_t)1 << 62) + 1};
enum { NEDGES = sizeof edges / sizeof *edges };

static uint64_t seed = 88172645463325252u;

static uint64_t
next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Numbers of all magnitudes, both signs. */
static int64_t
any(void)
{
	int64_t v = (int64_t)(next() >> (next() % 64));
	return next() & 1 ? (int64_t) - (uint64_t)v : v;
}

/* Every number lies in exactly the bucket that says so, and buckets follow each other without a gap. */
static void
check_partition(const struct dobj_agg *a)
{
	uint32_t n = aggval_nbuckets(a);
	assert_true(n > 0);
	assert_true(aggval_bucket(a, 0).lo == INT64_MIN);
	for (uint32_t i = 0; i + 1 < n; i++) {
		struct aggval_range r = aggval_bucket(a, i), s = aggval_bucket(a, i + 1);
		assert_true(r.lo <= r.hi);
		if (r.hi != INT64_MAX)
			assert_true(s.lo == r.hi + 1);
		assert_int_equal(aggval_bucket_of(a, r.lo), i);
		assert_int_equal(aggval_bucket_of(a, r.hi), i);
	}
	assert_true(aggval_bucket(a, n - 1).hi == INT64_MAX);
	for (int i = 0; i < 2000 + NEDGES; i++) {
		int64_t v = i < NEDGES ? edges[i] : any();
		uint32_t b = aggval_bucket_of(a, v);
		assert_true(b < n);
		struct aggval_range r = aggval_bucket(a, b);
		assert_true(v >= r.lo && v <= r.hi);
	}
}

/* The label that DTrace gives to quantize's bucket i. */
static int64_t
quantize_label(int i)
{
	if (i < AGGVAL_QZERO)
		return -((int64_t)1 << (AGGVAL_QZERO - 1 - i));
	return i == AGGVAL_QZERO ? 0 : (int64_t)1 << (i - AGGVAL_QZERO - 1);
}

/* Away from zero, the last bucket whose label is not beyond v. */
static int
quantize_oracle(int64_t v)
{
	if (v < 0) {
		for (int i = 0; i < AGGVAL_QZERO; i++)
			if (v <= quantize_label(i))
				return i;
	}
	for (int i = AGGVAL_QBUCKETS - 1; i > AGGVAL_QZERO; i--)
		if (v >= quantize_label(i))
			return i;
	return AGGVAL_QZERO;
}

static void
test_quantize(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_QUANTIZE};
	assert_int_equal(aggval_words(&a), 128);
	check_partition(&a);
	for (int i = 0; i < 20000 + NEDGES; i++) {
		int64_t v = i < NEDGES ? edges[i] : any();
		assert_int_equal(aggval_bucket_of(&a, v), quantize_oracle(v));
	}
	assert_int_equal(aggval_bucket_of(&a, INT64_MIN), 0);
	assert_int_equal(aggval_bucket_of(&a, 0), AGGVAL_QZERO);
	assert_int_equal(aggval_bucket_of(&a, -1), AGGVAL_QZERO - 1);
}

static uint32_t
lquantize_oracle(const struct dobj_agg *a, int64_t v)
{
	uint32_t i = 1;
	__int128 at = a->par[0], step = a->par[2];
	if (v < at)
		return 0;
	for (; at + step <= a->par[1]; at += step, i++)
		if (v < at + step)
			return i;
	return i;
}

static void
test_lquantize(void **state)
{
	(void)state;
	static const int64_t pars[][3] = {{0, 10, 1}, {0, 100, 10}, {-50, 50, 7}, {0, 10, 3}, {5, 6, 1}, {-10, -1, 2},
	    {INT64_MIN, INT64_MAX, INT64_MAX / 4}, {INT64_MAX - 10, INT64_MAX, 3}, {INT64_MIN, INT64_MIN + 9, 2}};
	for (size_t p = 0; p < sizeof pars / sizeof *pars; p++) {
		struct dobj_agg a = {.fn = AGG_LQUANTIZE, .par = {pars[p][0], pars[p][1], pars[p][2]}};
		assert_true(aggval_words(&a) > 0);
		for (int i = 0; i < 3000 + NEDGES; i++) {
			int64_t v = i < NEDGES ? edges[i]
				    : i % 2    ? any()
					       : (int64_t)((uint64_t)pars[p][0] + next() % 64);
			assert_int_equal(aggval_bucket_of(&a, v), lquantize_oracle(&a, v));
		}
		if (pars[p][0] != INT64_MIN)
			check_partition(&a);
	}
	static const int64_t wrong[][3] = {
	    {0, 10, 0}, {0, 10, -1}, {10, 0, 1}, {5, 5, 1}, {0, 10, 11}, {0, 1000000, 1}, {INT64_MIN, INT64_MAX, 1}};
	for (size_t p = 0; p < sizeof wrong / sizeof *wrong; p++) {
		struct dobj_agg a = {.fn = AGG_LQUANTIZE, .par = {wrong[p][0], wrong[p][1], wrong[p][2]}};
		assert_int_equal(aggval_words(&a), 0);
	}
	struct dobj_agg most = {.fn = AGG_LQUANTIZE, .par = {0, 65535, 1}};
	assert_int_equal(aggval_words(&most), 65538);
}

/* All lower bounds by walking from step to step, as the definition of llquantize reads. */
static uint32_t
llquantize_bounds(const struct dobj_agg *a, int64_t *bounds, uint32_t max)
{
	int64_t factor = a->par[0], low = a->par[1], high = a->par[2], steps = a->par[3], order;
	__int128 value = 1;
	uint32_t n = 0;
	for (order = 0; order < low; order++)
		value *= factor;
	__int128 next_order = value * factor, step = next_order > steps ? next_order / steps : 1;
	bounds[n++] = (int64_t)value;
	while (order <= high) {
		value += step;
		assert_true(n < max);
		bounds[n++] = value > INT64_MAX ? INT64_MAX : (int64_t)value;
		if (value != next_order)
			continue;
		next_order = value * factor;
		step = next_order > steps ? next_order / steps : 1;
		order++;
	}
	return n;
}

static void
test_llquantize(void **state)
{
	(void)state;
	static const int64_t pars[][4] = {{10, 0, 6, 20}, {10, 0, 2, 10}, {10, 3, 9, 10}, {2, 0, 40, 4},
	    {10, 0, 3, 100}, {2, 0, 10, 64}, {3, 1, 5, 9}, {10, 2, 2, 10}, {16, 0, 4, 16}, {10, 0, 17, 10},
	    {5, 0, 3, 25}, {4, 2, 6, 16}};
	static int64_t bounds[70000];
	for (size_t p = 0; p < sizeof pars / sizeof *pars; p++) {
		struct dobj_agg a = {.fn = AGG_LLQUANTIZE, .par = {pars[p][0], pars[p][1], pars[p][2], pars[p][3]}};
		uint32_t n = llquantize_bounds(&a, bounds, 70000);
		assert_int_equal(aggval_nbuckets(&a), n + 1);
		check_partition(&a);
		for (uint32_t i = 0; i < n; i++)
			assert_true(aggval_bucket(&a, i + 1).lo == bounds[i]);
	}
	struct dobj_agg top = {.fn = AGG_LLQUANTIZE, .par = {10, 17, 18, 10}};
	assert_true(aggval_words(&top) > 0);
	assert_true(aggval_bucket_of(&top, INT64_MAX) < aggval_nbuckets(&top));
	static const int64_t wrong[][4] = {{1, 0, 6, 20}, {0, 0, 1, 1}, {-2, 0, 1, 2}, {10, -1, 6, 20}, {10, 7, 6, 20},
	    {10, 0, 6, 5}, {10, 0, 6, 15}, {10, 0, 6, 30}, {10, 0, 19, 10}, {2, 0, 63, 2}, {10, 0, INT64_MAX, 10},
	    {INT64_MAX, 0, 1, INT64_MAX}, {2, 0, 60, 65536}};
	for (size_t p = 0; p < sizeof wrong / sizeof *wrong; p++) {
		struct dobj_agg a = {.fn = AGG_LLQUANTIZE, .par = {wrong[p][0], wrong[p][1], wrong[p][2], wrong[p][3]}};
		assert_int_equal(aggval_words(&a), 0);
	}
}

static void
test_scalars(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		int n = 1 + (int)(next() % 20);
		int64_t least = INT64_MAX, most = INT64_MIN;
		uint64_t sum = 0;
		uint64_t w[AGG_STDDEV + 1][4] = {{0}}, x[AGG_STDDEV + 1][4] = {{0}};
		struct dobj_agg a = {0};
		for (int i = 0; i < n; i++) {
			int64_t v = any();
			sum += (uint64_t)v;
			least = v < least ? v : least;
			most = v > most ? v : most;
			for (a.fn = AGG_COUNT; a.fn <= AGG_STDDEV; a.fn++)
				aggval_add(&a, i % 2 ? w[a.fn] : x[a.fn], v, 1);
		}
		for (a.fn = AGG_COUNT; a.fn <= AGG_STDDEV; a.fn++) {
			aggval_merge(&a, w[a.fn], x[a.fn]);
			assert_int_equal(w[a.fn][0], n);
		}
		a.fn = AGG_COUNT;
		assert_int_equal(aggval_shown(&a, w[a.fn], 1), n);
		a.fn = AGG_SUM;
		assert_true(aggval_shown(&a, w[a.fn], 1) == (int64_t)sum);
		a.fn = AGG_AVG;
		assert_true(aggval_shown(&a, w[a.fn], 1) == (int64_t)sum / n);
		a.fn = AGG_MIN;
		assert_true(aggval_shown(&a, w[a.fn], 1) == least);
		a.fn = AGG_MAX;
		assert_true(aggval_shown(&a, w[a.fn], 1) == most);
	}
}

static int64_t
stddev_of(const int64_t *v, int n)
{
	struct dobj_agg a = {.fn = AGG_STDDEV};
	uint64_t w[4] = {0};
	for (int i = 0; i < n; i++)
		aggval_add(&a, w, v[i], 1);
	return aggval_shown(&a, w, 1);
}

static void
test_stddev(void **state)
{
	(void)state;
	assert_int_equal(stddev_of((int64_t[]){5}, 1), 0);
	assert_int_equal(stddev_of((int64_t[]){1, 2}, 2), 1); /* sqrt(5 / 2 - (3 / 2)^2), each division cutting */
	assert_int_equal(stddev_of((int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9), 2);
	assert_int_equal(stddev_of((int64_t[]){-10, 10}, 2), 10);
	assert_int_equal(stddev_of((int64_t[]){-3, -5}, 2), 1);
	assert_int_equal(stddev_of((int64_t[]){0, 1000000007}, 2), 500000003);
	/* The sum of squares needs 127 bits. */
	assert_true(stddev_of((int64_t[]){INT64_MAX, -INT64_MAX}, 2) == INT64_MAX);
	uint64_t w[4] = {0};
	struct dobj_agg a = {.fn = AGG_STDDEV};
	assert_int_equal(aggval_shown(&a, w, 1), 0);
	aggval_add(&a, w, -100, 1);
	aggval_add(&a, w, 100, 1);
	assert_int_equal(aggval_shown(&a, w, 10), 10);
	assert_int_equal(aggval_shown(&a, w, 0), 100); /* not normalized */
	assert_int_equal(aggval_shown(&a, w, UINT64_MAX), 0);
}

static void
test_increments_and_merge(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_LQUANTIZE, .par = {0, 10, 1}};
	uint64_t w[13] = {0}, x[13] = {0};
	aggval_add(&a, w, 3, 5);
	aggval_add(&a, w, 3, -7);
	aggval_add(&a, w, 99, 2);
	assert_int_equal(w[0], 3);
	assert_true((int64_t)w[1 + 4] == -2);
	assert_int_equal(w[1 + 11], 2);
	aggval_add(&a, x, 3, 2);
	aggval_add(&a, x, -1, 1);
	aggval_merge(&a, w, x);
	assert_int_equal(w[0], 5);
	assert_int_equal(w[1 + 4], 0);
	assert_int_equal(w[1], 1);
	assert_int_equal(aggval_shown(&a, w, 1), 3);
	/* Merging an empty value changes nothing, also for min and max. */
	struct dobj_agg min = {.fn = AGG_MIN};
	uint64_t m[2] = {1, 7}, none[2] = {0, 0};
	aggval_merge(&min, m, none);
	assert_int_equal(m[1], 7);
	aggval_merge(&min, none, m);
	assert_int_equal(none[1], 7);
	uint64_t low[2] = {1, (uint64_t)INT64_MIN};
	struct dobj_agg avg = {.fn = AGG_AVG};
	assert_true(aggval_shown(&avg, low, 1) == INT64_MIN);
	assert_true(aggval_shown(&avg, low, 2) == INT64_MIN / 2);
	assert_true(aggval_normalized(INT64_MIN, 0) == INT64_MIN && aggval_normalized(INT64_MIN, 2) == INT64_MIN / 2);
	assert_int_equal(aggval_normalized(7, UINT64_MAX), 0);
	/* as a node that lies could send it */
	low[0] = UINT64_MAX;
	assert_true(aggval_shown(&avg, low, 1) == INT64_MIN);
	int64_t v;
	struct dobj_cond cond = {.fn = COND_AVG};
	assert_true(cond_value(&cond, &avg, low, 1, &v) && v == INT64_MIN);
}

static void
test_keys(void **state)
{
	(void)state;
	struct dobj_key keys[] = {{.kind = DK_INT, .size = 4}, {.kind = DK_STRING}, {.kind = DK_BYTES, .size = 5},
	    {.kind = DK_USYM}, {.kind = DK_USTACK}};
	_Alignas(8) char b[96] = {0};
	int64_t five = -5;
	uint64_t words[] = {77, 0x1000, 78, 2, 11, 22};
	memcpy(b, &five, 8);
	memcpy(b + 8, "1234567", 8);
	memcpy(b + 16, "abcde", 5);
	memcpy(b + 24, words, sizeof words);
	struct key_elem e[5];
	size_t len = 24 + sizeof words;
	assert_true(key_unpack(keys, 5, b, len, e));
	assert_true((int64_t)e[0].num == -5);
	assert_string_equal(e[1].at, "1234567");
	assert_int_equal(e[1].len, 7);
	assert_memory_equal(e[2].at, "abcde", 5);
	assert_int_equal(e[3].pid, 77);
	assert_int_equal(e[3].num, 0x1000);
	assert_int_equal(e[4].pid, 78);
	assert_int_equal(e[4].npcs, 2);
	assert_int_equal(e[4].pcs[1], 22);
	for (size_t n = 0; n < len; n++) {
		char *cut = malloc(n ? n : 1);
		memcpy(cut, b, n);
		assert_false(key_unpack(keys, 5, cut, n, e));
		free(cut);
	}
	assert_false(key_unpack(keys, 5, b, len + 8, e));
	words[3] = UINT64_MAX;
	memcpy(b + 24, words, sizeof words);
	assert_false(key_unpack(keys, 5, b, len, e));
	memset(b + 8, 'x', 8);
	assert_false(key_unpack(keys, 2, b, 16, e));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_quantize),
	    cmocka_unit_test(test_lquantize),
	    cmocka_unit_test(test_llquantize),
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_stddev),
	    cmocka_unit_test(test_increments_and_merge),
	    cmocka_unit_test(test_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
