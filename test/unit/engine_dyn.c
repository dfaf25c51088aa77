/* Thread-locals and associative arrays: values of all kinds, freeing, full memory, the end of a thread, numbers that
 * are 0 for a while. */
#include "eng.h"

static struct as a;
static struct recs rs;

/*
 * One program for all: arg0 says what to do, arg1 is the key, arg2 the value.
 * 0: trace(a[arg1])  1: a[arg1] = arg2  2: trace(self->x)  3: self->x = arg2
 * 4: trace(self->a[arg1])  5: self->a[arg1] = arg2
 */
enum { GET, PUT, SELF_GET, SELF_PUT, SELFA_GET, SELFA_PUT, NWHAT };

static struct engine *
make(const struct eng_conf *c, unsigned *p)
{
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t v[3] = {as_var(&a, DS_GLOBAL, DK_INT, 8)};
	as_assoc(&a, 1);
	v[1] = as_var(&a, DS_THREAD, DK_INT, 8);
	as_key(&a, DK_INT, 8, true);
	v[2] = as_var(&a, DS_THREAD, DK_INT, 8);
	as_assoc(&a, 1);
	for (int i = 0; i < NWHAT; i++) {
		as_clause(&a);
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		as_num(&a, 1, (uint64_t)i);
		int32_t skip = as_op(&a, DIF_BNE, 0, 0, 1, 0);
		as_op(&a, DIF_LDARG, 0, 0, 0, 1);
		as_op(&a, DIF_STSL, 0, 0, 0, 4);
		as_op(&a, DIF_LDARG, 0, 0, 0, 2);
		bool keyed = i / 2 != 1;
		if (i % 2) {
			as_op(&a, keyed ? DIF_STA : DIF_STT, 0, 0, keyed ? 4 : 0, v[i / 2]);
		} else {
			as_op(&a, keyed ? DIF_LDA : DIF_LDT, 0, keyed ? 4 : 0, 0, v[i / 2]);
			int32_t f = as_field(&a, DK_INT, 8);
			as_op(&a, DIF_RECB, 0, 0, 0, 0);
			as_op(&a, DIF_REC, 0, 0, 0, f);
			as_op(&a, DIF_RECE, 0, 0, 0, 0);
		}
		as_land(&a, skip);
		as_end(&a);
	}
	struct engine *e = eng_new(&a, c);
	for (unsigned i = 0; i < NWHAT; i++)
		*p = eng_bind(e, 4, i);
	eng_go(e);
	return e;
}

static void
put(struct engine *e, uint64_t thread, uint64_t what, uint64_t key, uint64_t v)
{
	struct firing f = {.thread = thread, .nargs = 3, .args = {what, key, v}};
	engine_user.fire(e, &f);
}

static uint64_t
get(struct engine *e, uint64_t thread, uint64_t what, uint64_t key)
{
	put(e, thread, what, key, 0);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	return rec_u64(&rs.at[0], 0);
}

static void
test_scalars(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	unsigned p;
	struct engine *e = make(&c, &p);
	for (uint64_t i = 0; i < 100; i++) {
		put(e, 1, PUT, i, i + 1);
		put(e, i + 1, SELF_PUT, 0, i + 1000);
		put(e, i % 3 + 1, SELFA_PUT, i, i + 2000);
	}
	for (uint64_t i = 0; i < 100; i++) {
		assert_int_equal(get(e, 9, GET, i), i + 1);
		assert_int_equal(get(e, i + 1, SELF_GET, 0), i + 1000);
		assert_int_equal(get(e, i % 3 + 1, SELFA_GET, i), i + 2000);
		assert_int_equal(get(e, (i + 1) % 3 + 1, SELFA_GET, i), 0);
	}
	assert_int_equal(get(e, 1, GET, 100), 0);
	put(e, 1, PUT, 5, 55);
	put(e, 1, PUT, 6, 0);
	assert_int_equal(get(e, 1, GET, 5), 55);
	assert_int_equal(get(e, 1, GET, 6), 0);
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	engine_user.destroy(e);
}

