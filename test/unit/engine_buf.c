/* Record buffers: the three policies, drops, whole records only, space for END. */
#include "eng.h"

static struct as a;
static struct recs rs;

enum { HEADER = 24, SMALL = HEADER + 8 };

/* Clause 0 records arg0; clause 1 records arg0 and `big` bytes; clause 2 as 0, for END. */
static struct engine *
make(enum eng_bufpolicy policy, uint64_t bufsize, unsigned *small, unsigned *big, unsigned *end)
{
	struct eng_conf c = as_conf();
	c.bufpolicy = policy;
	c.bufsize = bufsize;
	as_init(&a);
	for (int i = 0; i < 3; i++) {
		as_clause(&a);
		int32_t f = as_field(&a, DK_INT, 8), g = i == 1 ? as_field(&a, DK_BYTES, 40) : 0;
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "0123456789012345678901234567890123456789"));
		as_op(&a, DIF_RECB, 0, 0, 0, 0);
		as_op(&a, DIF_REC, 0, 0, 0, f);
		if (i == 1)
			as_op(&a, DIF_REC, 0, 1, 0, g);
		as_op(&a, DIF_RECE, 0, 0, 0, 0);
		as_end(&a);
	}
	struct engine *e = eng_new(&a, &c);
	*small = eng_bind(e, 4, 0);
	*big = eng_bind(e, 5, 1);
	if (end)
		*end = eng_bind(e, 2, 2);
	eng_go(e);
	return e;
}

static void
put(struct engine *e, unsigned probe, uint64_t v)
{
	struct firing f = {.probe = probe, .thread = 1, .nargs = 1, .args = {v}};
	engine_user.fire(e, &f);
}

static void
test_switch(void **st)
{
	(void)st;
	unsigned small, big;
	struct engine *e = make(BUF_SWITCH, 10 * SMALL, &small, &big, NULL);
	for (int round = 0; round < 4; round++) {
		for (uint64_t i = 0; i < 13; i++)
			put(e, small, i);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, 10);
		for (unsigned i = 0; i < 10; i++)
			assert_int_equal(rec_u64(&rs.at[i], 0), i);
		assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 3 * (round + 1));
	}
	/* a record that does not fit leaves the room to one that does */
	for (uint64_t i = 0; i < 9; i++)
		put(e, small, i);
	put(e, big, 100);
	put(e, small, 9);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 10);
	assert_int_equal(rec_u64(&rs.at[9], 0), 9);
	assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 13);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 0);
	engine_user.destroy(e);
}

static void
test_end_has_room(void **st)
{
	(void)st;
	for (int policy = BUF_SWITCH; policy <= BUF_FILL; policy++) {
		unsigned small, big, end;
		struct engine *e = make((enum eng_bufpolicy)policy, 10 * SMALL, &small, &big, &end);
		for (uint64_t i = 0; i < 20; i++)
			put(e, small, i);
		engine_user.stop(e);
		put(e, end, 77);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, 10);
		assert_int_equal(rec_u64(&rs.at[9], 0), 77);
		engine_user.destroy(e);
	}
}

static void
test_fill(void **st)
{
	(void)st;
	unsigned small, big, end;
	struct engine *e = make(BUF_FILL, 4 * SMALL, &small, &big, &end);
	for (uint64_t i = 0; i < 3; i++)
		put(e, small, i);
	assert_false(status(e).filled);
	put(e, small, 3);
	assert_true(status(e).filled);
	put(e, small, 4);
	assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 0);
	drain(e, &a, &rs); /* still tracing: nothing */
	assert_int_equal(rs.n, 0);
	engine_user.stop(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 3);
	put(e, end, 9);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	engine_user.destroy(e);
}

/* The newest records survive, whole and in order, whatever sizes came before. */
static void
test_ring(void **st)
{
	(void)st;
	for (uint64_t n = 0; n < 60; n++)
		for (uint64_t mod = 2; mod < 5; mod++) {
			unsigned small, big;
			struct engine *e = make(BUF_RING, 300, &small, &big, NULL);
			for (uint64_t i = 0; i < n; i++)
				put(e, i % mod == 0 ? big : small, i);
			drain(e, &a, &rs);
			assert_int_equal(rs.n, 0);
			engine_user.stop(e);
			drain(e, &a, &rs);
			assert_true(rs.n >= (n < 4 ? n : 4) && rs.n <= 9);
			for (unsigned i = 0; i < rs.n; i++) {
				uint64_t v = n - rs.n + i;
				assert_int_equal(rec_u64(&rs.at[i], 0), v);
				if (v % mod == 0)
					assert_memory_equal(
					    rs.at[i].data + 8, "0123456789012345678901234567890123456789", 40);
			}
			assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 0);
			drain(e, &a, &rs);
			assert_int_equal(rs.n, 0);
			engine_user.destroy(e);
		}
}

