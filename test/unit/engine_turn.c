/*
 * How tables and buffers change hands (engine/user/turn.c): the consumer waits for nobody, gets at once what a shard
 * has that is busy with somebody else's event, and nothing is lost or counted twice, whatever the firings do meanwhile.
 */
#include "eng.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NSHARDS = 3, FIRINGS = 200000 };

static struct as a;
static _Atomic unsigned nbarriers;

static void
lock(void *arg, unsigned shard)
{
	(void)arg, (void)shard;
}

/* The shard is busy, and stays so: an event of another script. */
static bool
never(void *arg, unsigned shard)
{
	(void)arg, (void)shard;
	return false;
}

/* As in a VM: at first there is no cheap barrier. */
static bool
barrier(void *arg)
{
	bool *is_cheap = arg;
	nbarriers++;
	return is_cheap && *is_cheap && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* @ = count(); trace(arg1), after arg0 was looked at as text if `looks`. The first two shards have the caller's lock.
 */
static struct engine *
make(bool looks, bool *is_cheap, unsigned *probe)
{
	struct eng_conf c = as_conf();
	c.nshards = NSHARDS;
	c.bufsize = 16 << 20;
	c.locks = (struct eng_locks){
	    .n = 2, .lock = lock, .trylock = never, .unlock = lock, .barrier = barrier, .arg = is_cheap};
	as_init(&a);
	int32_t agg = as_agg(&a, AGG_COUNT, 0);
	as_clause(&a);
	int32_t field = as_field(&a, DK_INT, 8);
	as_op(&a, DIF_AGG, 0, 0, 0, agg);
	if (looks) {
		as_slot(&a, 0, DIF_ADDR(DIF_R_ARG, 0));
		as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_STRLEN);
	}
	as_op(&a, DIF_LDARG, 0, 0, 0, 1);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 0, 0, field);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	*probe = eng_bind(e, 4, 0);
	eng_go(e);
	return e;
}

static void
count(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)agg, (void)key, (void)keylen;
	*(uint64_t *)arg += words[0];
}

static void
count_rec(void *arg, unsigned shard, const struct eng_rec *r)
{
	(void)shard;
	assert_int_equal(r->fault, -1);
	++*(uint64_t *)arg;
}

static uint64_t
counted(struct engine *e)
{
	uint64_t n = 0;
	engine_user.snap(e, count, &n);
	return n;
}

static uint64_t
recorded(struct engine *e)
{
	uint64_t n = 0;
	engine_user.drain(e, count_rec, &n);
	return n;
}

/* What a script has counted is there at once, although the shard is inside an event that is no business of it. */
static void
test_busy_with_others(void **st)
{
	(void)st;
	unsigned probe;
	struct engine *e = make(false, NULL, &probe);
	for (unsigned shard = 0; shard < NSHARDS; shard++)
		for (unsigned i = 0; i < 7; i++) {
			struct firing f = {
			    .probe = probe, .shard = shard, .locked = shard < 2, .thread = 1, .nargs = 2};
			engine_user.fire(e, &f);
		}
	assert_int_equal(counted(e), 7 * NSHARDS);
	assert_true(engine_user.is_whole(e, false));
	assert_int_equal(recorded(e), 7 * NSHARDS);
	assert_true(engine_user.is_whole(e, true));
	assert_int_equal(counted(e), 0);
	engine_user.stop(e);
	assert_int_equal(counted(e) + recorded(e), 0);
	engine_user.destroy(e);
}

static void
count_name(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)agg;
	assert_int_equal(keylen, 8);
	assert_string_equal(key, "name");
	*(uint64_t *)arg += words[0];
}

/* Where a value is under a known name is remembered, but only until its table was taken: also if it is the same one
 * again, after two snapshots without a firing. */
static void
test_idle(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	as_init(&a);
	as_key(&a, DK_STRING, 0, false);
	int32_t agg = as_agg(&a, AGG_COUNT, 1);
	as_clause(&a);
	as_op(&a, DIF_LDBI, 0, 0, 0, DIF_BI_PROBENAME);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_AGG, 1, 0, 0, agg);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	struct firing f = {.probe = eng_bind(e, 4, 0), .thread = 1};
	eng_go(e);
	for (unsigned idle = 1; idle <= 4; idle++) {
		uint64_t n = 0;
		engine_user.fire(e, &f);
		engine_user.fire(e, &f);
		for (unsigned i = 0; i < idle; i++)
			engine_user.snap(e, count_name, &n);
		assert_int_equal(n, 2);
	}
	engine_user.destroy(e);
}

/* ---- a firing that does not end until it is told to ---- */

static _Atomic int inside, leave;

