/* Aggregation tables: keys of all kinds, every function, growing, full tables, snapshots. */
#include "engine/user/user.h"

#include "eng.h"

#include "object/aggval.h"
#include "object/key.h"

static struct as a;

enum { SEEN_MAX = 5000 };
struct seen {
	unsigned n;
	struct {
		unsigned agg;
		size_t keylen;
		uint64_t key[32];
		uint64_t words[130];
	} at[SEEN_MAX];
};
static struct seen seen;

static void
see(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct seen *s = arg;
	assert_true(s->n < SEEN_MAX && keylen <= sizeof s->at[0].key);
	s->at[s->n].agg = agg;
	s->at[s->n].keylen = keylen;
	memcpy(s->at[s->n].key, key, keylen);
	memcpy(s->at[s->n].words, words, 8u * aggval_words(&a.aggs[agg]));
	s->n++;
}

static void
snap(struct engine *e)
{
	seen.n = 0;
	engine_user.snap(e, see, &seen);
}

/* @a[arg0 as the key] = fn(arg1, arg2) */
static struct engine *
make(enum agg_fn fn, enum dobj_kind key, uint32_t size, bool is_signed, const int64_t *par, const struct eng_conf *c,
    unsigned *p)
{
	as_init(&a);
	as_key(&a, key, size, is_signed);
	int32_t agg = as_agg(&a, fn, 1);
	if (par)
		memcpy(a.aggs[agg].par, par, sizeof a.aggs[agg].par);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDARG, 1, 0, 0, 1);
	as_op(&a, DIF_LDARG, 2, 0, 0, 2);
	as_op(&a, DIF_AGG, 1, 0, 2, agg);
	as_end(&a);
	struct engine *e = eng_new(&a, c);
	*p = eng_bind(e, 4, 0);
	eng_go(e);
	return e;
}

static void
add(struct engine *e, unsigned p, uint64_t key, int64_t v, int64_t incr)
{
	struct firing f = {.probe = p, .thread = 1, .nargs = 3, .args = {key, (uint64_t)v, (uint64_t)incr}};
	engine_user.fire(e, &f);
}

static void
test_functions(void **st)
{
	(void)st;
	static const struct {
		enum agg_fn fn;
		int64_t par[4];
	} fns[] = {{AGG_COUNT, {0}}, {AGG_SUM, {0}}, {AGG_AVG, {0}}, {AGG_MIN, {0}}, {AGG_MAX, {0}}, {AGG_STDDEV, {0}},
	    {AGG_QUANTIZE, {0}}, {AGG_LQUANTIZE, {-10, 10, 2}}, {AGG_LLQUANTIZE, {10, 0, 3, 10}}};
	static const int64_t values[] = {5, -7, 0, 100, INT64_MIN, INT64_MAX, 3};
	struct eng_conf c = as_conf();
	for (size_t i = 0; i < sizeof fns / sizeof fns[0]; i++) {
		unsigned p;
		struct engine *e = make(fns[i].fn, DK_INT, 8, true, fns[i].par, &c, &p);
		uint64_t want[130] = {0};
		for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
			add(e, p, 1, values[j], 1 + (int64_t)j);
			aggval_add(&a.aggs[0], want, values[j], 1 + (int64_t)j);
		}
		snap(e);
		assert_int_equal(seen.n, 1);
		assert_memory_equal(seen.at[0].words, want, 8u * aggval_words(&a.aggs[0]));
		snap(e);
		assert_int_equal(seen.n, 0);
		engine_user.destroy(e);
	}
}

/* Keys are cut to the key's type: equal numbers are equal keys. */
static void
test_int_keys(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_INT, 4, true, NULL, &c, &p);
	add(e, p, 0xffffffffu, 0, 0);
	add(e, p, UINT64_MAX, 0, 0);
	add(e, p, 0x1ffffffffu, 0, 0);
	snap(e);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.at[0].key[0], UINT64_MAX);
	assert_int_equal(seen.at[0].words[0], 3);
	engine_user.destroy(e);
}

static unsigned
frames(struct firing *f, enum dobj_kind kind, uint64_t *pcs, unsigned max)
{
	(void)f;
	for (unsigned i = 0; i < max && i < 3; i++)
		pcs[i] = 100 * (uint64_t)kind + i;
	return 3;
}

