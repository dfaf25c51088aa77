/* One leg of a run: one handle, from opening to closing, in its own thread. */
#include "web/web.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that a page may give with a script. None of them names a file. */
static const char *const page_options[] = {"aggsize", "bufsize", "counters", "dynvarsize", "jstackframes",
    "jstackstrsize", "maxfire", "maxframes", "maxoverhead", "nspec", "sample", "scratchsize", "specsize", "stackframes",
    "strsize", "termbytes", "termparts", "ustackframes", NULL};

enum { TURN_LEAST = 50, TURN_MOST = 250 }; /* ms between two looks at what came */

/* -- the log -- */

static void
log_text(struct leg *l, const char *kind, const char *probe, uint64_t ns, unsigned cpu, const char *text, size_t len)
{
	struct sbuf b = {0};
	sb_printf(&b, "{\"kind\":\"%s\",\"ns\":%" PRIu64 ",\"cpu\":%u,\"probe\":", kind, ns, cpu);
	web_text(&b, probe, strlen(probe));
	sb_adds(&b, ",\"text\":");
	web_text(&b, text, len < RUN_LINE ? len : RUN_LINE);
	if (l->r->nlegs > 1) {
		sb_adds(&b, ",\"node\":");
		web_text(&b, l->node, strlen(l->node));
	}
	sb_adds(&b, "}");
	run_log_line(l->r, sb_take(&b));
	sb_free(&b);
}

/* -- what the library calls -- */

static bool
is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static void
probe_name(const struct et_probe *p, struct sbuf *b)
{
	sb_printf(b, "%s:%s:%s:%s", p->provider, p->module, p->function, p->name);
}

static enum et_consume
on_probe(const struct et_probedata *d, void *arg)
{
	struct leg *l = arg;
	(void)d;
	l->nactions = 0;
	sb_clear(&l->record);
	return ET_CONSUME_THIS;
}

static enum et_consume
on_record(const struct et_probedata *d, const struct et_recdata *rec, void *arg)
{
	struct leg *l = arg;
	if (!rec) {
		l->records++;
		if (l->record.len || !l->nactions) {
			struct sbuf name = {0};
			probe_name(d->probe, &name);
			if (!name.failed && !l->record.failed)
				log_text(l, "record", name.at, d->timestamp, d->cpu, l->record.at ? l->record.at : "",
				    l->record.len);
			sb_free(&name);
		}
		return ET_CONSUME_THIS;
	}
	l->nactions++;
	if (l->record.len < RUN_LINE)
		sb_adds(&l->record, rec->text);
	return ET_CONSUME_THIS;
}

static enum et_handle
on_alert(const struct et_probedata *d, const struct et_alertdata *a, void *arg)
{
	struct leg *l = arg;
	if (a->condition && !a->again)
		log_text(l, a->over ? "over" : "alert", a->condition, d->timestamp, 0, a->text, strlen(a->text));
	run_alert(l, d, a);
	return ET_HANDLE_OK;
}

static enum et_handle
on_error(const struct et_errdata *e, void *arg)
{
	struct leg *l = arg;
	struct sbuf name = {0};
	probe_name(e->probe, &name);
	if (!name.failed)
		log_text(l, "error", name.at, 0, e->cpu, e->msg, strcspn(e->msg, "\n"));
	sb_free(&name);
	pthread_mutex_lock(&l->r->lock);
	l->errors++;
	pthread_mutex_unlock(&l->r->lock);
	return ET_HANDLE_OK;
}

static enum et_handle
on_drop(const struct et_dropdata *d, void *arg)
{
	struct leg *l = arg;
	log_text(l, "drop", "", 0, 0, d->msg, strcspn(d->msg, "\n"));
	pthread_mutex_lock(&l->r->lock);
	l->drops += d->drops;
	l->guard |= d->kind == ET_DROP_OVERHEAD;
	pthread_mutex_unlock(&l->r->lock);
	return ET_HANDLE_OK;
}

/* -- starting -- */

static void
set_state(struct leg *l, enum run_state st, const char *why, struct sbuf *diag)
{
	struct run *r = l->r;
	char *text = why ? strndup(why, RUN_LINE) : NULL;
	pthread_mutex_lock(&r->lock);
	l->state = st;
	if (st == RUN_GOING && r->state == RUN_STARTING)
		r->state = RUN_GOING;
	if (text) {
		free(l->why);
		l->why = text;
	}
	if (diag && diag->len && !l->diag)
		l->diag = sb_take(diag);
	pthread_mutex_unlock(&r->lock);
	r->wake(r->wakearg);
}

