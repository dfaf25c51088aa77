/*
 * Sheets as JSON. An element is [keys, value, count, buckets]. Buckets are pairs of index and count; the bounds of the
 * indexes are sent once per aggregation. An element has changed since the last frame if the number of values that it
 * has seen changed. With several nodes the node is the first key, unless they are merged.
 */
#include "web/web.h"

#include "base/clock.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
frame_drop(struct frame *f)
{
	if (f && atomic_fetch_sub(&f->refs, 1) == 1) {
		sb_free(&f->text);
		charge_end(&f->charge);
		free(f);
	}
}

struct frame *
frame_new(uint64_t seq, struct memory_budget *b)
{
	struct frame *f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	atomic_init(&f->refs, 1);
	f->seq = seq;
	f->charge.b = budget_ref(b);
	sb_fill(&f->text, 0, LWS_PRE);
	return f;
}

/* -- the table of elements -- */

void
elems_free(struct elems *t)
{
	free(t->at);
	*t = (struct elems){0};
}

/* An element is identified by this hash alone, so nobody must be able to make two keys with the same hash. */
static uint64_t
hash_of(unsigned id, const char *key, size_t n)
{
	uint64_t both[2] = {id, hash_bytes(key, n)}, h = hash_bytes(both, sizeof both);
	return h ? h : 1;
}

static struct last_elem *
place_of(const struct elems *t, uint64_t hash)
{
	size_t i = hash & (t->cap - 1);
	while (t->at[i].hash && t->at[i].hash != hash)
		i = (i + 1) & (t->cap - 1);
	return &t->at[i];
}

/* Makes room for one more. Elements that were not in frame `seq` are forgotten on the way. */
static bool
elems_grow(struct elems *t, uint64_t seq)
{
	struct elems to = {.cap = t->cap ? t->cap : RUN_TABLE};
	size_t live = 0;
	for (size_t i = 0; i < t->cap; i++)
		live += t->at[i].hash && t->at[i].seq >= seq;
	while ((live + 1) * 2 > to.cap)
		to.cap *= 2;
	to.at = calloc(to.cap, sizeof *to.at);
	if (!to.at)
		return false;
	for (size_t i = 0; i < t->cap; i++)
		if (t->at[i].hash && t->at[i].seq >= seq) {
			*place_of(&to, t->at[i].hash) = t->at[i];
			to.n++;
		}
	free(t->at);
	*t = to;
	return true;
}

/* -- a frame -- */

struct frame_out {
	struct frame *f; /* NULL if not wanted */
	bool any;        /* an aggregation is open */
	unsigned id;     /* which */
	unsigned n;      /* its elements so far */
};

struct build {
	struct run *r;
	struct frame_out part, whole;
	struct sbuf key, elem;
	uint64_t bounds; /* aggregations whose bounds are in this frame, as bits like bounds_sent */
	unsigned live, omitted;
	bool failed;
};

static const int64_t EXACT = (int64_t)1 << 53; /* the largest exact integer of JavaScript */

static void
open_agg(struct frame_out *o, const struct aggkind *k, bool bounds)
{
	struct sbuf *b = &o->f->text;
	sb_adds(b, o->any ? "]},{" : "{");
	sb_printf(b, "\"id\":%u,\"name\":", k->id);
	web_text(b, k->name, strlen(k->name));
	sb_printf(b, ",\"fn\":\"%s\"", et_agg_name(k->fn));
	if (bounds && k->bounds) {
		sb_adds(b, ",\"bounds\":");
		sb_add(b, k->bounds->text, k->bounds->len);
	}
	sb_adds(b, ",\"elems\":[");
	o->any = true;
	o->id = k->id;
	o->n = 0;
}

static void
add_elem(struct frame_out *o, const struct aggkind *k, const struct sbuf *text, bool bounds)
{
	if (!o->f)
		return;
	if (!o->any || o->id != k->id)
		open_agg(o, k, bounds);
	if (o->n++)
		sb_addc(&o->f->text, ',');
	sb_add(&o->f->text, text->at, text->len);
}

/* Returns whether the value differs from the last frame. Returns false with w->failed set if memory ran out. */
static bool
changed(struct build *w, const struct item *it)
{
	struct run *r = w->r;
	if ((r->elems.n + 1) * 2 > r->elems.cap && !elems_grow(&r->elems, r->seq - 1)) {
		w->failed = true;
		return false;
	}
	uint64_t hash = hash_of(it->agg, w->key.at, w->key.len);
	struct last_elem *e = place_of(&r->elems, hash);
	bool is = !e->hash || e->count != it->count || e->raw != it->raw;
	r->elems.n += !e->hash;
	*e = (struct last_elem){hash, it->count, it->raw, r->seq};
	return is;
}