/* All kinds in one tuple, taken apart again by key_unpack. */
static void
test_tuple(void **st)
{
	(void)st;
	static const struct firing_ops ops = {.stack = frames};
	struct eng_conf c = as_conf();
	struct key_elem el[7];
	as_init(&a);
	as_key(&a, DK_INT, 1, false);
	as_key(&a, DK_STRING, 0, false);
	as_key(&a, DK_BYTES, 5, false);
	as_key(&a, DK_STACK, 0, false);
	as_key(&a, DK_USYM, 0, false);
	as_key(&a, DK_SYM, 0, false);
	as_key(&a, DK_USTACK, 0, false);
	a.keys[6].arg = 2; /* frames */
	int32_t agg = as_agg(&a, AGG_COUNT, 7);
	as_clause(&a);
	as_slot(&a, 3, 0x1ff);
	as_slot(&a, 4, DIF_ADDR(DIF_R_CONST, as_str(&a, "eight ch")));
	as_slot(&a, 5, DIF_ADDR(DIF_R_CONST, as_str(&a, "01234567")));
	as_slot(&a, 7, 0xabc);
	as_slot(&a, 8, 0xdef);
	as_op(&a, DIF_AGG, 0, 3, 0, agg);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned p = eng_bind(e, 4, 0);
	eng_go(e);
	for (int i = 0; i < 2; i++) {
		struct firing f = {.probe = p, .thread = 1, .ops = &ops};
		engine_user.fire(e, &f);
	}
	snap(e);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.at[0].words[0], 2);
	assert_true(key_unpack(a.keys, 7, seen.at[0].key, seen.at[0].keylen, el));
	assert_int_equal(el[0].num, 0xff);
	assert_int_equal(el[1].len, 8);
	assert_string_equal(el[1].at, "eight ch");
	assert_memory_equal(el[2].at, "01234\0\0", 8);
	assert_int_equal(el[3].npcs, 3);
	assert_int_equal(el[3].pcs[1], 100 * DK_STACK + 1);
	assert_int_equal(el[4].num, 0xabc);
	assert_int_not_equal(el[4].pid, 0);
	assert_int_equal(el[5].num, 0xdef);
	assert_int_equal(el[6].npcs, 2);
	engine_user.destroy(e);
}

/* No key, and two aggregations with the same key, are different places. */
static void
test_several(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t x = as_agg(&a, AGG_COUNT, 1);
	as_key(&a, DK_INT, 8, true);
	int32_t y = as_agg(&a, AGG_SUM, 1), z = as_agg(&a, AGG_COUNT, 0);
	as_clause(&a);
	as_slot(&a, 0, 7);
	as_op(&a, DIF_AGG, 7, 0, 7, x);
	as_op(&a, DIF_AGG, 7, 0, 7, y);
	as_op(&a, DIF_AGG, 7, 0, 7, z);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned p = eng_bind(e, 4, 0);
	eng_go(e);
	fire(e, p);
	snap(e);
	assert_int_equal(seen.n, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(seen.at[i].agg, i);
		assert_int_equal(seen.at[i].keylen, i < 2 ? 8 : 0);
		assert_int_equal(seen.at[i].words[0], 1);
	}
	assert_int_equal(seen.at[1].words[1], 7);
	engine_user.destroy(e);
}

/* Many keys through several growths; the second round, after the snapshot, counts from nothing. */
static void
test_growth(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.aggsize = 1 << 20;
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_INT, 8, true, NULL, &c, &p);
	for (int round = 0; round < 5; round++) {
		uint64_t keys = round % 2 ? 10 : 4000, sum = 0;
		for (uint64_t i = 0; i < 2 * keys; i++)
			add(e, p, i % keys * 0x10001, 0, 0);
		snap(e);
		assert_int_equal(seen.n, keys);
		for (unsigned i = 0; i < seen.n; i++) {
			assert_int_equal(seen.at[i].words[0], 2);
			sum += seen.at[i].key[0] / 0x10001;
		}
		assert_int_equal(sum, keys * (keys - 1) / 2);
	}
	assert_int_equal(status(e).drops[ENG_DROP_AGGREGATION], 0);
	engine_user.destroy(e);
}

