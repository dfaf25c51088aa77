/* The walk over terms that come from a node: what is whole passes, with its length; all else is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef ET_WITH_EI
#include "node/term.h"

#include <stdlib.h>
#include <string.h>

#define BYTES(...) (const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__})

/* In memory of exactly this size: a sanitizer sees a look beyond it. */
static size_t
len_of(const unsigned char *bytes, size_t n)
{
	char *copy = malloc(n);
	memcpy(copy, bytes, n);
	size_t len = term_len(copy, n);
	free(copy);
	return len;
}

static void
every_form_passes_and_no_part_of_it(void **state)
{
	(void)state;
	const struct {
		const unsigned char *bytes;
		size_t n;
	} forms[] = {
	    {BYTES('a', 1)},
	    {BYTES('b', 0, 0, 1, 0)},
	    {BYTES('F', 0, 0, 0, 0, 0, 0, 0, 0)},
	    {BYTES('d', 0, 1, 'x')},
	    {BYTES('s', 1, 'x')},
	    {BYTES('v', 0, 2, 0xc3, 0xa5)},
	    {BYTES('w', 2, 0xc3, 0xa5)},
	    {BYTES('n', 2, 0, 1, 1)},
	    {BYTES('o', 0, 0, 0, 2, 1, 1, 1)},
	    {BYTES('k', 0, 2, 'a', 'b')},
	    {BYTES('m', 0, 0, 0, 2, 'a', 'b')},
	    {BYTES('M', 0, 0, 0, 1, 3, 'a')},
	    {BYTES('g', 'w', 1, 'n', 0, 0, 0, 1, 0, 0, 0, 2, 3)},
	    {BYTES('X', 'w', 1, 'n', 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3)},
	    {BYTES('Y', 'w', 1, 'n', 0, 0, 0, 1, 0, 0, 0, 3)},
	    {BYTES('Z', 0, 1, 'w', 1, 'n', 0, 0, 0, 3, 0, 0, 0, 1)},
	    {BYTES('q', 'w', 1, 'm', 'w', 1, 'f', 'a', 2)},
	    {BYTES('h', 2, 'a', 1, 'j')},
	    {BYTES('i', 0, 0, 0, 1, 'a', 1)},
	    {BYTES('l', 0, 0, 0, 2, 'a', 1, 'a', 2, 'j')},
	    {BYTES('t', 0, 0, 0, 1, 'a', 1, 'h', 1, 'j')},
	    {BYTES('p', 0, 0, 0, 54, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'w', 1,
		'm', 'a', 1, 'a', 2, 'X', 'w', 1, 'n', 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 'a', 7)},
	};
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t n = forms[i].n;
		if (forms[i].bytes[0] == 'p') /* its own size, which does not count the tag */
			assert_int_equal(forms[i].bytes[4], n - 1);
		assert_int_equal(len_of(forms[i].bytes, n), n);
		for (size_t k = 1; k < n; k++)
			assert_int_equal(len_of(forms[i].bytes, k), 0);
	}
}

static void
what_lies_is_refused(void **state)
{
	(void)state;
	assert_int_equal(len_of(BYTES('m', 0x10, 0, 0, 0, 1)), 0);
	assert_int_equal(len_of(BYTES('m', 0xff, 0xff, 0xff, 0xff, 1)), 0);
	assert_int_equal(len_of(BYTES('l', 0x80, 0, 0, 0, 'j')), 0);
	assert_int_equal(len_of(BYTES('t', 0xff, 0xff, 0xff, 0xff, 'j', 'j')), 0);
	assert_int_equal(len_of(BYTES('M', 0, 0, 0, 1, 9, 'a')), 0);
	assert_int_equal(len_of(BYTES('Z', 0, 6, 'w', 1, 'n', 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
			     1, 0, 0, 0, 1, 0, 0, 0, 1)),
	    0);
	assert_int_equal(len_of(BYTES('P', 0, 0, 0, 9, 'x')), 0);                            /* compressed */
	assert_int_equal(len_of(BYTES('R', 0)), 0);                                          /* an atom of a cache */
	assert_int_equal(len_of(BYTES('X', 'a', 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3)), 0); /* the node is no atom */
	assert_int_equal(len_of(BYTES(0)), 0);
	char atom[3 + 256] = {'d', 1, 0};
	assert_int_equal(term_len(atom, sizeof atom), 0);
	assert_int_equal(term_len_versioned("\203a\1", 3), 3);
	assert_int_equal(term_len_versioned("\202a\1", 3), 0);
}

static void
nesting_has_a_bound(void **state)
{
	(void)state;
	enum { DEEP = 100000 };
	char *deep = malloc(2 * DEEP + 1);
	for (size_t i = 0; i < DEEP; i++)
		memcpy(deep + 2 * i, "h\1", 2);
	deep[2 * DEEP] = 'j';
	assert_int_equal(term_len(deep, 2 * DEEP + 1), 0);
	assert_int_equal(term_len(deep + 2 * (DEEP - 100), 2 * 100 + 1), 2 * 100 + 1);
	free(deep);
}

static void
text_has_nothing_for_the_terminal(void **state)
{
	(void)state;
	char bytes[64] = "m\0\0\0\6a\33[2Jb";
	ei_x_buff x = {.buff = bytes, .buffsz = sizeof bytes};
	int index = 0;
	char *text = term_read_text(&x, &index);
	assert_string_equal(text, "a?[2Jb");
	free(text);
	index = 0;
	bytes[0] = 'j';
	assert_null(term_read_text(&x, &index));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_form_passes_and_no_part_of_it),
	    cmocka_unit_test(what_lies_is_refused),
	    cmocka_unit_test(nesting_has_a_bound),
	    cmocka_unit_test(text_has_nothing_for_the_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int
main(void)
{
	return 67; /* built without ei */
}
#endif
