/* Values on their way from a node: what is written is read, zeros of distributions do not travel, snapshots of several
 * nodes are merged, and bytes that make no sense are refused. */
#include "node/wire.h"
#include "object/aggval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
returns(const uint64_t *words, uint32_t n, size_t bytes)
{
	struct sbuf b = {0};
	struct wire_agg a;
	const void *key;
	const uint64_t *got;
	wire_add_agg(&b, 7, "a key", 6, words, n);
	assert_int_equal(b.len, sizeof a + 8 + bytes);
	struct wire_in in = {.at = b.at, .left = b.len};
	assert_true(wire_next_agg(&in, &a, &key, &got));
	assert_int_equal(a.agg, 7);
	assert_int_equal(a.nwords, n);
	assert_string_equal(key, "a key");
	assert_memory_equal(got, words, n * sizeof *words);
	assert_int_equal(in.left, 0);
	assert_false(wire_next_agg(&in, &a, &key, &got));
	wire_done(&in);
	/* the same, cut at every place */
	for (size_t len = 0; len < b.len; len++) {
		in = (struct wire_in){.at = b.at, .left = len};
		assert_false(wire_next_agg(&in, &a, &key, &got));
		wire_done(&in);
	}
	sb_free(&b);
}

static void
values(void **state)
{
	uint64_t words[130] = {0};
	(void)state;
	returns(words, 130, 0);
	words[0] = 1;
	words[129] = WIRE_VALUES - 1;
	returns(words, 130, 16);
	words[5] = WIRE_VALUES; /* too large to travel with its number */
	returns(words, 130, 130 * 8);
	words[5] = (uint64_t)-1;
	returns(words, 130, 130 * 8);
	returns((uint64_t[]){3, 4}, 2, 16);
	returns((uint64_t[]){3, 0}, 2, 8);
	returns((uint64_t[]){0}, 1, 0);
}

static void
many_words(void **state)
{
	uint32_t n = WIRE_NUMBERS + 1;
	uint64_t *words = calloc(n, sizeof *words);
	struct sbuf b = {0};
	(void)state;
	words[n - 1] = 9;
	wire_add_agg(&b, 0, "", 0, words, n);
	assert_int_equal(b.len, sizeof(struct wire_agg) + n * sizeof *words);
	sb_free(&b);
	free(words);
}

static void
refuses(struct wire_agg w, uint64_t word)
{
	struct {
		struct wire_agg w;
		uint64_t word;
	} bytes = {w, word};
	struct wire_in in = {.at = (const char *)&bytes, .left = sizeof bytes};
	const void *key;
	const uint64_t *words;
	assert_false(wire_next_agg(&in, &w, &key, &words));
	assert_int_equal(in.left, sizeof bytes);
	wire_done(&in);
}

static void
nonsense(void **state)
{
	(void)state;
	refuses((struct wire_agg){.nwords = 1, .dense = 4}, WIRE_WORD(4, 1));
	refuses((struct wire_agg){.nwords = 1, .dense = WIRE_DENSE_MOST + 1}, WIRE_WORD(0, 1));
	refuses((struct wire_agg){.nwords = 1, .dense = UINT32_MAX}, WIRE_WORD(0, 1));
	refuses((struct wire_agg){.nwords = 2, .dense = 4}, WIRE_WORD(0, 1));
	refuses((struct wire_agg){.keylen = UINT32_MAX, .nwords = 1}, 0);
}

enum { NODES = 5, KEYS = 3000 };

/* A node's snapshot: of the first keys, from `from` on. */
static void
snapshot(struct sbuf *b, const struct dobj *o, int from)
{
	for (int k = from; k < KEYS; k++) {
		uint64_t count[1] = {0}, least[2] = {0}, dist[130] = {0};
		char key[16];
		snprintf(key, sizeof key, "key %d", k);
		aggval_add(&o->aggs[0], count, 0, 1);
		aggval_add(&o->aggs[1], least, k - from, 1);
		for (int i = 0; i <= from; i++)
			aggval_add(&o->aggs[2], dist, (int64_t)1 << (k % 60), 1);
		wire_add_agg(b, 0, key, strlen(key) + 1, count, 1);
		wire_add_agg(b, 1, key, strlen(key) + 1, least, 2);
		wire_add_agg(b, 2, key, strlen(key) + 1, dist, aggval_words(&o->aggs[2]));
	}
	/* no aggregation of this object, and a value of another size */
	wire_add_agg(b, 3, "key 1", 6, (uint64_t[]){1}, 1);
	wire_add_agg(b, 0, "key 1", 6, (uint64_t[]){1, 2}, 2);
}

