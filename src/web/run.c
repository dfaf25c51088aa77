/* A run: its legs, its own thread that makes frames of what they hand over, and the frames and lines that are kept. */
#include "web/web.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- the log -- */

/* r->lock is held. */
static void
drop_line(struct run *r)
{
	char **line = &r->log[r->log_first++ % RUN_LOG];
	size_t n = *line ? strlen(*line) + 1 : 0;
	r->log_bytes -= n;
	budget_give(r->budget, n);
	free(*line);
	*line = NULL;
}

void
run_log_line(struct run *r, char *line)
{
	if (!line)
		return;
	size_t n = strlen(line) + 1;
	pthread_mutex_lock(&r->lock);
	while (r->logged - r->log_first >= RUN_LOG || (r->log_first < r->logged && r->log_bytes + n > RUN_LOG_BYTES))
		drop_line(r);
	bool ok;
	while (!(ok = budget_take(r->budget, n)) && r->log_first < r->logged)
		drop_line(r);
	if (ok) {
		r->log[r->logged++ % RUN_LOG] = line;
		r->log_bytes += n;
	} else
		r->log_first = ++r->logged; /* it counts as lost */
	pthread_mutex_unlock(&r->lock);
	if (!ok)
		free(line);
}

bool
run_log(struct run *r, uint64_t *next, uint64_t *lost, size_t most, struct sbuf *b)
{
	pthread_mutex_lock(&r->lock);
	uint64_t first = r->log_first, i = *next;
	size_t start = b->len;
	*lost = i < first ? first - i : 0;
	if (i < first)
		i = first;
	bool any = i < r->logged;
	sb_addc(b, '[');
	for (; i < r->logged && b->len - start < most; i++) {
		if (b->len - start > 1)
			sb_addc(b, ',');
		sb_adds(b, r->log[i % RUN_LOG]);
	}
	sb_addc(b, ']');
	*next = i;
	pthread_mutex_unlock(&r->lock);
	return any;
}

/* -- frames -- */

static void
drop_first_past(struct run *r)
{
	struct frame **f = &r->past[r->first_past % RUN_PAST];
	r->past_bytes -= (*f)->text.len;
	frame_drop(*f);
	*f = NULL;
	r->first_past = r->past[(r->first_past + 1) % RUN_PAST] ? r->first_past + 1 : 0;
}

/* Keeps a frame. The oldest kept frame is always a whole one; a frame that does not fit pushes out the oldest ones. */
static void
keep(struct run *r, struct frame *f)
{
	r->too_big = f->text.len > RUN_PAST_BYTES / 2;
	if (r->too_big || (!f->whole && !r->first_past)) {
		while (r->first_past)
			drop_first_past(r);
		return;
	}
	while (r->first_past && (f->seq - r->first_past >= RUN_PAST || r->past_bytes + f->text.len > RUN_PAST_BYTES ||
				    r->past[r->first_past % RUN_PAST]->ms + RUN_PAST_MS < f->ms))
		do
			drop_first_past(r);
		while (r->first_past && !r->past[r->first_past % RUN_PAST]->whole);
	if (!r->first_past && !f->whole)
		return;
	if (!r->first_past)
		r->first_past = f->seq;
	atomic_fetch_add(&f->refs, 1);
	r->since_key = f->whole ? 0 : r->since_key + f->text.len;
	r->past[f->seq % RUN_PAST] = f;
	r->past_bytes += f->text.len;
}

/* Returns whether to keep a frame as a whole one. The oldest frames are dropped up to the next whole one. r->lock is
 * held. */
static bool
is_key(const struct run *r, uint64_t seq)
{
	return !r->too_big && (!r->first_past || seq % RUN_KEY_EVERY == 1 || r->since_key > RUN_PAST_BYTES / 8);
}

static void
show_frames(struct run *r, struct frame *part, struct frame *whole)
{
	pthread_mutex_lock(&r->lock);
	struct frame *old[2] = {r->part, whole ? r->whole : NULL};
	if (r->form == RUN_FRAMES) {
		bool key = whole && (!part || is_key(r, r->seq));
		keep(r, key ? whole : part);
	}
	r->part = part;
	if (whole)
		r->whole = whole;
	pthread_mutex_unlock(&r->lock);
	frame_drop(old[0]);
	frame_drop(old[1]);
	r->wake(r->wakearg);
}

