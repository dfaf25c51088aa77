/* See sample.h. */
#include "sample.h"

#include "base/clock.h"
#include "event.h"
#include "frames.h"
#include "tracer.h"

int
sample_take(struct samples *s, unsigned script, unsigned probe, bool stack)
{
	for (int i = 0; i < SAMPLE_ROWS; i++) {
		struct sample_row *r = &s->rows[i];
		if (r->taken)
			continue;
		r->taken = true;
		r->stack = stack;
		r->script = script;
		r->probe = probe;
		r->generation++;
		r->used = true;
		return i;
	}
	return -1;
}

void
sample_end(struct samples *s, unsigned script)
{
	for (int i = 0; i < SAMPLE_ROWS; i++)
		if (s->rows[i].taken && s->rows[i].script == script)
			s->rows[i].used = false;
}

void
sample_give(struct samples *s, unsigned script)
{
	for (int i = 0; i < SAMPLE_ROWS; i++)
		if (s->rows[i].taken && s->rows[i].script == script)
			s->rows[i].taken = false;
}

static void
strike(struct engine *e, struct firing *f)
{
	struct samples *s = (struct samples *)(void *)e;
	struct sample_row *r = &s->rows[f->probe];
	atomic_store_explicit(&r->last, mono_ns(), memory_order_relaxed);
	atomic_fetch_add_explicit(&r->strikes, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->total, 1, memory_order_release);
}

const struct engine_ops sample_strikes = {.name = "sampler", .fire = strike};

bool
sample_is_due(struct hub *h)
{
	const struct sampled *seen = &h->shards[hub_index(h, thread_own())].sampled;
	return atomic_load_explicit(&h->samples.total, memory_order_acquire) !=
	       atomic_load_explicit(&seen->total, memory_order_relaxed);
}

/* Returns the strikes of a row that the thread has not seen yet, and marks them as seen. */
static unsigned
news_of(struct samples *s, struct sampled *seen, unsigned row)
{
	unsigned now = atomic_load_explicit(&s->rows[row].strikes, memory_order_relaxed);
	return now - atomic_exchange_explicit(&seen->strikes[row], now, memory_order_relaxed);
}

void
sample_in(struct hub *h)
{
	struct sampled *seen = &h->shards[hub_index(h, thread_own())].sampled;
	unsigned total = atomic_load_explicit(&h->samples.total, memory_order_acquire);
	if (total == atomic_load_explicit(&seen->total, memory_order_relaxed))
		return;
	for (unsigned i = 0; i < SAMPLE_ROWS; i++)
		news_of(&h->samples, seen, i);
	atomic_store_explicit(&seen->total, total, memory_order_relaxed);
}

/* process, mfa, how late; once for each strike. */
static void
fire(struct event *ev, const struct sample_row *r, unsigned times, uint64_t late, ERL_NIF_TERM mfa)
{
	struct sub one = {.script = r->script, .probe = r->probe};
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_text(ev, 1, EV_MFA, mfa);
	ev_num(ev, 2, late);
	/* a process that did not stop for minutes must not hold its scheduler for as long again */
	for (unsigned i = 0; i < times && i < SAMPLE_MOST && !ev->budget.over; i++)
		ev_fire(ev, &one);
}

void
sample_out(struct event *ev, ERL_NIF_TERM mfa, struct sample_news *news)
{
	struct samples *s = &ev->hub->samples;
	struct sampled *seen = &ev->shard->sampled;
	unsigned total = atomic_load_explicit(&s->total, memory_order_acquire);
	uint64_t now = mono_ns();
	if (total == atomic_load_explicit(&seen->total, memory_order_relaxed))
		return;
	for (unsigned i = 0; i < SAMPLE_ROWS; i++) {
		struct sample_row *r = &s->rows[i];
		unsigned times = news_of(s, seen, i);
		uint64_t last = atomic_load_explicit(&r->last, memory_order_relaxed);
		uint64_t late = now > last ? now - last : 0;
		if (!r->used || !times)
			continue;
		if (r->stack && atomic_load_explicit(&s->reader, memory_order_relaxed) &&
		    atomic_load_explicit(&s->pending, memory_order_relaxed) < SAMPLE_PENDING) {
			news->at[news->n].row = i;
			news->at[news->n].generation = r->generation;
			news->at[news->n].times = times;
			news->at[news->n++].late = late;
		} else
			fire(ev, r, times, late, mfa);
	}
	atomic_store_explicit(&seen->total, total, memory_order_relaxed);
}

void
sample_tell(ErlNifEnv *env, ERL_NIF_TERM process, ERL_NIF_TERM mfa, const struct sample_news *news)
{
	ErlNifPid reader = {.pid = atomic_load_explicit(&the_hub.samples.reader, memory_order_relaxed)};
	for (unsigned i = 0; reader.pid && i < news->n; i++) {
		ErlNifEnv *msg = enif_alloc_env();
		if (!msg)
			return;
		ERL_NIF_TERM sample[] = {enif_make_atom(msg, "erltrace_sample"), enif_make_uint(msg, news->at[i].row),
		    enif_make_uint(msg, news->at[i].generation), enif_make_uint(msg, news->at[i].times),
		    enif_make_uint64(msg, news->at[i].late), process, enif_make_copy(msg, mfa)};
		atomic_fetch_add_explicit(&the_hub.samples.pending, 1, memory_order_relaxed);
		if (!enif_send(env, &reader, msg, enif_make_tuple_from_array(msg, sample, 7)))
			atomic_fetch_sub_explicit(&the_hub.samples.pending, 1, memory_order_relaxed);
		enif_free_env(msg);
	}
}

ERL_NIF_TERM
sample_reader(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ErlNifPid pid;
	(void)argc;
	bool one = enif_get_local_pid(env, argv[0], &pid);
	atomic_store_explicit(&the_hub.samples.pending, 0, memory_order_relaxed);
	atomic_store_explicit(&the_hub.samples.reader, one ? argv[0] : 0, memory_order_relaxed);
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
sample_read(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	uint64_t frames[FRAMES_MOST];
	unsigned row, generation, times, index;
	ErlNifUInt64 late;
	ErlNifPid pid;
	(void)argc;
	if (!enif_get_uint(env, argv[0], &row) || row >= SAMPLE_ROWS || !enif_get_uint(env, argv[1], &generation) ||
	    !enif_get_uint(env, argv[2], &times) || !enif_get_uint64(env, argv[3], &late) ||
	    !enif_get_local_pid(env, argv[4], &pid))
		return enif_make_badarg(env);
	/* the counter starts again with every reader */
	if (atomic_load_explicit(&the_hub.samples.pending, memory_order_relaxed))
		atomic_fetch_sub_explicit(&the_hub.samples.pending, 1, memory_order_relaxed);
	struct hub_shard *s = hub_enter(&the_hub, &index);
	const struct sample_row *r = &the_hub.samples.rows[row];
	if (the_hub.nrunning && r->used && r->generation == generation) {
		ev_init(&ev, &the_hub, s, index, env, argv[4]);
		ev.nframes = frames_of(&the_hub, env, argv[6], frames, FRAMES_MOST);
		ev.frames = frames;
		fire(&ev, r, times, late, argv[5]);
		ev_end(&ev);
	} else
		hub_leave(s);
	return enif_make_atom(env, "ok");
}
