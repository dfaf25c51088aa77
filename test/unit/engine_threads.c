/*
 * Many threads fire while one consumer drains, snaps and cleans: exact totals, order within a shard, nothing after
 * stop. Meant for the TSan build as much as for any other.
 */
#include "eng.h"

#include <pthread.h>
#include <stdatomic.h>

enum { NTHREADS = 4, NSHARDS = 3, FIRINGS = 20000, NKEYS = 300 };

static struct as a;

static void
make_program(void)
{
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t count = as_agg(&a, AGG_COUNT, 1);
	as_key(&a, DK_STRING, 0, false);
	int32_t quant = as_agg(&a, AGG_QUANTIZE, 1);
	as_key(&a, DK_INT, 8, true);
	int32_t assoc = as_var(&a, DS_GLOBAL, DK_INT, 8);
	as_assoc(&a, 1);
	int32_t self = as_var(&a, DS_THREAD, DK_INT, 8), global = as_var(&a, DS_GLOBAL, DK_INT, 8),
		text = as_var(&a, DS_GLOBAL, DK_STRING, 0);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_AGG, 1, 0, 1, count);
	/* self->x++, and a fault if it is not the thread's own */
	as_op(&a, DIF_LDT, 1, 0, 0, self);
	as_op(&a, DIF_LDARG, 2, 0, 0, 1);
	int32_t ok = as_op(&a, DIF_BEQ, 0, 1, 2, 0);
	as_op(&a, DIF_FAULT, 0, 1, 0, DIF_FAULT_LIBRARY);
	as_land(&a, ok);
	as_op(&a, DIF_ADDI, 1, 1, 0, 1);
	as_op(&a, DIF_STT, 0, 1, 0, self);
	as_op(&a, DIF_STG, 0, 1, 0, global);
	as_op(&a, DIF_LDG, 3, 0, 0, global);
	/* a[key] = n; freed by every other firing */
	as_op(&a, DIF_MOVI, 3, 0, 0, 1);
	as_op(&a, DIF_AND, 3, 1, 3, 0);
	as_op(&a, DIF_STA, 0, 3, 0, assoc);
	as_op(&a, DIF_LDA, 3, 0, 0, assoc);
	/* a racy string */
	as_op(&a, DIF_LDGA, 3, 0, 0, text);
	as_op(&a, DIF_LDBI, 4, 0, 0, DIF_BI_PROBENAME);
	as_op(&a, DIF_STRCPY, 3, 4, 0, 64);
	as_op(&a, DIF_STSL, 0, 3, 0, 1);
	as_op(&a, DIF_CALL, 4, 1, 1, DIF_SUBR_STRLEN);
	as_op(&a, DIF_STSL, 0, 3, 0, 1);
	as_op(&a, DIF_MOVI, 5, 0, 0, 1);
	as_op(&a, DIF_AGG, 1, 1, 5, quant);
	int32_t f = as_field(&a, DK_INT, 8), g = as_field(&a, DK_INT, 8);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_LDARG, 0, 0, 0, 2);
	as_op(&a, DIF_REC, 0, 0, 0, f);
	as_op(&a, DIF_REC, 0, 2, 0, g);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	/* a speculation of its own each time; where none is free, speculate() ends the clause: its id is kept before
	 * that */
	as_clause(&a);
	as_op(&a, DIF_CALL, 0, 0, 0, DIF_SUBR_SPECULATION);
	as_op(&a, DIF_STT, 0, 0, 0, as_var(&a, DS_THREAD, DK_INT, 8));
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_CALL, 1, 0, 1, DIF_SUBR_SPECULATE);
	as_default(&a);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	as_clause(&a);
	as_op(&a, DIF_LDT, 0, 0, 0, (int32_t)a.o.nvars - 1);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_CALL, 1, 0, 1, DIF_SUBR_COMMIT);
	as_end(&a);
}

struct worker {
	struct engine *e;
	unsigned n;
	_Atomic unsigned *running;
};

static void *
work(void *arg)
{
	struct worker *w = arg;
	for (uint64_t i = 0; i < FIRINGS; i++) {
		struct firing f = {.probe = 0,
		    .shard = (w->n + (unsigned)(i / 1000)) % NSHARDS,
		    .thread = w->n + 1,
		    .nargs = 3,
		    .args = {i % NKEYS, i, w->n}};
		engine_user.fire(w->e, &f);
	}
	engine_user.thread_exit(w->e, w->n + 1);
	atomic_fetch_sub(w->running, 1);
	return NULL;
}

