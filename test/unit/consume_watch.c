/* Alerts over aggregations: percentiles, and when a condition begins, goes on and ends, by a clock of the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "consume/watch.h"
#include "object/aggval.h"
#include "object/cond.h"

#include <stdio.h>
#include <string.h>

#define S 1000000000ull

static struct dobj_key keys[] = {{.kind = DK_INT, .is_signed = 1, .size = 8}};
static struct dobj_agg aggs[] = {
    {.fn = AGG_QUANTIZE, .nkeys = 1},
    {.fn = AGG_COUNT},
    {.fn = AGG_LQUANTIZE, .par = {0, 100, 10}},
    {.fn = AGG_MAX, .nkeys = 1},
};
static struct dobj_cond conds[1];
static struct dobj obj = {.keys = keys, .nkeys = 1, .aggs = aggs, .naggs = 4, .conds = conds, .nconds = 1};
static struct agg_watch w;
static char log_text[4096];

static int
note(void *arg, const struct watch_news *n)
{
	int64_t key = 0;
	(void)arg;
	if (n->keylen)
		memcpy(&key, n->key, 8);
	if (!n->again)
		snprintf(log_text + strlen(log_text), sizeof log_text - strlen(log_text), "%s%lld=%lld ",
		    n->over ? "over " : "", (long long)key, (long long)n->value);
	return 0;
}

static void
open_watch(struct dobj_cond c)
{
	conds[0] = c;
	conds[0].mul = conds[0].mul ? conds[0].mul : 1;
	conds[0].div = conds[0].div ? conds[0].div : 1;
	conds[0].window = c.window ? c.window : 10 * S;
	log_text[0] = '\0';
	assert_true(watch_init(&w, &obj, 1000 * S));
}

static void
add(uint32_t agg, int64_t key, int64_t v, uint64_t at)
{
	uint64_t words[AGGVAL_QBUCKETS + 1] = {0};
	aggval_add(&aggs[agg], words, v, 1);
	watch_add(&w, agg, &key, aggs[agg].nkeys ? 8 : 0, words, true, (1000 + at) * S);
}

static void
look(uint64_t at, const char *want)
{
	log_text[0] = '\0';
	assert_int_equal(watch_look(&w, (1000 + at) * S, note, NULL), 0);
	if (strcmp(log_text, want) != 0)
		fail_msg("after %d s: '%s', expected '%s'", (int)at, log_text, want);
}

/* It must hold for 3 s, and not hold for 3 s; values leave the window after its 10 s. */
static void
test_for(void **state)
{
	(void)state;
	open_watch(
	    (struct dobj_cond){.agg = 3, .fn = COND_MAX, .op = COND_GT, .limit = 100, .until = 100, .hold = 3 * S});
	add(3, 7, 150, 1);
	look(1, "");
	look(3, "");
	look(4, "7=150 ");
	add(3, 7, 300, 5);
	look(5, "");
	look(10, "");
	add(3, 7, 50, 12);
	look(16, ""); /* only 50 is left: it does not hold any more … */
	look(18, "");
	look(19, "over 7=300 ");
	look(20, "");
	look(60, "");
	assert_int_equal(w.bytes, 0); /* the key is forgotten */
	watch_free(&w);
}

/* A break begins the time anew. */
static void
test_break(void **state)
{
	(void)state;
	open_watch((struct dobj_cond){
	    .agg = 3, .fn = COND_MAX, .op = COND_GE, .limit = 100, .until = 100, .hold = 5 * S, .window = 1 * S});
	add(3, 1, 100, 1);
	look(1, "");
	look(3, "");
	add(3, 1, 100, 4);
	look(4, "");
	look(5, "");
	add(3, 1, 100, 6);
	look(6, "");
	watch_free(&w);
}

/* Between the limit and `until` it goes on. */
static void
test_until(void **state)
{
	(void)state;
	open_watch(
	    (struct dobj_cond){.agg = 3, .fn = COND_MAX, .op = COND_GT, .limit = 100, .until = 80, .window = 1 * S});
	add(3, 1, 90, 1);
	look(1, "");
	add(3, 1, 110, 3);
	look(3, "1=110 ");
	add(3, 1, 90, 5);
	look(5, "");
	add(3, 1, 80, 7);
	look(7, "over 1=90 ");
	add(3, 1, 90, 9);
	look(9, "");
	watch_free(&w);
}

