/* The table of aggregations: merging, sorting, joining, removing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "consume/aggset.h"

#include <stdlib.h>
#include <string.h>

/* @a[string] = count(), @b[string] = sum(), @c[int] = count(), @d[int, string] = quantize() */
static struct dobj_key keys[] = {
    {.kind = DK_STRING},
    {.kind = DK_STRING},
    {.kind = DK_INT, .is_signed = 1, .size = 4},
    {.kind = DK_INT, .is_signed = 1, .size = 4},
    {.kind = DK_STRING},
};
static struct dobj_agg aggs[] = {
    {.fn = AGG_COUNT, .key = 0, .nkeys = 1},
    {.fn = AGG_SUM, .key = 1, .nkeys = 1},
    {.fn = AGG_COUNT, .key = 2, .nkeys = 1},
    {.fn = AGG_COUNT, .key = 3, .nkeys = 2},
};
static const struct dobj obj = {.keys = keys, .nkeys = 5, .aggs = aggs, .naggs = 4};

static void
add_str(struct aggset *t, uint32_t agg, const char *key, int64_t v)
{
	char k[64] = {0};
	uint64_t w[] = {1, (uint64_t)v};
	if (agg == 0)
		w[0] = (uint64_t)v;
	memcpy(k, key, strlen(key));
	assert_true(aggset_add(t, agg, k, strlen(key) / 8 * 8 + 8, w));
}

static void
add_int(struct aggset *t, int64_t key, uint64_t n)
{
	assert_true(aggset_add(t, 2, &key, 8, &n));
}

static void
add_pair(struct aggset *t, int64_t key, const char *s)
{
	char k[16] = {0};
	uint64_t n = 1;
	memcpy(k, &key, 8);
	memcpy(k + 8, s, strlen(s));
	assert_true(aggset_add(t, 3, k, 16, &n));
}

/* Keys in order, separated by spaces. */
static void
expect_order(const struct aggset *t, int which, struct aggorder order, const char *want)
{
	struct aggent **e;
	size_t n;
	struct sbuf b = {0};
	assert_true(aggset_sorted(t, which, &order, &e, &n));
	for (size_t i = 0; i < n; i++) {
		struct val v[DOBJ_MAXKEYS];
		unsigned nv = aggent_vals(t, e[i], v);
		sb_adds(&b, i ? " " : "");
		for (unsigned k = 0; k < nv; k++) {
			if (k)
				sb_addc(&b, ',');
			if (v[k].kind == DK_INT)
				sb_printf(&b, "%lld", (long long)v[k].num);
			else
				sb_add(&b, v[k].at, v[k].len);
		}
	}
	free(e);
	assert_string_equal(b.at ? b.at : "", want);
	sb_free(&b);
}

static void
merging(void **state)
{
	(void)state;
	struct aggset t;
	assert_true(aggset_init(&t, &obj, NULL, NULL));
	for (int i = 0; i < 1000; i++)
		for (int k = 0; k < 3; k++)
			add_int(&t, i - 500, 2);
	assert_int_equal(t.n, 1000);
	for (size_t i = 0; i < t.n; i++)
		assert_int_equal(t.all[i]->words[0], 6);
	/* An aggregation that the object does not have is ignored. */
	uint64_t w = 1;
	assert_true(aggset_add(&t, 77, NULL, 0, &w));
	assert_int_equal(t.n, 1000);
	aggset_free(&t);
}

