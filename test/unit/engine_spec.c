/* Speculations: ids, where data go, commit and discard on one shard and across shards, drops. */
#include "eng.h"

static struct as a;
static struct recs rs;

/* arg0 says what: 0 trace(speculation()), 1 speculate(arg1) trace(arg2), 2 commit(arg1), 3 discard(arg1). */
enum { NEW, SPECULATE, COMMIT, DISCARD, PLAIN, NWHAT };

static struct engine *
make(const struct eng_conf *c)
{
	static const int32_t subrs[] = {DIF_SUBR_SPECULATION, DIF_SUBR_SPECULATE, DIF_SUBR_COMMIT, DIF_SUBR_DISCARD};
	as_init(&a);
	for (int i = 0; i < NWHAT; i++) {
		as_clause(&a);
		bool records = i == NEW || i == SPECULATE || i == PLAIN;
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		as_num(&a, 1, (uint64_t)i);
		int32_t skip = as_op(&a, DIF_BNE, 0, 0, 1, 0);
		as_op(&a, DIF_LDARG, 0, 0, 0, 1);
		as_op(&a, DIF_STSL, 0, 0, 0, 0);
		if (i != PLAIN)
			as_op(&a, DIF_CALL, 2, 0, i == NEW ? 0 : 1, subrs[i]);
		if (i != NEW)
			as_op(&a, DIF_LDARG, 2, 0, 0, 2);
		if (records) {
			int32_t f = as_field(&a, DK_INT, 8);
			as_op(&a, DIF_RECB, 0, 0, 0, 0);
			as_op(&a, DIF_REC, 0, 2, 0, f);
			as_op(&a, DIF_RECE, 0, 0, 0, 0);
		}
		as_land(&a, skip);
		as_end(&a);
	}
	struct engine *e = eng_new(&a, c);
	for (unsigned i = 0; i < NWHAT; i++)
		eng_bind(e, 4, i);
	eng_go(e);
	return e;
}

static void
doit(struct engine *e, unsigned shard, uint64_t what, uint64_t id, uint64_t v)
{
	struct firing f = {.thread = 1, .shard = shard, .nargs = 3, .args = {what, id, v}};
	engine_user.fire(e, &f);
}

static uint64_t
new_spec(struct engine *e)
{
	doit(e, 0, NEW, 0, 0);
	drain(e, &a, &rs);
	assert_true(rs.n > 0);
	return rec_u64(&rs.at[rs.n - 1], 0);
}

static struct eng_conf
conf(uint32_t nspec)
{
	struct eng_conf c = as_conf();
	c.nshards = 2;
	c.nspec = nspec;
	c.specsize = 4 * 32;
	return c;
}

static void
test_one_shard(void **st)
{
	(void)st;
	struct eng_conf c = conf(2);
	struct engine *e = make(&c);
	for (int round = 0; round < 3; round++) {
		uint64_t one = new_spec(e), two = new_spec(e);
		assert_int_equal(one + two, 3);
		assert_int_equal(one * two, 2);
		assert_int_equal(new_spec(e), 0);
		doit(e, 0, SPECULATE, one, 11);
		doit(e, 0, SPECULATE, two, 22);
		doit(e, 0, SPECULATE, one, 12);
		doit(e, 0, PLAIN, 0, 5);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, 1);
		doit(e, 0, COMMIT, one, 0);
		doit(e, 0, DISCARD, two, 0);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, 2);
		assert_int_equal(rec_u64(&rs.at[0], 0), 11);
		assert_int_equal(rec_u64(&rs.at[1], 0), 12);
		assert_int_equal(status(e).drops[ENG_DROP_SPECUNAVAIL], round + 1);
	}
	assert_int_equal(status(e).drops[ENG_DROP_SPECBUSY], 0);
	engine_user.destroy(e);
}

