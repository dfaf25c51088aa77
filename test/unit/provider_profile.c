/* tick and profile probes on an engine that only counts: rates, no drift, all CPUs, and that nothing fires after
 * stop(). */
#include "provider/provider.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#undef stop /* cmocka 2 defines it; engines have one */

enum { NPROBES = 4, NCPUS = 1024 };

struct counter {
	atomic_uint fired[NPROBES];
	atomic_uint on_cpu[NCPUS]; /* of the first probe */
	atomic_uint bad;
	atomic_ullong late; /* the least lateness seen plus one; 0 if none yet */
};

static void
count(struct engine *engine, struct firing *f)
{
	struct counter *e = (struct counter *)engine;
	atomic_fetch_add(&e->fired[f->probe], 1);
	int cpu = sched_getcpu();
	if (f->probe == 0 && cpu >= 0 && cpu < NCPUS)
		atomic_fetch_add(&e->on_cpu[cpu], 1);
	if (f->shard >= 2 || f->thread == 0 || f->args[0] || f->args[1])
		atomic_fetch_add(&e->bad, 1);
	unsigned long long late = f->args[2] + 1, seen = atomic_load(&e->late);
	if (!seen || late < seen)
		atomic_store(&e->late, late);
}

static const struct engine_ops counting = {.name = "counting", .fire = count};

static void
sleep_ms(long ms)
{
	struct timespec ts = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&ts, NULL);
}

static double
now(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
bind_one(void *arg, const struct probe *p)
{
	*(const struct probe **)arg = p;
}

/* Starts the named probes; probe i has index i. */
static struct pv_run *
run(struct probes *ps, struct counter *e, const char *const *names, unsigned n)
{
	struct pv_bound bound[NPROBES];
	struct why why = {""};
	for (unsigned i = 0; i < n; i++) {
		struct pdesc d = {0, {"profile", "", "", names[i]}};
		assert_int_equal(probes_match(ps, &d, bind_one, &bound[i].probe, &why), 1);
		bound[i].index = i;
	}
	struct pv_start s = {&provider_profile, (struct engine *)e, &counting, 2, bound, n, NULL};
	assert_true(provider_profile.start(&s, &why));
	assert_non_null(s.run);
	return s.run;
}

static void
ticks(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	struct counter *e = calloc(1, sizeof *e);
	static const char *const names[] = {"tick-10ms", "tick-1000hz", "tick-1h"};
	double from = now();
	struct pv_run *r = run(ps, e, names, 3);
	/* However busy the machine is, missed firings are made up for, so they come. */
	for (int i = 0; i < 3000 && (atomic_load(&e->fired[0]) < 40 || atomic_load(&e->fired[1]) < 400); i++)
		sleep_ms(10);
	provider_profile.stop(r);
	double took = now() - from;
	unsigned slow = atomic_load(&e->fired[0]), fast = atomic_load(&e->fired[1]);
	/* Deadlines are absolute: what was missed is caught up with, so only the ends are open. */
	assert_true(slow >= 40);
	assert_true(slow <= (unsigned)(took * 100) + 1);
	assert_true(fast >= 400);
	assert_true(fast <= (unsigned)(took * 1000) + 1);
	assert_int_equal(atomic_load(&e->fired[2]), 0);
	assert_int_equal(atomic_load(&e->bad), 0);
	assert_true(atomic_load(&e->late) < 30000000000);
	sleep_ms(30);
	assert_int_equal(atomic_load(&e->fired[1]), fast);
	free(e);
	probes_free(ps);
}

/* Whether each of the CPUs has had so many firings. */
static bool
all_have(struct counter *e, const cpu_set_t *set, unsigned n)
{
	for (int cpu = 0; cpu < CPU_SETSIZE && cpu < NCPUS; cpu++)
		if (CPU_ISSET((size_t)cpu, set) && atomic_load(&e->on_cpu[cpu]) < n)
			return false;
	return true;
}

static void
every_cpu(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	struct counter *e = calloc(1, sizeof *e);
	static const char *const names[] = {"profile-100", "tick-100"};
	cpu_set_t set;
	CPU_ZERO(&set);
	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	unsigned ncpus = (unsigned)CPU_COUNT(&set);
	double from = now();
	struct pv_run *r = run(ps, e, names, 2);
	for (int i = 0; i < 3000 && (atomic_load(&e->fired[1]) < 35 || !all_have(e, &set, 30)); i++)
		sleep_ms(10);
	provider_profile.stop(r);
	unsigned most = (unsigned)((now() - from) * 100) + 1;
	assert_true(all_have(e, &set, 30));
	assert_true(atomic_load(&e->fired[0]) >= 30 * ncpus);
	assert_true(atomic_load(&e->fired[0]) <= most * ncpus);
	assert_true(atomic_load(&e->fired[1]) >= 35);
	assert_true(atomic_load(&e->fired[1]) <= most);
	assert_int_equal(atomic_load(&e->bad), 0);
	free(e);
	probes_free(ps);
}

static void
stops_at_once(void **state)
{
	(void)state;
	struct probes *ps = probes_new();
	struct counter *e = calloc(1, sizeof *e);
	static const char *const names[] = {"tick-1d", "profile-1h"};
	double from = now();
	for (unsigned i = 0; i < 20; i++)
		provider_profile.stop(run(ps, e, names, 2));
	assert_true(now() - from < 5.0);
	assert_int_equal(atomic_load(&e->fired[0]) + atomic_load(&e->fired[1]), 0);
	free(e);
	probes_free(ps);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ticks),
	    cmocka_unit_test(every_cpu),
	    cmocka_unit_test(stops_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
