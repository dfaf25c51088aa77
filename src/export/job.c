/*
 * One script on one node. Its thread attaches, compiles, runs the script, and takes what it aggregates every interval.
 * When the node is gone, or does not answer, it begins again, until the service ends it. What was counted stays in the
 * script's store.
 *
 * A script that calls exit() is done. One that the overhead guard ended is left alone for some minutes, if it has no
 * share.
 *
 * A script with a share runs all the time if it takes no more than that. Otherwise it runs for a while, and is then
 * ended and rests until it has saved enough for the next while. So it begins anew each time, with no variable from
 * before a gap. What it would have counted meanwhile is estimated from the first second of the next run (estimate.c),
 * so its share does not end a run before that second is over: whether that is long must not depend on what happened in
 * it. The guard and exit() may end it sooner. Of a run that was so short nothing is estimated, and the rest before it
 * is added to the next one.
 */
#include "export/export.h"

#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define GIVE_NS (uint64_t)1000000000 /* how often what is estimated is added */

void
export_say(const char *fmt, ...)
{
	struct sbuf b = {0};
	va_list ap;
	va_start(ap, fmt);
	sb_adds(&b, "erltrace export: ");
	sb_vprintf(&b, fmt, ap);
	va_end(ap);
	while (b.len && b.at[b.len - 1] == '\n')
		b.len--;
	sb_addc(&b, '\n');
	if (!b.failed)
		fwrite(b.at, 1, b.len, stderr);
	sb_free(&b);
}

/* Says something about this script, once until something else is said. */
static void
say(struct export_job *j, const char *what)
{
	if (j->said && strcmp(j->said, what) == 0)
		return;
	free(j->said);
	j->said = strdup(what);
	export_say("%s%s%s: %s", j->script->name, j->node ? " on " : "", j->node ? j->node : "", what);
}

/* -- its share -- */

/* What a script takes of the service itself, or of the kernel, is not measured. */
static bool
has_share(const struct export_job *j)
{
	return j->script->metrics.share && j->node;
}

/* What it may take in so many seconds. */
static int64_t
share_of(const struct export_job *j, int64_t s)
{
	return (int64_t)j->script->metrics.share * s;
}

/* Counts what it has taken since the last look, and what it was allowed in that time. */
static void
pay(struct export_job *j, uint64_t taken)
{
	uint64_t now = mono_ns();
	double allowed = (double)(now - j->looked) * (double)j->script->metrics.share / 1e9;
	j->looked = now;
	j->owes += (int64_t)taken - (int64_t)allowed;
	if (j->owes < -share_of(j, EXP_SAVED_S * 10))
		j->owes = -share_of(j, EXP_SAVED_S * 10);
}

/* Returns how long it has to rest. At least some seconds, because the guard ends a script that has not used up its
 * share yet. */
static unsigned
rest_ms(struct export_job *j)
{
	pay(j, 0);
	int64_t missing = j->owes + share_of(j, EXP_SAVED_S);
	double ms = (double)missing / (double)j->script->metrics.share * 1000;
	const double least = EXP_SAVED_S * 1000, most = EXP_REST_MOST_MS;
	return (unsigned)(ms < least ? least : ms < most ? ms : most);
}

/* -- what the library calls -- */

static struct export_place *
locked(struct export_job *j)
{
	pthread_mutex_lock(&j->script->lock);
	return j->script->places[j->place];
}

static void
unlock(struct export_job *j)
{
	pthread_mutex_unlock(&j->script->lock);
}

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	struct export_job *j = arg;
	(void)e;
	locked(j)->errors++;
	unlock(j);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	struct export_job *j = arg;
	if (d->kind <= ET_DROP_NODE)
		locked(j)->drops[d->kind] += d->drops ? d->drops : 1;
	unlock(j);
	if (d->kind == ET_DROP_OVERHEAD && has_share(j))
		j->resting = true;
	else if (d->kind == ET_DROP_OVERHEAD) {
		j->guarded = true;
		say(j, d->msg);
	}
	return ET_HANDLE_OK;
}