/* Setting to zero gives the memory back, also to elements of other variables. */
static void
test_full_and_freed(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.dynvarsize = 4096;
	unsigned p;
	struct engine *e = make(&c, &p);
	uint64_t fits = 0;
	for (; status(e).drops[ENG_DROP_DYNAMIC] == 0; fits++)
		put(e, 1, PUT, fits, 7);
	fits--;
	assert_true(fits > 30 && fits < 4096 / 32);
	/* what is lost reads as unset; what was there stays and can be changed */
	assert_int_equal(get(e, 1, GET, fits), 0);
	put(e, 1, PUT, 0, 8);
	assert_int_equal(get(e, 1, GET, 0), 8);
	for (int round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < fits; i++)
			put(e, 1, PUT, i + 1000 * (uint64_t)round, 0);
		for (uint64_t i = 0; i < fits; i++)
			put(e, 1, PUT, i + 1000 * (uint64_t)(round + 1), i + 1);
		for (uint64_t i = 0; i < fits; i++)
			assert_int_equal(get(e, 1, GET, i + 1000 * (uint64_t)(round + 1)), i + 1);
	}
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 1);
	engine_user.destroy(e);
	/* room for some of each there always is */
	c.dynvarsize = 0;
	e = make(&c, &p);
	put(e, 1, PUT, 1, 1);
	put(e, 1, SELF_PUT, 0, 1);
	assert_int_equal(get(e, 1, GET, 1), 1);
	assert_int_equal(get(e, 1, SELF_GET, 0), 1);
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	engine_user.destroy(e);
}

/* A thread's end frees what is its own and nothing else. */
static void
test_thread_exit(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.dynvarsize = 16384;
	unsigned p;
	struct engine *e = make(&c, &p);
	for (uint64_t round = 0; round < 50; round++) {
		uint64_t dead = 100 + round, alive = 7;
		put(e, alive, SELF_PUT, 0, 1);
		put(e, alive, SELFA_PUT, 3, 33);
		put(e, 1, PUT, 3, 44);
		put(e, dead, SELF_PUT, 0, 2);
		for (uint64_t i = 0; i < 60; i++)
			put(e, dead, SELFA_PUT, i, i + 1);
		put(e, dead, SELFA_PUT, 5, 0);
		assert_int_equal(get(e, dead, SELFA_GET, 59), 60);
		engine_user.thread_exit(e, dead);
		engine_user.thread_exit(e, dead);
		assert_int_equal(get(e, dead, SELF_GET, 0), 0);
		for (uint64_t i = 0; i < 60; i++)
			assert_int_equal(get(e, dead, SELFA_GET, i), 0);
		assert_int_equal(get(e, alive, SELF_GET, 0), 1);
		assert_int_equal(get(e, alive, SELFA_GET, 3), 33);
		assert_int_equal(get(e, 1, GET, 3), 44);
	}
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	engine_user.destroy(e);
}

/* Numbers of threads come and go as in a list of what they should be. */
static void
test_come_and_go(void **st)
{
	(void)st;
	enum { THREADS = 300, TURNS = 60000 };
	struct eng_conf c = as_conf();
	c.dynvarsize = 256 << 10;
	unsigned p;
	struct engine *e = make(&c, &p);
	uint64_t is[THREADS] = {0}, random = 1;
	for (uint64_t i = 1; i <= TURNS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		uint64_t t = (random >> 33) % THREADS, what = (random >> 60) & 7;
		if (i % 2)
			t %= 4; /* some are always busy */
		if (what == 7) {
			engine_user.thread_exit(e, t + 1);
			is[t] = 0;
		} else {
			is[t] = what < 4 ? i : 0;
			put(e, t + 1, SELF_PUT, 0, is[t]);
		}
		t = (random >> 20) % THREADS;
		assert_int_equal(get(e, t + 1, SELF_GET, 0), is[t]);
	}
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	engine_user.destroy(e);
}