/* Larger than the whole ring: dropped, and what is there stays. */
static void
test_ring_too_small(void **st)
{
	(void)st;
	unsigned small, big;
	struct engine *e = make(BUF_RING, SMALL, &small, &big, NULL);
	put(e, small, 1);
	put(e, big, 2);
	engine_user.stop(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	assert_int_equal(status(e).drops[ENG_DROP_PRINCIPAL], 1);
	engine_user.destroy(e);
}

/* The default action is a record without data. */
static void
test_default(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	as_init(&a);
	as_clause(&a);
	as_default(&a);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned p = eng_bind(e, 4, 0);
	eng_go(e);
	fire(e, p);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 2);
	assert_int_equal(rs.at[0].r.epid, 1);
	engine_user.destroy(e);
}

static unsigned
frames(struct firing *f, enum dobj_kind kind, uint64_t *pcs, unsigned max)
{
	(void)f, (void)kind;
	for (unsigned i = 0; i < max; i++)
		pcs[i] = i + 1;
	return max + 5;
}

/* Fields of every kind at their places, padded with zeroes. */
static void
test_fields(void **st)
{
	(void)st;
	static const struct firing_ops ops = {.stack = frames};
	struct eng_conf c = as_conf();
	c.sizes.stackframes = 3;
	as_init(&a);
	as_clause(&a);
	static const enum dobj_kind kinds[] = {
	    DK_INT, DK_INT, DK_STRING, DK_BYTES, DK_STACK, DK_SYM, DK_USYM, DK_JSTACK};
	static const uint32_t sizes[] = {1, 2, 0, 3, 0, 0, 0, 0};
	enum { N = 8 };
	for (int i = 0; i < N; i++) {
		as_field(&a, kinds[i], sizes[i]);
	}
	a.fields[7].arg = 2 | 16ULL << 32;
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	for (int i = 0; i < N; i++) {
		if (i == 2 || i == 3)
			as_op(&a, DIF_LDS, 0, 0, 0, as_str(&a, "abcdef"));
		else
			as_num(&a, 0, 0x1122334455667788u);
		as_op(&a, DIF_REC, 0, 0, 0, i);
	}
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	struct firing f = {.probe = eng_bind(e, 4, 0), .thread = 1, .ops = &ops};
	eng_go(e);
	engine_user.fire(e, &f);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	const struct rec *r = &rs.at[0];
	assert_int_equal(rec_u64(r, a.fields[0].offset), 0x88);
	assert_int_equal(rec_u64(r, a.fields[1].offset), 0x7788);
	assert_string_equal(r->data + a.fields[2].offset, "abcdef");
	assert_memory_equal(r->data + a.fields[3].offset, "abc\0\0\0\0", 8);
	assert_int_equal(rec_u64(r, a.fields[4].offset), 0);
	assert_int_equal(rec_u64(r, a.fields[4].offset + 8), 3);
	assert_int_equal(rec_u64(r, a.fields[4].offset + 32), 3);
	assert_int_equal(rec_u64(r, a.fields[5].offset), 0x1122334455667788u);
	assert_int_not_equal(rec_u64(r, a.fields[6].offset), 0);
	assert_int_equal(rec_u64(r, a.fields[6].offset + 8), 0x1122334455667788u);
	assert_int_equal(rec_u64(r, a.fields[7].offset + 8), 2);
	assert_int_equal(rec_u64(r, a.fields[7].offset + 32), 0);
	engine_user.destroy(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_switch),
	    cmocka_unit_test(test_end_has_room),
	    cmocka_unit_test(test_fill),
	    cmocka_unit_test(test_ring),
	    cmocka_unit_test(test_ring_too_small),
	    cmocka_unit_test(test_default),
	    cmocka_unit_test(test_fields),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
