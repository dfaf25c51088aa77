/* What predicates say of arguments: strings that they must be, and when nothing is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "erltrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
expect(const char *program, const char *text)
{
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	assert_non_null(h);
	struct et_prog *p = et_program_strcompile(h, program, ET_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		fail_msg("%s: %s", program, et_errmsg(h, et_errno(h)));
	char *got = et_program_narrowed(h, p);
	assert_non_null(got);
	assert_string_equal(got, text);
	free(got);
	et_close(h);
}

static void
test_equal(void **state)
{
	(void)state;
	expect("BEGIN /copyinstr(arg1) == \"a:b/1\"/ { trace(1); }", "\tnarrowed: arg1 is \"a:b/1\"\n");
	expect("BEGIN /\"a:b/1\" == copyinstr(arg1)/ { @ = count(); }", "\tnarrowed: arg1 is \"a:b/1\"\n");
	expect("BEGIN /stringof(arg0) == \"<0.1.0>\" && copyinstr(arg1) == \"a:b/1\"/ { x = 1; }",
	    "\tnarrowed: arg0 is \"<0.1.0>\"\n\tnarrowed: arg1 is \"a:b/1\"\n");
	expect("BEGIN /timestamp && copyinstr(arg1) == \"a:b/1\" && arg2 > 3/ { }", "\tnarrowed: arg1 is \"a:b/1\"\n");
}

static void
test_or(void **state)
{
	(void)state;
	expect("BEGIN /copyinstr(arg1) == \"a\" || copyinstr(arg1) == \"b\"/ { trace(1); }",
	    "\tnarrowed: arg1 is \"a\" or \"b\"\n");
	expect("BEGIN /copyinstr(arg1) == \"a\" || copyinstr(arg0) == \"b\"/ { trace(1); }", "");
	expect("BEGIN /copyinstr(arg1) == \"a\" || arg0/ { trace(1); }", "");
	expect("BEGIN /copyinstr(arg1) == \"a\" && copyinstr(arg1) == \"b\"/ { trace(1); }",
	    "\tnarrowed: arg1 is never what it should be\n");
}

static void
test_unknown(void **state)
{
	(void)state;
	expect("BEGIN { trace(1); }", "");
	expect("BEGIN /copyinstr(arg1) != \"a\"/ { trace(1); }", "");
	expect("BEGIN /!(copyinstr(arg1) == \"a\")/ { trace(1); }", "");
	expect("BEGIN /copyinstr(arg1, 3) == \"a\"/ { trace(1); }", "");
	expect("BEGIN /copyinstr(arg2) == \"a\"/ { trace(1); }", "");
	expect("BEGIN /copyinstr(arg1 + 1) == \"a\"/ { trace(1); }", "");
	/* something happens before the predicate is decided */
	expect("BEGIN /(x = 1) && copyinstr(arg1) == \"a\"/ { trace(1); }", "");
	expect("BEGIN { x = copyinstr(arg1) == \"a\" ? 1 : 2; }", "");
}

static void
test_many(void **state)
{
	char program[1024] = "BEGIN /copyinstr(arg1) == \"s0\"";
	(void)state;
	for (int i = 1; i < 12; i++) {
		size_t n = strlen(program);
		snprintf(program + n, sizeof program - n, " || copyinstr(arg1) == \"s%d\"", i);
	}
	strcat(program, "/ { trace(1); }");
	expect(program, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_equal),
	    cmocka_unit_test(test_or),
	    cmocka_unit_test(test_unknown),
	    cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