static void
sorting(void **state)
{
	(void)state;
	struct aggset t;
	assert_true(aggset_init(&t, &obj, NULL, NULL));
	add_str(&t, 0, "b", 2);
	add_str(&t, 0, "a", 2);
	add_str(&t, 0, "averylongkeyindeed2", 1);
	add_str(&t, 0, "averylongkeyindeed1", 1);
	add_str(&t, 0, "", 9);
	expect_order(&t, 0, (struct aggorder){.by = BY_VALUE}, "averylongkeyindeed1 averylongkeyindeed2 a b ");
	expect_order(
	    &t, 0, (struct aggorder){.by = BY_VALUE, .reverse = true}, " b a averylongkeyindeed2 averylongkeyindeed1");
	expect_order(&t, 0, (struct aggorder){.by = BY_KEY}, " a averylongkeyindeed1 averylongkeyindeed2 b");
	add_int(&t, 3, 1);
	add_int(&t, -2, 1);
	add_int(&t, 0, 1);
	expect_order(&t, 2, (struct aggorder){.by = BY_VALUE}, "0 3 -2");
	expect_order(&t, 2, (struct aggorder){.by = BY_KEY, .reverse = true}, "-2 3 0");
	add_pair(&t, 1, "z");
	add_pair(&t, 2, "a");
	add_pair(&t, 1, "b");
	expect_order(&t, 3, (struct aggorder){.by = BY_KEY}, "1,b 1,z 2,a");
	expect_order(&t, 3, (struct aggorder){.by = BY_KEY, .keypos = 1}, "2,a 1,b 1,z");
	expect_order(&t, 3, (struct aggorder){.by = BY_KEY, .keypos = 9}, "1,b 1,z 2,a");
	t.printed[0] = t.printed[3] = true;
	expect_order(&t, AGG_UNPRINTED, (struct aggorder){.by = BY_VALUE}, "0 3 -2");
	aggset_free(&t);
}

static void
joining(void **state)
{
	(void)state;
	struct aggset t;
	struct aggjoin *rows;
	size_t n;
	static const uint32_t both[] = {0, 1};
	struct aggorder order = {.by = BY_VALUE};
	assert_true(aggset_init(&t, &obj, NULL, NULL));
	add_str(&t, 0, "x", 5);
	add_str(&t, 0, "y", 1);
	add_str(&t, 1, "y", 100);
	add_str(&t, 1, "z", 50);
	assert_true(aggset_joined(&t, both, 2, 0, &order, &rows, &n));
	/* z has no count: 0; y 1; x 5. */
	assert_int_equal(n, 3);
	assert_string_equal(aggent_key(&t, rows[0].rep), "z");
	assert_null(rows[0].ent[0]);
	assert_int_equal(rows[0].ent[1]->words[1], 50);
	assert_string_equal(aggent_key(&t, rows[1].rep), "y");
	assert_non_null(rows[1].ent[0]);
	assert_non_null(rows[1].ent[1]);
	assert_string_equal(aggent_key(&t, rows[2].rep), "x");
	assert_null(rows[2].ent[1]);
	aggjoin_free(rows, n);
	assert_true(aggset_joined(&t, both, 2, 1, &order, &rows, &n));
	assert_string_equal(aggent_key(&t, rows[0].rep), "x");
	assert_string_equal(aggent_key(&t, rows[2].rep), "y");
	aggjoin_free(rows, n);
	static const uint32_t twice[] = {0, 0};
	assert_true(aggset_joined(&t, twice, 2, 0, &order, &rows, &n));
	assert_int_equal(n, 2);
	assert_ptr_equal(rows[0].ent[0], rows[0].ent[1]);
	aggjoin_free(rows, n);
	aggset_free(&t);
}

static void
removing(void **state)
{
	(void)state;
	struct aggset t;
	assert_true(aggset_init(&t, &obj, NULL, NULL));
	for (int i = 0; i < 100; i++)
		add_int(&t, i, (uint64_t)i + 1);
	for (size_t i = 0; i < t.n; i++)
		if (t.all[i]->words[0] % 2)
			t.all[i]->agg = DOBJ_NONE;
	aggset_sweep(&t);
	assert_int_equal(t.n, 50);
	/* The index still finds the others. */
	for (int i = 0; i < 100; i++)
		add_int(&t, i, 1);
	assert_int_equal(t.n, 100);
	aggent_clear(&t, t.all[0]);
	assert_int_equal(t.all[0]->words[0], 0);
	assert_int_equal(t.n, 100);
	aggset_free(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(merging),
	    cmocka_unit_test(sorting),
	    cmocka_unit_test(joining),
	    cmocka_unit_test(removing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
