/*
 * Threads write numbers at the same time, in two arrays and of their own: each must find what it wrote itself, while
 * elements that became 0 are freed, and used again for other keys, by all of them. Meant for the TSan build and the one
 * with tiny tables as much as for any other.
 */
#include "dyn.h"

#include <pthread.h>

enum { NTHREADS = 4, FIRINGS = 60000, KEYS = 4096, PROCESSES = 64 };
enum { A, B, SELF, NVARS };

static struct as a;

/* arg0: the variable; arg1: the key; arg2: what it has, otherwise it is a fault; arg3: what it gets. */
static void
make_program(void)
{
	as_init(&a);
	int32_t v[NVARS];
	for (int i = 0; i < SELF; i++) {
		as_key(&a, DK_INT, 8, true);
		v[i] = as_var(&a, DS_GLOBAL, DK_INT, 8);
		as_assoc(&a, 1);
	}
	v[SELF] = as_var(&a, DS_THREAD, DK_INT, 8);
	for (int i = 0; i < NVARS; i++) {
		as_clause(&a);
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		as_num(&a, 1, (uint64_t)i);
		int32_t skip = as_op(&a, DIF_BNE, 0, 0, 1, 0);
		as_op(&a, DIF_LDARG, 0, 0, 0, 1);
		as_op(&a, DIF_STSL, 0, 0, 0, 0);
		as_op(&a, i == SELF ? DIF_LDT : DIF_LDA, 1, 0, 0, v[i]);
		as_op(&a, DIF_LDARG, 2, 0, 0, 2);
		int32_t ok = as_op(&a, DIF_BEQ, 0, 1, 2, 0);
		as_op(&a, DIF_FAULT, 0, 1, 0, DIF_FAULT_LIBRARY);
		as_land(&a, ok);
		as_op(&a, DIF_LDARG, 1, 0, 0, 3);
		as_op(&a, i == SELF ? DIF_STT : DIF_STA, 0, 1, 0, v[i]);
		as_land(&a, skip);
		as_end(&a);
	}
}

struct worker {
	struct engine *e;
	unsigned n;
	uint64_t is[NVARS][KEYS]; /* what its keys have */
};

static void *
work(void *arg)
{
	struct worker *w = arg;
	uint64_t random = w->n + 1;
	for (uint64_t i = 1; i <= FIRINGS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		unsigned var = (unsigned)(random >> 60) % NVARS;
		/* some keys are used often, so that they are written without a lock, and all of them now and then */
		uint64_t key = (random >> 32) % (random >> 50 & 1 ? 40 : KEYS), thread = key % PROCESSES;
		if (var == SELF)
			key = thread;
		uint64_t *is = &w->is[var][key], to = random >> 58 & 1 ? i : 0;
		struct firing f = {.shard = w->n,
		    .thread = 1 + w->n + thread * NTHREADS,
		    .nargs = 4,
		    .args = {var, key * NTHREADS + w->n, *is, to}};
		engine_user.fire(w->e, &f);
		*is = to;
		if (i % 97 == 0) {
			engine_user.thread_exit(w->e, f.thread);
			w->is[SELF][thread] = 0;
		}
	}
	return NULL;
}

/* All threads at once, with the program that was made; its clauses have a probe each. */
static void
run_all(unsigned nclauses, uint64_t dynvarsize, void *(*fn)(void *arg))
{
	static struct worker w[NTHREADS];
	pthread_t tids[NTHREADS];
	struct eng_conf c = as_conf();
	c.nshards = NTHREADS;
	c.dynvarsize = dynvarsize;
	struct engine *e = eng_new(&a, &c);
	for (unsigned i = 0; i < nclauses; i++)
		eng_bind(e, 4, i);
	eng_go(e);
	for (unsigned i = 0; i < NTHREADS; i++) {
		w[i].e = e;
		w[i].n = i;
		assert_int_equal(pthread_create(&tids[i], NULL, fn, &w[i]), 0);
	}
	for (unsigned i = 0; i < NTHREADS; i++) {
		engine_user.clean(e);
		pthread_join(tids[i], NULL);
	}
	struct eng_status s = status(e);
	assert_int_equal(s.errors, 0);
	assert_int_equal(s.drops[ENG_DROP_DYNAMIC], 0);
	engine_user.clean(e);
	check_dyn(e);
	engine_user.destroy(e);
}

static void
test_each_finds_its_own(void **st)
{
	(void)st;
	make_program();
	run_all(NVARS, 8 << 20, work);
}

/* arg0: the key, arg1: what it gets. All threads write to the same few keys. */
static void
make_race(void)
{
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t v = as_var(&a, DS_GLOBAL, DK_INT, 8);
	as_assoc(&a, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDARG, 1, 0, 0, 1);
	as_op(&a, DIF_STA, 0, 1, 0, v);
	/* what is there is 0, or somebody has written it for this key */
	as_op(&a, DIF_LDA, 1, 0, 0, v);
	int32_t zero = as_op(&a, DIF_BZ, 0, 1, 0, 0);
	as_num(&a, 2, 1000);
	as_op(&a, DIF_UREM, 1, 1, 2, 0);
	int32_t ok = as_op(&a, DIF_BEQ, 0, 1, 0, 0);
	as_op(&a, DIF_FAULT, 0, 1, 0, DIF_FAULT_LIBRARY);
	as_land(&a, ok);
	as_land(&a, zero);
	as_end(&a);
}

static void *
race(void *arg)
{
	struct worker *w = arg;
	uint64_t random = w->n + 1;
	for (uint64_t i = 1; i <= FIRINGS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		uint64_t key = 1 + (random >> 32) % (random >> 50 & 1 ? 3 : 999);
		struct firing f = {
		    .shard = w->n, .thread = 1, .nargs = 2, .args = {key, random >> 58 & 1 ? i * 1000 + key : 0}};
		engine_user.fire(w->e, &f);
	}
	return NULL;
}

static void
test_keys_are_not_mixed_up(void **st)
{
	(void)st;
	make_race();
	run_all(1, 1 << 20, race);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_finds_its_own),
	    cmocka_unit_test(test_keys_are_not_mixed_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
