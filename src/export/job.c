/*
 * One script on one node. Its thread attaches, compiles, runs the script, and takes what it aggregates every interval.
 * When the node is gone, or does not answer, it begins again, until the service ends it. What was counted stays in the
 * script's store.
 *
 * A script that calls exit() is done. One that the overhead guard ended is left alone for some minutes.
 */
#include "export/export.h"

#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
	if (d->kind == ET_DROP_OVERHEAD) {
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
	snprintf(rate, sizeof rate, "%lldms", (long long)(j->interval / 1000000));
	bool ok = et_setopt(h, "quiet", NULL) == 0 && et_setopt(h, "defaultargs", NULL) == 0 &&
		  et_setopt(h, "aggrate", rate) == 0 && et_setopt(h, "switchrate", rate) == 0 &&
		  et_setopt(h, "statusrate", rate) == 0;
	for (unsigned i = 0; ok && i < s->nopts; i++)
		ok = et_setopt(h, s->opts[i].name, s->opts[i].value) == 0;
	return ok;
}

/* Everything up to et_go(). */
static bool
begin(struct export_job *j, struct et *h, struct clearing *c)
{
	const struct export_script *s = j->script;
	struct et_proginfo info;
	if (!set_options(j, h) || (j->node && et_attach(h, j->node, j->cookie) != 0))
		return false;
	struct et_prog *p =
	    et_program_strcompile(h, s->text, ET_PROBESPEC_NAME, 0, (int)s->argc, (const char *const *)s->argv);
	if (!p)
		return false;
	et_handle_err(h, on_error, j);
	et_handle_drop(h, on_drop, j);
	et_handle_clear(h, on_clear, c);
	et_handle_alert(h, on_alert, j);
	return et_program_exec(h, p, &info) == 0 && et_go(h) == 0;
}

static void
take(struct export_job *j, struct et *h)
{
	struct et_cost cost;
	values_take(j->script, j->place, h, false);
	/* in the kernel, asking is what makes it cost something */
	if (!j->node || et_cost(h, &cost) != 0 || !cost.known || cost.spent <= j->spent)
		return;
	locked(j)->spent_ns += cost.spent - j->spent;
	unlock(j);
	j->spent = cost.spent;
}

static void
set_attached(struct export_job *j, bool attached)
{
	struct export_place *p = locked(j);
	p->attached += attached ? 1u : -1u;
	p->attaches += attached;
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
enum end { END_FAILED, END_LOST, END_EXITED };

static enum end
go_on(struct export_job *j, struct et *h, FILE *nowhere)
{
	for (;;) {
		et_sleep(h);
		enum et_workstatus s = et_work(h, nowhere, on_probe, on_record, j);
		take(j, h);
		if (s == ET_WORKSTATUS_ERROR) {
			note_failure(j, h);
			return END_LOST;
		}
		if (s == ET_WORKSTATUS_DONE)
			return et_status(h) == ET_STATUS_EXITED ? END_EXITED : END_LOST;
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
		if (begin(j, h, &clearing)) {
			say(j, j->node ? "attached" : "started");
			set_attached(j, true);
			end = go_on(j, h, nowhere);
			set_attached(j, false);
			if (!atomic_load(&j->stop) && !j->guarded)
				say(j, end == END_EXITED ? "the script called exit()" : "lost; trying again");
			values_gone(j->script, j->place);
		} else
			note_failure(j, h);
		set_handle(j, NULL);
	}
	et_close(h);
	if (nowhere)
		fclose(nowhere);
	return end;
}

/* Waits, but not longer than until it is told to stop. */
static void
pause_ms(const struct export_job *j, unsigned ms)
{
	for (uint64_t until = mono_ms() + ms; mono_ms() < until && !atomic_load(&j->stop);)
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static void *
work(void *arg)
{
	struct export_job *j = arg;
	unsigned wait = EXP_RETRY_MS;
	while (!atomic_load(&j->stop)) {
		enum end end = live(j);
		if (end == END_EXITED && !j->guarded)
			break;
		if (end == END_LOST)
			wait = EXP_RETRY_MS;
		pause_ms(j, j->guarded ? EXP_GUARD_MS : wait);
		wait = wait * 2 < EXP_RETRY_MOST_MS ? wait * 2 : EXP_RETRY_MOST_MS;
	}
	atomic_store(&j->over, true);
	return NULL;
}

struct export_job *
job_start(struct export_script *s, unsigned place, const char *node, const struct conf *c, struct alerts *alerts)
{
	struct export_job *j = calloc(1, sizeof *j);
	if (!j)
		return NULL;
	j->place = place;
	j->interval = c->interval;
	j->alerts = alerts;
	j->node = node ? strdup(node) : NULL;
	j->cookie = c->cookie ? strdup(c->cookie) : NULL;
	pthread_mutex_init(&j->lock, NULL);
	if ((node && !j->node) || (c->cookie && !j->cookie) ||
	    pthread_create(&j->thread, NULL, work, (j->script = script_keep(s), j)) != 0) {
		script_drop(j->script);
		free(j->node);
		free(j->cookie);
		free(j);
		return NULL;
	}
	return j;
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
