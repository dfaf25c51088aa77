/* The erlang provider's list of probes and their arguments, with a node that is a table of functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "provider/erlang.h"

static bool
functions(void *ctx, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why)
{
	static const char *const known[][2] = {{"m", "none/0"}, {"m", "one/1"}, {"m", "ten/10"}, {"m", "more/12"},
	    {"m", "a/b/2"}, {"Elixir.Shop", "buy/2"}};
	(void)ctx;
	(void)why;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		bool named = probe_glob(module, known[i][0]) ||
			     (strncmp(known[i][0], "Elixir.", 7) == 0 && probe_glob(module, known[i][0] + 7));
		if (named && probe_glob(function, known[i][1]) && !fn(arg, known[i][0], known[i][1]))
			return false;
	}
	return true;
}

static const struct erlang_link node = {.os_pid = 42, .functions = functions};

struct found {
	const struct probe *p;
	int n;
};

static void
on_match(void *arg, const struct probe *p)
{
	struct found *f = arg;
	f->p = p;
	f->n++;
}

/* The number of matches; *p gets the last. */
static int
find(struct probes *ps, const char *module, const char *function, const char *name, const struct probe **p)
{
	struct why why = {""};
	struct found f = {0};
	const struct pdesc d = {0, {"erlang*", module, function, name}};
	int n = probes_match(ps, &d, on_match, &f, &why);
	assert_int_equal(n, f.n);
	if (p)
		*p = f.p;
	return n;
}

static unsigned
terms(const struct probe *p)
{
	unsigned n = 0;
	for (; p->argtypes[n]; n++)
		assert_string_equal(p->argtypes[n], "term");
	return n;
}

static void
test_functions(void **st)
{
	(void)st;
	static const struct {
		const char *function, *name;
		unsigned nterms;
	} cases[] = {{"none/0", "entry", 0}, {"one/1", "entry", 1}, {"ten/10", "entry", 10}, {"more/12", "entry", 10},
	    {"a/b/2", "entry", 2}, {"one/1", "return", 1}, {"none/0", "return", 1}, {"one/1", "exception", 2}};
	struct probes *ps = probes_new();
	const struct probe *p;
	assert_non_null(ps);
	assert_int_equal(find(ps, "m", "one/1", "entry", NULL), 0); /* no node yet */
	assert_true(erlang_attach(ps, &node));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(find(ps, "m", cases[i].function, cases[i].name, &p), 1);
		assert_string_equal(p->names[0], "erlang42");
		assert_int_equal(terms(p), cases[i].nterms);
	}
	assert_int_equal(find(ps, "m", "*", "return", NULL), 5);
	assert_int_equal(find(ps, "m", "other/1", "entry", NULL), 0);
	assert_int_equal(find(ps, "Shop", "buy/2", "entry", &p), 1);
	assert_string_equal(p->names[1], "Shop");
	probes_free(ps);
}

/* A description without a module never means functions, and the old spellings are probes of their own. */
static void
test_names(void **st)
{
	(void)st;
	struct probes *ps = probes_new();
	const struct probe *p;
	assert_non_null(ps);
	assert_true(erlang_attach(ps, &node));
	assert_int_equal(find(ps, "", "", "message-send", &p), 1);
	assert_string_equal(p->argtypes[6], "term");
	assert_null(p->argtypes[7]);
	assert_int_equal(find(ps, "", "", "message-send-remote", &p), 1);
	assert_string_equal(p->argtypes[7], "term");
	assert_int_equal(find(ps, "", "", "entry", NULL), 0);
	assert_int_equal(find(ps, "", "", "message-send_remote", NULL), 1);
	assert_int_equal(find(ps, "", "", "user_trace-n7", NULL), 1);
	assert_int_equal(find(ps, "", "", "user_trace-n951", NULL), 0);
	probes_free(ps);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