void
run_diag_json(struct et *h, struct sbuf *b)
{
	const struct et_diag *d = et_errno(h) == ET_ECOMPILE ? et_errdiag(h) : NULL;
	if (!d) {
		sb_adds(b, "null");
		return;
	}
	sb_adds(b, "{\"tag\":");
	web_text(b, d->tag ? d->tag : "", d->tag ? strlen(d->tag) : 0);
	sb_printf(b, ",\"line\":%u,\"col\":%u,\"len\":%u,\"msg\":", d->line, d->col, d->len);
	web_text(b, d->msg ? d->msg : "", d->msg ? strlen(d->msg) : 0);
	sb_adds(b, ",\"hint\":");
	if (d->hint)
		web_text(b, d->hint, strlen(d->hint));
	else
		sb_adds(b, "null");
	sb_addc(b, '}');
}

bool
run_check_program(const struct et_proginfo *info, bool destructive, const char **why)
{
	if (info->files)
		*why = "scripts of the page cannot name files: freopen(), ftruncate() and pcap() are for the command";
	else if (info->destructive && !destructive)
		*why = "destructive actions are not allowed here; the server must be started with -w for them";
	else
		return true;
	return false;
}

bool
run_check_options(struct et *h, bool destructive, size_t *engine, const char **why)
{
	static const char *const texts[] = {
	    "cpp", "cppargs", "cpphdrs", "cpppath", "incdir", "libdir", "syslibdir", "define", "undef", NULL};
	static const char *const sizes[] = {"aggsize", "bufsize", "dynvarsize", "specsize", "scratchsize", NULL};
	const char *text;
	int64_t num, sum = 0, nspec = 1;
	for (const char *const *o = texts; *o; o++) {
		num = 0;
		text = NULL;
		et_getopt(h, *o, &num, &text);
		if (num > 0 || text) {
			*why =
			    "scripts of the page cannot name files or run the preprocessor; use the command for that";
			return false;
		}
	}
	et_getopt(h, "nspec", &nspec, NULL);
	for (const char *const *o = sizes; *o; o++) {
		num = 0;
		et_getopt(h, *o, &num, NULL);
		if (num < 0 || num > RUN_MEMORY)
			num = RUN_MEMORY + 1;
		if (strcmp(*o, "specsize") == 0 && nspec > 1)
			num = nspec > RUN_MEMORY / (num + 1) ? RUN_MEMORY + 1 : num * nspec;
		sum += num;
	}
	num = 0;
	et_getopt(h, "strsize", &num, NULL);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	/* with many processors the defaults alone would need more than that */
	int64_t most = RUN_MEMORY / (cpus > 0 ? cpus : 1);
	most = most > RUN_MEMORY_CPU ? most : RUN_MEMORY_CPU;
	if (num > 2 << 20 || sum > most) {
		*why =
		    "the sizes that the script's options ask for are too large for the page: 512 MB in all, strings of 2 MB";
		return false;
	}
	if (engine)
		*engine = (size_t)sum * (size_t)(cpus > 0 ? cpus : 1);
	num = 0;
	et_getopt(h, "destructive", &num, NULL);
	if (num && !destructive) {
		*why = "destructive actions are not allowed here; the server must be started with -w for them";
		return false;
	}
	return true;
}

static bool
set_options(struct leg *l, struct et *h)
{
	struct run *r = l->r;
	char ms[32];
	/* several turns per interval, so that its end is met */
	snprintf(ms, sizeof ms, "%ums",
	    r->interval < 4 * TURN_LEAST  ? TURN_LEAST
	    : r->interval > 4 * TURN_MOST ? TURN_MOST
					  : r->interval / 4);
	bool ok = et_setopt(h, "quiet", NULL) == 0 && et_setopt(h, "defaultargs", NULL) == 0 &&
		  et_setopt(h, "switchrate", ms) == 0 && et_setopt(h, "aggrate", ms) == 0 &&
		  et_setopt(h, "statusrate", "500ms") == 0 &&
		  (!r->destructive || et_setopt(h, "destructive", NULL) == 0);
	for (unsigned i = 0; ok && i < r->nopts; i++) {
		if (!is_one_of(r->opts[i].name, page_options)) {
			set_state(l, RUN_FAILED, "this option cannot be set from the page", NULL);
			return false;
		}
		ok = et_setopt(h, r->opts[i].name, r->opts[i].value) == 0;
	}
	if (!ok)
		set_state(l, RUN_FAILED, et_errmsg(h, et_errno(h)), NULL);
	return ok;
}

