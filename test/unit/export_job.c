/*
 * A script with a share: when it is ended, when it begins again, and how well what it missed is estimated. The job is
 * the real one, with its store. The library, a node that does the same all the time, and the clock are made here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#define MS (uint64_t)1000000
#define S (1000 * MS)

static uint64_t fake_now;

static uint64_t
fake_ns(void)
{
	return fake_now;
}

static int
fake_sleep(const struct timespec *t)
{
	fake_now += (uint64_t)t->tv_sec * S + (uint64_t)t->tv_nsec;
	return 0;
}

static int64_t
fake_bucket(const struct et_aggdata *a, unsigned i)
{
	(void)a;
	(void)i;
	return 0;
}

#define mono_ns() fake_ns()
#define mono_ms() (fake_ns() / MS)
#define nanosleep(t, left) fake_sleep(t)
/* what does nothing here */
#define et_errno(h) 0
#define et_errmsg(h, err) ((void)(h), "an error")
#define et_setopt(h, name, value) ((void)(h), (void)(value), 0)
#define et_set_helper(h, of) ((void)(h), 0)
#define et_attach(h, node, cookie) 0
#define et_program_fcompile(h, fp, name, flags, argc, argv) ((struct et_prog *)(h))
#define et_program_exec(h, p, info) ((void)(info), 0)
#define et_handle_err(h, fn, arg) (void)(fn)
#define et_handle_alert(h, fn, arg) (void)(fn)
#define et_handle_clear(h, fn, arg) ((void)(fn), (void)(arg))
#define et_value_text(h, value) NULL
#define et_agg_kind(fn) ET_AGGKIND_TOTAL
#define et_agg_bucket(a, i, low, high) fake_bucket(a, i)
#define alerts_fire(alerts, script, node, probe, alert) ((void)(script), (void)(probe), (void)(alert))
#define text_label(b, name, value) sb_printf(b, "%s=%s", name, value)
#define metrics_free(m) (void)(m)
#include "../../src/export/estimate.c"
#include "../../src/export/job.c"
#define take take_value /* both have one */
#include "../../src/export/values.c"

/* -- the library and the node */

enum {
	RATE = 1000, /* events in a second */
	COST = 50,   /* ms that a second of tracing takes */
	SHARE = 10,  /* ms of a second */
	/* ms until the answer is there, or tracing is off */
	LATE_GO = 20,
	LATE_ANSWER = 50,
	LATE_OFF = 300,
	RUNS = 40,
};

struct et {
	uint64_t on, off; /* off: 0 while it is on */
	uint64_t due, fetched;
	bool interrupted;
	int64_t pending;
	et_drop_f *drop;
	void *job;
};

/* What happens in each run: ns after its begin, 0 if it does not. */
static struct {
	uint64_t guard, exit;
} plan[RUNS];
static unsigned runs, last_run; /* begun; the last that may begin */
static uint64_t ended;          /* the last one */
static struct export_job *job;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER; /* job is not known yet */

static uint64_t
guard_at(const struct et *h)
{
	return plan[runs - 1].guard ? h->on + plan[runs - 1].guard : UINT64_MAX;
}