/* Called before and after a clear() or trunc(). */
struct clearing {
	struct export_job *j;
	struct et *h;
	bool before;
};

static void
on_clear(void *arg)
{
	struct clearing *c = arg;
	c->before = !c->before;
	if (c->before)
		values_take(c->j->script, c->j->place, c->h, true);
	else
		values_cleared(c->j->script, c->j->place, c->h);
}

static enum et_handle
on_alert(const struct et_probedata *d, const struct et_alertdata *a, void *arg)
{
	struct export_job *j = arg;
	alerts_fire(j->alerts, j->script->name, j->node, d, a);
	return ET_HANDLE_OK;
}

static enum et_consume
on_probe(const struct et_probedata *d, void *arg)
{
	(void)d;
	(void)arg;
	return ET_CONSUME_THIS;
}

static enum et_consume
on_record(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	struct export_job *j = arg;
	(void)d;
	if (!rec) {
		locked(j)->records++;
		unlock(j);
	}
	return ET_CONSUME_THIS;
}

/* -- one life of the script -- */

static bool
set_options(struct export_job *j, struct et *h)
{
	char rate[32];
	const struct export_script *s = j->script;
	long long ms = j->interval / 1000000;
	if (has_share(j) && ms > EXP_LOOK_MS)
		ms = EXP_LOOK_MS;
	snprintf(rate, sizeof rate, "%lldms", ms);
	bool ok = et_setopt(h, "quiet", NULL) == 0 && et_setopt(h, "defaultargs", NULL) == 0 &&
		  et_setopt(h, "aggrate", rate) == 0 && et_setopt(h, "switchrate", rate) == 0 &&
		  et_setopt(h, "statusrate", rate) == 0;
	for (unsigned i = 0; ok && i < s->nopts; i++)
		ok = et_setopt(h, s->opts[i].name, s->opts[i].value) == 0;
	return ok;
}

static bool
take_helper(struct export_job *j, struct et *h)
{
	if (!j->node || !j->helper->keeper)
		return true;
	pthread_mutex_lock(&j->helper->lock);
	int rc = et_set_helper(h, j->helper->keeper);
	pthread_mutex_unlock(&j->helper->lock);
	return rc == 0;
}

/* Everything up to et_go(). */
static bool
begin(struct export_job *j, struct et *h, struct clearing *c)
{
	const struct export_script *s = j->script;
	struct et_proginfo info;
	if (!set_options(j, h) || !take_helper(j, h) || (j->node && et_attach(h, j->node, j->cookie) != 0))
		return false;
	/* as a file, so that errors say its name */
	FILE *fp = fmemopen(s->text, strlen(s->text), "r");
	if (!fp)
		return false;
	struct et_prog *p = et_program_fcompile(h, fp, s->name, 0, (int)s->argc, (const char *const *)s->argv);
	fclose(fp);
	if (!p)
		return false;
	et_handle_err(h, on_error, j);
	et_handle_drop(h, on_drop, j);
	et_handle_clear(h, on_clear, c);
	et_handle_alert(h, on_alert, j);
	return et_program_exec(h, p, &info) == 0 && et_go(h) == 0;
}

/* -- what it would have counted while it rested -- */

/* The run begins. */
static void
estimate_begin(struct export_job *j)
{
	j->began = j->looked;
	j->rested = j->ended ? j->rested + (j->began - j->ended) : 0;
	j->ended = 0;
	j->noting = j->rested > 0;
	if (j->noting)
		values_note(j->script, j->place, true);
}

static bool
is_sample(const struct export_job *j, uint64_t until)
{
	return until >= j->began + EXP_SAMPLE_MS * (uint64_t)1000000;
}

/* The first second of the run is over, or the run. What was noted is of the time until then. */
static void
estimate_end(struct export_job *j, uint64_t until)
{
	if (!j->noting)
		return;
	j->noting = false;
	values_note(j->script, j->place, false);
	if (!is_sample(j, until))
		return;
	values_estimate(j->script, j->place, (double)j->rested / (double)(until - j->began));
	j->give_from = j->gave = mono_ns();
	j->give_ns = j->rested;
	j->rested = 0;
}

