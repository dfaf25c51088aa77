/* The registry: globs, matching by every kind of description, probes on demand, near misses, and 100,000 probes. */
#include "provider/provider.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static void
globs(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *s;
		bool yes;
	} rows[] = {
	    {"", "anything", true},
	    {"", "", true},
	    {"*", "", true},
	    {"*", "abc", true},
	    {"?", "", false},
	    {"?", "a", true},
	    {"?", "ab", false},
	    {"abc", "abc", true},
	    {"abc", "ab", false},
	    {"ab", "abc", false},
	    {"a*c", "abbbc", true},
	    {"a*c", "abbb", false},
	    {"*b*", "abc", true},
	    {"*bc", "abcbc", true},
	    {"a**c", "ac", true},
	    {"[a-c]", "b", true},
	    {"[a-c]", "d", false},
	    {"[!a-c]", "d", true},
	    {"[!a-c]", "b", false},
	    {"[!a]", "", false},
	    {"[]]", "]", true},
	    {"[a-]", "-", true},
	    {"[a", "a", false},
	    {"[", "[", false},
	    {"\\*", "*", true},
	    {"\\*", "a", false},
	    {"a\\?b", "a?b", true},
	    {"[\\]]", "]", true},
	    {"x\\", "x\\", true},
	    {"tick-*", "tick-1s", true},
	    {"*-[0-9]*", "tick-10", true},
	    {"[!]a]", "b", true},
	    {"[!]a]", "]", false},
	    {"a[b-b]c", "abc", true},
	    {"*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (probe_glob(rows[i].pattern, rows[i].s) != rows[i].yes)
			fail_msg("'%s' on '%s'", rows[i].pattern, rows[i].s);
}

struct seen {
	unsigned n;
	uint32_t ids[64];
};

static void
see(void *arg, const struct probe *p)
{
	struct seen *s = arg;
	if (s->n < 64)
		s->ids[s->n] = p->id;
	s->n++;
}

static int
match(struct probes *ps, const char *pv, const char *mod, const char *fn, const char *name, struct seen *s)
{
	struct pdesc d = {0, {pv, mod, fn, name}};
	struct why why;
	*s = (struct seen){0};
	int n = probes_match(ps, &d, see, s, &why);
	if (n >= 0)
		assert_int_equal(n, s->n);
	return n;
}

static void
matching(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	assert_non_null(ps);
	struct seen s;
	assert_int_equal(match(ps, "", "", "", "BEGIN", &s), 1);
	assert_int_equal(s.ids[0], 1);
	assert_int_equal(match(ps, "dtrace", "", "", "", &s), 3);
	assert_int_equal(s.ids[1], 2);
	assert_int_equal(s.ids[2], 3);
	assert_int_equal(match(ps, "dtrace", "", "", "E*", &s), 2);
	assert_int_equal(match(ps, "dtrace", "x", "", "BEGIN", &s), 0);
	assert_int_equal(match(ps, "d?race", NULL, NULL, "[A-C]EGIN", &s), 1);
	int all = match(ps, "", "", "", "", &s); /* may add what is listed only when asked for */
	assert_int_equal(all, (int)probes_count(ps));
	assert_int_equal(match(ps, "", "", "", "profile-*", &s), 7);
	assert_int_equal(match(ps, "profile", "", "", "", &s), 13);
	assert_int_equal(match(ps, "", "", "", "NOSUCH", &s), 0);
	struct pdesc by_id = {2, {NULL, NULL, NULL, NULL}};
	assert_int_equal(probes_match(ps, &by_id, NULL, NULL, NULL), 1);
	by_id.id = 100000;
	assert_int_equal(probes_match(ps, &by_id, NULL, NULL, NULL), 0);
	assert_null(probe_by_id(ps, 0));
	assert_string_equal(probe_by_id(ps, 3)->names[3], "ERROR");
	probes_free(ps);
	probes_free(NULL);
}

static void
on_demand(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	struct seen s;
	unsigned before = probes_count(ps);
	assert_int_equal(match(ps, "", "", "", "tick-7s", &s), 1);
	assert_int_equal(s.ids[0], before + 1);
	assert_int_equal(match(ps, "profile", "", "", "tick-7s", &s), 1);
	assert_int_equal(s.ids[0], before + 1);
	assert_int_equal(probes_count(ps), before + 1);
	assert_true(probe_by_id(ps, before + 1)->param == 7000000000);
	static const struct {
		const char *name;
		int64_t param;
	} good[] = {{"tick-200us", 200000}, {"tick-5000hz", 200000}, {"profile-3", -333333333},
	    {"tick-1d", 86400000000000}, {"tick-2hour", 7200000000000}, {"tick-3min", 180000000000},
	    {"profile-10msec", -10000000}, {"tick-300000ns", 300000}, {"tick-250usec", 250000},
	    {"tick-9sec", 9000000000}};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(match(ps, "", "", "", good[i].name, &s), 1);
		assert_true(probe_by_id(ps, s.ids[0])->param == good[i].param);
	}
	static const struct {
		const char *name, *says;
	} bad[] = {{"tick-0", "must not be 0"}, {"tick-", "a rate is needed"}, {"profile-", "a rate is needed"},
	    {"tick-5parsec", "'parsec' is not a unit"}, {"tick-5001hz", "too fast"}, {"tick-199us", "too fast"},
	    {"tick-1ns", "too fast"}, {"tick-99999999999999999999s", "too large"}, {"tick-9999999999d", "too long"},
	    {"tick--1s", "a rate is needed"}, {"tick-1S", "not a unit"}};
	before = probes_count(ps);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct pdesc d = {0, {"", "", "", bad[i].name}};
		struct why why;
		assert_int_equal(probes_match(ps, &d, NULL, NULL, &why), -1);
		if (!strstr(why.text, bad[i].says))
			fail_msg("%s: %s", bad[i].name, why.text);
	}
	/* Not this provider's, or never on demand. */
	assert_int_equal(match(ps, "dtrace", "", "", "tick-8s", &s), 0);
	assert_int_equal(match(ps, "profile", "mod", "", "tick-8s", &s), 0);
	assert_int_equal(match(ps, "", "", "", "tick-8?", &s), 0);
	assert_int_equal(probes_count(ps), before);
	assert_int_equal(match(ps, "prof*", "", "", "tick-8s", &s), 1);
	char name[32];
	for (unsigned i = 0; i < 1100; i++) {
		snprintf(name, sizeof name, "tick-%us", 1000 + i);
		match(ps, "", "", "", name, &s);
	}
	struct pdesc d = {0, {"", "", "", "tick-777s"}};
	struct why why;
	assert_int_equal(probes_match(ps, &d, NULL, NULL, &why), -1);
	assert_non_null(strstr(why.text, "more than"));
	probes_free(ps);
}

