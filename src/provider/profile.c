/*
 * The profile provider: tick-N fires on one CPU, profile-N on every CPU, each N times a second or every N units.
 *
 * All ticks of a run share one thread, which sleeps until the earliest deadline and fires everything that is due by
 * then. profile-N has one thread for each online CPU, pinned there. Deadlines are absolute (previous plus period), so
 * nothing drifts. A probe that is more than a second behind (the machine slept, or a clause takes longer than its
 * period) goes on from the present.
 *
 * arg0 and arg1 (kernel and user program counter) are 0, because the probe interrupts this process, which has neither
 * to show. arg2 is how late the firing is, in ns.
 */
#include "base/clock.h"
#include "base/wake.h"
#include "provider/provider.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
	NS_MIN = 200000, /* 5000hz, DTrace's limit */
	PROBES_MAX = 1000,
};
#define NS_SEC INT64_C(1000000000)
#define NS_MAX (INT64_MAX / 4)

/* probe.param is the period in ns, negative for profile-N, whose probes fire on all CPUs. */

static bool
add(struct probes *ps, const struct provider *pv, const char *name, bool every_cpu, int64_t ns)
{
	const char *const names[4] = {"profile", "", "", name};
	return probe_add(ps, pv, names, NULL, every_cpu ? -ns : ns) != NULL;
}

static bool
provide(struct probes *ps, const struct provider *pv)
{
	static const unsigned profiles[] = {97, 199, 499, 997, 1999, 4001, 4999};
	static const unsigned ticks[] = {1, 10, 100, 500, 1000, 5000};
	char name[32];
	for (unsigned i = 0; i < sizeof profiles / sizeof *profiles; i++) {
		snprintf(name, sizeof name, "profile-%u", profiles[i]);
		if (!add(ps, pv, name, true, NS_SEC / profiles[i]))
			return false;
	}
	for (unsigned i = 0; i < sizeof ticks / sizeof *ticks; i++) {
		snprintf(name, sizeof name, "tick-%u", ticks[i]);
		if (!add(ps, pv, name, false, NS_SEC / ticks[i]))
			return false;
	}
	return true;
}

/* Parses the period "10ms" or "997". Returns false with `why`. */
static bool
parse_rate(const char *name, const char *s, int64_t *ns, struct why *why)
{
	static const struct {
		const char *name;
		int64_t ns; /* 0 for times per second */
	} units[] = {{"", 0}, {"hz", 0}, {"ns", 1}, {"nsec", 1}, {"us", 1000}, {"usec", 1000}, {"ms", 1000000},
	    {"msec", 1000000}, {"s", NS_SEC}, {"sec", NS_SEC}, {"m", 60 * NS_SEC}, {"min", 60 * NS_SEC},
	    {"h", 3600 * NS_SEC}, {"hour", 3600 * NS_SEC}, {"d", 86400 * NS_SEC}, {"day", 86400 * NS_SEC}};
	enum { NUNITS = sizeof units / sizeof *units };
	int64_t n = 0;
	const char *unit = s;
	for (; *unit >= '0' && *unit <= '9'; unit++) {
		n = n * 10 + (*unit - '0');
		if (n > INT64_MAX / 100) {
			why_set(why, "%s: the number is too large", name);
			return false;
		}
	}
	if (unit == s) {
		why_set(why, "%s: a rate is needed, such as 997 (times a second) or 10ms", name);
		return false;
	}
	unsigned u = 0;
	while (u < NUNITS && strcmp(units[u].name, unit) != 0)
		u++;
	if (u == NUNITS) {
		why_set(why, "%s: '%s' is not a unit: use ns, us, ms, s, m, h, d or hz", name, unit);
		return false;
	}
	if (n == 0) {
		why_set(why, "%s: the rate must not be 0", name);
		return false;
	}
	if (units[u].ns == 0)
		*ns = NS_SEC / n;
	else if (n > NS_MAX / units[u].ns) {
		why_set(why, "%s: the period is too long", name);
		return false;
	} else
		*ns = n * units[u].ns;
	if (*ns < NS_MIN) {
		why_set(why, "%s: too fast: at most 5000 times a second (every 200us)", name);
		return false;
	}
	return true;
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	const char *name = d->names[3];
	bool every_cpu = strncmp(name, "profile-", 8) == 0;
	if (!every_cpu && strncmp(name, "tick-", 5) != 0)
		return true;
	/* These probes have no module and no function. */
	if ((d->names[1] && !probe_glob(d->names[1], "")) || (d->names[2] && !probe_glob(d->names[2], "")))
		return true;
	unsigned n = 0;
	for (uint32_t id = 1; id <= probes_count(ps); id++) {
		const struct probe *p = probe_by_id(ps, id);
		if (p->pv != pv)
			continue;
		if (strcmp(p->names[3], name) == 0)
			return true;
		n++;
	}
	int64_t ns;
	if (!parse_rate(name, name + (every_cpu ? 8 : 5), &ns, why))
		return true;
	if (n >= PROBES_MAX) {
		why_set(why, "%s: more than %d profile and tick probes", name, PROBES_MAX);
		return true;
	}
	return add(ps, pv, name, every_cpu, ns);
}

