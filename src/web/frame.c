/*
 * Aggregations as JSON. An element is [keys, value, count, buckets]; buckets are
 * pairs of index and count, the bounds of the indices are given once for an
 * aggregation. What changed since the frame before is told by the number of values
 * that an element has seen.
 */
#include "web/web.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [ET_AGG_COUNT] = "count",
    [ET_AGG_SUM] = "sum",
    [ET_AGG_AVG] = "avg",
    [ET_AGG_MIN] = "min",
    [ET_AGG_MAX] = "max",
    [ET_AGG_STDDEV] = "stddev",
    [ET_AGG_QUANTIZE] = "quantize",
    [ET_AGG_LQUANTIZE] = "lquantize",
    [ET_AGG_LLQUANTIZE] = "llquantize",
};

void
frame_drop(struct frame *f)
{
	if (f && atomic_fetch_sub(&f->refs, 1) == 1) {
		sb_free(&f->text);
		free(f);
	}
}

static struct frame *
frame_new(uint64_t seq)
{
	struct frame *f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	atomic_init(&f->refs, 1);
	f->seq = seq;
	sb_fill(&f->text, 0, LWS_PRE);
	return f;
}

/* JavaScript's numbers are exact up to here. */
static const int64_t EXACT = (int64_t)1 << 53;

/* A number; those that JavaScript could not hold as text. */
static void
add_int(struct sbuf *b, int64_t v, bool is_signed)
{
	if (is_signed || v >= 0) {
		bool exact = v <= EXACT && v >= -EXACT;
		sb_printf(b, exact ? "%" PRId64 : "\"%" PRId64 "\"", v);
	} else
		sb_printf(b, "\"%" PRIu64 "\"", (uint64_t)v);
}

static void
add_key(struct sbuf *b, const struct et_value *v)
{
	switch (v->kind) {
	case ET_K_INT:
		add_int(b, v->num, v->is_signed || v->size < 8);
		return;
	case ET_K_STRING:
		web_text(b, v->data, v->len < RUN_KEY ? v->len : RUN_KEY);
		return;
	case ET_K_BYTES:
		sb_adds(b, "{\"bytes\":\"");
		for (size_t i = 0; i < v->len && i < RUN_KEY / 2; i++)
			sb_printf(b, "%02x", ((const unsigned char *)v->data)[i]);
		sb_adds(b, "\"}");
		return;
	case ET_K_STACK:
		sb_adds(b, "{\"stack\":[");
		for (unsigned i = 0; i < v->npcs; i++)
			sb_printf(b, "%s\"0x%" PRIx64 "\"", i ? "," : "", v->pcs[i]);
		sb_adds(b, "]}");
		return;
	case ET_K_SYMBOL:
		sb_printf(b, "\"0x%" PRIx64 "\"", (uint64_t)v->num);
		return;
	}
}

static void
add_bound(struct sbuf *b, int64_t v, char after)
{
	if (v == INT64_MIN || v == INT64_MAX)
		sb_printf(b, "null%c", after);
	else
		sb_printf(b, "%" PRId64 "%c", v, after);
}

/* -- the table of elements -- */

void
elems_free(struct elems *t)
{
	free(t->at);
	*t = (struct elems){0};
}

static uint64_t
hash_of(unsigned id, const char *key, size_t n)
{
	uint64_t h = 14695981039346656037u ^ id;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)key[i]) * 1099511628211u;
	h ^= h >> 29;
	return h ? h : 1;
}

static struct elem *
place_of(const struct elems *t, uint64_t hash)
{
	size_t i = hash & (t->cap - 1);
	while (t->at[i].hash && t->at[i].hash != hash)
		i = (i + 1) & (t->cap - 1);
	return &t->at[i];
}

/* Room for one more; elements that were not in frame `seq` are forgotten on the way. */
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

/* -- a walk -- */

struct out {
	struct frame *f;
	bool any;    /* an aggregation is open */
	unsigned id; /* which */
	unsigned n;  /* its elements so far */
};