/* `more` is the size of what comes next. */
static bool
has_room(const struct frame_out *o, size_t more)
{
	return !o->f || (o->f->text.len + more <= RUN_FRAME && charge_to(&o->f->charge, 2 * (o->f->text.len + more)));
}

static bool
is_full(const struct build *w, const struct item *it, const struct aggkind *k)
{
	bool opens = (w->whole.f && (!w->whole.any || w->whole.id != k->id)) ||
		     (w->part.f && (!w->part.any || w->part.id != k->id));
	size_t more = it->keylen + 300 + (size_t)it->nbuckets * 24 +
		      (opens ? strlen(k->name) + (k->bounds ? k->bounds->len : 0) : 0);
	return w->live >= RUN_ELEMS || !has_room(&w->whole, more) || !has_room(&w->part, more);
}

/* node is NULL if it is not a key. */
static void
add_item(struct build *w, const struct sheet *s, const struct item *it, const struct aggkind *k, const char *node)
{
	struct sbuf *b = &w->elem;
	if (is_full(w, it, k)) {
		w->omitted++;
		return;
	}
	w->live++;
	sb_clear(&w->key);
	sb_addc(&w->key, '[');
	if (node)
		web_text(&w->key, node, strlen(node));
	if (node && it->keylen)
		sb_addc(&w->key, ',');
	if (it->keylen)
		sb_add(&w->key, s->text.at + it->key, it->keylen);
	sb_addc(&w->key, ']');
	w->failed |= w->key.failed;
	bool is_new = !w->failed && changed(w, it);
	if (w->failed || (!is_new && !w->whole.f))
		return;
	sb_clear(b);
	sb_addc(b, '[');
	sb_add(b, w->key.at, w->key.len);
	sb_printf(b, it->value <= EXACT && it->value >= -EXACT ? ",%" PRId64 ",%" PRIu64 : ",\"%" PRId64 "\",%" PRIu64,
	    it->value, it->count);
	if (k->bounds) {
		sb_adds(b, ",[");
		for (unsigned i = 0; i < it->nbuckets; i++)
			sb_printf(b, "%s%u,%" PRId64, i ? "," : "", s->buckets[it->bucket + i].at,
			    s->buckets[it->bucket + i].n);
		sb_addc(b, ']');
	}
	sb_addc(b, ']');
	w->failed |= b->failed;
	if (w->failed)
		return;
	uint64_t bit = k->id < 64 && k->bounds ? (uint64_t)1 << k->id : 0;
	if (is_new)
		add_elem(&w->part, k, b, !(w->r->bounds_sent & bit));
	add_elem(&w->whole, k, b, true);
	w->bounds |= bit;
}

static void
begin(const struct run *r, struct frame_out *o, bool whole, uint64_t ms, double span)
{
	if (!o->f)
		return;
	o->f->ms = ms;
	o->f->whole = whole;
	sb_printf(&o->f->text,
	    "{\"t\":\"frame\",\"run\":%u,\"seq\":%" PRIu64 ",\"whole\":%s,\"time\":%" PRIu64
	    ",\"span\":%.3f,\"aggs\":[",
	    r->id, r->seq, whole ? "true" : "false", ms, span);
}

static void
end(struct build *w, struct frame_out *o, const struct sbuf *nodes)
{
	struct run *r = w->r;
	uint64_t events = 0, drops = 0, errors = 0;
	double rate = 0;
	if (!o->f)
		return;
	pthread_mutex_lock(&r->lock);
	for (unsigned i = 0; i < r->nlegs; i++) {
		events += r->legs[i].events;
		drops += r->legs[i].drops;
		errors += r->legs[i].errors;
		rate += r->legs[i].rate;
	}
	pthread_mutex_unlock(&r->lock);
	sb_printf(&o->f->text,
	    "%s],\"status\":{\"events\":%" PRIu64 ",\"rate\":%.1f,\"drops\":%" PRIu64 ",\"errors\":%" PRIu64
	    ",\"elements\":%u,\"omitted\":%u,\"nodes\":",
	    o->any ? "]}" : "", events, rate, drops, errors, w->live + w->omitted, w->omitted);
	sb_add(&o->f->text, nodes->at, nodes->len);
	sb_adds(&o->f->text, "}}");
}

