/*
 * Elements of associative arrays are read without a lock while other threads write them, delete them and use their
 * memory again: a reader finds the value that belongs to the key, or none.
 */
#include "eng.h"

#include <pthread.h>
#include <stdatomic.h>

enum { KEYS = 48, WRITES = 60000, READERS = 2, WRITERS = 2 };

static struct as a;
static atomic_bool over;
static unsigned store_probe, check_probe, text_probe;

/* a[arg0] = arg1; then, with another probe: a[arg0] is 0 or 3 * arg0 + 1; then s[arg0] = arg1 ? probename : 0 */
static struct engine *
make(void)
{
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t numbers = as_var(&a, DS_GLOBAL, DK_INT, 8);
	as_assoc(&a, 1);
	as_key(&a, DK_INT, 8, true);
	int32_t texts = as_var(&a, DS_GLOBAL, DK_STRING, 0);
	as_assoc(&a, 1);

	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDARG, 1, 0, 0, 1);
	as_op(&a, DIF_STA, 0, 1, 0, numbers);
	as_end(&a);

	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDA, 1, 0, 0, numbers);
	int32_t none = as_op(&a, DIF_BZ, 0, 1, 0, 0);
	as_op(&a, DIF_MOVI, 2, 0, 0, 3);
	as_op(&a, DIF_MUL, 2, 0, 2, 0);
	as_op(&a, DIF_ADDI, 2, 2, 0, 1);
	int32_t right = as_op(&a, DIF_BEQ, 0, 1, 2, 0);
	as_op(&a, DIF_FAULT, 0, 1, 0, DIF_FAULT_LIBRARY);
	as_land(&a, none);
	as_land(&a, right);
	as_end(&a);

	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDARG, 1, 0, 0, 1);
	int32_t gone = as_op(&a, DIF_BZ, 0, 1, 0, 0);
	as_op(&a, DIF_LDBI, 1, 0, 0, DIF_BI_PROBENAME);
	as_land(&a, gone);
	as_op(&a, DIF_STA, 0, 1, 0, texts);
	as_end(&a);

	struct eng_conf c = as_conf();
	c.nshards = READERS + WRITERS;
	c.dynvarsize = 8192; /* little, so that memory is used again soon */
	struct engine *e = eng_new(&a, &c);
	store_probe = eng_bind(e, 4, 0);
	check_probe = eng_bind(e, 5, 1);
	text_probe = eng_bind(e, 6, 2);
	eng_go(e);
	return e;
}

struct reads_job {
	struct engine *e;
	unsigned shard;
};

static void
fire_at(const struct reads_job *j, unsigned probe, uint64_t key, uint64_t value)
{
	struct firing f = {.probe = probe, .shard = j->shard, .thread = j->shard + 1, .nargs = 2, .args = {key, value}};
	engine_user.fire(j->e, &f);
}

static void *
write_all(void *arg)
{
	struct reads_job *j = arg;
	uint32_t x = 12345 + j->shard;
	for (unsigned i = 0; i < WRITES; i++) {
		x = x * 1664525 + 1013904223;
		uint64_t key = (x >> 16) % KEYS;
		fire_at(j, x >> 30 == 3 ? text_probe : store_probe, key, x >> 12 & 1 ? 3 * key + 1 : 0);
	}
	return NULL;
}

static void *
read_all(void *arg)
{
	for (uint64_t key = 0; !atomic_load(&over); key = (key + 7) % KEYS)
		fire_at(arg, check_probe, key, 0);
	return NULL;
}

static void
readers_find_whole_values(void **state)
{
	(void)state;
	struct engine *e = make();
	struct reads_job jobs[READERS + WRITERS];
	pthread_t threads[READERS + WRITERS];
	for (unsigned i = 0; i < READERS + WRITERS; i++) {
		jobs[i] = (struct reads_job){e, i};
		assert_int_equal(pthread_create(&threads[i], NULL, i < WRITERS ? write_all : read_all, &jobs[i]), 0);
	}
	for (unsigned i = 0; i < READERS + WRITERS; i++) {
		pthread_join(threads[i], NULL);
		if (i == WRITERS - 1)
			atomic_store(&over, true);
	}
	assert_int_equal(status(e).errors, 0);
	/* and what was written last is what is read */
	for (uint64_t key = 0; key < KEYS; key++)
		fire_at(&jobs[0], text_probe, key, 0);
	for (uint64_t key = 0; key < 4; key++) {
		fire_at(&jobs[0], store_probe, key, 3 * key + 1);
		fire_at(&jobs[1], check_probe, key, 0);
	}
	assert_int_equal(status(e).errors, 0);
	fire_at(&jobs[0], store_probe, 1, 5);
	fire_at(&jobs[1], check_probe, 1, 0);
	assert_int_equal(status(e).errors, 1);
	engine_user.destroy(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(readers_find_whole_values)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
