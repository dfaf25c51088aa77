/*
 * No firing holds its thread longer than maxfire, including all its clauses and those of ERROR. This tries every
 * subroutine, built-in variable, aggregating function, kind of record and kind of variable, a hundred thousand times
 * with the worst operands that they take. A new subroutine without a row here fails the test. And the consumer never
 * waits for a firing.
 */
#include "eng.h"

#include "object/aggval.h"
#include "object/builtin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static struct as a;

enum { CLAUSES = 48, CALLS = 3000 };

/* maxfire and what happens between two looks at the clock, which takes longer under sanitizers. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ENOUGH_NS = 40000000 };
#else
enum { ENOUGH_NS = 11000000 };
#endif

static uint64_t
ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- operands: long strings as arguments, terms that take their time ---- */

enum { LONG = 65000 };
static char same[LONG + 1], json[LONG + 1], path[LONG + 1]; /* "aaa…", "[[1,[1,…", "a/b/../…" */
static char needle[LONG / 2 + 1];                           /* "aa…ab" */
#define ARG(n) DIF_ADDR(DIF_R_ARG, (uint64_t)(n) << 40)
#define TERM DIF_ADDR(DIF_R_TERM, 1 << 16)

static int
argmem(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *known)
{
	static const char *const texts[] = {same, needle, json, path, "a[0]", "aaab"};
	(void)f;
	(void)known;
	if (n >= sizeof texts / sizeof *texts)
		return DIF_FAULT_BADADDR;
	*mem = texts[n];
	*len = strlen(texts[n]) + 1;
	return 0;
}

static int
term(struct firing *f, struct term_query *q)
{
	(void)f;
	q->result = TERM;
	q->mem = same;
	q->len = q->most < LONG ? q->most : LONG;
	for (uint64_t from = ns(CLOCK_MONOTONIC); ns(CLOCK_MONOTONIC) - from < 1000;)
		;
	return 0;
}

static unsigned
stack(struct firing *f, enum dobj_kind kind, uint64_t *pcs, unsigned max)
{
	(void)f;
	(void)kind;
	memset(pcs, 1, max * sizeof *pcs);
	return max;
}

static const struct firing_ops ops = {.argmem = argmem, .term = term, .stack = stack};

