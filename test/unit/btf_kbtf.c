/* Reading BTF: types are found, and a file with a kind that is not known is refused instead of read at wrong places. */
#include "btf/kbtf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* int; something of a kind, with a word behind it; struct pair { int a; int b; } */
static const char strings[] = "\0int\0pair\0a\0b";
enum { INT = 1, PAIR = 5, A = 10, B = 12 };

struct file {
	struct btf_header h;
	struct btf_type number;
	uint32_t encoding;
	struct btf_type between;
	uint32_t word;
	struct btf_type pair;
	struct btf_member members[2];
	char text[sizeof strings];
};

static struct kbtf *
open_with(unsigned kind, unsigned vlen, uint32_t lack, struct why *why)
{
	struct file f = {
	    .h = {.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof f.h},
	    .number = {.name_off = INT, .info = BTF_KIND_INT << 24, .size = 4},
	    .encoding = 32,
	    .between = {.info = kind << 24 | vlen, .type = 1},
	    .word = 32,
	    .pair = {.name_off = PAIR, .info = BTF_KIND_STRUCT << 24 | 2, .size = 8},
	    .members = {{A, 1, 0}, {B, 1, 32}},
	};
	memcpy(f.text, strings, sizeof strings);
	f.h.type_len = (uint32_t)(offsetof(struct file, text) - sizeof f.h) - lack;
	f.h.str_off = (uint32_t)(offsetof(struct file, text) - sizeof f.h);
	f.h.str_len = sizeof strings;
	char path[] = "/tmp/btf_kbtf.XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, &f, sizeof f), sizeof f);
	close(fd);
	struct kbtf *b = kbtf_open(path, why);
	unlink(path);
	return b;
}

static void
known(void **state)
{
	(void)state;
	struct kbtf *b = open_with(BTF_KIND_VAR, 0, 0, NULL);
	assert_non_null(b);
	assert_int_equal(kbtf_count(b), 3);
	assert_int_equal(kbtf_find(b, "pair", KBTF_KIND(STRUCT)), 3);
	assert_int_equal(kbtf_offset(b, "pair", "b"), 4);
	kbtf_close(b);
}

static void
unknown_kinds(void **state)
{
	(void)state;
	static const unsigned kinds[] = {0, BTF_KIND_ENUM64 + 1, 31};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct why why;
		char said[64];
		assert_null(open_with(kinds[i], 0, 0, &why));
		snprintf(said, sizeof said, "type 2 is of kind %u, which", kinds[i]);
		assert_non_null(strstr(why.text, said));
	}
}

/* A type that says to be longer than the file. */
static void
cut_off(void **state)
{
	(void)state;
	struct why why;
	assert_null(open_with(BTF_KIND_STRUCT, 100, 0, &why));
	assert_non_null(strstr(why.text, "type 2 is cut off"));
	assert_null(open_with(BTF_KIND_VAR, 0, 4, &why));
	assert_non_null(strstr(why.text, "type 3 is cut off"));
}

static void
no_file(void **state)
{
	(void)state;
	struct why why;
	assert_null(kbtf_open("/nonexistent", &why));
	assert_non_null(strstr(why.text, "/nonexistent"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known),
	    cmocka_unit_test(unknown_kinds),
	    cmocka_unit_test(cut_off),
	    cmocka_unit_test(no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