struct walking {
	struct run *r;
	struct out part, whole; /* f NULL: not wanted */
	struct sbuf key, elem;
	unsigned live, omitted;
	uint64_t counted;
	bool failed;
};

static void
open_agg(struct out *o, const struct et_aggdata *a, bool bounds)
{
	struct sbuf *b = &o->f->text;
	sb_adds(b, o->any ? "]},{" : "{");
	sb_printf(b, "\"id\":%u,\"name\":", a->id);
	web_text(b, a->name, strlen(a->name));
	sb_printf(b, ",\"fn\":\"%s\"", names[a->fn]);
	if (bounds && a->nbuckets) {
		sb_adds(b, ",\"bounds\":[");
		for (unsigned i = 0; i < a->nbuckets; i++) {
			int64_t low, high;
			et_agg_bucket(a, i, &low, &high);
			sb_adds(b, i ? ",[" : "[");
			add_bound(b, low, ',');
			add_bound(b, high, ']');
		}
		sb_addc(b, ']');
	}
	sb_adds(b, ",\"elems\":[");
	o->any = true;
	o->id = a->id;
	o->n = 0;
}

static void
add_elem(struct out *o, const struct et_aggdata *a, const struct sbuf *text, bool bounds)
{
	if (!o->f)
		return;
	if (!o->any || o->id != a->id)
		open_agg(o, a, bounds);
	if (o->n++)
		sb_addc(&o->f->text, ',');
	sb_add(&o->f->text, text->at, text->len);
}

static enum et_aggwalk
on_element(struct et_aggdata *a, void *arg)
{
	struct walking *w = arg;
	struct run *r = w->r;
	struct sbuf *b = &w->elem;
	w->counted += a->count;
	if (w->live >= RUN_ELEMS || (w->whole.f && w->whole.f->text.len > RUN_FRAME) ||
	    (w->part.f && w->part.f->text.len > RUN_FRAME)) {
		w->omitted++;
		return ET_AGGWALK_NEXT;
	}
	w->live++;
	sb_clear(&w->key);
	sb_addc(&w->key, '[');
	for (unsigned i = 0; i < a->nkeys; i++) {
		if (i)
			sb_addc(&w->key, ',');
		add_key(&w->key, &a->keys[i]);
	}
	sb_addc(&w->key, ']');
	if (w->key.failed || ((r->elems.n + 1) * 2 > r->elems.cap && !elems_grow(&r->elems, r->seq - 1))) {
		w->failed = true;
		return ET_AGGWALK_ABORT;
	}
	uint64_t hash = hash_of(a->id, w->key.at, w->key.len);
	struct elem *e = place_of(&r->elems, hash);
	bool changed = !e->hash || e->count != a->count || e->raw != a->raw;
	r->elems.n += !e->hash;
	*e = (struct elem){hash, a->count, a->raw, r->seq};
	if (!changed && !w->whole.f)
		return ET_AGGWALK_NEXT;

	sb_clear(b);
	sb_addc(b, '[');
	sb_add(b, w->key.at, w->key.len);
	sb_addc(b, ',');
	add_int(b, a->value, true);
	sb_printf(b, ",%" PRIu64, a->count);
	if (a->nbuckets) {
		const char *sep = ",[";
		for (unsigned i = 0; i < a->nbuckets; i++) {
			int64_t low, high, n = et_agg_bucket(a, i, &low, &high);
			if (n) {
				sb_printf(b, "%s%u,%" PRId64, sep, i, n);
				sep = ",";
			}
		}
		sb_adds(b, sep[1] ? ",[]" : "]");
	}
	sb_addc(b, ']');
	if (b->failed) {
		w->failed = true;
		return ET_AGGWALK_ABORT;
	}
	bool known = a->id < 64 && (r->bounds_sent >> a->id & 1);
	if (changed)
		add_elem(&w->part, a, b, !known);
	add_elem(&w->whole, a, b, true);
	return ET_AGGWALK_NEXT;
}

