/* The parser of formats: what it makes of each conversion, and that no text upsets it. */
#include "base/fmt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct fmt_piece
only(const char *text)
{
	struct fmt_iter it;
	struct fmt_piece p, end;
	fmt_open(&it, text, strlen(text));
	assert_int_equal(fmt_next(&it, &p), 1);
	assert_int_equal(fmt_next(&it, &end), 0);
	assert_ptr_equal(p.at, text);
	assert_int_equal(p.len, strlen(text));
	return p;
}

static void
test_parts(void **state)
{
	(void)state;
	struct fmt_piece p = only("%-+ #'5.3lld");
	assert_int_equal(p.flags, FMT_LEFT | FMT_PLUS | FMT_SPACE | FMT_ALT | FMT_GROUP);
	assert_int_equal(p.width, 5);
	assert_true(p.has_prec);
	assert_int_equal(p.prec, 3);
	assert_int_equal(p.size, FMT_SZ_LL);
	assert_int_equal(p.conv, 'd');
	assert_int_equal(p.cls, FMT_C_INT);
	assert_int_equal(p.number, 1);

	p = only("%*.*s");
	assert_true(p.star_width && p.star_prec && p.has_prec);
	assert_int_equal(p.cls, FMT_C_STR);

	p = only("%.s");
	assert_true(p.has_prec);
	assert_int_equal(p.prec, 0);

	p = only("%@d");
	assert_int_equal(p.flags, FMT_AGG);
	p = only("%-010d");
	assert_int_equal(p.flags, FMT_ZERO); /* the later of - and 0 wins, as in DTrace */
	p = only("%0-10d");
	assert_int_equal(p.flags, FMT_LEFT);
	p = only("%?p");
	assert_int_equal(p.width, 16);
	assert_int_equal(only("%hhx").size, FMT_SZ_HH);
	assert_int_equal(only("%hx").size, FMT_SZ_H);
	assert_int_equal(only("%wc").cls, FMT_C_CHAR);
	assert_int_equal(only("%ws").cls, FMT_C_STR);
	assert_int_equal(only("%Lf").cls, FMT_C_FLOAT);
	assert_int_equal(only("%a").cls, FMT_C_ADDR);
	assert_int_equal(only("%k").cls, FMT_C_STACK);
	assert_int_equal(only("%Y").cls, FMT_C_TIME);
	assert_int_equal(only("%P").cls, FMT_C_NET);
	assert_false(fmt_takes_value(&(struct fmt_piece){.conv = 'n', .cls = FMT_C_NONE}));
	p = only("%65535d");
	assert_int_equal(p.width, FMT_MAXWIDTH);
}

static void
test_sequence(void **state)
{
	(void)state;
	static const char text[] = "a%%b%d\n%s";
	static const struct {
		const char *text;
		char conv;
	} want[] = {{"a", 0}, {"%", 0}, {"b", 0}, {"%d", 'd'}, {"\n", 0}, {"%s", 's'}};
	struct fmt_iter it;
	struct fmt_piece p;
	fmt_open(&it, text, strlen(text));
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		assert_int_equal(fmt_next(&it, &p), 1);
		assert_int_equal(p.len, strlen(want[i].text));
		assert_memory_equal(p.at, want[i].text, p.len);
		assert_int_equal(p.conv, want[i].conv);
	}
	assert_int_equal(p.number, 2);
	assert_int_equal(fmt_next(&it, &p), 0);
	assert_int_equal(fmt_next(&it, &p), 0);
}

static void
test_malformed(void **state)
{
	(void)state;
	static const char *const bad[] = {"%", "%5", "%-", "%.", "%5.5.5d", "%**d", "%.*.*d", "%1$d", "%5%", "%v",
	    "%hhhd", "%hld", "%lC", "%65536d", "%.99999999999999999999d", "%Ld", "%zs", "x%", "%d%!"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct fmt_iter it;
		struct fmt_piece p;
		int r;
		fmt_open(&it, bad[i], strlen(bad[i]));
		while ((r = fmt_next(&it, &p)) > 0)
			continue;
		if (r != -1)
			fail_msg("'%s' was taken", bad[i]);
		assert_non_null(it.why);
		assert_true(p.at >= bad[i] && p.at + p.len <= bad[i] + strlen(bad[i]));
		assert_int_equal(fmt_next(&it, &p), 0); /* nothing comes after an error */
	}
}

/* Pieces never reach outside of the text, whatever bytes it has. */
static void
test_any_bytes(void **state)
{
	(void)state;
	static const char alphabet[] = "%%%%@-+ #0'*.?123hlLwjztdsxkYTPIanC\0\n$";
	unsigned seed = 12345;
	for (int round = 0; round < 20000; round++) {
		char *text = malloc(24);
		size_t len = 0;
		assert_non_null(text);
		for (; len < 24; len++) {
			seed = seed * 1103515245u + 12345u;
			if ((seed >> 16) % 29 == 0)
				break;
			text[len] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
		}
		struct fmt_iter it;
		struct fmt_piece p;
		const char *last = text;
		fmt_open(&it, text, len);
		while (fmt_next(&it, &p) > 0) {
			assert_true(p.len > 0 && p.at >= last && p.at + p.len <= text + len);
			last = p.at + p.len;
		}
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parts),
	    cmocka_unit_test(test_sequence),
	    cmocka_unit_test(test_malformed),
	    cmocka_unit_test(test_any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