/* Takes the sheets that the legs have handed over. */
static void
take_sheets(struct run *r, struct frame **plain)
{
	for (unsigned i = 0; i < r->nlegs; i++) {
		struct leg *l = &r->legs[i];
		l->fresh = false;
		if (l->next) {
			sheet_free(l->shown);
			l->shown = l->next;
			l->next = NULL;
		}
		if (l->plain) {
			frame_drop(*plain);
			*plain = l->plain;
			l->plain = NULL;
		}
	}
}

static bool
publish(struct run *r, struct frame *plain, bool last)
{
	struct frame *part = NULL, *whole = NULL;
	if (r->form != RUN_FRAMES) {
		if (plain) {
			plain->seq = ++r->seq;
			show_frames(r, NULL, plain);
		}
		return true;
	}
	pthread_mutex_lock(&r->lock);
	bool want = r->want_whole || last || is_key(r, r->seq + 1);
	r->want_whole = false;
	pthread_mutex_unlock(&r->lock);
	if (!frame_build(r, want, &part, &whole)) {
		frame_drop(part);
		frame_drop(whole);
		return false;
	}
	show_frames(r, part, whole);
	return true;
}

struct frame *
run_frame(struct run *r, uint64_t seq, uint64_t *past)
{
	struct frame *f = NULL;
	pthread_mutex_lock(&r->lock);
	uint64_t newest = r->part ? r->part->seq : 0;
	if (r->whole && r->whole->seq > newest)
		newest = r->whole->seq;
	if (*past == RUN_ALL_PAST && newest)
		*past = newest;
	if (newest > seq) {
		/* the oldest is whole: a reader too slow for those before goes on from it */
		uint64_t want = seq + 1 > r->first_past ? seq + 1 : r->first_past;
		if (r->first_past && want <= *past && *past <= newest)
			f = r->past[want % RUN_PAST];
		if (!f)
			*past = *past == RUN_ALL_PAST ? *past : 0;
		if (f)
			;
		else if (seq && r->part && r->part->seq == seq + 1)
			f = r->part;
		else if (r->whole && r->whole->seq == newest)
			f = r->whole;
		else
			r->want_whole = true;
	}
	if (f)
		atomic_fetch_add(&f->refs, 1);
	pthread_mutex_unlock(&r->lock);
	return f;
}

/* -- the run's thread -- */

enum run_news { NEWS_NONE, NEWS_SHEETS, NEWS_OVER };

/* Waits until every running leg has handed something over, but not long for slow ones, or until all have ended.
 * r->lock is held. */
static enum run_news
wait_for_news(struct run *r)
{
	uint64_t until = 0, patience = (uint64_t)(r->interval < 1000 ? r->interval : 1000) * 500000u;
	for (;;) {
		unsigned fresh = 0, waited_for = 0, over = 0;
		for (unsigned i = 0; i < r->nlegs; i++) {
			struct leg *l = &r->legs[i];
			fresh += l->fresh;
			over += l->over;
			waited_for += !l->fresh && !l->over && l->state == RUN_GOING;
		}
		if (over == r->nlegs)
			return NEWS_OVER;
		uint64_t now = mono_ns();
		if (fresh && !until)
			until = now + patience;
		if (fresh && (!waited_for || now >= until))
			return NEWS_SHEETS;
		if (!fresh)
			pthread_cond_wait(&r->news, &r->lock);
		else {
			struct timespec ts = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
			pthread_cond_timedwait(&r->news, &r->lock, &ts);
		}
	}
}

/* All legs have ended: sets the run's final state. r->lock is held. */
static void
conclude(struct run *r, bool failed)
{
	const struct leg *best = &r->legs[0];
	for (unsigned i = 1; i < r->nlegs && best->state == RUN_FAILED; i++)
		if (r->legs[i].state != RUN_FAILED)
			best = &r->legs[i];
	r->state = failed ? RUN_FAILED : best->state;
	r->why = strdup(failed ? "out of memory" : best->why ? best->why : "");
}