/* What a subroutine is called with. .n is the number of operands plus one, so that a missing row is noticed. */
static const struct worst {
	unsigned n;
	uint64_t arg[3];
} worst[DIF_NSUBRS] = {
#define W(id, ...) [DIF_SUBR_##id] = {__VA_ARGS__}
    W(ALLOCA, 2, {1 << 20}),
    W(BASENAME, 2, {ARG(0)}),
    W(BCOPY, 4, {ARG(0), DIF_ADDR(DIF_R_SCRATCH, 0), LONG}),
    W(CLEANPATH, 2, {ARG(3)}),
    W(COPYIN, 3, {(uintptr_t)same, LONG}),
    W(COPYINSTR, 2, {(uintptr_t)same}),
    W(COPYINTO, 4, {(uintptr_t)same, LONG, DIF_ADDR(DIF_R_SCRATCH, 0)}),
    W(D_PATH, 2, {0}),
    W(DIRNAME, 2, {ARG(0)}),
    W(GETMAJOR, 2, {1}),
    W(GETMINOR, 2, {1}),
    W(HTONL, 2, {1}),
    W(HTONLL, 2, {1}),
    W(HTONS, 2, {1}),
    W(INDEX, 3, {ARG(0), ARG(5)}),
    W(INET_NTOA, 2, {(uintptr_t)same}),
    W(INET_NTOA6, 2, {(uintptr_t)same}),
    W(INET_NTOP, 3, {10, (uintptr_t)same}),
    W(JSON, 3, {ARG(2), ARG(4)}),
    W(LINK_NTOP, 3, {1, (uintptr_t)same}),
    W(LLTOSTR, 3, {UINT64_MAX, 2}),
    W(MUTEX_OWNED, 3, {0}),
    W(MUTEX_OWNER, 3, {0}),
    W(MUTEX_TYPE_ADAPTIVE, 3, {0}),
    W(MUTEX_TYPE_SPIN, 3, {0}),
    W(RW_ISWRITER, 3, {0}),
    W(RW_READ_HELD, 3, {0}),
    W(RW_WRITE_HELD, 3, {0}),
    W(MSGSIZE, 2, {0}),
    W(MSGDSIZE, 2, {0}),
    W(NTOHL, 2, {1}),
    W(NTOHLL, 2, {1}),
    W(NTOHS, 2, {1}),
    W(PROGENYOF, 2, {0x7fffffff}),
    W(RAND, 1, {0}),
    W(RINDEX, 3, {ARG(0), ARG(1)}),
    W(SPECULATION, 1, {0}),
    W(STRCHR, 3, {ARG(0), 'b'}),
    W(STRJOIN, 3, {ARG(0), ARG(0)}),
    W(STRLEN, 2, {ARG(0)}),
    W(STRRCHR, 3, {ARG(0), 'b'}),
    W(STRSTR, 3, {ARG(0), ARG(1)}),
    W(STRTOK, 3, {ARG(0), ARG(1)}),
    W(STRTOLL, 3, {ARG(0), 36}),
    W(SUBSTR, 4, {ARG(0), 1, LONG}),
    W(TOLOWER, 2, {ARG(0)}),
    W(TOUPPER, 2, {ARG(0)}),
    W(EXIT, 2, {0}),
    W(SPECULATE, 2, {1}),
    W(COMMIT, 2, {1}),
    W(DISCARD, 2, {1}),
    W(RAISE, 2, {0}),
    W(STOP, 1, {0}),
    W(CHILL, 2, {1000000}),
    W(COPYOUT, 4, {ARG(0), (uintptr_t)path, LONG}),
    W(COPYOUTSTR, 4, {ARG(0), (uintptr_t)path, LONG}),
    W(BREAKPOINT, 1, {0}),
    W(PANIC, 1, {0}),
    W(STRDUP_SCRATCH, 2, {ARG(0)}),
    W(ALLOC_ZERO, 2, {1 << 20}),
    W(TERM_IS_ATOM, 2, {TERM}),
    W(TERM_IS_BINARY, 2, {TERM}),
    W(TERM_IS_BITSTRING, 2, {TERM}),
    W(TERM_IS_BOOLEAN, 2, {TERM}),
    W(TERM_IS_FLOAT, 2, {TERM}),
    W(TERM_IS_FUNCTION, 2, {TERM}),
    W(TERM_IS_INTEGER, 2, {TERM}),
    W(TERM_IS_LIST, 2, {TERM}),
    W(TERM_IS_MAP, 2, {TERM}),
    W(TERM_IS_NUMBER, 2, {TERM}),
    W(TERM_IS_PID, 2, {TERM}),
    W(TERM_IS_PORT, 2, {TERM}),
    W(TERM_IS_REFERENCE, 2, {TERM}),
    W(TERM_IS_TUPLE, 2, {TERM}),
    W(TERM_ELEMENT, 3, {1, TERM}),
    W(TERM_HD, 2, {TERM}),
    W(TERM_TL, 2, {TERM}),
    W(TERM_MAP_GET, 4, {ARG(0), TERM, TERM_KEY_STRING}),
    W(TERM_IS_MAP_KEY, 4, {ARG(0), TERM, TERM_KEY_STRING}),
    W(TERM_LENGTH, 2, {TERM}),
    W(TERM_TUPLE_SIZE, 2, {TERM}),
    W(TERM_MAP_SIZE, 2, {TERM}),
    W(TERM_BYTE_SIZE, 2, {TERM}),
    W(TERM_INT, 2, {TERM}),
    W(TERM_ATOM, 2, {TERM}),
    W(TERM_BINARY, 2, {TERM}),
    W(TERM_TEXT, 2, {TERM}),
    W(TERM_IOLIST_SIZE, 2, {TERM}),
#undef W
};
static const char *const subr_names[] = {
#define X(id, name, proto, operands, flags) #id,
    DIF_SUBRS(X)
#undef X
};