static uint64_t
count_fitting(struct engine *e)
{
	uint64_t n = 0;
	for (; status(e).drops[ENG_DROP_DYNAMIC] == 0; n++)
		put(e, 1, PUT, n, 7);
	return n;
}

/* What is kept for threads whose numbers are 0 is not missing elsewhere. */
static void
test_idle_gives_way(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.dynvarsize = 8192;
	unsigned p;
	struct engine *e = make(&c, &p);
	uint64_t fits = count_fitting(e);
	engine_user.destroy(e);
	e = make(&c, &p);
	for (uint64_t t = 1; t <= 1000; t++) {
		put(e, t, SELF_PUT, 0, t);
		put(e, t, SELF_PUT, 0, 0);
	}
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	assert_int_equal(count_fitting(e), fits);
	for (uint64_t t = 1; t <= 1000; t++)
		assert_int_equal(get(e, t, SELF_GET, 0), 0);
	engine_user.destroy(e);
}

/* What has a value again does not hide the little that is 0. */
static void
test_idle_with_values(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	c.dynvarsize = 256 << 10;
	unsigned p;
	struct engine *e = make(&c, &p);
	uint64_t fits = count_fitting(e) - 1;
	engine_user.destroy(e);
	e = make(&c, &p);
	for (uint64_t i = 0; i < fits; i++)
		put(e, 1, PUT, i, 7);
	for (uint64_t i = 0; i < fits; i++) {
		put(e, 1, PUT, i, 0);
		put(e, 1, PUT, i, 8);
	}
	for (uint64_t i = 0; i < 20; i++) {
		put(e, 1, PUT, i, 0);
		put(e, 1, PUT, fits + i, 9);
		assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
		assert_int_equal(get(e, 1, GET, fits + i), 9);
	}
	engine_user.destroy(e);
}

/* Returns how many strings fit after so many numbers were something for a moment, one after the other. */
static uint64_t
strings_fitting(uint64_t nnumbers)
{
	struct eng_conf c = as_conf();
	c.dynvarsize = 256 << 10;
	as_init(&a);
	as_key(&a, DK_INT, 8, true);
	int32_t number = as_var(&a, DS_GLOBAL, DK_INT, 8);
	as_assoc(&a, 1);
	as_key(&a, DK_INT, 8, true);
	int32_t string = as_var(&a, DS_GLOBAL, DK_STRING, 0);
	as_assoc(&a, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_num(&a, 0, 1);
	as_op(&a, DIF_STA, 0, 0, 0, number);
	as_num(&a, 0, 0);
	as_op(&a, DIF_STA, 0, 0, 0, number);
	as_end(&a);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_LDS, 0, 0, 0, as_str(&a, "value"));
	as_op(&a, DIF_STA, 0, 0, 0, string);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned numbers = eng_bind(e, 4, 0), strings = eng_bind(e, 5, 1);
	eng_go(e);
	for (uint64_t i = 0; i < nnumbers; i++)
		engine_user.fire(e, &(struct firing){.probe = numbers, .thread = 1, .nargs = 1, .args = {i}});
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	uint64_t n = 0;
	for (; status(e).drops[ENG_DROP_DYNAMIC] == 0; n++)
		engine_user.fire(e, &(struct firing){.probe = strings, .thread = 1, .nargs = 1, .args = {n}});
	engine_user.destroy(e);
	return n;
}

/* Memory that was taken for a number is too small for anything else. So what is idle may not be all of it. */
static void
test_idle_leaves_room(void **st)
{
	(void)st;
	assert_true(strings_fitting(100000) >= strings_fitting(0) / 3 * 2);
}