static void *
work(void *arg)
{
	struct run *r = arg;
	bool failed = false;
	for (enum run_news what = NEWS_NONE; what != NEWS_OVER;) {
		struct frame *plain = NULL;
		pthread_mutex_lock(&r->lock);
		what = wait_for_news(r);
		bool any = false;
		for (unsigned i = 0; i < r->nlegs; i++)
			any |= r->legs[i].fresh;
		take_sheets(r, &plain);
		pthread_mutex_unlock(&r->lock);
		if (!any || failed)
			frame_drop(plain);
		else if (!publish(r, plain, what == NEWS_OVER)) {
			failed = true;
			run_stop(r);
		}
	}
	for (unsigned i = 0; i < r->nlegs; i++)
		pthread_join(r->legs[i].thread, NULL);
	pthread_mutex_lock(&r->lock);
	conclude(r, failed);
	pthread_mutex_unlock(&r->lock);
	atomic_store(&r->over, true);
	r->wake(r->wakearg);
	return NULL;
}

/* -- from outside -- */

static void
give_back(struct run *r)
{
	for (unsigned i = 0; i < r->nopts; i++) {
		free((char *)r->opts[i].name);
		free((char *)r->opts[i].value);
	}
	free(r->opts);
	while (r->log_first < r->logged)
		drop_line(r);
	run_alerts_free(r);
	while (r->first_past)
		drop_first_past(r);
	frame_drop(r->part);
	frame_drop(r->whole);
	for (unsigned i = 0; i < r->nlegs; i++)
		leg_free(&r->legs[i]);
	elems_free(&r->elems);
	budget_drop(r->aggs);
	budget_drop(r->all_aggs);
	budget_drop(r->budget);
	free(r->name);
	free(r->script);
	free(r->cookie);
	free(r->why);
	pthread_cond_destroy(&r->news);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* The engine's part grows with the number of processors. */
static size_t
memory_of_one(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t by_cpu = RUN_MEMORY / 2 + (size_t)(cpus > 0 ? cpus : 1) * RUN_MEMORY_CPU;
	return by_cpu > RUN_MEMORY ? by_cpu : RUN_MEMORY;
}

static bool
copy_conf(struct run *r, const struct run_conf *c)
{
	r->name = strdup(c->name);
	r->script = strdup(c->script);
	r->cookie = c->cookie ? strdup(c->cookie) : NULL;
	r->interval = c->interval;
	r->destructive = c->destructive;
	r->kernel = c->kernel;
	r->budget = budget_new(memory_of_one(), c->budget);
	/* only a part of it, so that there is memory left to show it */
	r->aggs = r->budget ? budget_new(RUN_MEMORY / 2, r->budget) : NULL;
	r->all_aggs = budget_ref(c->aggs);
	r->merged = c->merged;
	r->form = c->form;
	bool ok = r->name && r->script && (r->cookie || !c->cookie) && r->aggs;
	r->nlegs = c->nnodes ? c->nnodes : 1;
	for (unsigned i = 0; i < r->nlegs; i++) {
		r->legs[i].r = r;
		r->legs[i].overhead = -1;
		r->legs[i].node = c->nnodes ? strdup(c->nodes[i]) : NULL;
		ok = ok && (!c->nnodes || r->legs[i].node);
	}
	r->opts = c->nopts ? calloc(c->nopts, sizeof *r->opts) : NULL;
	for (unsigned i = 0; r->opts && i < c->nopts; i++) {
		r->opts[i].name = strdup(c->opts[i].name);
		r->opts[i].value = strdup(c->opts[i].value);
		ok = ok && r->opts[i].name && r->opts[i].value;
		r->nopts++;
	}
	return ok && r->nopts == c->nopts;
}

/* Starts all threads. Legs that cannot be started have ended, with their reason. */
static bool
start(struct run *r)
{
	unsigned started = 0;
	while (started < r->nlegs && leg_start(&r->legs[started]))
		started++;
	if (started == r->nlegs && pthread_create(&r->thread, NULL, work, r) == 0)
		return true;
	run_stop(r);
	for (unsigned i = 0; i < started; i++)
		pthread_join(r->legs[i].thread, NULL);
	return false;
}

struct run *
run_start(const struct run_conf *c, unsigned id, void (*wake)(void *arg), void *arg)
{
	pthread_condattr_t attr;
	struct run *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->news, &attr);
	pthread_condattr_destroy(&attr);
	r->id = id;
	r->began = mono_ns();
	r->started = clock_ns(CLOCK_REALTIME) / 1000000;
	r->wake = wake;
	r->wakearg = arg;
	if (!copy_conf(r, c) || !start(r)) {
		give_back(r);
		return NULL;
	}
	return r;
}