struct totals {
	uint64_t counts[NKEYS], quantized, records[NTHREADS], defaults, next[NSHARDS][NTHREADS];
	uint64_t last[NSHARDS];
	const struct engine *e;
};

static void
add_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct totals *t = arg;
	int64_t k;
	(void)keylen;
	if (agg == 1) {
		t->quantized += words[0];
		return;
	}
	memcpy(&k, key, 8);
	assert_true(k >= 0 && k < NKEYS);
	t->counts[k] += words[0];
}

static void
add_rec(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct totals *t = arg;
	uint64_t v[2];
	assert_int_equal(r->fault, -1);
	if (r->epid != 1) {
		t->defaults++;
		return;
	}
	assert_true(r->time >= t->last[shard]);
	t->last[shard] = r->time;
	memcpy(v, r->data, sizeof v);
	assert_true(v[0] < NTHREADS);
	assert_true(v[1] >= t->next[shard][v[0]]);
	t->next[shard][v[0]] = v[1] + 1;
	t->records[v[0]]++;
}

static bool
consume(struct engine *e, struct totals *t)
{
	engine_user.clean(e);
	engine_user.drain(e, add_rec, t);
	engine_user.snap(e, add_agg, t);
	struct eng_status s;
	engine_user.status(e, &s);
	return engine_user.is_whole(e, true) && engine_user.is_whole(e, false);
}

static void
test_totals(void **st)
{
	(void)st;
	static struct totals t;
	struct eng_conf c = as_conf();
	c.nshards = NSHARDS;
	c.bufsize = 32 << 20;
	c.nspec = 2;
	make_program();
	struct engine *e = eng_new(&a, &c);
	for (unsigned i = 0; i < 3; i++)
		eng_bind(e, 4, i);
	eng_go(e);
	pthread_t tids[NTHREADS];
	struct worker w[NTHREADS];
	_Atomic unsigned running = NTHREADS;
	for (unsigned i = 0; i < NTHREADS; i++) {
		w[i] = (struct worker){e, i, &running};
		assert_int_equal(pthread_create(&tids[i], NULL, work, &w[i]), 0);
	}
	while (atomic_load(&running))
		consume(e, &t);
	for (unsigned i = 0; i < NTHREADS; i++)
		pthread_join(tids[i], NULL);
	engine_user.stop(e);
	fire(e, 0);
	/* what a firing kept from the last turns comes first */
	for (unsigned turns = 1; !consume(e, &t); turns++)
		assert_true(turns < 3);
	struct eng_status s = status(e);
	assert_int_equal(s.errors, 0);
	for (unsigned i = 0; i < ENG_NDROPS; i++)
		if (i != ENG_DROP_SPECUNAVAIL && i != ENG_DROP_SPECBUSY)
			assert_int_equal(s.drops[i], 0);
	uint64_t total = 0;
	for (unsigned i = 0; i < NKEYS; i++)
		total += t.counts[i];
	assert_int_equal(total, NTHREADS * FIRINGS);
	assert_int_equal(t.quantized, NTHREADS * FIRINGS);
	for (unsigned i = 0; i < NTHREADS; i++)
		assert_int_equal(t.records[i], FIRINGS);
	assert_int_equal(t.defaults + s.drops[ENG_DROP_SPECUNAVAIL] + s.drops[ENG_DROP_SPECBUSY], NTHREADS * FIRINGS);
	engine_user.destroy(e);
}

/* stop() waits: what is counted before it returns is all there will be. */
static void
test_stop(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.nshards = NSHARDS;
	c.bufsize = 4096;
	make_program();
	struct engine *e = eng_new(&a, &c);
	eng_bind(e, 4, 0);
	eng_go(e);
	pthread_t tids[NTHREADS];
	struct worker w[NTHREADS];
	_Atomic unsigned running = NTHREADS;
	for (unsigned i = 0; i < NTHREADS; i++) {
		w[i] = (struct worker){e, i, &running};
		assert_int_equal(pthread_create(&tids[i], NULL, work, &w[i]), 0);
	}
	static struct totals before, after;
	before = after = (struct totals){0};
	engine_user.snap(e, add_agg, &before);
	engine_user.stop(e);
	do
		engine_user.snap(e, add_agg, &before);
	while (!engine_user.is_whole(e, false));
	engine_user.snap(e, add_agg, &after);
	for (unsigned i = 0; i < NTHREADS; i++)
		pthread_join(tids[i], NULL);
	engine_user.snap(e, add_agg, &after);
	assert_int_equal(after.quantized, 0);
	assert_true(before.quantized <= NTHREADS * FIRINGS);
	engine_user.destroy(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_totals),
	    cmocka_unit_test(test_stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
