/* The time of a firing and the memory of an engine have bounds, whatever the object asks for. */
#include "eng.h"

static struct as a;

/* n times the same call on a long string: adds up to a fault, not to a long firing. */
static void
test_firing_ends(void **st)
{
	(void)st;
	static const int32_t subrs[] = {DIF_SUBR_STRLEN, DIF_SUBR_RINDEX, DIF_SUBR_STRTOK};
	static char longest[8000];
	struct eng_conf c = as_conf();
	c.sizes.strsize = 8192;
	c.scratchsize = 1 << 20;
	memset(longest, 'a', 8000);
	for (unsigned i = 0; i < sizeof subrs / sizeof *subrs; i++) {
		struct firing f = {.thread = 1};
		as_init(&a);
		as_clause(&a);
		uint64_t s = DIF_ADDR(DIF_R_CONST, as_bytes(&a, longest, 8000));
		as_slot(&a, 0, s);
		longest[3999] = 'b';
		as_slot(&a, 1, DIF_ADDR(DIF_R_CONST, as_bytes(&a, longest, 4000)));
		longest[3999] = 'a';
		for (unsigned k = 0; k < 4000; k++)
			as_op(&a, DIF_CALL, 0, 0, subrs[i] == DIF_SUBR_STRLEN ? 1 : 2, subrs[i]);
		struct outcome o = outcome_with(&a, DK_INT, &c, &f);
		if (subrs[i] == DIF_SUBR_STRLEN)
			assert_int_equal(o.value, 8000); /* 32 MB of work are fine */
		else
			assert_int_equal(o.fault, DIF_FAULT_BADSIZE);
	}
}

static void
test_variables(void **st)
{
	(void)st;
	static const enum dobj_scope scopes[] = {DS_GLOBAL, DS_LOCAL};
	struct eng_conf c = as_conf();
	for (unsigned i = 0; i < 2; i++) {
		char why[256] = "";
		unsigned n = scopes[i] == DS_GLOBAL ? 400 : 100; /* of 64 KiB: below and above the limits */
		as_init(&a);
		as_clause(&a);
		as_end(&a);
		for (unsigned k = 0; k < n; k++)
			as_var(&a, scopes[i], DK_BYTES, 64 << 10);
		as_done(&a, &c);
		struct engine *e = engine_user.create(&a.o, &c, why, sizeof why);
		if (scopes[i] == DS_GLOBAL)
			assert_non_null(e);
		else {
			assert_null(e);
			assert_string_equal(why, "clause-local variables need more than 4 MiB");
		}
		if (e)
			engine_user.destroy(e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_firing_ends),
	    cmocka_unit_test(test_variables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
