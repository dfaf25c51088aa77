/*
 * The lock of a shard in the VM (otp/erltrace/c_src/gate.c): whoever is inside is alone there, whether it came as the
 * owner, as another thread of the shard, or as a visitor, and also while the owner's way in becomes cheap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef ET_WITH_EI
#include "../../otp/erltrace/c_src/gate.c"

#include <pthread.h>
#include <string.h>
#include <time.h>

/* On an idle machine each round may meet a visitor, whose barrier takes long: then there are fewer of them. */
enum { ROUNDS = 300000, LEAST = 100, SECONDS = 2 };

/* Two counters that are not atomic. They are equal whenever nobody is inside. */
static struct {
	struct gate gate;
	uint64_t a, b;
} room;
static atomic_bool over;
static time_t until;
static _Atomic uint64_t broken, entered, visits;

static void
be_inside(void)
{
	if (room.a != room.b)
		atomic_fetch_add(&broken, 1);
	room.a++;
	atomic_signal_fence(memory_order_seq_cst);
	room.b++;
}

static void
start(void)
{
	memset(&room, 0, sizeof room);
	over = false;
	until = time(NULL) + SECONDS;
	broken = entered = visits = 0;
}

static void *
go_in(void *arg)
{
	const struct thread *own = arg;
	for (unsigned i = 0;
	     (i < ROUNDS && time(NULL) < until) || (atomic_load(&visits) < LEAST && !atomic_load(&over)); i++) {
		gate_enter(&room.gate, own, true);
		be_inside();
		gate_leave(&room.gate);
		atomic_fetch_add_explicit(&entered, 1, memory_order_relaxed);
	}
	return NULL;
}

/* Visits as the consumer does, and as somebody who wants all gates. */
static void *
visit(void *arg)
{
	(void)arg;
	for (unsigned i = 0; !atomic_load(&over); i++) {
		if (i % 2 ? !gate_try_shut(&room.gate) : (gate_shut(&room.gate), false))
			continue;
		be_inside();
		gate_open(&room.gate);
		atomic_fetch_add(&visits, 1);
	}
	return NULL;
}

static struct thread rows[3];

/* Starts visitors and some threads of the shard. Returns when these have been in often enough. */
static void
run(unsigned nthreads, bool cheap)
{
	pthread_t threads[3], visitors[2];
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&visitors[i], NULL, visit, NULL), 0);
	for (unsigned i = 0; i < nthreads; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, go_in, &rows[i]), 0);
	if (cheap)
		gates_cheapen(&room.gate, 1, sizeof room);
	for (unsigned i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
	atomic_store(&over, true);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(visitors[i], NULL);
	assert_int_equal(broken, 0);
	assert_int_equal(room.a, room.b);
	assert_int_equal(room.a, entered + visits);
	assert_true(visits >= LEAST && entered > 0);
	assert_int_equal(room.gate.inside, 0);
	assert_int_equal(room.gate.lock, 0);
}

static void
the_owner_and_visitors_exclude_each_other(void **state)
{
	(void)state;
	start();
	run(1, false);
	assert_ptr_equal(room.gate.owner, &rows[0]);
	assert_int_equal(room.gate.shut, 0);
}

static void
the_owners_way_in_becomes_cheap_meanwhile(void **state)
{
	(void)state;
	start();
	run(1, true);
	assert_int_equal(room.gate.shut, 0);
}

/* A second thread makes it an ordinary lock for good. */
static void
several_threads_share_a_shard(void **state)
{
	(void)state;
	start();
	gates_cheapen(&room.gate, 1, sizeof room);
	run(3, false);
	assert_int_equal(room.gate.shut, GATE_COMMON);
}

/* A visitor who does not want to wait gives up while the owner is inside, and leaves the gate open. */
static void
a_visitor_gives_up(void **state)
{
	(void)state;
	start();
	for (int i = 0; i < 2; i++) { /* the first time it becomes the owner, with the lock */
		gate_enter(&room.gate, &rows[0], true);
		assert_false(gate_try_shut(&room.gate));
		gate_leave(&room.gate);
	}
	assert_int_equal(room.gate.shut, 0);
	assert_true(gate_try_shut(&room.gate));
	gate_open(&room.gate);
	assert_int_equal(room.gate.lock, 0);
}

/* A thread that may not own a shard shares it. */
static void
not_everybody_may_own(void **state)
{
	(void)state;
	start();
	gate_enter(&room.gate, &rows[0], false);
	gate_leave(&room.gate);
	assert_null(room.gate.owner);
	assert_int_equal(room.gate.shut, GATE_COMMON);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_owner_and_visitors_exclude_each_other),
	    cmocka_unit_test(the_owners_way_in_becomes_cheap_meanwhile),
	    cmocka_unit_test(several_threads_share_a_shard),
	    cmocka_unit_test(a_visitor_gives_up),
	    cmocka_unit_test(not_everybody_may_own),
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