static void
give(struct frame_out *o, struct frame **to, bool *failed)
{
	if (o->f && o->f->text.failed) {
		frame_drop(o->f);
		o->f = NULL;
		*failed = true;
	}
	if (o->f) {
		/* its size is final */
		char *exact = realloc(o->f->text.at, o->f->text.len + 1);
		if (exact) {
			o->f->text.at = exact;
			o->f->text.cap = o->f->text.len + 1;
		}
		charge_settle(&o->f->charge, o->f->text.cap);
	}
	*to = o->f;
}

static uint64_t
wall_ms(void)
{
	return clock_ns(CLOCK_REALTIME) / 1000000;
}

/* Adds everything that the sheets hold, aggregation by aggregation. */
static void
add_all(struct build *w, struct sheet *const *sheets, const char *const *nodes, unsigned n)
{
	size_t at[RUN_LEGS] = {0};
	for (;;) {
		unsigned id = UINT32_MAX;
		for (unsigned i = 0; i < n; i++)
			if (sheets[i] && at[i] < sheets[i]->n && sheets[i]->items[at[i]].agg < id)
				id = sheets[i]->items[at[i]].agg;
		if (id == UINT32_MAX || w->failed)
			break;
		for (unsigned i = 0; i < n; i++)
			for (; sheets[i] && !w->failed && at[i] < sheets[i]->n && sheets[i]->items[at[i]].agg == id;
			     at[i]++)
				add_item(w, sheets[i], &sheets[i]->items[at[i]], sheet_kind(sheets[i], id), nodes[i]);
	}
	for (unsigned i = 0; i < n; i++)
		w->omitted += sheets[i] ? sheets[i]->omitted : 0;
}

static void
build(struct build *w, struct sheet *const *sheets, const char *const *nodes, unsigned n, uint64_t ms, double span)
{
	struct sbuf legs = {0};
	begin(w->r, &w->part, false, ms, span);
	begin(w->r, &w->whole, true, ms, span);
	if (!w->failed)
		add_all(w, sheets, nodes, n);
	pthread_mutex_lock(&w->r->lock);
	run_legs_json(w->r, &legs);
	run_alerts_json(w->r, &legs);
	pthread_mutex_unlock(&w->r->lock);
	w->failed |= legs.failed;
	if (!w->failed) {
		end(w, &w->part, &legs);
		end(w, &w->whole, &legs);
	}
	sb_free(&legs);
	sb_free(&w->key);
	sb_free(&w->elem);
}

bool
frame_build(struct run *r, bool want_whole, struct frame **part, struct frame **whole)
{
	struct sheet *sheets[RUN_LEGS] = {0}, *one = NULL;
	const char *nodes[RUN_LEGS] = {0};
	unsigned n = r->nlegs;
	uint64_t ns = mono_ns(), ms = wall_ms();
	double span = r->last_ns ? (double)(ns - r->last_ns) / 1e9 : (double)r->interval / 1000;
	for (unsigned i = 0; i < n; i++) {
		sheets[i] = r->legs[i].shown;
		nodes[i] = n > 1 ? r->legs[i].node : NULL;
	}
	if (n > 1 && r->merged) {
		one = sheet_merge(sheets, n, r->budget);
		if (!one)
			return false;
		sheets[0] = one;
		nodes[0] = NULL;
		n = 1;
	}
	r->last_ns = ns;
	r->seq++;
	bool first = r->seq == 1;
	want_whole |= first;
	struct build w = {.r = r,
	    .part.f = first ? NULL : frame_new(r->seq, r->budget),
	    .whole.f = want_whole ? frame_new(r->seq, r->budget) : NULL};
	w.failed = (!first && !w.part.f) || (want_whole && !w.whole.f);
	build(&w, sheets, nodes, n, ms, span);
	/* Elements have disappeared: only a whole frame can say so. */
	bool gone = !w.failed && w.live < r->elems.n;
	if (gone)
		w.failed = !elems_grow(&r->elems, r->seq);
	give(&w.part, part, &w.failed);
	give(&w.whole, whole, &w.failed);
	if (gone) {
		frame_drop(*part);
		*part = NULL;
	}
	if (gone && !w.failed && !*whole) {
		/* builds the same state again, as a whole frame */
		uint64_t bounds = w.bounds;
		w = (struct build){.r = r, .whole.f = frame_new(r->seq, r->budget), .bounds = bounds};
		w.failed = !w.whole.f;
		build(&w, sheets, nodes, n, ms, span);
		give(&w.whole, whole, &w.failed);
	}
	r->bounds_sent |= w.bounds;
	sheet_free(one);
	return !w.failed;
}