static const unsigned subr_flags[] = {
#define X(id, name, proto, operands, flags) flags,
    DIF_SUBRS(X)
#undef X
};

static void
make_operands(void)
{
	memset(same, 'a', LONG);
	memset(needle, 'a', LONG / 2);
	needle[LONG / 2 - 1] = 'b';
	for (int i = 0; i < LONG; i++) {
		json[i] = i < LONG / 2 ? '[' : ' ';
		path[i] = "a/../b/./"[i % 9];
	}
}

static struct eng_conf
conf(void)
{
	struct eng_conf c = as_conf();
	c.sizes.strsize = 65536;
	c.sizes.stackframes = 4096;
	c.scratchsize = 4 << 20;
	c.bufsize = 8 << 20;
	c.aggsize = 8 << 20;
	c.dynvarsize = 8 << 20;
	c.nspec = 16;
	c.specsize = 8;
	c.destructive = true;
	return c;
}

/* The processor time of one firing of the clause, bound CLAUSES times to its probe and to ERROR. The best of some. */
static void
assert_bounded(const char *what, const struct eng_conf *c, bool one_shot)
{
	uint64_t best = UINT64_MAX, wall = 0;
	as_done(&a, c);
	for (unsigned try = 0; try < 5 && best > ENOUGH_NS; try++) {
		struct why why = {""};
		struct engine *e = engine_user.create(&a.o, c, &why);
		assert_non_null(e);
		unsigned probe = 0;
		for (unsigned i = 0; i < CLAUSES; i++) {
			probe = eng_bind(e, 4, 0);
			eng_bind(e, 3, 0);
		}
		eng_go(e);
		struct firing f = {
		    .probe = probe, .thread = 1, .ops = &ops, .nargs = 6, .args = {ARG(0), ARG(1), ARG(2), ARG(3)}};
		uint64_t cpu = ns(CLOCK_THREAD_CPUTIME_ID), from = ns(CLOCK_MONOTONIC);
		engine_user.fire(e, &f);
		cpu = ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		wall = ns(CLOCK_MONOTONIC) - from;
		best = cpu < best ? cpu : best;
		if (!one_shot && cpu > 11000000)
			assert_true(status(e).errors > 0); /* it was cut off and says so */
		engine_user.destroy(e);
	}
	if (best > ENOUGH_NS)
		fail_msg("%s: a firing took %llu us of the processor", what, (unsigned long long)best / 1000);
	if (wall > 10000000000u)
		fail_msg("%s: a firing took %llu ms", what, (unsigned long long)wall / 1000000);
}

static void
test_subroutines(void **st)
{
	(void)st;
	struct eng_conf c = conf();
	for (unsigned i = 0; i < DIF_NSUBRS; i++) {
		const struct worst *w = &worst[i];
		if (!w->n)
			fail_msg("%s() has no row in worst[]", subr_names[i]);
		/* stop() would stop the test; chill() is there to wait */
		if (subr_flags[i] & SF_REFUSED || i == DIF_SUBR_STOP || i == DIF_SUBR_CHILL)
			continue;
		c.nspec = i == DIF_SUBR_SPECULATION ? 1 << 17 : 16;
		as_init(&a);
		as_clause(&a);
		/* memory for those that copy to it */
		as_slot(&a, 0, 1 << 17);
		as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_ALLOCA);
		for (unsigned k = 0; k + 1 < w->n; k++)
			as_slot(&a, (int32_t)k, w->arg[k]);
		for (unsigned k = 0; k < CALLS; k++)
			as_op(&a, DIF_CALL, 0, 0, (int)w->n - 1, (int32_t)i);
		as_end(&a);
		assert_bounded(subr_names[i], &c, i == DIF_SUBR_EXIT);
	}
}