/* A full table drops new keys, counts each drop, and keeps adding to those it has. */
static void
test_full(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.aggsize = 1024;
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_INT, 8, true, NULL, &c, &p);
	for (int round = 0; round < 3; round++) {
		uint64_t before = status(e).drops[ENG_DROP_AGGREGATION];
		for (uint64_t i = 0; i < 100; i++)
			add(e, p, i, 0, 0);
		add(e, p, 0, 0, 0);
		snap(e);
		uint64_t drops = status(e).drops[ENG_DROP_AGGREGATION] - before, total = 0;
		for (unsigned i = 0; i < seen.n; i++)
			total += seen.at[i].words[0];
		assert_true(seen.n >= 20 && seen.n < 32);
		assert_int_equal(total + drops, 101);
		assert_int_equal(drops, 100 - seen.n);
	}
	engine_user.destroy(e);
	/* room for some of each there always is */
	c.aggsize = 1;
	e = make(AGG_QUANTIZE, DK_INT, 8, true, NULL, &c, &p);
	add(e, p, 0, 0, 1);
	snap(e);
	assert_int_equal(seen.n, 1);
	assert_int_equal(status(e).drops[ENG_DROP_AGGREGATION], 0);
	engine_user.destroy(e);
}

/* A key that cannot be read is a fault and no entry. */
static void
test_bad_key(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_STRING, 0, false, NULL, &c, &p);
	add(e, p, 0, 0, 0);
	snap(e);
	assert_int_equal(seen.n, 0);
	assert_int_equal(status(e).errors, 1);
	engine_user.destroy(e);
}

/* A firing that stands for many counts them all, also when they are lost. */
static void
test_more(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_INT, 8, true, NULL, &c, &p);
	struct firing f = {.probe = p, .thread = 1, .nargs = 1, .args = {7}, .more = 999};
	add(e, p, 7, 0, 0);
	engine_user.fire(e, &f);
	snap(e);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.at[0].words[0], 1001);
	for (f.args[0] = 0; !status(e).drops[ENG_DROP_AGGREGATION]; f.args[0]++)
		engine_user.fire(e, &f);
	assert_int_equal(status(e).drops[ENG_DROP_AGGREGATION], 1000);
	engine_user.destroy(e);
}

/* The provider says what the text of argument n is without its being read: args[1] of the firing is the word. */
static bool kinds;     /* all have the same word */
static unsigned nmade; /* texts that the engine has asked for */

static int
known_text(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	static const char *const texts[] = {"one", "two", "a text that is longer than the others"};
	if (n != 0)
		return DIF_FAULT_BADADDR;
	nmade++;
	*mem = texts[f->args[1]];
	*len = strlen(texts[f->args[1]]) + 1;
	*same = (struct eng_same){f->args[1], (uint32_t)f->args[2]};
	if (kinds)
		same->word = 42;
	return 0;
}

static struct eng_same
known_word(struct firing *f, unsigned n)
{
	return (struct eng_same){f->args[1], n == 0 ? (uint32_t)f->args[2] : 0};
}

static const struct firing_ops known_ops = {.argmem = known_text, .argsame = known_word};

static void
add_known(struct engine *e, unsigned p, uint64_t word, uint64_t kind)
{
	struct firing f = {
	    .probe = p, .thread = 1, .nargs = 3, .args = {DIF_ADDR(DIF_R_ARG, 0), word, kind}, .ops = &known_ops};
	engine_user.fire(e, &f);
}

static uint64_t
count_of(const char *text)
{
	uint64_t n = 0;
	unsigned found = 0;
	for (unsigned i = 0; i < seen.n; i++) {
		if (strcmp((const char *)seen.at[i].key, text) != 0)
			continue;
		n = seen.at[i].words[0];
		found++;
	}
	assert_true(found <= 1);
	return n;
}

