/* Clauses that only count, and those that end the script. */
#include "object.h"

#include "object/counts.h"

#include <stdio.h>

static void
expect(const char *body, bool only, bool exits)
{
	struct dobj o;
	char source[512];
	snprintf(source, sizeof source, "BEGIN %s", body);
	compile_to(&o, source);
	if (counts_only(&o, &o.clauses[0]) != only || counts_exits(&o, &o.clauses[0]) != exits)
		fail_msg("%s: only %d, exits %d", body, !only, !exits);
	dobj_free(&o);
}

static void
test_only(void **state)
{
	(void)state;
	expect("{ @ = count(); }", true, false);
	expect("{ @[probefunc] = count(); @m[probemod, probeprov, probename] = count(); }", true, false);
	expect("{ @[\"a\", 1 + 2, probefunc] = count(); }", true, false);
	expect("/probefunc == \"a/1\" || probemod != \"b\"/ { @ = count(); }", true, false);
	expect("{ @[probefunc == \"a/1\" ? \"one\" : \"other\"] = count(); }", true, false);
	expect("{ @[copyinstr(arg1)] = count(); }", true, false); /* of a function by name it is the name */
	expect("/copyinstr(arg1) != \"m:a/1\"/ { @[arg1 == NULL ? \"\" : copyinstr(arg1)] = count(); }", true, false);
	expect("{ if (probefunc == \"a/1\") { @a = count(); } else { @b = count(); } }", true, false);
}

/* What a firing has of its own: arguments, the process, time, variables, what it records. */
static void
test_more(void **state)
{
	(void)state;
	expect("{ @[arg0] = count(); }", false, false);
	expect("/arg0/ { @ = count(); }", false, false);
	expect("{ @[copyinstr(arg0)] = count(); }", false, false);
	expect("{ @[copyinstr(arg2)] = count(); }", false, false);
	expect("{ @[copyinstr(arg1 + 1)] = count(); }", false, false);
	expect("{ @[copyinstr(arg1, 3)] = count(); }", false, false);
	expect("{ @[copyinstr(probefunc == \"a/1\" ? 0 : arg1)] = count(); }", false, false);
	expect("{ @[copyinstr(probefunc == \"a/1\" ? arg1 : 0)] = count(); }", false, false);
	expect("{ @[strlen(copyinstr(arg1))] = count(); }", false, false);
	expect("{ @[pid] = count(); }", false, false);
	expect("{ @[ustack()] = count(); }", false, false);
	expect("{ @[probefunc, stack()] = count(); }", false, false);
	expect("{ @[timestamp] = count(); }", false, false);
	expect("/rand() % 2/ { @ = count(); }", false, false);
	expect("{ x = 1; @[x] = count(); }", false, false);
	expect("{ @[self->x = 1] = count(); }", false, false);
	expect("{ @ = count(); n++; }", false, false);
	expect("{ @ = count(); self->t = 1; }", false, false);
	expect("{ @ = count(); this->t = 1; }", false, false);
	expect("{ @ = sum(1); }", false, false);
	expect("{ @ = count(); @s = max(1); }", false, false);
	expect("{ @ = count(); trace(1); }", false, false);
	expect("{ @ = count(); printa(@); }", false, false);
	expect("{ @[1 / arg0] = count(); }", false, false);
	expect("", false, false);
	expect("{ }", false, false);
}

static void
test_exits(void **state)
{
	(void)state;
	expect("{ exit(0); }", false, true);
	expect("/probefunc == \"a\"/ { @ = count(); exit(0); }", false, true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_only),
	    cmocka_unit_test(test_more),
	    cmocka_unit_test(test_exits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