struct timer {
	int64_t period, deadline; /* ns, CLOCK_MONOTONIC */
	unsigned probe;
};

struct worker {
	struct pv_run *run;
	pthread_t thread;
	unsigned shard;
	int cpu; /* to run on, or -1 */
	struct timer *timers;
	unsigned ntimers;
};

struct pv_run {
	struct engine *engine;
	const struct engine_ops *ops;
	pthread_mutex_t lock; /* guards stopping and nended */
	struct wake wake;
	bool stopping;
	unsigned nended; /* workers that have done their last */
	unsigned nworkers;
	struct worker *workers;
};

static int64_t
now_ns(void)
{
	return (int64_t)mono_ns();
}

static void
fire(struct worker *w, struct timer *t, int64_t now)
{
	struct firing f = {
	    .probe = t->probe,
	    .shard = w->shard,
	    .thread = (uint64_t)gettid(),
	    .nargs = 3,
	    .args = {0, 0, (uint64_t)(now - t->deadline)},
	};
	w->run->ops->fire(w->run->engine, &f);
	t->deadline += t->period;
	if (now - t->deadline > NS_SEC)
		t->deadline += ((now - t->deadline) / t->period + 1) * t->period;
}

/* If the CPU went away since we looked, any other will do. */
static void
stay_on(int cpu)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct pv_run *run = w->run;
	if (w->cpu >= 0)
		stay_on(w->cpu);
	prctl(PR_SET_NAME, w->cpu < 0 ? "et-tick" : "et-profile");
	/* Without this the kernel may wake us 50 us late to save power. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	int64_t start = now_ns();
	for (unsigned i = 0; i < w->ntimers; i++)
		w->timers[i].deadline = start + w->timers[i].period;
	pthread_mutex_lock(&run->lock);
	while (!run->stopping) {
		struct timer *t = &w->timers[0];
		for (unsigned i = 1; i < w->ntimers; i++)
			if (w->timers[i].deadline < t->deadline)
				t = &w->timers[i];
		int64_t now = now_ns();
		if (now < t->deadline) {
			wake_wait(&run->wake, &run->lock, t->deadline);
			continue;
		}
		pthread_mutex_unlock(&run->lock);
		fire(w, t, now);
		pthread_mutex_lock(&run->lock);
	}
	run->nended++;
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

static void
run_free(struct pv_run *run)
{
	for (unsigned i = 0; i < run->nworkers; i++)
		free(run->workers[i].timers);
	free(run->workers);
	pthread_mutex_destroy(&run->lock);
	free(run);
}

static void
run_stop(struct pv_run *run, unsigned nstarted)
{
	pthread_mutex_lock(&run->lock);
	run->stopping = true;
	wake_all(&run->wake);
	pthread_mutex_unlock(&run->lock);
	for (unsigned i = 0; i < nstarted; i++)
		pthread_join(run->workers[i].thread, NULL);
}

static bool
ends(struct pv_run *run)
{
	pthread_mutex_lock(&run->lock);
	run->stopping = true;
	wake_all(&run->wake);
	bool all = run->nended == run->nworkers;
	pthread_mutex_unlock(&run->lock);
	return all;
}

static void
stop(struct pv_run *run)
{
	run_stop(run, run->nworkers);
	run_free(run);
}

static struct pv_run *
run_new(struct engine *e, const struct engine_ops *ops, unsigned nworkers)
{
	struct pv_run *run = calloc(1, sizeof *run);
	if (!run)
		return NULL;
	*run = (struct pv_run){.engine = e, .ops = ops, .nworkers = nworkers};
	pthread_mutex_init(&run->lock, NULL);
	run->workers = calloc(nworkers, sizeof *run->workers);
	if (run->workers)
		return run;
	run->nworkers = 0;
	run_free(run);
	return NULL;
}

/* Gives a worker the bound probes of its kind. */
static bool
worker_init(
    struct worker *w, struct pv_run *run, unsigned shard, int cpu, const struct pv_bound *bound, unsigned nbound)
{
	*w = (struct worker){.run = run, .shard = shard, .cpu = cpu};
	w->timers = calloc(nbound, sizeof *w->timers);
	if (!w->timers)
		return false;
	for (unsigned i = 0; i < nbound; i++) {
		int64_t period = bound[i].probe->param;
		if ((period < 0) != (cpu >= 0))
			continue;
		w->timers[w->ntimers++] =
		    (struct timer){.period = period < 0 ? -period : period, .probe = bound[i].index};
	}
	return true;
}