/* What is known of a string's value goes with the table: each snapshot has just its own counts. */
static void
test_known(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_STRING, 0, false, NULL, &c, &p);
	for (unsigned round = 1; round <= 4; round++) {
		for (unsigned i = 0; i < 10 * round; i++) {
			add_known(e, p, 0, 1);
			add_known(e, p, 1, i % 2); /* it is not always known */
			if (i % 2)
				add_known(e, p, 2, 1);
		}
		snap(e);
		assert_int_equal(seen.n, 3);
		assert_int_equal(count_of("one"), 10 * round);
		assert_int_equal(count_of("two"), 10 * round);
		assert_int_equal(count_of("a text that is longer than the others"), 5 * round);
	}
	/* the same word of another kind is another text */
	kinds = true;
	for (unsigned i = 0; i < 30; i++)
		add_known(e, p, i % 3, 1 + i % 3);
	kinds = false;
	snap(e);
	assert_int_equal(seen.n, 3);
	assert_int_equal(count_of("one"), 10);
	assert_int_equal(count_of("two"), 10);
	snap(e);
	assert_int_equal(seen.n, 0);
	engine_user.destroy(e);
}

/* Two words that have the same pair of rows. Once their texts have been read, another text is given, which nobody must
 * notice. */
static uint64_t row_mates[2];
static bool read_again;

static int
text_of_mate(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	static const char *const texts[] = {"one", "two"};
	(void)n;
	*mem = read_again ? "it was read again" : texts[f->args[1]];
	*len = strlen(*mem) + 1;
	*same = (struct eng_same){row_mates[f->args[1]], 1};
	return 0;
}

static void
test_known_in_turns(void **st)
{
	(void)st;
	enum { PAIRS = 16 };
	static const struct firing_ops ops = {.argmem = text_of_mate};
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(AGG_COUNT, DK_STRING, 0, false, NULL, &c, &p);
	uint64_t id = ((struct user_engine *)e)->aggs[0].id;
	row_mates[0] = row_mates[1] = 1;
	for (unsigned n = 0; n < PAIRS; n++) {
		do
			row_mates[1]++;
		while (MEMO_PLACE(row_mates[1] + id) != MEMO_PLACE(row_mates[0] + id));
		read_again = false;
		for (unsigned i = 0; i < 20; i++) {
			struct firing f = {
			    .probe = p, .thread = 1, .nargs = 2, .args = {DIF_ADDR(DIF_R_ARG, 0), i % 2}, .ops = &ops};
			engine_user.fire(e, &f);
			read_again = i >= 1;
		}
		snap(e);
		assert_int_equal(seen.n, 2);
		assert_int_equal(count_of("one"), 10);
		assert_int_equal(count_of("two"), 10);
	}
	engine_user.destroy(e);
}

/* The caller's lock is taken for a firing that comes without it, and for nothing else. */
static unsigned nlocked[8], nunlocked[8];

static void
take(void *arg, unsigned shard)
{
	(void)arg;
	nlocked[shard]++;
}

static bool
try(void *arg, unsigned shard)
{
	take(arg, shard);
	return true;
}

static void
give(void *arg, unsigned shard)
{
	(void)arg;
	nunlocked[shard]++;
}

static void
test_callers_locks(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	c.nshards = 3;
	c.locks = (struct eng_locks){.n = 2, .lock = take, .trylock = try, .unlock = give};
	struct engine *e = make(AGG_COUNT, DK_INT, 8, true, NULL, &c, &p);
	struct firing f = {.probe = p, .thread = 1, .shard = 1, .locked = true, .nargs = 1, .args = {7}};
	engine_user.fire(e, &f);
	assert_int_equal(nlocked[1], 0);
	f.locked = false;
	engine_user.fire(e, &f);
	assert_int_equal(nlocked[1], 1);
	f.shard = 2; /* has a lock of its own */
	engine_user.fire(e, &f);
	snap(e);
	assert_int_equal(seen.n, 2);
	engine_user.stop(e);
	snap(e);
	assert_int_equal(nlocked[0], 0); /* the consumer needs none */
	assert_int_equal(nlocked[1], 1);
	assert_int_equal(nlocked[2], 0);
	assert_memory_equal(nlocked, nunlocked, sizeof nlocked);
	engine_user.destroy(e);
	c.locks.n = 4;
	struct why why;
	assert_null(engine_user.create(&a.o, &c, &why));
}