/* Strings and structures are copied in and out; a copy changed is not the element changed. */
static void
test_by_reference(void **st)
{
	(void)st;
	struct eng_conf c = as_conf();
	as_init(&a);
	as_key(&a, DK_STRING, 0, false);
	as_key(&a, DK_INT, 4, true);
	int32_t s = as_var(&a, DS_GLOBAL, DK_STRING, 0);
	as_assoc(&a, 2);
	int32_t b = as_var(&a, DS_THREAD, DK_BYTES, 20);
	as_clause(&a);
	as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "key"));
	as_op(&a, DIF_STSL, 0, 1, 0, 0);
	as_slot(&a, 1, 5);
	as_op(&a, DIF_LDS, 1, 0, 0, as_str(&a, "value"));
	as_op(&a, DIF_STA, 0, 1, 0, s);
	as_op(&a, DIF_LDT, 2, 0, 0, b); /* unset: zeroes */
	as_op(&a, DIF_LDX, 3, 2, 0, 8);
	as_num(&a, 4, 0x77);
	as_op(&a, DIF_STX, 2, 4, 0, 12);
	as_op(&a, DIF_LDT, 5, 0, 0, b); /* still unset */
	as_op(&a, DIF_LDX, 6, 5, 0, 12);
	as_op(&a, DIF_STT, 0, 2, 0, b);
	int32_t f[4];
	for (int i = 0; i < 4; i++)
		f[i] = as_field(&a, i < 1 ? DK_STRING : DK_INT, 8);
	as_op(&a, DIF_LDA, 1, 0, 0, s);
	as_op(&a, DIF_LDT, 5, 0, 0, b);
	as_op(&a, DIF_LDX, 5, 5, 0, 12);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 1, 0, f[0]);
	as_op(&a, DIF_REC, 0, 3, 0, f[1]);
	as_op(&a, DIF_REC, 0, 6, 0, f[2]);
	as_op(&a, DIF_REC, 0, 5, 0, f[3]);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	/* address 0 frees; then it reads as "" and zeroes */
	as_num(&a, 1, 0);
	as_op(&a, DIF_STA, 0, 1, 0, s);
	as_op(&a, DIF_STT, 0, 1, 0, b);
	as_group(&a);
	as_line(&a, 1);
	f[0] = as_field(&a, DK_STRING, 0);
	f[1] = as_field(&a, DK_BYTES, 20);
	as_op(&a, DIF_LDA, 1, 0, 0, s);
	as_op(&a, DIF_LDT, 2, 0, 0, b);
	as_op(&a, DIF_RECB, 0, 0, 0, 1);
	as_op(&a, DIF_REC, 0, 1, 0, f[0]);
	as_op(&a, DIF_REC, 0, 2, 0, f[1]);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned p = eng_bind(e, 4, 0);
	eng_go(e);
	fire(e, p);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 2);
	assert_string_equal(rs.at[0].data, "value");
	assert_int_equal(rec_u64(&rs.at[0], 64), 0);
	assert_int_equal(rec_u64(&rs.at[0], 72), 0);
	assert_int_equal(rec_u64(&rs.at[0], 80), 0x77);
	static const char zeroes[20];
	assert_string_equal(rs.at[1].data, "");
	assert_memory_equal(rs.at[1].data + 64, zeroes, 20);
	engine_user.destroy(e);
}

/* A value that can't be read faults and changes nothing. */
static void
test_bad_value(void **st)
{
	(void)st;
	as_init(&a);
	int32_t b = as_var(&a, DS_THREAD, DK_BYTES, 20);
	as_clause(&a);
	as_num(&a, 1, 1);
	as_op(&a, DIF_STT, 0, 1, 0, b);
	assert_fault(&a, DIF_FAULT_BADADDR, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_full_and_freed),
	    cmocka_unit_test(test_thread_exit),
	    cmocka_unit_test(test_come_and_go),
	    cmocka_unit_test(test_idle_gives_way),
	    cmocka_unit_test(test_idle_with_values),
	    cmocka_unit_test(test_idle_leaves_room),
	    cmocka_unit_test(test_by_reference),
	    cmocka_unit_test(test_bad_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