static void
test_builtins(void **st)
{
	(void)st;
	static const char *const names[] = {
#define X(id, name, type, flags) name,
	    DIF_BUILTINS(X)
#undef X
	};
	struct eng_conf c = conf();
	for (int32_t i = 0; i < DIF_NBUILTINS; i++) {
		bool array = i == DIF_BI_FDS || i == DIF_BI_UREGS;
		as_init(&a);
		as_clause(&a);
		for (int32_t k = 0; k < CALLS / 3; k++) {
			as_op(&a, DIF_MOVI, 1, 0, 0, array ? k % 30 : 0);
			as_op(&a, array ? DIF_LDBIA : DIF_LDBI, 0, array ? 1 : 0, 0, i);
			as_op(&a, DIF_SCMP, 2, 0, 0, 0); /* looked at, where it is memory */
		}
		as_end(&a);
		assert_bounded(names[i], &c, false);
	}
}

static void
test_aggregations(void **st)
{
	(void)st;
	struct eng_conf c = conf();
	for (unsigned fn = AGG_COUNT; *aggval_name(fn); fn++)
		for (unsigned key = 0; key < 3; key++) {
			as_init(&a);
			as_key(&a, key == 0 ? DK_INT : key == 1 ? DK_STRING : DK_STACK, key ? 0 : 8, false);
			int32_t agg = as_agg(&a, (enum agg_fn)fn, 1);
			if (fn == AGG_LQUANTIZE)
				memcpy(a.aggs[agg].par, (int64_t[]){0, 60000, 1, 0}, sizeof a.aggs[agg].par);
			if (fn == AGG_LLQUANTIZE)
				memcpy(a.aggs[agg].par, (int64_t[]){10, 0, 6, 20}, sizeof a.aggs[agg].par);
			if (!aggval_words(&a.aggs[agg]))
				fail_msg("no parameters for %s()", aggval_name(fn));
			as_clause(&a);
			for (int32_t k = 0; k < CALLS / 4; k++) {
				as_op(&a, DIF_MOVI, 1, 0, 0, k);
				as_op(&a, DIF_MOVI, 2, 0, 0, 1);
				if (key == 1)
					as_op(&a, DIF_LDARG, 1, 0, 0, 0);
				as_op(&a, DIF_STSL, 0, 1, 0, 0);
				as_op(&a, DIF_AGG, 1, 0, 2, agg);
			}
			as_end(&a);
			assert_bounded(aggval_name(fn), &c, false);
		}
}

static void
test_records_and_variables(void **st)
{
	(void)st;
	static const enum dobj_kind kinds[] = {DK_INT, DK_STRING, DK_BYTES, DK_STACK, DK_USTACK, DK_TERM, DK_USYM};
	struct eng_conf c = conf();
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		as_init(&a);
		as_clause(&a);
		as_num(&a, 0, kinds[i] == DK_TERM ? TERM : kinds[i] == DK_BYTES ? (uintptr_t)same : ARG(0));
		for (int32_t k = 0; k < 300; k++) {
			if (k)
				as_group(&a);
			as_field(&a, kinds[i], kinds[i] == DK_BYTES ? LONG : 8);
			as_op(&a, DIF_RECB, 0, 0, 0, k);
			as_op(&a, DIF_REC, 0, 0, 0, 0);
			as_op(&a, DIF_RECE, 0, 0, 0, 0);
		}
		as_end(&a);
		assert_bounded("a record", &c, false);
	}
	static const enum dobj_scope scopes[] = {DS_GLOBAL, DS_THREAD, DS_LOCAL};
	for (unsigned i = 0; i < 6; i++) {
		bool assoc = i >= 3;
		if (assoc && scopes[i % 3] == DS_LOCAL)
			continue;
		as_init(&a);
		if (assoc)
			as_key(&a, DK_INT, 8, false);
		int32_t var = as_var(&a, scopes[i % 3], DK_STRING, 0);
		if (assoc)
			as_assoc(&a, 1);
		as_clause(&a);
		as_op(&a, DIF_LDARG, 0, 0, 0, 0);
		for (int32_t k = 0; k < CALLS / 4; k++) {
			as_op(&a, DIF_MOVI, 1, 0, 0, k);
			as_op(&a, DIF_STSL, 0, 1, 0, 0);
			if (assoc) {
				as_op(&a, DIF_STA, 0, 0, 0, var);
				as_op(&a, DIF_LDA, 2, 0, 0, var);
			} else if (scopes[i] == DS_THREAD) {
				as_op(&a, DIF_STT, 0, 0, 0, var);
				as_op(&a, DIF_LDT, 2, 0, 0, var);
			} else {
				as_op(&a, scopes[i] == DS_GLOBAL ? DIF_LDGA : DIF_LDLA, 3, 0, 0, var);
				as_op(&a, DIF_STRCPY, 3, 0, 0, 65536);
			}
		}
		as_end(&a);
		assert_bounded("a variable", &c, false);
	}
}