/* Of an aggregation without keys nothing is a value too, once there was time for some. */
static void
test_silence(void **state)
{
	(void)state;
	open_watch((struct dobj_cond){.agg = 1, .fn = COND_RATE, .op = COND_LT, .limit = 2, .until = 2, .hold = 0});
	look(0, "");
	look(4, "");
	look(6, "0=0 ");
	for (int i = 0; i < 50; i++)
		add(1, 0, 0, 7);
	look(7, "over 0=0 ");
	look(30, "0=0 ");
	watch_free(&w);
}

static void
test_unit(void **state)
{
	(void)state;
	/* values in us, the limit in ms */
	open_watch(
	    (struct dobj_cond){.agg = 3, .fn = COND_MAX, .op = COND_GT, .limit = 5000, .until = 5000, .div = 1000});
	add(3, 1, 7999, 1);
	look(1, "1=7 ");
	watch_free(&w);
}

/* More keys than there is room for are counted, and room comes back. */
static void
test_keys(void **state)
{
	(void)state;
	open_watch((struct dobj_cond){.agg = 0,
	    .fn = COND_PERCENTILE,
	    .percent = 9900,
	    .op = COND_GT,
	    .limit = 1 << 30,
	    .until = 1 << 30,
	    .window = 1 * S});
	for (int64_t k = 0; k < 5000; k++)
		add(0, k, 5, 1);
	assert_int_equal(w.conds[0].n, WATCH_KEYS);
	assert_int_equal(w.dropped, 4000);
	assert_true(w.bytes <= WATCH_BYTES);
	look(5, "");
	assert_int_equal(w.conds[0].n, 0);
	assert_int_equal(w.bytes, 0);
	watch_free(&w);
}

/* The keys with the largest values, and the seconds of the last minute. */
static int
note_top(void *arg, const struct watch_news *n)
{
	struct watch_cond *c = &w.conds[0];
	(void)arg;
	if (n->again || n->over)
		return 0;
	watch_top(n);
	assert_int_equal(c->ntop, WATCH_TOP);
	for (unsigned i = 0; i < WATCH_TOP; i++) {
		int64_t key;
		memcpy(&key, watch_key(c, c->top[i].at), 8);
		assert_int_equal(key, 9 - i);
	}
	const uint64_t *last = watch_second(n, WATCH_MINUTE - 1), *before = watch_second(n, WATCH_MINUTE - 4);
	assert_non_null(last);
	assert_int_equal(last[0], 9);
	assert_non_null(before);
	assert_int_equal(before[0], 1);
	assert_null(watch_second(n, WATCH_MINUTE - 2));
	assert_null(watch_second(n, 0));
	strcat(log_text, "seen ");
	return 0;
}

static void
test_before(void **state)
{
	(void)state;
	open_watch((struct dobj_cond){
	    .agg = 0, .fn = COND_PERCENTILE, .percent = 5000, .op = COND_GT, .limit = 300, .until = 300});
	add(0, 50, 1, 67);
	for (int64_t k = 1; k <= 9; k++)
		add(0, k, 1 << k, 70);
	log_text[0] = '\0';
	assert_int_equal(watch_look(&w, 1070 * S, note_top, NULL), 0);
	assert_string_equal(log_text, "seen seen ");
	watch_free(&w);
}

/* What the action alert() shows: the keys of the script's first distribution with the most values in the last minute,
 * and that minute. Keys with few values give way, nobody counts them, and keys are forgotten. */
