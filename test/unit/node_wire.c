/* Values on their way from a node: what is written is read, zeros of distributions do not travel, and bytes that make
 * no sense are refused. */
#include "node/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values),
	    cmocka_unit_test(many_words),
	    cmocka_unit_test(nonsense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