/* The run is over, and nobody knows until when it was as it should be. */
static void
estimate_nothing(struct export_job *j)
{
	estimate_end(j, j->began);
}

/* Called now and then. */
static void
give(struct export_job *j)
{
	uint64_t now = mono_ns();
	if (!j->give_ns || now < j->gave + GIVE_NS)
		return;
	double part = (double)(now - j->give_from) / (double)j->give_ns;
	j->gave = now;
	values_give(j->script, j->place, part < 1 ? part : 1);
	if (part >= 1)
		j->give_ns = 0;
}

/* ended: ns, when it was still running for the last time; 0 if it runs on. */
static void
take(struct export_job *j, struct et *h, uint64_t ended)
{
	struct et_cost cost;
	uint64_t spent = 0, before = j->looked;
	values_take(j->script, j->place, h, false);
	/* in the kernel, asking is what makes it cost something */
	if (j->node && et_cost(h, &cost) == 0 && cost.known && cost.spent > j->spent) {
		spent = cost.spent - j->spent;
		j->spent = cost.spent;
	}
	pay(j, spent * EXP_MARGIN);
	struct export_place *p = locked(j);
	p->spent_ns += spent;
	p->ran_ns += (ended ? ended : j->looked) - before;
	unlock(j);
}

static void
set_attached(struct export_job *j, bool attached)
{
	struct export_place *p = locked(j);
	if (attached != j->attached)
		p->attached += attached ? 1u : -1u;
	p->attaches += attached;
	j->attached = attached;
	unlock(j);
}

static void
note_failure(struct export_job *j, struct et *h)
{
	if (atomic_load(&j->stop))
		return;
	locked(j)->failures++;
	unlock(j);
	say(j, et_errmsg(h, et_errno(h)));
}

/* How a life ended. */
enum end { END_FAILED, END_LOST, END_EXITED, END_RESTS };

/* ran: ns, when it was still running for the last time, or when it was ended if this job has ended it. */
static enum end
how_it_ended(struct export_job *j, struct et *h, uint64_t ran)
{
	/* exit() first: it may come while the job ends it for another reason */
	if (et_status(h) == ET_STATUS_EXITED) {
		estimate_nothing(j);
		return END_EXITED;
	}
	if (!j->resting) {
		estimate_nothing(j);
		return END_LOST;
	}
	estimate_end(j, ran);
	j->ended = ran;
	return END_RESTS;
}

static enum end
go_on(struct export_job *j, struct et *h, FILE *nowhere)
{
	for (;;) {
		et_sleep(h);
		/* Work that has to end it first has it ended, and then fetches the rest, which takes long on a busy
		 * node. */
		uint64_t ran = mono_ns();
		enum et_workstatus s = et_work(h, nowhere, on_probe, on_record, j);
		uint64_t fetched = ran + (mono_ns() - ran) / 2; /* about then */
		take(j, h, s == ET_WORKSTATUS_OKAY ? 0 : ran);
		give(j);
		if (s == ET_WORKSTATUS_ERROR) {
			note_failure(j, h);
			estimate_nothing(j);
			return END_LOST;
		}
		if (s == ET_WORKSTATUS_DONE)
			return how_it_ended(j, h, ran);
		if (!has_share(j) || j->resting || !is_sample(j, fetched))
			continue;
		estimate_end(j, fetched);
		if (j->owes > 0) {
			/* Not by et_interrupt(): the next turn would end it and fetch the rest, and nobody would know
			 * when it was off. */
			j->resting = true;
			et_stop(h);
		}
	}
}

static void
set_handle(struct export_job *j, struct et *h)
{
	pthread_mutex_lock(&j->lock);
	j->h = h;
	if (h && atomic_load(&j->stop))
		et_interrupt(h);
	pthread_mutex_unlock(&j->lock);
}

/* It is not attached any more, and nobody knows what its gauges are now. */
static void
gone(struct export_job *j)
{
	if (!j->attached)
		return;
	set_attached(j, false);
	values_gone(j->script, j->place);
}