static bool
on_memory(int64_t bytes, void *arg)
{
	const struct run *r = ((struct leg *)arg)->r;
	if (bytes < 0) {
		budget_give(r->aggs, (size_t)-bytes);
		budget_give(r->all_aggs, (size_t)-bytes);
		return true;
	}
	if (!budget_take(r->aggs, (size_t)bytes))
		return false;
	if (budget_take(r->all_aggs, (size_t)bytes))
		return true;
	budget_give(r->aggs, (size_t)bytes);
	return false;
}

static bool
fail(struct leg *l, const char *why)
{
	set_state(l, RUN_FAILED, l->late ? "it did not start within a minute" : why, NULL);
	return false;
}

/* Everything up to et_go(). */
static bool
begin(struct leg *l, struct et *h)
{
	struct run *r = l->r;
	const char *why;
	struct et_proginfo info;
	size_t engine = 0;
	if (!r->kernel)
		et_confine(h, web_no_kernel);
	if (!set_options(l, h))
		return false;
	if (l->node && web_attach(h, l->node, r->cookie, &r->stop) != 0)
		return fail(l, et_errmsg(h, et_errno(h)));
	const char *argv[] = {r->name};
	struct et_prog *p = et_program_strcompile(h, r->script, ET_PROBESPEC_NAME, 0, 1, argv);
	if (!p) {
		struct sbuf diag = {0};
		run_diag_json(h, &diag);
		set_state(
		    l, RUN_FAILED, l->late ? "it did not start within a minute" : et_errmsg(h, et_errno(h)), &diag);
		sb_free(&diag);
		return false;
	}
	if (!run_check_options(h, r->destructive, &engine, &why))
		return fail(l, why);
	if (atomic_load(&r->stop))
		return false;
	/* a script on a node uses the node's memory for its engine */
	if (!l->node && !budget_take(r->budget, engine))
		return fail(
		    l, "the memory for scripts is used up: stop another one first, or start the server with --memory");
	l->engine = l->node ? 0 : engine;
	et_handle_err(h, on_error, l);
	et_handle_drop(h, on_drop, l);
	et_handle_memory(h, on_memory, l);
	et_handle_alert(h, on_alert, l);
	if (et_program_exec(h, p, &info) != 0)
		return fail(l, et_errmsg(h, et_errno(h)));
	if (!run_check_program(&info, r->destructive, &why))
		return fail(l, why);
	if (et_go(h) != 0)
		return fail(l, et_errmsg(h, et_errno(h)));
	pthread_mutex_lock(&r->lock);
	int64_t limit = 0;
	et_getopt(h, "maxoverhead", &limit, NULL);
	l->matches = info.matches;
	l->limit = l->node && limit > 0 ? (unsigned)limit : 0; /* the guard runs in the node */
	pthread_mutex_unlock(&r->lock);
	set_state(l, RUN_GOING, NULL, NULL);
	return true;
}

/* -- going -- */

/* Events, their cost, and their rates since the last time. */
static void
measure(struct leg *l, struct et *h, uint64_t counted, uint64_t now)
{
	struct et_cost cost;
	double span = l->last_ns ? (double)(now - l->last_ns) / 1e9 : (double)l->r->interval / 1000;
	uint64_t all = counted + l->records, added = all > l->counted ? all - l->counted : 0;
	bool known = et_cost(h, &cost) == 0 && cost.known && l->last_ns;
	l->counted = all;
	l->last_ns = now;
	pthread_mutex_lock(&l->r->lock);
	l->events += added;
	l->rate = span > 0 ? (double)added / span : 0;
	l->overhead = known && span > 0 && cost.spent >= l->spent ? (double)(cost.spent - l->spent) / 1e7 / span : -1;
	pthread_mutex_unlock(&l->r->lock);
	l->spent = cost.spent;
}

