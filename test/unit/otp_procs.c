/* The tracer's shadow stacks (otp/erltrace/c_src/procs.c), which run inside a VM but need nothing of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef ET_WITH_EI
#include "../../otp/erltrace/c_src/procs.c"

#include <pthread.h>

enum { A = 1, B, C };

static unsigned
by_caller(struct procs *t, ERL_NIF_TERM pid, uint32_t mfa, uint32_t caller, struct frames_left *left)
{
	return procs_call(t, pid, &(struct traced_call){.mfa = mfa, .caller = caller}, left);
}

/* As in a VM whose markers take two words and whose return frames take four. */
enum { MARKER = 2, FRAME = 4 };

static unsigned
by_level(struct procs *t, uint32_t mfa, uint32_t level, struct frames_left *left)
{
	return procs_call(t, 100, &(struct traced_call){.mfa = mfa, .level = level, .marker = MARKER}, left);
}

static struct procs_stats
stats(struct procs *t)
{
	struct procs_stats s;
	procs_stats(t, &s);
	return s;
}

static void
calls_and_returns_match(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	assert_int_equal(by_caller(t, 100, B, A, &left), 1);
	assert_int_equal(left.n, 0);
	assert_int_equal(by_caller(t, 100, C, B, &left), 2);
	procs_return_to(t, 100, B, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, C);
	assert_int_equal(left.frame[0].depth, 2);
	assert_false(left.more);
	procs_return_to(t, 100, A, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, B);
	assert_int_equal(left.frame[0].depth, 1);
	assert_int_equal(stats(t).frames, 0);
	assert_int_equal(stats(t).processes, 1);
	procs_free(t);
}

/* A function that is called by the same caller as the one on top has taken its place: a tail call. */
static void
tail_calls_do_not_grow(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	by_caller(t, 100, B, A, &left);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(by_caller(t, 100, i % 2 ? B : C, A, &left), 1);
		assert_int_equal(left.n, 1);
		assert_int_equal(left.frame[0].mfa, i % 2 ? C : B);
	}
	assert_int_equal(stats(t).frames, 1);
	assert_int_equal(stats(t).lost, 0);
	procs_free(t);
}

/* All frames of a process, which were called one by the other; returns their number. */
static unsigned
all_left(struct procs *t, uint32_t deep)
{
	struct frames_left left;
	unsigned n = 0;
	do {
		procs_return_to(t, 100, 1, &left);
		for (unsigned i = 0; i < left.n; i++)
			assert_int_equal(left.frame[i].mfa, 1 + deep - n++);
	} while (left.more);
	return n;
}

/* An exception goes through several frames; they are left in pieces when there are many. */
static void
exceptions_leave_all(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	/* ET_TINY has room for eight */
	const uint32_t deep = MAX_DEPTH < 40 ? MAX_DEPTH : 40;
	for (uint32_t f = 2; f < 2 + deep; f++)
		by_caller(t, 100, f, f - 1, &left);
	procs_return_to(t, 100, 99, &left);
	assert_int_equal(left.n, 0);
	assert_int_equal(all_left(t, deep), deep);
	assert_int_equal(stats(t).frames, 0);
	procs_free(t);
}

/* A call at the depth of the one on top took its place; a deeper one is nested, whoever called it. */
static void
levels_tell_tail_calls(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	assert_int_equal(by_level(t, B, 10, &left), 1);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(by_level(t, i % 2 ? B : C, 10 + MARKER, &left), 1);
		assert_int_equal(left.n, 1);
		assert_int_equal(left.frame[0].mfa, i % 2 ? C : B);
	}
	/* the smallest frame that there is */
	assert_int_equal(by_level(t, B, 10 + MARKER + 1, &left), 2);
	assert_int_equal(left.n, 0);
	assert_int_equal(by_level(t, C, 10 + 2 * MARKER + 1, &left), 2);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, B);
	/* whether or not the VM has already taken its marker away */
	procs_left(t, 100, 10 + 2 * MARKER + 1, MARKER, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, C);
	assert_int_equal(left.frame[0].depth, 2);
	procs_left(t, 100, 10, MARKER, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, B);
	procs_left(t, 100, 10, MARKER, &left);
	assert_int_equal(left.n, 0);
	assert_int_equal(stats(t).lost, 0);
	procs_free(t);
}

/* A function whose value is traced has a frame of the VM below it, one more with each tail call. */
static void
levels_know_return_frames(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	struct traced_call call = {.mfa = B, .level = 10, .marker = MARKER, .frame = FRAME};
	(void)state;
	assert_int_equal(procs_call(t, 100, &call, &left), 1);
	for (uint32_t i = 0; i < 100; i++) {
		call.level = 10 + MARKER + (1 + i) * FRAME;
		assert_int_equal(procs_call(t, 100, &call, &left), 1);
		assert_int_equal(left.n, 1);
	}
	assert_int_equal(by_level(t, C, call.level + FRAME + 3, &left), 2);
	procs_left(t, 100, call.level + FRAME + 3, MARKER, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].mfa, C);
	procs_left(t, 100, 10, MARKER, &left);
	assert_int_equal(left.n, 1);
	assert_int_equal(left.frame[0].depth, 1);
	procs_free(t);
}