/* Clauses that only count by a name of the probe (arg < 0) or by the text of an argument. */
static struct engine *
make_counting(int arg, unsigned more_clauses, unsigned *p)
{
	struct eng_conf c = as_conf();
	c.locks = (struct eng_locks){.n = c.nshards, .lock = take, .trylock = try, .unlock = give};
	as_init(&a);
	as_key(&a, DK_STRING, 0, false);
	int32_t agg = as_agg(&a, AGG_COUNT, 1);
	for (unsigned i = 0; i <= more_clauses; i++) {
		as_clause(&a);
		if (arg < 0)
			as_op(&a, DIF_LDBI, 0, 0, 0, DIF_BI_PROBEFUNC);
		else {
			as_op(&a, DIF_LDARG, 0, 0, 0, arg);
			as_op(&a, DIF_STSL, 0, 0, 0, 1);
			as_op(&a, DIF_CALL, 0, 1, 1, DIF_SUBR_COPYINSTR);
		}
		as_op(&a, DIF_STSL, 0, 0, 0, 0);
		as_op(&a, DIF_AGG, 0, 0, 0, agg);
		as_end(&a);
	}
	struct engine *e = eng_new(&a, &c);
	for (unsigned i = 0; i <= more_clauses; i++)
		*p = eng_bind(e, 4, i);
	eng_go(e);
	return e;
}

/* Fires as a VM does: the caller holds the lock and has a budget. */
static void
fire_locked(struct engine *e, struct firing *f, bool over)
{
	struct eng_budget b;
	eng_budget_init(&b);
	b.over = over;
	f->thread = 1;
	f->locked = true;
	f->budget = &b;
	engine_user.fire(e, f);
}

static void
test_counts_by_name(void **st)
{
	(void)st;
	unsigned p;
	for (unsigned clauses = 1; clauses <= 2; clauses++) {
		struct engine *e = make_counting(-1, clauses - 1, &p);
		struct firing f = {.probe = p};
		for (unsigned round = 1; round <= 3; round++) {
			for (unsigned i = 0; i < 5 * round; i++)
				fire_locked(e, &f, false);
			f.more = 100; /* stands for so many others */
			fire_locked(e, &f, false);
			f.more = 0;
			snap(e);
			assert_int_equal(seen.n, 1);
			assert_int_equal(count_of("func"), clauses * (5 * round + 101));
		}
		/* an event that has used up its time counts what it leaves out */
		fire_locked(e, &f, true);
		snap(e);
		assert_int_equal(seen.n, 0);
		assert_int_equal(status(e).drops[ENG_DROP_LATE], clauses);
		fire_locked(e, &f, false);
		engine_user.stop(e);
		fire_locked(e, &f, false); /* too late */
		snap(e);
		assert_int_equal(count_of("func"), clauses);
		engine_user.destroy(e);
	}
}

static void
test_counts_by_argument(void **st)
{
	(void)st;
	unsigned p;
	struct engine *e = make_counting(0, 0, &p);
	struct firing f = {.probe = p, .nargs = 3, .args = {DIF_ADDR(DIF_R_ARG, 0)}, .ops = &known_ops};
	for (unsigned round = 1; round <= 3; round++) {
		nmade = 0;
		for (unsigned i = 0; i < 30 * round; i++) {
			f.args[1] = i % 3;
			f.args[2] = i % 2; /* it is not always known */
			fire_locked(e, &f, false);
		}
		assert_int_equal(nmade, 15 * round + 3); /* what is known is read once for each table */
		snap(e);
		assert_int_equal(seen.n, 3);
		assert_int_equal(count_of("one"), 10 * round);
		assert_int_equal(count_of("two"), 10 * round);
	}
	/* not text: a fault, as always */
	f.ops = NULL;
	fire_locked(e, &f, false);
	assert_int_equal(status(e).errors, 1);
	snap(e);
	assert_int_equal(seen.n, 0);
	engine_user.destroy(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_functions),
	    cmocka_unit_test(test_int_keys),
	    cmocka_unit_test(test_tuple),
	    cmocka_unit_test(test_several),
	    cmocka_unit_test(test_growth),
	    cmocka_unit_test(test_full),
	    cmocka_unit_test(test_bad_key),
	    cmocka_unit_test(test_more),
	    cmocka_unit_test(test_known),
	    cmocka_unit_test(test_known_in_turns),
	    cmocka_unit_test(test_callers_locks),
	    cmocka_unit_test(test_counts_by_name),
	    cmocka_unit_test(test_counts_by_argument),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