static void
test_picture(void **state)
{
	(void)state;
	struct dobj_act act = {.kind = DA_ALERT};
	struct dobj_agg two[] = {{.fn = AGG_COUNT}, aggs[0]};
	struct dobj o = {.keys = keys, .nkeys = 1, .aggs = two, .naggs = 2, .acts = &act};
	uint64_t words[AGGVAL_QBUCKETS + 1] = {0};
	struct watch_news n;
	assert_true(watch_init(&w, &o, 1000 * S));
	assert_false(watch_picture(&w, &n, 1000 * S));
	watch_free(&w);
	o.nacts = 1;
	assert_true(watch_init(&w, &o, 1000 * S));
	aggval_add(&two[1], words, 5, 1);
	for (int64_t k = 0; k < WATCH_KEYS + 10; k++)
		for (int64_t i = 0; i < (k < 7 ? k : 1); i++)
			watch_add(&w, 1, &k, 8, words, true, 1001 * S);
	int64_t late = 5000;
	watch_add(&w, 0, NULL, 0, words, true, 1001 * S);
	watch_add(&w, 1, &late, 8, words, false, 1001 * S);
	assert_int_equal(w.dropped, 0);
	assert_int_equal(watch_look(&w, 1002 * S, note, NULL), 0);
	assert_true(watch_picture(&w, &n, 1002 * S));
	watch_top(&n);
	const struct watch_cond *c = &w.conds[n.number];
	assert_int_equal(c->ntop, WATCH_TOP);
	for (unsigned i = 0; i < WATCH_TOP; i++) {
		int64_t k;
		memcpy(&k, watch_key(c, c->top[i].at), 8);
		assert_int_equal(k, 6 - i);
		assert_int_equal(c->top[i].value, 6 - i);
	}
	/* one that comes late, and has more than others, finds room */
	memset(words, 0, sizeof words);
	for (unsigned i = 0; i < 100; i++)
		aggval_add(&two[1], words, 5, 1);
	watch_add(&w, 1, &late, 8, words, true, 1001 * S);
	n.now++;
	watch_top(&n);
	int64_t first;
	memcpy(&first, watch_key(c, c->top[0].at), 8);
	assert_int_equal(first, late);
	assert_int_equal(c->top[0].value, 100);
	assert_int_equal(c->n, WATCH_KEYS);
	assert_int_equal(w.dropped, 0);
	const uint64_t *second = watch_second(&n, WATCH_MINUTE - 2);
	assert_non_null(second);
	assert_int_equal(second[1 + AGGVAL_QZERO + 3], 21 + WATCH_KEYS + 3 + 100);
	assert_null(watch_second(&n, WATCH_MINUTE - 1));
	assert_int_equal(watch_look(&w, 1070 * S, note, NULL), 0);
	assert_int_equal(c->n, 0);
	assert_int_equal(w.bytes, 0);
	watch_free(&w);
}

static int64_t
percentile(uint32_t agg, uint32_t percent, const int64_t *values, unsigned n)
{
	uint64_t words[AGGVAL_QBUCKETS + 1] = {0};
	struct dobj_cond c = {.fn = COND_PERCENTILE, .percent = percent};
	int64_t v = -1;
	for (unsigned i = 0; i < n; i++)
		aggval_add(&aggs[agg], words, values[i], 1);
	assert_true(cond_value(&c, &aggs[agg], words, S, &v));
	return v;
}

/* Values lie evenly in their bucket; of an open one the edge that it has counts. */
static void
test_percentiles(void **state)
{
	(void)state;
	int64_t four[] = {1, 1, 1, 1000}, ten[] = {12, 12, 12, 12, 12, 35, 35, 35, 35, 35}, out[] = {-5, 5000};
	assert_int_equal(percentile(0, 5000, four, 4), 1);
	assert_int_equal(percentile(0, 9900, four, 4), 512 + (int64_t)(511 * 0.96));
	assert_int_equal(percentile(0, 10000, four, 4), 1023);
	assert_int_equal(percentile(2, 5000, ten, 10), 19);
	assert_int_equal(percentile(2, 2000, ten, 10), 10 + (int64_t)(9 * 0.4));
	assert_int_equal(percentile(2, 9000, ten, 10), 30 + (int64_t)(9 * 0.8));
	assert_int_equal(percentile(2, 5000, out, 2), -1);
	assert_int_equal(percentile(2, 9900, out, 2), 100);
}

static void
test_names(void **state)
{
	(void)state;
	uint32_t p;
	assert_int_equal(cond_find("p50", &p), COND_PERCENTILE);
	assert_int_equal(p, 5000);
	assert_int_equal(cond_find("p999", &p), COND_PERCENTILE);
	assert_int_equal(p, 9990);
	assert_int_equal(cond_find("p9", &p), -1);
	assert_int_equal(cond_find("p99999", &p), -1);
	assert_int_equal(cond_find("p9a", &p), -1);
	assert_int_equal(cond_find("rate", &p), COND_RATE);
	assert_int_equal(cond_find("median", &p), -1);
	assert_true(cond_takes(COND_PERCENTILE, AGG_LLQUANTIZE));
	assert_false(cond_takes(COND_PERCENTILE, AGG_MAX));
	assert_false(cond_takes(COND_RATE, AGG_MAX));
	assert_false(cond_takes(COND_NFNS, AGG_MAX));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_for),
	    cmocka_unit_test(test_break),
	    cmocka_unit_test(test_until),
	    cmocka_unit_test(test_silence),
	    cmocka_unit_test(test_unit),
	    cmocka_unit_test(test_keys),
	    cmocka_unit_test(test_before),
	    cmocka_unit_test(test_picture),
	    cmocka_unit_test(test_percentiles),
	    cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