/* ---- what comes after ---- */

/* A clause that takes longer than maxfire, on probe 4, and one that is short, on probe 5. */
static struct engine *
slow_engine(unsigned *slow, unsigned *quick, unsigned times)
{
	struct eng_conf c = conf();
	as_init(&a);
	as_clause(&a);
	as_slot(&a, 0, ARG(0));
	as_slot(&a, 1, ARG(1));
	for (unsigned k = 0; k < CALLS; k++)
		as_op(&a, DIF_CALL, 0, 0, 2, DIF_SUBR_RINDEX);
	as_end(&a);
	as_clause(&a);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	for (unsigned i = 0; i < times; i++)
		*slow = eng_bind(e, 4, 0);
	*quick = eng_bind(e, 5, 1);
	eng_go(e);
	return e;
}

static void
test_says_so(void **st)
{
	(void)st;
	static struct recs rs;
	unsigned slow, quick;
	struct engine *e = slow_engine(&slow, &quick, 3);
	struct firing f = {.probe = slow, .thread = 1, .ops = &ops};
	for (unsigned n = 1; n < 10; n++) {
		engine_user.fire(e, &f);
		drain(e, &a, &rs);
		assert_int_equal(rs.n, 1);
		assert_int_equal(rs.at[0].r.fault, DIF_FAULT_TIMEOUT);
		assert_int_equal(status(e).errors, n);
		assert_int_equal(status(e).drops[ENG_DROP_LATE], 2 * n); /* the other two clauses */
		assert_null(status(e).ended);
	}
	/* again and again: it is over */
	engine_user.fire(e, &f);
	assert_non_null(
	    strstr(status(e).ended, "10 events took longer than maxfire allows (10 ms), the last at test:"));
	f.probe = quick;
	engine_user.fire(e, &f);
	engine_user.fire(e, &f);
	assert_int_equal(status(e).errors, 10);
	engine_user.destroy(e);
}

/* Scripts share an event's time; only the one that took it is to blame. */
static void
test_shared(void **st)
{
	(void)st;
	unsigned slow, quick;
	struct engine *one = slow_engine(&slow, &quick, 1), *two = slow_engine(&slow, &quick, 1);
	for (unsigned n = 1; n <= 10; n++) {
		struct eng_budget b;
		eng_budget_init(&b);
		struct firing f = {.probe = slow, .thread = 1, .ops = &ops, .budget = &b};
		engine_user.fire(one, &f);
		uint64_t cpu = ns(CLOCK_THREAD_CPUTIME_ID);
		engine_user.fire(two, &f);
		assert_true(ns(CLOCK_THREAD_CPUTIME_ID) - cpu < ENOUGH_NS / 2);
		assert_int_equal(status(two).drops[ENG_DROP_LATE], n);
	}
	assert_non_null(status(one).ended);
	assert_null(status(two).ended);
	engine_user.destroy(one);
	engine_user.destroy(two);
}

