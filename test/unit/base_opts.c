/* Options: every row is consistent, values of every kind parse or are refused, and late changes are refused. */
#include "base/opts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
rates(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {{"1", 1000000000}, {"10hz", 100000000}, {"10ns", 10}, {"10nsec", 10}, {"5us", 5000},
	    {"5usec", 5000}, {"10ms", 10000000}, {"7msec", 7000000}, {"2s", 2000000000}, {"2sec", 2000000000},
	    {"1m", 60000000000}, {"1min", 60000000000}, {"1h", 3600000000000}, {"1hour", 3600000000000},
	    {"1d", 86400000000000}, {"1day", 86400000000000}, {"0", 0}, {"0x10ms", 16000000}, {"997", 1003009}};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		int64_t ns = -7;
		assert_true(opt_parse_rate(good[i].text, &ns));
		assert_int_equal(ns, good[i].ns);
	}
	static const char *const bad[] = {
	    "", "x", "-1", "-1s", "1 s", "1x", "s", "99999999999999999999s", "999999999d", "1ss", "2000000000hz", "+1"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t ns;
		assert_false(opt_parse_rate(bad[i], &ns));
	}
}

static void
sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t bytes;
	} good[] = {{"0", 0}, {"17", 17}, {"4k", 4096}, {"4K", 4096}, {"2m", 2 << 20}, {"1g", 1 << 30},
	    {"1t", 1LL << 40}, {"0x10", 16}, {"9223372036854775807", INT64_MAX}};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		int64_t n = -7;
		assert_true(opt_parse_size(good[i].text, &n));
		assert_int_equal(n, good[i].bytes);
	}
	static const char *const bad[] = {"", "k", "-1", "4kk", "4 k", "4kb", "9223372036854775808", "9999999t", "1x"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t n;
		assert_false(opt_parse_size(bad[i], &n));
	}
}

static void
flags(void **state)
{
	(void)state;
	struct opts o;
	opts_init(&o);
	assert_int_equal(o.num[OPT_QUIET], 0);
	assert_false(o.set[OPT_QUIET]);
	assert_int_equal(opts_set(&o, "quiet", NULL), OPT_OK);
	assert_int_equal(o.num[OPT_QUIET], 1);
	assert_true(o.set[OPT_QUIET]);
	static const char *const off[] = {"0", "off", "no", "disable", "OFF", "false", "unset", ""};
	static const char *const on[] = {"1", "on", "yes", "enable", "2", "true", "set", "Enabled"};
	for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
		assert_int_equal(opts_set(&o, "quiet", off[i]), OPT_OK);
		assert_int_equal(o.num[OPT_QUIET], 0);
		assert_int_equal(opts_set(&o, "quiet", on[i]), OPT_OK);
		assert_int_equal(o.num[OPT_QUIET], 1);
	}
	assert_int_equal(opts_set(&o, "quiet", "maybe"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "quiet", "-1"), OPT_BADVALUE);
	assert_int_equal(o.num[OPT_QUIET], 1);
	opts_free(&o);
}

static void
words_and_texts(void **state)
{
	(void)state;
	struct opts o;
	opts_init(&o);
	assert_int_equal(opts_set(&o, "bufpolicy", "ring"), OPT_OK);
	assert_int_equal(o.num[OPT_BUFPOLICY], 1);
	assert_int_equal(opts_set(&o, "bufpolicy", "fill"), OPT_OK);
	assert_int_equal(o.num[OPT_BUFPOLICY], 2);
	assert_int_equal(opts_set(&o, "bufpolicy", "drop"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "bufresize", "manual"), OPT_OK);
	assert_int_equal(opts_set(&o, "engine", "user"), OPT_OK);
	assert_int_equal(opts_set(&o, "engine", "warp"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "stdc", "q"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "stdc", "a"), OPT_OK);
	assert_int_equal(opts_set(&o, "evaltime", "exec"), OPT_OK);
	assert_int_equal(opts_set(&o, "cpppath", NULL), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "cpppath", "/a"), OPT_OK);
	assert_int_equal(opts_set(&o, "cpppath", "/b"), OPT_OK);
	assert_string_equal(o.str[OPT_CPPPATH], "/b");
	assert_int_equal(opts_set(&o, "define", "A=1"), OPT_OK);
	assert_int_equal(opts_set(&o, "define", "B"), OPT_OK);
	assert_string_equal(o.str[OPT_DEFINE], "A=1\nB");
	assert_int_equal(opts_set(&o, "define", "C\nD"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "strsize", "0"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "nspec", "-3"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "nspec", "99999999999"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "nspec", "4x"), OPT_BADVALUE);
	assert_int_equal(o.num[OPT_NSPEC], 1);
	const char *s = NULL;
	int64_t n = 0;
	assert_int_equal(opts_get(&o, "define", &n, &s), OPT_OK);
	assert_string_equal(s, "A=1\nB");
	assert_int_equal(opts_get(&o, "nspec", &n, NULL), OPT_OK);
	assert_int_equal(n, 1);
	assert_int_equal(opts_get(&o, "nope", &n, &s), OPT_UNKNOWN);
	opts_free(&o);
	assert_null(o.str[OPT_DEFINE]);
}

static void
names_and_times(void **state)
{
	(void)state;
	struct opts o;
	opts_init(&o);
	assert_int_equal(opts_set(&o, "bufsiz", "4k"), OPT_UNKNOWN);
	assert_string_equal(opts_near("bufsiz"), "bufsize");
	assert_null(opts_near("completely-different"));
	o.going = true;
	assert_int_equal(opts_set(&o, "bufsize", "4k"), OPT_TOOLATE);
	assert_int_equal(opts_set(&o, "bufsize", "4q"), OPT_BADVALUE);
	assert_int_equal(opts_set(&o, "cpp", NULL), OPT_TOOLATE);
	assert_int_equal(opts_set(&o, "aggrate", "10ms"), OPT_OK);
	assert_int_equal(o.num[OPT_AGGRATE], 10000000);
	opts_free(&o);
}

static void
every_row(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum opt_kind kind;
	} all[] = {
#define X(id, name, kind, dflt, flags) {name, kind},
	    ET_OPTS(X)
#undef X
	};
	struct opts o;
	opts_init(&o);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const char *v = "1";
		if (all[i].kind == OK_POLICY)
			v = "fill";
		else if (all[i].kind == OK_RESIZE)
			v = "auto";
		else if (all[i].kind == OK_ENGINE)
			v = "user";
		else if (!strcmp(all[i].name, "encoding"))
			v = "utf8";
		else if (!strcmp(all[i].name, "evaltime"))
			v = "main";
		else if (!strcmp(all[i].name, "linkmode"))
			v = "static";
		else if (!strcmp(all[i].name, "linktype"))
			v = "elf";
		else if (!strcmp(all[i].name, "stdc"))
			v = "t";
		else if (!strcmp(all[i].name, "version"))
			v = "1.6.3";
		assert_int_equal(opts_set(&o, all[i].name, v), OPT_OK);
		if (all[i].kind != OK_FLAG)
			assert_int_equal(opts_set(&o, all[i].name, NULL), OPT_BADVALUE);
		if (i)
			assert_true(strcmp(all[i - 1].name, all[i].name) != 0);
	}
	opts_free(&o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates),
	    cmocka_unit_test(sizes),
	    cmocka_unit_test(flags),
	    cmocka_unit_test(words_and_texts),
	    cmocka_unit_test(names_and_times),
	    cmocka_unit_test(every_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