/* Node i has the keys from i on, so key k is of the nodes 0 to k. */
static void
check_value(const struct dobj *o, const struct wire_agg *a, const char *key, const uint64_t *words)
{
	int k = atoi(key + 4), nodes = k + 1 < NODES ? k + 1 : NODES, values = nodes * (nodes + 1) / 2;
	if (a->agg == 0)
		assert_int_equal(words[0], nodes);
	else if (a->agg == 1)
		assert_int_equal(words[1], k - (nodes - 1));
	else {
		assert_int_equal(words[0], values);
		assert_int_equal(words[1 + aggval_bucket_of(&o->aggs[2], (int64_t)1 << (k % 60))], values);
	}
}

static void
merged(void **state)
{
	struct dobj_agg aggs[] = {{.fn = AGG_COUNT}, {.fn = AGG_MIN}, {.fn = AGG_QUANTIZE}};
	const struct dobj o = {.aggs = aggs, .naggs = 3};
	struct sbuf nodes[NODES] = {0}, out = {0};
	struct wire_in in[NODES], all;
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	unsigned n = 0;
	(void)state;
	for (int i = 0; i < NODES; i++) {
		snapshot(&nodes[i], &o, i);
		in[i] = (struct wire_in){.at = nodes[i].at, .left = nodes[i].len};
	}
	assert_true(wire_merge(&out, &o, in, NODES));
	all = (struct wire_in){.at = out.at, .left = out.len};
	for (; wire_next_agg(&all, &a, &key, &words); n++)
		check_value(&o, &a, key, words);
	assert_int_equal(all.left, 0);
	assert_int_equal(n, 3 * KEYS);
	wire_done(&all);
	/* cut in the middle of a value: what is before it counts */
	sb_clear(&out);
	in[0].left = sizeof(struct wire_agg) + 16;
	assert_true(wire_merge(&out, &o, in, 1));
	assert_int_equal(out.len, in[0].left);
	sb_clear(&out);
	in[0].left -= 8;
	assert_true(wire_merge(&out, &o, in, 1));
	assert_int_equal(out.len, 0);
	for (int i = 0; i < NODES; i++)
		sb_free(&nodes[i]);
	sb_free(&out);
}

/* Snapshots of the same keys are collected: their size does not grow with their number, and nothing is lost. */
static void
collected(void **state)
{
	enum { TIMES = 100, SMALL = 10 };
	struct dobj_agg aggs[] = {{.fn = AGG_COUNT}};
	const struct dobj o = {.aggs = aggs, .naggs = 1};
	struct sbuf b = {0};
	struct wire_in in;
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	size_t folded = 0;
	unsigned n = 0;
	(void)state;
	for (unsigned t = 0; t < SMALL; t++) {
		wire_add_agg(&b, 0, "few", 4, (uint64_t[]){1}, 1);
		wire_fold(&b, &folded, &o);
	}
	assert_int_equal(folded, 0); /* it is not worth it */
	sb_clear(&b);
	for (unsigned t = 0; t < TIMES; t++) {
		for (unsigned k = 0; k < 4 * KEYS; k++)
			wire_add_agg(&b, k % 2 << 16, &(uint64_t){k}, 8, (uint64_t[]){k + 1}, 1);
		wire_fold(&b, &folded, &o);
		assert_true(b.len <= 2 * 4 * KEYS * (sizeof a + 16));
	}
	/* (the last ones may wait) */
	struct sbuf out = {0};
	in = (struct wire_in){.at = b.at, .left = b.len};
	assert_true(wire_merge(&out, &o, &in, 1));
	in = (struct wire_in){.at = out.at, .left = out.len};
	for (; wire_next_agg(&in, &a, &key, &words); n++) {
		const uint64_t *k = key;
		assert_int_equal(a.agg, *k % 2 << 16); /* cuts stay apart */
		assert_int_equal(words[0], (*k + 1) * TIMES);
	}
	assert_int_equal(n, 4 * KEYS);
	wire_done(&in);
	sb_free(&out);
	sb_free(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values),
	    cmocka_unit_test(many_words),
	    cmocka_unit_test(nonsense),
	    cmocka_unit_test(merged),
	    cmocka_unit_test(collected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