static int
worker_start(struct worker *w)
{
	/* Signals are the main thread's. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* Where the engine has its own clock for samples, only ticks need a thread. */
static bool
sample(const struct pv_start *s, struct why *why)
{
	for (unsigned i = 0; i < s->nbound; i++)
		if (s->bound[i].probe->param < 0 &&
		    !s->ops->sample(s->engine, s->bound[i].index, (uint64_t)-s->bound[i].probe->param, why))
			return false;
	return true;
}

static bool
start(struct pv_start *s, struct why *why)
{
	unsigned nticks = 0;
	for (unsigned i = 0; i < s->nbound; i++)
		nticks += s->bound[i].probe->param > 0;
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	if (s->ops->sample && !sample(s, why))
		return false;
	if (!s->ops->sample && nticks < s->nbound && sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		CPU_SET(0, &cpus);
	unsigned nworkers = (nticks > 0) + (unsigned)CPU_COUNT(&cpus);
	struct pv_run *run = run_new(s->engine, s->ops, nworkers ? nworkers : 1);
	if (!run) {
		why_set(why, "out of memory");
		return false;
	}
	unsigned n = 0;
	bool ok = true;
	if (nticks)
		ok = worker_init(&run->workers[n++], run, 0, -1, s->bound, s->nbound);
	for (int cpu = 0; ok && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &cpus))
			ok = worker_init(&run->workers[n++], run, (unsigned)cpu % s->nshards, cpu, s->bound, s->nbound);
	if (!ok) {
		why_set(why, "out of memory");
		run_free(run);
		return false;
	}
	run->nworkers = n;
	for (unsigned i = 0; i < n; i++) {
		int err = worker_start(&run->workers[i]);
		if (err) {
			why_set(why, "cannot start a timer thread: %s", strerror(err));
			run_stop(run, i);
			run_free(run);
			return false;
		}
	}
	s->run = run;
	return true;
}

const struct provider provider_profile = {
    .name = "profile",
    .provide = provide,
    .on_demand = on_demand,
    .start = start,
    .stop = stop,
    .ends = ends,
    .stability = "Evolving/Evolving/Common",
};