/* What was committed here is here at once; what another shard has comes when the consumer cleans. */
static void
test_two_shards(void **st)
{
	(void)st;
	struct eng_conf c = conf(1);
	struct engine *e = make(&c);
	assert_int_equal(new_spec(e), 1);
	doit(e, 0, SPECULATE, 1, 1);
	doit(e, 1, SPECULATE, 1, 2);
	doit(e, 0, COMMIT, 1, 0);
	doit(e, 1, SPECULATE, 1, 3); /* too late */
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	assert_int_equal(rec_u64(&rs.at[0], 0), 1);
	assert_int_equal(new_spec(e), 0);
	assert_int_equal(status(e).drops[ENG_DROP_SPECBUSY], 1);
	engine_user.clean(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	assert_int_equal(rs.at[0].shard, 1);
	assert_int_equal(rec_u64(&rs.at[0], 0), 2);
	/* the same, discarded from a shard that had no part in it */
	assert_int_equal(new_spec(e), 1);
	doit(e, 0, SPECULATE, 1, 4);
	doit(e, 1, DISCARD, 1, 0);
	doit(e, 1, COMMIT, 1, 0);
	engine_user.clean(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 0);
	assert_int_equal(new_spec(e), 1);
	engine_user.destroy(e);
}

/* Nothing happens for 0 and for one that is not active; commit and discard of what is no speculation are faults. */
static void
test_no_such(void **st)
{
	(void)st;
	static const uint64_t ids[] = {0, 1, 2, 3, UINT64_MAX};
	struct eng_conf c = conf(2);
	struct engine *e = make(&c);
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
		doit(e, 0, SPECULATE, ids[i], 1);
		doit(e, 0, COMMIT, ids[i], 0);
		doit(e, 0, DISCARD, ids[i], 0);
		engine_user.clean(e);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, ids[i] <= 2 ? 0 : 2);
		for (unsigned j = 0; j < rs.n; j++)
			assert_int_equal(rs.at[j].r.fault, DIF_FAULT_ILLOP);
	}
	c.nspec = 0;
	engine_user.destroy(e);
	e = make(&c);
	assert_int_equal(new_spec(e), 0);
	assert_int_equal(status(e).drops[ENG_DROP_SPECUNAVAIL], 1);
	engine_user.destroy(e);
}

static void
test_drops(void **st)
{
	(void)st;
	struct eng_conf c = conf(1);
	c.bufsize = 5 * 32;
	struct engine *e = make(&c);
	assert_int_equal(new_spec(e), 1);
	for (uint64_t i = 0; i < 6; i++)
		doit(e, 0, SPECULATE, 1, i);
	assert_int_equal(status(e).drops[ENG_DROP_SPEC], 2);
	/* all or none */
	doit(e, 0, PLAIN, 0, 8);
	doit(e, 0, PLAIN, 0, 9);
	doit(e, 0, COMMIT, 1, 0);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 2);
	assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 1);
	/* the id is free again */
	assert_int_equal(new_spec(e), 1);
	doit(e, 0, SPECULATE, 1, 7);
	doit(e, 0, COMMIT, 1, 0);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	engine_user.destroy(e);
}

/* Committing with a ring makes room as any record does. */
static void
test_ring(void **st)
{
	(void)st;
	struct eng_conf c = conf(1);
	c.bufsize = 5 * 32;
	c.bufpolicy = BUF_RING;
	struct engine *e = make(&c);
	doit(e, 0, NEW, 0, 0);
	for (uint64_t i = 0; i < 3; i++) {
		doit(e, 0, SPECULATE, 1, i);
		doit(e, 0, PLAIN, 0, 10 + i);
	}
	doit(e, 0, COMMIT, 1, 0);
	engine_user.stop(e);
	drain(e, &a, &rs);
	assert_true(rs.n >= 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(rec_u64(&rs.at[rs.n - 3 + i], 0), i);
	engine_user.destroy(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_shard),
	    cmocka_unit_test(test_two_shards),
	    cmocka_unit_test(test_no_such),
	    cmocka_unit_test(test_drops),
	    cmocka_unit_test(test_ring),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