static uint64_t
exit_at(const struct et *h)
{
	return plan[runs - 1].exit ? h->on + plan[runs - 1].exit : UINT64_MAX;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until when events were counted. */
static uint64_t
seen_until(const struct et *h)
{
	return least(least(guard_at(h), exit_at(h)), h->off ? h->off : fake_now);
}

static bool
is_over(const struct et *h)
{
	return h->interrupted || fake_now >= guard_at(h) || fake_now >= exit_at(h);
}

static void
fetch(struct et *h)
{
	uint64_t until = least(seen_until(h), fake_now);
	h->pending += (int64_t)(until * RATE / S - h->fetched * RATE / S);
	h->fetched = until;
}

struct et *
et_open(int version, int *err)
{
	(void)version;
	(void)err;
	return calloc(1, sizeof(struct et));
}

void
et_close(struct et *h)
{
	free(h);
}

int
et_go(struct et *h)
{
	if (runs == last_run) {
		pthread_mutex_lock(&starting);
		job_stop(job);
		pthread_mutex_unlock(&starting);
		return -1;
	}
	runs++;
	h->on = h->fetched = fake_now;
	fake_now += LATE_GO * MS;
	h->due = fake_now + S;
	return 0;
}

void
et_sleep(struct et *h)
{
	while (!h->off && !is_over(h) && fake_now < h->due)
		fake_now += MS;
}

int
et_stop(struct et *h)
{
	if (!h->off) {
		fake_now += LATE_OFF * MS;
		h->off = fake_now;
		ended = least(seen_until(h), h->off);
	}
	return 0;
}

enum et_workstatus
et_work(struct et *h, FILE *fp, et_probe_cb *probe, et_rec_cb *rec, void *arg)
{
	(void)fp;
	(void)probe;
	(void)rec;
	(void)arg;
	if (is_over(h))
		et_stop(h);
	fetch(h);
	fake_now += LATE_ANSWER * MS;
	h->due = fake_now + S;
	if (!h->off)
		return ET_WORKSTATUS_OKAY;
	if (guard_at(h) < least(exit_at(h), h->off))
		h->drop(&(struct et_dropdata){.kind = ET_DROP_OVERHEAD, .msg = "too much"}, h->job);
	return ET_WORKSTATUS_DONE;
}

void
et_interrupt(struct et *h)
{
	h->interrupted = true;
}

enum et_status
et_status(struct et *h)
{
	if (h->off)
		return exit_at(h) <= h->off ? ET_STATUS_EXITED : ET_STATUS_STOPPED;
	return fake_now >= exit_at(h) ? ET_STATUS_EXITED : ET_STATUS_OKAY;
}

int
et_cost(struct et *h, struct et_cost *c)
{
	*c = (struct et_cost){true, (seen_until(h) - h->on) / 1000 * COST};
	return 0;
}

int
et_aggregate_walk(struct et *h, enum et_aggsort sort, et_agg_f *fn, void *arg)
{
	struct et_aggdata a = {
	    .h = h, .name = "n", .fn = ET_AGG_COUNT, .count = (uint64_t)h->pending, .raw = h->pending};
	(void)sort;
	if (h->pending && fn(&a, arg) == ET_AGGWALK_REMOVE)
		h->pending = 0;
	return 0;
}

int
et_handle_drop(struct et *h, et_drop_f *fn, void *arg)
{
	h->drop = fn;
	h->job = arg;
	return 0;
}

/* -- the tests */

/* Returns what the counter has when the job ends: after so many runs, or by itself. */
static uint64_t
counted(unsigned most)
{
	struct conf_script c = {.name = strdup("script"), .text = strdup("script")};
	struct metric metric = {.agg = "n", .name = "n", .fn = ET_AGG_COUNT};
	struct conf conf = {.interval = S};
	struct export_helper helper = {.keeper = NULL};
	c.metrics = (struct metrics){.at = &metric, .n = 1, .share = SHARE * MS};
	struct export_script *s = script_new(&c, 10);
	assert_non_null(s);
	int place = script_place(s, "node@host");
	fake_now = 1000 * S;
	runs = 0;
	ended = 0;
	last_run = most;
	pthread_mutex_lock(&starting);
	job = job_start(s, (unsigned)place, "node@host", &conf, NULL, &helper);
	pthread_mutex_unlock(&starting);
	assert_non_null(job);
	job_free(job);
	uint64_t n = s->fams[0].rows[0]->count;
	script_drop(s);
	return n;
}

/* What is estimated of the last rest is not all given yet. */
static void
expect_true(uint64_t n)
{
	uint64_t is = (ended - 1000 * S) * RATE / S;
	if (n < is * 96 / 100 || n > is * 104 / 100)
		fail_msg("counted %llu instead of %llu", (unsigned long long)n, (unsigned long long)is);
}

static void
test_steady(void **state)
{
	(void)state;
	memset(plan, 0, sizeof plan);
	expect_true(counted(30));
	assert_int_equal(runs, 30);
}

/* Runs that the guard ends at once: nothing is known of such a node, and what is not known is estimated from the next
 * run that is long enough. */
static void
test_guard(void **state)
{
	(void)state;
	memset(plan, 0, sizeof plan);
	for (unsigned i = 1; i < 20; i += 3)
		plan[i].guard = 30 * MS;
	for (unsigned i = 2; i < 20; i += 6)
		plan[i].guard = 400 * MS;
	expect_true(counted(30));
}

/* exit() counts also if the script has to rest, as long as tracing is on. */
static void
test_exit(void **state)
{
	(void)state;
	for (unsigned run = 0; run < 2; run++)
		for (uint64_t at = 900 * MS; at < 1350 * MS; at += 50 * MS) {
			memset(plan, 0, sizeof plan);
			plan[run].exit = at;
			counted(run + 3);
			if (runs != run + 1)
				fail_msg("exit() in run %u after %u ms: run %u was begun", run, (unsigned)(at / MS),
				    runs - 1);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_steady),
	    cmocka_unit_test(test_guard),
	    cmocka_unit_test(test_exit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
