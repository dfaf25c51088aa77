/*
 * The hash of tables whose keys others choose: it is the one that it says, its key decides which names collide, and
 * every process has a key of its own.
 */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <cmocka.h>

enum { SLOTS = 1024, NAMES = 1000, RUNS = 4 };
static const char sample[] = "erltrace";
static const char *self;

/* Against values of the reference implementation of SipHash-1-3. */
static void
reference(void **state)
{
	const uint64_t zero[2] = {0, 0}, counted[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
	(void)state;
	assert_int_equal(hash_keyed(zero, "", 0), 0xd1fba762150c532c);
	assert_int_equal(hash_keyed(zero, "\0", 1), 0x68a914128e01e473);
	assert_int_equal(hash_keyed(counted, "", 0), 0xabac0158050fc4dc);
}

/* Every length and every byte counts. */
static void
all_bytes(void **state)
{
	char text[40] = {0};
	(void)state;
	for (size_t n = 0; n < sizeof text; n++) {
		uint64_t h = hash_bytes(text, n);
		assert_int_equal(h, hash_bytes(text, n));
		assert_int_not_equal(h, hash_bytes(text, n + 1));
		for (size_t i = 0; i < n; i++) {
			text[i] = 1;
			assert_int_not_equal(h, hash_bytes(text, n));
			text[i] = 0;
		}
	}
}

/* The names that fall into the most used of the slots under a key. */
static unsigned
crowd(const uint64_t key[2], char (*names)[16])
{
	unsigned used[SLOTS] = {0}, most = 0;
	for (unsigned i = 0; i < NAMES; i++) {
		unsigned at = hash_keyed(key, names[i], strlen(names[i])) % SLOTS;
		if (++used[at] > most)
			most = used[at];
	}
	return most;
}

static void
is_spread(unsigned most)
{
	assert_true(most >= 1);
	assert_true(most <= 20);
}

/* Names that were made to fall into one slot under one key are spread under any other. */
static void
collisions(void **state)
{
	static char names[NAMES][16];
	const uint64_t theirs[2] = {1, 2}, others[][2] = {{1, 3}, {2, 2}, {0, 0}, {UINT64_MAX, 1}};
	uint64_t ours[2];
	unsigned n = 0;
	(void)state;
	for (unsigned i = 0; n < NAMES; i++) {
		snprintf(names[n], sizeof names[n], "name_%u", i);
		n += hash_keyed(theirs, names[n], strlen(names[n])) % SLOTS == 0;
	}
	assert_int_equal(crowd(theirs, names), NAMES);
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		is_spread(crowd(others[i], names));
	/* and under that of this process, which is the kernel's random one */
	const void *secret = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	assert_non_null(secret);
	memcpy(ours, secret, sizeof ours);
	assert_int_equal(hash_bytes(sample, strlen(sample)), hash_keyed(ours, sample, strlen(sample)));
	is_spread(crowd(ours, names));
}

/* The same program, run again, has another key. */
static void
each_process(void **state)
{
	char command[4200], said[RUNS][32];
	(void)state;
	snprintf(command, sizeof command, "'%s' hash", self);
	for (unsigned i = 0; i < RUNS; i++) {
		FILE *p = popen(command, "r");
		assert_non_null(p);
		assert_non_null(fgets(said[i], sizeof said[i], p));
		assert_int_equal(pclose(p), 0);
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(said[i], said[k]);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reference),
	    cmocka_unit_test(all_bytes),
	    cmocka_unit_test(collisions),
	    cmocka_unit_test(each_process),
	};
	self = argv[0];
	if (argc == 2 && strcmp(argv[1], "hash") == 0) {
		printf("%016llx\n", (unsigned long long)hash_bytes(sample, strlen(sample)));
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