void
run_stop(struct run *r)
{
	atomic_store(&r->stop, true);
	pthread_mutex_lock(&r->lock);
	for (unsigned i = 0; i < r->nlegs; i++)
		if (r->legs[i].h)
			et_interrupt(r->legs[i].h);
	pthread_mutex_unlock(&r->lock);
}

void
run_tick(struct run *r)
{
	if (mono_ns() - r->began < (uint64_t)WEB_START_MS * 1000000u)
		return;
	pthread_mutex_lock(&r->lock);
	for (unsigned i = 0; i < r->nlegs; i++)
		if (r->legs[i].h && r->legs[i].state == RUN_STARTING && !r->legs[i].late) {
			r->legs[i].late = true;
			et_interrupt(r->legs[i].h);
		}
	pthread_mutex_unlock(&r->lock);
}

void
run_free(struct run *r)
{
	run_stop(r);
	pthread_join(r->thread, NULL);
	give_back(r);
}

/* -- what there is to say -- */

static const char *const states[] = {"starting", "running", "ended", "failed"};

static void
member(struct sbuf *b, const char *name, const char *text)
{
	sb_printf(b, ",\"%s\":", name);
	if (text)
		web_text(b, text, strlen(text));
	else
		sb_adds(b, "null");
}

void
run_legs_json(const struct run *r, struct sbuf *b)
{
	sb_addc(b, '[');
	for (unsigned i = 0; i < r->nlegs; i++) {
		const struct leg *l = &r->legs[i];
		sb_printf(b,
		    "%s{\"state\":\"%s\",\"matches\":%u,\"events\":%" PRIu64 ",\"rate\":%.1f,\"drops\":%" PRIu64
		    ",\"errors\":%" PRIu64 ",\"limit\":%u,\"guard\":%s,\"overhead\":",
		    i ? "," : "", states[l->state], l->matches, l->events, l->rate, l->drops, l->errors, l->limit,
		    l->guard ? "true" : "false");
		if (l->overhead < 0)
			sb_adds(b, "null");
		else
			sb_printf(b, "%.3f", l->overhead);
		member(b, "name", l->node);
		member(b, "why", l->why);
		sb_addc(b, '}');
	}
	sb_addc(b, ']');
}

void
run_json(struct run *r, struct sbuf *b, unsigned watchers)
{
	pthread_mutex_lock(&r->lock);
	uint64_t events = 0, drops = 0, errors = 0;
	unsigned matches = 0;
	double rate = 0;
	bool guard = false;
	const char *diag = NULL;
	for (unsigned i = 0; i < r->nlegs; i++) {
		const struct leg *l = &r->legs[i];
		events += l->events;
		drops += l->drops;
		errors += l->errors;
		rate += l->rate;
		matches += l->matches;
		guard |= l->guard;
		diag = diag ? diag : l->diag;
	}
	bool stopping = atomic_load(&r->stop) && r->state < RUN_ENDED;
	sb_printf(b,
	    "{\"id\":%u,\"state\":\"%s\",\"interval\":%u,\"started\":%" PRIu64
	    ",\"watchers\":%u,\"matches\":%u,\"events\":%" PRIu64 ",\"rate\":%.1f,\"drops\":%" PRIu64
	    ",\"errors\":%" PRIu64 ",\"guard\":%s,\"merged\":%s",
	    r->id, stopping ? "stopping" : states[r->state], r->interval, r->started, watchers, matches, events, rate,
	    drops, errors, guard ? "true" : "false", r->merged ? "true" : "false");
	member(b, "name", r->name);
	member(b, "node", r->legs[0].node);
	member(b, "why", r->why);
	sb_adds(b, ",\"nodes\":");
	run_legs_json(r, b);
	sb_printf(b, ",\"diag\":%s}", diag ? diag : "null");
	pthread_mutex_unlock(&r->lock);
}