/* A firing that does not end until it is told to. */
static _Atomic int inside, leave;

static int
held(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *known)
{
	atomic_store(&inside, 1);
	while (!atomic_load(&leave))
		usleep(1000);
	return argmem(f, n, mem, len, known);
}

static const struct firing_ops held_ops = {.argmem = held};
static unsigned held_probe;

static void *
fire_held(void *arg)
{
	struct firing f = {.probe = held_probe, .thread = 1, .ops = &held_ops};
	engine_user.fire(arg, &f);
	return NULL;
}

static void
count_snap(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	(void)agg;
	(void)key;
	(void)keylen;
	*(uint64_t *)arg += words[0];
}

static void
test_consumer_does_not_wait(void **st)
{
	(void)st;
	static struct recs rs;
	pthread_t thread;
	uint64_t n = 0;
	struct eng_conf c = conf();
	as_init(&a);
	int32_t agg = as_agg(&a, AGG_COUNT, 0);
	as_clause(&a);
	int32_t field = as_field(&a, DK_INT, 8);
	as_op(&a, DIF_AGG, 0, 0, 0, agg);
	as_slot(&a, 0, ARG(0));
	as_op(&a, DIF_CALL, 0, 0, 1, DIF_SUBR_STRLEN);
	as_op(&a, DIF_RECB, 0, 0, 0, 0);
	as_op(&a, DIF_REC, 0, 0, 0, field);
	as_op(&a, DIF_RECE, 0, 0, 0, 0);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	held_probe = eng_bind(e, 4, 0);
	eng_go(e);
	assert_int_equal(pthread_create(&thread, NULL, fire_held, e), 0);
	while (!atomic_load(&inside))
		usleep(1000);
	alarm(60); /* whoever waits for the firing waits for ever */
	status(e);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 0);
	engine_user.snap(e, count_snap, &n);
	assert_int_equal(n, 0);
	engine_user.clean(e);
	atomic_store(&leave, 1);
	pthread_join(thread, NULL);
	alarm(0);
	engine_user.snap(e, count_snap, &n);
	assert_int_equal(n, 1);
	drain(e, &a, &rs);
	assert_int_equal(rs.n, 1);
	engine_user.destroy(e);
}

/* ---- tables ---- */

/* Fires `n` times with arg0 counting; how long 32 of them took at most, in ns of the processor. */
static uint64_t
longest(struct engine *e, unsigned probe, uint64_t n)
{
	uint64_t most = 0, before = ns(CLOCK_THREAD_CPUTIME_ID);
	for (uint64_t i = 0; i < n; i++) {
		struct firing f = {.probe = probe, .thread = 1, .nargs = 1, .args = {i}};
		engine_user.fire(e, &f);
		if (i % 32)
			continue;
		uint64_t now = ns(CLOCK_THREAD_CPUTIME_ID);
		if (now - before > most)
			most = now - before;
		before = now;
	}
	return most;
}

/* A table that grows does so a little with each new key. */
static void
test_growing(void **st)
{
	(void)st;
	uint64_t best = UINT64_MAX;
	struct eng_conf c = as_conf();
	c.aggsize = 48 << 20;
	as_init(&a);
	as_key(&a, DK_INT, 8, false);
	int32_t agg = as_agg(&a, AGG_COUNT, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_AGG, 0, 0, 0, agg);
	as_end(&a);
	as_done(&a, &c);
	for (unsigned try = 0; try < 5 && best > 5000000; try++) {
		struct why why;
		struct engine *e = engine_user.create(&a.o, &c, &why);
		assert_non_null(e);
		unsigned probe = eng_bind(e, 4, 0);
		eng_go(e);
		uint64_t most = longest(e, probe, 600000), n = 0;
		best = most < best ? most : best;
		engine_user.snap(e, count_snap, &n);
		assert_int_equal(n + status(e).drops[ENG_DROP_AGGREGATION], 600000);
		assert_int_equal(status(e).drops[ENG_DROP_AGGREGATION], 0);
		engine_user.destroy(e);
	}
	if (best > ENOUGH_NS / 2)
		fail_msg("32 firings took %llu us", (unsigned long long)best / 1000);
}