static enum end
run(struct export_job *j, struct et *h, FILE *nowhere)
{
	if (!j->attached)
		say(j, j->node ? "attached" : "started");
	set_attached(j, true);
	j->resting = false;
	pay(j, EXP_START_NS);
	estimate_begin(j);
	enum end end = go_on(j, h, nowhere);
	if (end == END_RESTS) {
		char what[128];
		snprintf(what, sizeof what,
		    "takes more than its share, %g %% of a scheduler, so it runs for a part of the time; the rest is estimated",
		    (double)j->script->metrics.share / 1e7);
		say(j, what);
		return end;
	}
	if (!atomic_load(&j->stop) && !j->guarded)
		say(j, end == END_EXITED ? "the script called exit()" : "lost; trying again");
	gone(j);
	return end;
}

static enum end
live(struct export_job *j)
{
	int err = ET_ENOMEM;
	enum end end = END_FAILED;
	FILE *nowhere = fopen("/dev/null", "we");
	struct et *h = nowhere ? et_open(ET_VERSION, &err) : NULL;
	struct clearing clearing = {.j = j, .h = h};
	j->guarded = false;
	j->spent = 0;
	if (!h)
		say(j, nowhere ? et_errmsg(NULL, err) : strerror(errno));
	else {
		set_handle(j, h);
		if (begin(j, h, &clearing))
			end = run(j, h, nowhere);
		else {
			gone(j);
			note_failure(j, h);
			j->ended = 0; /* nobody knows what the node did since */
		}
		set_handle(j, NULL);
	}
	et_close(h);
	if (nowhere)
		fclose(nowhere);
	return end;
}

/* Waits, but not longer than until it is told to stop. */
static void
pause_ms(struct export_job *j, unsigned ms)
{
	for (uint64_t until = mono_ms() + ms; mono_ms() < until && !atomic_load(&j->stop);) {
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
		give(j);
	}
}

static void *
work(void *arg)
{
	struct export_job *j = arg;
	unsigned wait = EXP_RETRY_MS;
	j->looked = mono_ns();
	j->owes = -share_of(j, EXP_SAVED_S);
	while (!atomic_load(&j->stop)) {
		enum end end = live(j);
		if (end == END_EXITED && !j->guarded)
			break;
		if (end == END_RESTS) {
			pause_ms(j, rest_ms(j));
			continue;
		}
		if (end == END_LOST)
			wait = EXP_RETRY_MS;
		pause_ms(j, j->guarded ? EXP_GUARD_MS : wait);
		wait = wait * 2 < EXP_RETRY_MOST_MS ? wait * 2 : EXP_RETRY_MOST_MS;
	}
	gone(j);
	atomic_store(&j->over, true);
	return NULL;
}

struct export_job *
job_start(struct export_script *s, unsigned place, const char *node, const struct conf *c, struct alerts *alerts,
    struct export_helper *helper)
{
	struct export_job *j = calloc(1, sizeof *j);
	int err = ENOMEM;
	if (!j)
		return NULL;
	j->place = place;
	j->interval = c->interval;
	j->alerts = alerts;
	j->helper = helper;
	j->node = node ? strdup(node) : NULL;
	j->cookie = c->cookie ? strdup(c->cookie) : NULL;
	pthread_mutex_init(&j->lock, NULL);
	j->script = script_keep(s);
	if ((!node || j->node) && (!c->cookie || j->cookie))
		err = pthread_create(&j->thread, NULL, work, j);
	if (!err)
		return j;
	pthread_mutex_destroy(&j->lock);
	script_drop(j->script);
	free(j->node);
	free(j->cookie);
	free(j);
	errno = err;
	return NULL;
}

void
job_stop(struct export_job *j)
{
	atomic_store(&j->stop, true);
	pthread_mutex_lock(&j->lock);
	if (j->h)
		et_interrupt(j->h);
	pthread_mutex_unlock(&j->lock);
}

void
job_free(struct export_job *j)
{
	pthread_join(j->thread, NULL);
	pthread_mutex_destroy(&j->lock);
	script_drop(j->script);
	free(j->node);
	free(j->cookie);
	free(j->said);
	free(j);
}
