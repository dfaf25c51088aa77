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
	struct frame_left left, all[4];
	bool more;
	(void)state;
	assert_int_equal(procs_call(t, 100, B, A, &left), 1);
	assert_int_equal(left.mfa, 0);
	assert_int_equal(procs_call(t, 100, C, B, &left), 2);
	assert_int_equal(procs_return_to(t, 100, B, all, 4, &more), 1);
	assert_int_equal(all[0].mfa, C);
	assert_int_equal(all[0].depth, 2);
	assert_false(more);
	assert_int_equal(procs_return_to(t, 100, A, all, 4, &more), 1);
	assert_int_equal(all[0].mfa, B);
	assert_int_equal(all[0].depth, 1);
	assert_int_equal(stats(t).frames, 0);
	assert_int_equal(stats(t).processes, 1);
	procs_free(t);
}

/* A function that is called by the same caller as the one on top has taken its place: a tail call. */
static void
tail_calls_do_not_grow(void **state)
{
	struct procs *t = procs_new();
	struct frame_left left;
	(void)state;
	procs_call(t, 100, B, A, &left);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(procs_call(t, 100, i % 2 ? B : C, A, &left), 1);
		assert_int_equal(left.mfa, i % 2 ? C : B);
	}
	assert_int_equal(stats(t).frames, 1);
	assert_int_equal(stats(t).lost, 0);
	procs_free(t);
}

/* An exception goes through several frames; they are left in pieces when there are many. */
static void
exceptions_leave_all(void **state)
{
	struct procs *t = procs_new();
	struct frame_left left, all[2];
	bool more;
	(void)state;
	for (uint32_t f = 2; f <= 6; f++)
		procs_call(t, 100, f, f - 1, &left);
	assert_int_equal(procs_return_to(t, 100, 99, all, 2, &more), 0);
	assert_int_equal(procs_return_to(t, 100, 1, all, 2, &more), 2);
	assert_true(more);
	assert_int_equal(all[0].mfa, 6);
	assert_int_equal(procs_return_to(t, 100, 1, all, 2, &more), 2);
	assert_true(more);
	assert_int_equal(procs_return_to(t, 100, 1, all, 2, &more), 1);
	assert_false(more);
	assert_int_equal(all[0].mfa, 2);
	procs_free(t);
}

static void
nothing_is_left_of_the_dead(void **state)
{
	struct procs *t = procs_new();
	struct frame_left left, all[4];
	bool more;
	(void)state;
	for (ERL_NIF_TERM pid = 1; pid <= 100000; pid++) {
		procs_call(t, pid, B, A, &left);
		procs_call(t, pid, C, B, &left);
		if (pid % 2)
			procs_return_to(t, pid, B, all, 4, &more);
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
	struct frame_left left;
	(void)state;
	for (uint32_t f = 0; f < MAX_DEPTH + 10; f++)
		procs_call(t, 100, f + 2, f + 1, &left);
	assert_int_equal(stats(t).frames, MAX_DEPTH);
	assert_int_equal(stats(t).lost, 10);
	procs_exit(t, 100);
	assert_int_equal(procs_call(t, 100, B, A, &left), 1);
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
	struct frame_left left, all[4];
	bool more;
	for (unsigned i = 0; i < 5000; i++) {
		ERL_NIF_TERM pid = 1 + w->number + 4 * (i % 7);
		procs_call(w->t, pid, B, A, &left);
		procs_call(w->t, pid, C, B, &left);
		procs_return_to(w->t, pid, A, all, 4, &more);
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