static void
near(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	struct pdesc d = {0, {"", "", "", "BEGN"}};
	assert_string_equal(probes_near(ps, &d), "BEGIN");
	d = (struct pdesc){0, {"profle", "", "", ""}};
	assert_string_equal(probes_near(ps, &d), "profile");
	d = (struct pdesc){0, {"dtrace", "", "", "ERORR"}};
	assert_string_equal(probes_near(ps, &d), "ERROR");
	d = (struct pdesc){0, {"", "", "", "zzzzzzzzzzzz"}};
	assert_null(probes_near(ps, &d));
	d = (struct pdesc){0, {"", "", "", "B*"}};
	assert_null(probes_near(ps, &d));
	d = (struct pdesc){77, {NULL, NULL, NULL, NULL}};
	assert_null(probes_near(ps, &d));
	probes_free(ps);
}

static void
many(void **state)
{
	(void)state;
	enum { N = 100000 };
	struct probes *ps = probes_new();
	char mod[32], fn[32];
	for (unsigned i = 0; i < N; i++) {
		snprintf(mod, sizeof mod, "mod%u", i / 100);
		snprintf(fn, sizeof fn, "fun%u", i / 2);
		const char *const names[4] = {"many", mod, fn, i % 2 ? "return" : "entry"};
		assert_non_null(probe_add(ps, &provider_dtrace, names, NULL, 0));
	}
	struct timespec a, b;
	struct seen s;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(fn, sizeof fn, "fun%u", i * 311);
		assert_int_equal(match(ps, "many", "", fn, "entry", &s), 1);
		snprintf(mod, sizeof mod, "mod%u", i);
		assert_int_equal(match(ps, "", mod, "", "", &s), 100);
	}
	assert_int_equal(match(ps, "man*", "mod1*", "", "entry", &s), N / 2 * 111 / 1000);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	double took = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
	assert_true(took < 2.0);
	assert_int_equal(match(ps, "many", "", "", "", &s), N);
	/* In order of id. */
	for (unsigned i = 1; i < 64; i++)
		assert_true(s.ids[i - 1] < s.ids[i]);
	probes_free(ps);
}

/* Every row of the list is in the table, and is known by name also where the kernel engine is not built in. */
static void
listed(void **state)
{
	(void)state;
#define X(pv) #pv,
	static const char *const plain[] = {PROVIDERS(X)}, *const kernel[] = {KERNEL_PROVIDERS(X)};
#undef X
	unsigned n = 0;
	for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++, n++) {
		assert_string_equal(provider_table[n]->name, plain[i]);
		assert_false(provider_table[n]->kernel);
	}
	for (unsigned i = 0; i < sizeof kernel / sizeof *kernel; i++, n++) {
		assert_string_equal(provider_table[n]->name, kernel[i]);
		assert_true(provider_table[n]->kernel);
	}
	assert_null(provider_table[n]);
}

static void
roles(void **state)
{
	(void)state;
	assert_int_equal(eng_role_of("dtrace", "BEGIN"), ROLE_BEGIN);
	assert_int_equal(eng_role_of("dtrace", "END"), ROLE_END);
	assert_int_equal(eng_role_of("dtrace", "ERROR"), ROLE_ERROR);
	assert_int_equal(eng_role_of("shop", "BEGIN"), ROLE_EVENT);
	assert_int_equal(eng_role_of("profile", "tick-1s"), ROLE_TICK);
	assert_int_equal(eng_role_of("profile", "profile-97"), ROLE_SAMPLE);
	assert_int_equal(eng_role_of("syscall", "entry"), ROLE_EVENT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(globs),
	    cmocka_unit_test(matching),
	    cmocka_unit_test(on_demand),
	    cmocka_unit_test(near),
	    cmocka_unit_test(many),
	    cmocka_unit_test(listed),
	    cmocka_unit_test(roles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
