/* The memory of an engine has bounds, whatever the object asks for. Those of its time: engine_time.c. */
#include "eng.h"

static struct as a;

static void
test_variables(void **st)
{
	(void)st;
	static const enum dobj_scope scopes[] = {DS_GLOBAL, DS_LOCAL};
	struct eng_conf c = as_conf();
	for (unsigned i = 0; i < 2; i++) {
		struct why why = {""};
		unsigned n = scopes[i] == DS_GLOBAL ? 400 : 100; /* of 64 KiB: below and above the limits */
		as_init(&a);
		as_clause(&a);
		as_end(&a);
		for (unsigned k = 0; k < n; k++)
			as_var(&a, scopes[i], DK_BYTES, 64 << 10);
		as_done(&a, &c);
		struct engine *e = engine_user.create(&a.o, &c, &why);
		if (scopes[i] == DS_GLOBAL)
			assert_non_null(e);
		else {
			assert_null(e);
			assert_string_equal(why.text, "clause-local variables need more than 4 MiB");
		}
		if (e)
			engine_user.destroy(e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_variables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