static void
begin(const struct run *r, struct frame *f, bool whole, uint64_t ms, double span)
{
	if (f)
		sb_printf(&f->text,
		    "{\"t\":\"frame\",\"run\":%u,\"seq\":%" PRIu64 ",\"whole\":%s,\"time\":%" PRIu64
		    ",\"span\":%.3f,\"aggs\":[",
		    r->id, r->seq, whole ? "true" : "false", ms, span);
}

static void
end(struct walking *w, struct out *o)
{
	const struct run *r = w->r;
	if (o->f)
		sb_printf(&o->f->text,
		    "%s],\"status\":{\"events\":%" PRIu64 ",\"rate\":%.1f,\"drops\":%" PRIu64 ",\"errors\":%" PRIu64
		    ",\"elements\":%u,\"omitted\":%u}}",
		    o->any ? "]}" : "", r->events, r->rate, r->drops, r->errors, w->live + w->omitted, w->omitted);
}

static void
give(struct out *o, struct frame **to, bool *failed)
{
	if (o->f && o->f->text.failed) {
		frame_drop(o->f);
		o->f = NULL;
		*failed = true;
	}
	*to = o->f;
}

static uint64_t
wall_ms(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static enum et_aggwalk
on_id(struct et_aggdata *a, void *arg)
{
	if (a->id < 64 && a->nbuckets)
		*(uint64_t *)arg |= (uint64_t)1 << a->id;
	return ET_AGGWALK_NEXT;
}

/* Events and their rate: whatever went into aggregations, and records. */
static void
count_events(struct run *r, uint64_t counted, double span)
{
	uint64_t now = counted + r->records, was = r->counted;
	uint64_t added = now > was ? now - was : 0;
	r->counted = now;
	pthread_mutex_lock(&r->lock);
	r->events += added;
	r->rate = span > 0 ? (double)added / span : 0;
	pthread_mutex_unlock(&r->lock);
}

bool
frame_build(struct run *r, struct et *h, bool want_whole, struct frame **part, struct frame **whole)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	uint64_t ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec, ms = wall_ms();
	double span = r->last_ns ? (double)(ns - r->last_ns) / 1e9 : (double)r->interval / 1000;
	r->last_ns = ns;
	r->seq++;
	struct walking w = {.r = r};
	bool first = r->seq == 1;
	want_whole |= first;
	w.part.f = first ? NULL : frame_new(r->seq);
	w.whole.f = want_whole ? frame_new(r->seq) : NULL;
	w.failed = (!first && !w.part.f) || (want_whole && !w.whole.f);
	begin(r, w.part.f, false, ms, span);
	begin(r, w.whole.f, true, ms, span);
	bool walked = !w.failed && et_aggregate_walk(h, ET_AGGSORT_KEY, on_element, &w) == 0;
	count_events(r, w.counted, span);
	/* Elements have gone: only a whole frame can say so. */
	bool gone = false;
	if (walked && w.live < r->elems.n) {
		gone = true;
		walked = elems_grow(&r->elems, r->seq);
	}
	et_aggregate_walk(h, ET_AGGSORT_NONE, on_id, &r->bounds_sent);
	end(&w, &w.part);
	end(&w, &w.whole);
	sb_free(&w.key);
	sb_free(&w.elem);
	give(&w.part, part, &w.failed);
	give(&w.whole, whole, &w.failed);
	if (gone && walked && !w.failed && !*whole) {
		/* the same state once more, as a whole */
		frame_drop(*part);
		*part = NULL;
		w = (struct walking){.r = r, .whole.f = frame_new(r->seq)};
		w.failed = !w.whole.f;
		begin(r, w.whole.f, true, ms, span);
		walked = !w.failed && et_aggregate_walk(h, ET_AGGSORT_KEY, on_element, &w) == 0;
		end(&w, &w.whole);
		sb_free(&w.key);
		sb_free(&w.elem);
		give(&w.whole, whole, &w.failed);
	} else if (gone) {
		frame_drop(*part);
		*part = NULL;
	}
	return walked && !w.failed;
}