/* Nobody tells when a process hibernates, nor always of an exception: the next call finds out. */
static void
levels_find_what_is_gone(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	const uint32_t deep = MAX_DEPTH < 40 ? MAX_DEPTH : 40;
	unsigned n = 0;
	for (uint32_t f = 0; f < deep; f++)
		assert_int_equal(by_level(t, B, 10 + 5 * f, &left), f + 1);
	unsigned depth;
	do {
		depth = by_level(t, C, 10, &left);
		n += left.n;
	} while (left.more);
	assert_int_equal(n, deep);
	assert_int_equal(depth, 1);
	/* the level of an event that is not of the process itself is not known */
	procs_left(t, 100, 0, MARKER, &left);
	assert_int_equal(left.n, 0);
	assert_int_equal(by_level(t, B, 0, &left), 0);
	assert_int_equal(stats(t).lost, 1);
	assert_int_equal(stats(t).frames, 1);
	procs_free(t);
}

/* Calls that are too deep are not followed; the end of such a call is no other's. */
static void
levels_past_the_limit(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	for (uint32_t f = 0; f < MAX_DEPTH + 10; f++)
		by_level(t, 1 + f, 10 + 5 * f, &left);
	assert_int_equal(stats(t).lost, 10);
	for (uint32_t f = MAX_DEPTH + 10; f-- > 0;) {
		procs_left(t, 100, 10 + 5 * f, MARKER, &left);
		assert_int_equal(left.n, f < MAX_DEPTH);
		if (left.n)
			assert_int_equal(left.frame[0].mfa, 1 + f);
	}
	procs_free(t);
}

static void
nothing_is_left_of_the_dead(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	for (ERL_NIF_TERM pid = 1; pid <= 100000; pid++) {
		by_caller(t, pid, B, A, &left);
		by_caller(t, pid, C, B, &left);
		if (pid % 2)
			procs_return_to(t, pid, B, &left);
		procs_in(t, pid, 10);
		procs_exit(t, pid);
	}
	assert_int_equal(stats(t).processes, 0);
	assert_int_equal(stats(t).frames, 0);
	assert_int_equal(stats(t).lost, 0);
	assert_int_equal(t->frames.used, 0);
	procs_free(t);
}

/* Past the limits calls are lost and counted; when there is room again, new ones are seen. */
static void
limits_are_counted(void **state)
{
	struct procs *t = procs_new();
	struct frames_left left;
	(void)state;
	for (uint32_t f = 0; f < MAX_DEPTH + 10; f++)
		by_caller(t, 100, f + 2, f + 1, &left);
	assert_int_equal(stats(t).frames, MAX_DEPTH);
	assert_int_equal(stats(t).lost, 10);
	procs_exit(t, 100);
	assert_int_equal(by_caller(t, 100, B, A, &left), 1);
	for (ERL_NIF_TERM pid = 1000; pid < 1000 + 2 * (ERL_NIF_TERM)MAX_PROCS; pid++)
		procs_in(t, pid, 1);
	assert_int_equal(stats(t).processes, MAX_PROCS);
	procs_free(t);
}

static void
run_time_adds_up(void **state)
{
	struct procs *t = procs_new();
	(void)state;
	procs_in(t, 100, 1000);
	assert_int_equal(procs_ran(t, 100, 1500), 500);
	procs_out(t, 100, 2000);
	procs_in(t, 100, 5000);
	assert_int_equal(procs_ran(t, 100, 5001), 1001);
	procs_out(t, 100, 6000);
	procs_free(t);
}

struct worker {
	struct procs *t;
	unsigned number;
};

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct frames_left left;
	for (unsigned i = 0; i < 5000; i++) {
		ERL_NIF_TERM pid = 1 + w->number + 4 * (i % 7);
		by_caller(w->t, pid, B, A, &left);
		by_caller(w->t, pid, C, B, &left);
		procs_return_to(w->t, pid, A, &left);
		if (i % 50 == 0)
			procs_exit(w->t, pid);
	}
	for (unsigned i = 0; i < 7; i++)
		procs_exit(w->t, 1 + w->number + 4 * i);
	return NULL;
}

/* A process runs on one thread at a time, but all threads share the pools. */
static void
threads_share_it(void **state)
{
	struct procs *t = procs_new();
	pthread_t thread[4];
	struct worker w[4];
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		w[i] = (struct worker){t, i};
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	}
	for (unsigned i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(stats(t).processes, 0);
	assert_int_equal(stats(t).frames, 0);
	assert_int_equal(t->frames.used, 0);
	procs_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls_and_returns_match),
	    cmocka_unit_test(tail_calls_do_not_grow),
	    cmocka_unit_test(exceptions_leave_all),
	    cmocka_unit_test(levels_tell_tail_calls),
	    cmocka_unit_test(levels_know_return_frames),
	    cmocka_unit_test(levels_find_what_is_gone),
	    cmocka_unit_test(levels_past_the_limit),
	    cmocka_unit_test(nothing_is_left_of_the_dead),
	    cmocka_unit_test(limits_are_counted),
	    cmocka_unit_test(run_time_adds_up),
	    cmocka_unit_test(threads_share_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int
main(void)
{
	return 0; /* built without Erlang */
}
#endif