static int
held(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *known)
{
	(void)f, (void)n, (void)known;
	atomic_store(&inside, 1);
	while (!atomic_load(&leave))
		usleep(1000);
	*mem = "x";
	*len = 2;
	return 0;
}

static const struct firing_ops held_ops = {.argmem = held};

struct hand {
	struct engine *e;
	unsigned probe, shard;
};

static struct firing
firing(const struct hand *h)
{
	return (struct firing){.probe = h->probe,
	    .shard = h->shard,
	    .locked = h->shard < 2,
	    .thread = 1,
	    .nargs = 2,
	    .args = {0, 5},
	    .ops = &held_ops};
}

static void *
fire_held(void *arg)
{
	struct firing f = firing(arg);
	engine_user.fire(((struct hand *)arg)->e, &f);
	return NULL;
}

/* Whoever waits for the firing here waits for ever. What it keeps comes when it has ended: once, and what came after it
 * not before it. */
static void
test_inside(void **st)
{
	(void)st;
	for (unsigned shard = 1; shard < NSHARDS; shard++) {
		struct hand h = {.shard = shard};
		struct engine *e = h.e = make(true, NULL, &h.probe);
		pthread_t thread;
		atomic_store(&leave, 1);
		struct firing f = firing(&h);
		for (unsigned i = 0; i < 3; i++)
			engine_user.fire(e, &f);
		atomic_store(&inside, 0);
		atomic_store(&leave, 0);
		assert_int_equal(pthread_create(&thread, NULL, fire_held, &h), 0);
		while (!atomic_load(&inside))
			usleep(1000);
		alarm(60);
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(counted(e), 0);
			assert_false(engine_user.is_whole(e, false));
			assert_int_equal(recorded(e), 0);
			assert_false(engine_user.is_whole(e, true));
			engine_user.clean(e);
			status(e);
		}
		atomic_store(&leave, 1);
		pthread_join(thread, NULL);
		alarm(0);
		engine_user.fire(e, &f);
		assert_int_equal(counted(e), 4);
		assert_int_equal(recorded(e), 4);
		assert_false(engine_user.is_whole(e, false)); /* the one after it */
		assert_int_equal(counted(e), 1);
		assert_int_equal(recorded(e), 1);
		assert_true(engine_user.is_whole(e, false) && engine_user.is_whole(e, true));
		engine_user.destroy(e);
	}
}

/* ---- nothing is lost ---- */

static _Atomic unsigned running;

static void *
fire_often(void *arg)
{
	const struct hand *h = arg;
	for (unsigned i = 0; i < FIRINGS; i++) {
		struct firing f = firing(h);
		engine_user.fire(h->e, &f);
	}
	atomic_fetch_sub(&running, 1);
	return NULL;
}

static void
exact(bool *is_cheap)
{
	uint64_t n = 0, recs = 0, drops = 0, parts = 0;
	pthread_t threads[NSHARDS];
	struct hand h[NSHARDS];
	unsigned probe;
	struct engine *e = make(false, is_cheap, &probe);
	running = NSHARDS;
	for (unsigned i = 0; i < NSHARDS; i++) {
		h[i] = (struct hand){e, probe, i};
		assert_int_equal(pthread_create(&threads[i], NULL, fire_often, &h[i]), 0);
	}
	while (atomic_load(&running)) {
		n += counted(e);
		recs += recorded(e);
		parts += !engine_user.is_whole(e, false);
	}
	for (unsigned i = 0; i < NSHARDS; i++)
		pthread_join(threads[i], NULL);
	engine_user.stop(e);
	unsigned turns = 0;
	do {
		n += counted(e);
		recs += recorded(e);
	} while ((!engine_user.is_whole(e, false) || !engine_user.is_whole(e, true)) && ++turns < 3);
	for (unsigned i = 0; i < ENG_NDROPS; i++)
		drops += status(e).drops[i];
	print_message("%llu snapshots were not whole\n", (unsigned long long)parts);
	assert_int_equal(n, (uint64_t)NSHARDS * FIRINGS);
	assert_int_equal(recs + drops, (uint64_t)NSHARDS * FIRINGS);
	engine_user.destroy(e);
}

static void
test_exact_with_fences(void **st)
{
	(void)st;
	exact(NULL);
}

static void
test_exact_with_barriers(void **st)
{
	(void)st;
	bool is_cheap = true;
#if !defined(__SANITIZE_THREAD__) /* it does not know of barriers that another thread makes */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
#endif
		skip();
	nbarriers = 0;
	exact(&is_cheap);
	assert_true(nbarriers > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_busy_with_others), cmocka_unit_test(test_idle),
	    cmocka_unit_test(test_inside), cmocka_unit_test(test_exact_with_fences),
	    cmocka_unit_test(test_exact_with_barriers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