/* The end of a thread with very many variables is short, and they are all gone when the consumer has been there. */
static void
test_thread_exit(void **st)
{
	(void)st;
	uint64_t best = UINT64_MAX;
	struct eng_conf c = as_conf();
	c.dynvarsize = 32 << 20;
	as_init(&a);
	as_key(&a, DK_INT, 8, false);
	int32_t var = as_var(&a, DS_THREAD, DK_INT, 8);
	as_assoc(&a, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_MOVI, 1, 0, 0, 1);
	as_op(&a, DIF_STA, 0, 1, 0, var);
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned probe = eng_bind(e, 4, 0);
	eng_go(e);
	for (unsigned try = 0; try < 3; try++) {
		longest(e, probe, 200000);
		assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
		uint64_t cpu = ns(CLOCK_THREAD_CPUTIME_ID);
		engine_user.thread_exit(e, 1);
		cpu = ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		best = cpu < best ? cpu : best;
		engine_user.clean(e); /* without it the next round would not fit */
	}
	if (best > ENOUGH_NS / 2)
		fail_msg("a thread's end took %llu us", (unsigned long long)best / 1000);
	engine_user.destroy(e);
}

/* A thread that owns very much has long chains, and walking them is paid for: the clock is looked at. */
static void
test_long_chains(void **st)
{
	enum { LOADS = 200 };
	(void)st;
	struct eng_conf c = as_conf();
	c.dynvarsize = 16 << 20;
	as_init(&a);
	as_key(&a, DK_INT, 8, false);
	int32_t var = as_var(&a, DS_THREAD, DK_INT, 8);
	as_assoc(&a, 1);
	as_clause(&a);
	as_op(&a, DIF_LDARG, 0, 0, 0, 0);
	as_op(&a, DIF_STSL, 0, 0, 0, 0);
	as_op(&a, DIF_MOVI, 1, 0, 0, 1);
	as_op(&a, DIF_STA, 0, 1, 0, var);
	as_end(&a);
	as_clause(&a);
	for (unsigned i = 0; i < LOADS; i++) { /* of keys that do not exist */
		as_slot(&a, 0, 1 << 30 | i);
		as_op(&a, DIF_LDA, 0, 0, 0, var);
	}
	as_end(&a);
	struct engine *e = eng_new(&a, &c);
	unsigned add = eng_bind(e, 4, 0), look = eng_bind(e, 5, 1);
	eng_go(e);
	struct eng_budget few, many;
	struct firing f = {.probe = look, .thread = 1, .budget = &few};
	eng_budget_init(&few);
	engine_user.fire(e, &f);
	longest(e, add, 150000);
	assert_int_equal(status(e).drops[ENG_DROP_DYNAMIC], 0);
	f.budget = &many;
	eng_budget_init(&many);
	engine_user.fire(e, &f);
	assert_int_equal(few.began, 0);
	assert_int_not_equal(many.began, 0);
	engine_user.destroy(e);
}

int
main(void)
{
	make_operands();
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_subroutines),
	    cmocka_unit_test(test_builtins),
	    cmocka_unit_test(test_aggregations),
	    cmocka_unit_test(test_records_and_variables),
	    cmocka_unit_test(test_says_so),
	    cmocka_unit_test(test_shared),
	    cmocka_unit_test(test_consumer_does_not_wait),
	    cmocka_unit_test(test_growing),
	    cmocka_unit_test(test_thread_exit),
	    cmocka_unit_test(test_long_chains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
