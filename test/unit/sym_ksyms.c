/* Names of the kernel's symbols in a file as /proc/kallsyms has them. */
#include "sym/ksyms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct ksyms *
opened(const char *text)
{
	char path[] = "/tmp/ksymsXXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	struct ksyms *k = ksyms_open(path);
	unlink(path);
	assert_non_null(k);
	return k;
}

static const char usual[] = "0000000000001000 A fixed_percpu_data\n"
			    "ffffffff81000000 T _text\n"
			    "ffffffff81000010 t jiffies_to_msecs\n"
			    "ffffffff82000000 D jiffies\n"
			    "ffffffff82000040 b counter\n"
			    "ffffffffc0000000 t counter\t[first]\n"
			    "ffffffffc0001000 d counter\t[second]\n"
			    "ffffffffc0002000 d last\t[second]";

static void
test_finds(void **state)
{
	(void)state;
	struct ksyms *k = opened(usual);
	struct ksym s;
	assert_true(ksyms_find(k, "", "jiffies", &s));
	assert_int_equal(s.addr, 0xffffffff82000000);
	assert_false(s.is_function);
	assert_true(ksyms_find(k, "vmlinux", "_text", &s));
	assert_true(s.is_function);
	assert_true(ksyms_find(k, "", "counter", &s));
	assert_int_equal(s.addr, 0xffffffff82000040);
	assert_true(ksyms_find(k, "second", "counter", &s));
	assert_int_equal(s.addr, 0xffffffffc0001000);
	assert_true(ksyms_find(k, "second", "last", &s));
	assert_int_equal(s.addr, 0xffffffffc0002000);
	assert_true(ksyms_have_data(k));
	assert_false(ksyms_are_hidden(k));
	ksyms_close(k);
}

static void
test_does_not_find(void **state)
{
	(void)state;
	struct ksyms *k = opened(usual);
	struct ksym s;
	static const char *const names[][2] = {{"", "jiff"}, {"", "iffies"}, {"", ""}, {"first", "jiffies"},
	    {"vmlinux", "last"}, {"sec", "last"}, {"", "T"}};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		assert_false(ksyms_find(k, names[i][0], names[i][1], &s));
	ksyms_close(k);
}

static void
test_says_why(void **state)
{
	(void)state;
	struct ksym s;
	struct ksyms *k = opened("0000000000000000 T _text\n0000000000000000 d jiffies\n");
	assert_true(ksyms_are_hidden(k));
	assert_false(ksyms_find(k, "", "jiffies", &s));
	ksyms_close(k);
	k = opened("ffffffff81000000 T _text\nffffffff82000000 D __start_rodata\n");
	assert_false(ksyms_are_hidden(k));
	assert_false(ksyms_have_data(k));
	ksyms_close(k);
	assert_null(ksyms_open("/nonexistent/kallsyms"));
}

static void
test_nonsense(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "\n", "x", "ffff", "ffff T", "ffff T ", "ffff T a [", "ffff T a []",
	    "ffff T a ]", "zz zz zz\n\n\nffff", "ffffffffffffffffffffffffff T a"};
	struct ksym s;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct ksyms *k = opened(texts[i]);
		ksyms_find(k, "", "a", &s);
		ksyms_find(k, "m", "ffff", &s);
		ksyms_close(k);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_finds),
	    cmocka_unit_test(test_does_not_find),
	    cmocka_unit_test(test_says_why),
	    cmocka_unit_test(test_nonsense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