/* -- the plain protocol: {key: [[[lo,hi],count],…]} and {key: {key: n}}, what is new since the frame before -- */

struct plain {
	struct run *r;
	json_t *top;
	struct sbuf key;
	uint64_t counted;
	bool failed;
};

/* A key as the name of a member. */
static const char *
plain_name(struct plain *p, const struct et_value *v)
{
	sb_clear(&p->key);
	add_key(&p->key, v);
	if (p->key.failed)
		return NULL;
	/* through the parser, so that it is valid text whatever the key was */
	json_t *t = json_loadb(p->key.at, p->key.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	if (json_is_string(t) && strlen(json_string_value(t)) == json_string_length(t)) {
		sb_clear(&p->key);
		sb_adds(&p->key, json_string_value(t));
	}
	json_decref(t);
	return p->key.failed ? NULL : p->key.at;
}

static json_t *
plain_buckets(const struct et_aggdata *a)
{
	json_t *all = json_array();
	for (unsigned i = 0; i < a->nbuckets; i++) {
		int64_t low, high, n = et_agg_bucket(a, i, &low, &high);
		if (n)
			json_array_append_new(
			    all, json_pack("[[I,I],I]", (json_int_t)low, (json_int_t)high, (json_int_t)n));
	}
	return all;
}

static enum et_aggwalk
on_plain(struct et_aggdata *a, void *arg)
{
	struct plain *p = arg;
	bool wanted = (a->nbuckets != 0) == (p->r->form == RUN_PLAIN_HEATMAP);
	if (!a->count || !wanted)
		return ET_AGGWALK_REMOVE;
	p->counted += a->count;
	if (a->nbuckets) {
		/* all keys of an element are one name */
		struct sbuf name = {0};
		for (unsigned i = 0; i < a->nkeys; i++) {
			const char *k = plain_name(p, &a->keys[i]);
			if (i)
				sb_addc(&name, ' ');
			sb_adds(&name, k ? k : "");
		}
		if (!a->nkeys)
			sb_adds(&name, a->name);
		p->failed |= name.failed || json_object_set_new(p->top, name.at ? name.at : "", plain_buckets(a)) != 0;
		sb_free(&name);
		return ET_AGGWALK_REMOVE;
	}
	json_t *in = p->top;
	for (unsigned i = 0; i + 1 < a->nkeys; i++) {
		const char *k = plain_name(p, &a->keys[i]);
		json_t *next = k ? json_object_get(in, k) : NULL;
		if (k && !json_is_object(next)) {
			next = json_object();
			p->failed |= json_object_set_new(in, k, next) != 0;
		}
		if (!k || p->failed) {
			p->failed = true;
			return ET_AGGWALK_ABORT;
		}
		in = next;
	}
	const char *k = a->nkeys ? plain_name(p, &a->keys[a->nkeys - 1]) : a->name;
	p->failed |= !k || json_object_set_new(in, k, json_integer(a->value)) != 0;
	return p->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_REMOVE;
}

static int
to_sbuf(const char *bytes, size_t n, void *b)
{
	sb_add(b, bytes, n);
	return ((struct sbuf *)b)->failed ? -1 : 0;
}

bool
frame_plain(struct run *r, struct et *h, struct frame **f)
{
	struct plain p = {.r = r, .top = json_object()};
	*f = frame_new(++r->seq);
	bool ok = *f && p.top && et_aggregate_walk(h, ET_AGGSORT_KEY, on_plain, &p) == 0 && !p.failed &&
		  json_dump_callback(p.top, to_sbuf, &(*f)->text, JSON_COMPACT) == 0;
	r->counted = 0;
	count_events(r, p.counted, (double)r->interval / 1000);
	r->counted = 0;
	r->records = 0;
	json_decref(p.top);
	sb_free(&p.key);
	if (!ok) {
		frame_drop(*f);
		*f = NULL;
	}
	return ok;
}
