/* Distributions against their exact text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "object/aggval.h"
#include "show/text.h"

#include <string.h>

static const struct show plain = {0};

static void
expect(struct sbuf *b, const char *want)
{
	assert_false(b->failed);
	assert_string_equal(b->at ? b->at : "", want);
	sb_free(b);
}

#define HEADER "\n           value  ------------- Distribution ------------- count    \n"

static void
quantize(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_QUANTIZE};
	uint64_t w[AGGVAL_QBUCKETS + 1] = {0};
	struct sbuf b = {0};
	static const int64_t vals[] = {1, 2, 3, 4, -1, 0};
	for (unsigned i = 0; i < 6; i++)
		aggval_add(&a, w, vals[i], 1);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "              -2 |                                         0        \n"
			  "              -1 |@@@@@@@                                  1        \n"
			  "               0 |@@@@@@@                                  1        \n"
			  "               1 |@@@@@@@                                  1        \n"
			  "               2 |@@@@@@@@@@@@@                            2        \n"
			  "               4 |@@@@@@@                                  1        \n"
			  "               8 |                                         0        \n");
	memset(w, 0, sizeof w);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "              -1 |                                         0        \n"
			  "               0 |                                         0        \n"
			  "               1 |                                         0        \n");
	aggval_add(&a, w, INT64_MAX, 1);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "2305843009213693952 |                                         0        \n"
			  "4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	memset(w, 0, sizeof w);
	aggval_add(&a, w, INT64_MIN, 1);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
			  "-2305843009213693952 |                                         0        \n");
}

static void
negative_counts(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_QUANTIZE};
	uint64_t w[AGGVAL_QBUCKETS + 1] = {0};
	struct sbuf b = {0};
	aggval_add(&a, w, 1, -3);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "               0                                         | 0        \n"
			  "               1 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
			  "               2                                         | 0        \n");
	aggval_add(&a, w, 4, 1);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "               0                     |                     0        \n"
			  "               1      @@@@@@@@@@@@@@@|                     -3       \n"
			  "               2                     |                     0        \n"
			  "               4                     |@@@@@                1        \n"
			  "               8                     |                     0        \n");
}

static void
lquantize(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_LQUANTIZE, .par = {0, 30, 10}};
	uint64_t w[6] = {0};
	struct sbuf b = {0};
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "             < 0 |                                         0        \n"
			  "               0 |                                         0        \n"
			  "              10 |                                         0        \n");
	aggval_add(&a, w, -5, 1);
	aggval_add(&a, w, 15, 10);
	aggval_add(&a, w, 100, 1);
	text_hist(&b, &plain, &a, w, 2);
	expect(&b, HEADER "             < 0 |@@@                                      0        \n"
			  "               0 |                                         0        \n"
			  "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@        5        \n"
			  "              20 |                                         0        \n"
			  "           >= 30 |@@@                                      0        \n");
}

static void
llquantize(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_LLQUANTIZE, .par = {10, 0, 1, 10}};
	uint64_t w[64] = {0};
	struct sbuf b = {0};
	assert_true(aggval_words(&a) <= 64);
	aggval_add(&a, w, 5, 1);
	aggval_add(&a, w, 25, 1);
	text_hist(&b, &plain, &a, w, 1);
	expect(&b, HEADER "               4 |                                         0        \n"
			  "               5 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			  "               6 |                                         0        \n"
			  "               7 |                                         0        \n"
			  "               8 |                                         0        \n"
			  "               9 |                                         0        \n"
			  "              10 |                                         0        \n"
			  "              20 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			  "              30 |                                         0        \n");
	aggval_add(&a, w, 1000, 2);
	text_hist(&b, &plain, &a, w, 1);
	assert_non_null(strstr(b.at, "\n          >= 100 |@@@@@@@@@@@@@@@@@@@@                     2        \n"));
	sb_free(&b);
}

static void
zoom_and_unicode(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_LQUANTIZE, .par = {0, 2, 1}};
	uint64_t w[5] = {0};
	struct sbuf b = {0};
	struct show s = {.aggzoom = true};
	aggval_add(&a, w, 0, 10);
	aggval_add(&a, w, 1, 5);
	text_hist(&b, &s, &a, w, 1);
	expect(&b, HEADER "             < 0 |                                         0        \n"
			  "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   10       \n"
			  "               1 |@@@@@@@@@@@@@@@@@@@                      5        \n"
			  "            >= 2 |                                         0        \n");
	s = (struct show){.utf8 = true};
	text_hist(&b, &s, &a, w, 1);
	/* A third of 40 columns is 13 whole blocks and two eighths. */
	assert_non_null(strstr(b.at, "\xe2\x96\x88\xe2\x96\x8e"));
	sb_free(&b);
}

static void
packed(void **state)
{
	(void)state;
	struct dobj_agg a = {.fn = AGG_QUANTIZE};
	uint64_t w[AGGVAL_QBUCKETS + 1] = {0};
	struct hist_range r = {0};
	struct sbuf b = {0};
	aggval_add(&a, w, 1, 1);
	aggval_add(&a, w, 2, 3);
	hist_range_add(&r, &a, w);
	text_pack_header(&b, &a, &r, 17);
	expect(&b, "\n              key  min .----. max  | count\n");
	text_pack(&b, &plain, &a, w, &r);
	expect(&b, "    0 : xx : 4    | 4\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quantize),
	    cmocka_unit_test(negative_counts),
	    cmocka_unit_test(lquantize),
	    cmocka_unit_test(llquantize),
	    cmocka_unit_test(zoom_and_unicode),
	    cmocka_unit_test(packed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