/* Hands the current aggregations to the run's thread. */
static bool
hand_over(struct leg *l, struct et *h)
{
	struct run *r = l->r;
	struct sheet *s = NULL;
	struct frame *plain = NULL;
	uint64_t counted = 0;
	if (r->form == RUN_FRAMES) {
		s = sheet_take(h, r->budget, &l->bounds);
		counted = s ? s->counted : 0;
	} else if (frame_plain(h, r->form, r->budget, &plain, &counted))
		l->counted = 0; /* only what is new */
	if (!s && !plain)
		return false;
	measure(l, h, counted, mono_ns());
	if (plain)
		l->records = 0;
	pthread_mutex_lock(&r->lock);
	struct sheet *old = l->next;
	struct frame *missed = l->plain;
	l->next = s;
	l->plain = plain;
	l->fresh = true;
	pthread_cond_signal(&r->news);
	pthread_mutex_unlock(&r->lock);
	sheet_free(old);
	frame_drop(missed);
	return true;
}

/* Runs until the script or somebody else ends it. */
static void
go_on(struct leg *l, struct et *h, FILE *nowhere)
{
	uint64_t step = (uint64_t)l->r->interval * 1000000u, due = mono_ns() + step;
	for (;;) {
		et_sleep(h);
		uint64_t now = mono_ns();
		if (now < due && due - now <= TURN_LEAST * 1000000u && et_status(h) == ET_STATUS_OKAY) {
			/* the end of the interval is nearer than the next turn */
			nanosleep(&(struct timespec){.tv_nsec = (long)(due - now)}, NULL);
			now = mono_ns();
		}
		bool is_due = now + 2000000u >= due;
		if (is_due && et_status(h) == ET_STATUS_OKAY && et_aggregate_snap(h) != 0)
			break;
		enum et_workstatus s = et_work(h, nowhere, on_probe, on_record, l);
		if (s == ET_WORKSTATUS_ERROR)
			break;
		if (is_due || s == ET_WORKSTATUS_DONE) {
			due += step;
			if (due <= now)
				due = now + step;
			if (!hand_over(l, h)) {
				set_state(l, RUN_FAILED, "out of memory", NULL);
				return;
			}
		}
		if (s == ET_WORKSTATUS_DONE) {
			struct why why;
			bool exited = et_status(h) == ET_STATUS_EXITED;
			why_set(&why, "exit(%d)", et_exit_status(h));
			set_state(l, RUN_ENDED,
			    l->guard ? "stopped by the overhead guard"
			    : exited ? why.text
				     : "stopped",
			    NULL);
			return;
		}
	}
	set_state(l, RUN_FAILED, et_errmsg(h, et_errno(h)), NULL);
}

static void *
work(void *arg)
{
	struct leg *l = arg;
	struct run *r = l->r;
	int err = ET_ENOMEM;
	FILE *nowhere = fopen("/dev/null", "we");
	struct et *h = nowhere ? et_open(ET_VERSION, &err) : NULL;
	if (!h)
		set_state(l, RUN_FAILED, nowhere ? et_errmsg(NULL, err) : strerror(errno), NULL);
	else {
		pthread_mutex_lock(&r->lock);
		l->h = h;
		if (atomic_load(&r->stop))
			et_interrupt(h); /* it was stopped before there was anything to interrupt */
		pthread_mutex_unlock(&r->lock);
		if (begin(l, h))
			go_on(l, h, nowhere);
		else if (atomic_load(&r->stop))
			set_state(l, RUN_ENDED, "stopped", NULL);
		pthread_mutex_lock(&r->lock);
		l->h = NULL;
		pthread_mutex_unlock(&r->lock);
	}
	et_close(h);
	budget_give(r->budget, l->engine);
	if (nowhere)
		fclose(nowhere);
	pthread_mutex_lock(&r->lock);
	l->over = true;
	pthread_cond_signal(&r->news);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

bool
leg_start(struct leg *l)
{
	l->overhead = -1;
	l->started = pthread_create(&l->thread, NULL, work, l) == 0;
	return l->started;
}

void
leg_free(struct leg *l)
{
	free(l->node);
	free(l->why);
	free(l->diag);
	sheet_free(l->next);
	sheet_free(l->shown);
	frame_drop(l->plain);
	sb_free(&l->record);
	bounds_free(&l->bounds);
}
