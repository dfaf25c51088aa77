/*
 * Values as OTLP, pushed by HTTP: protobuf's ExportMetricsServiceRequest of opentelemetry/proto, which every
 * OpenTelemetry collector takes at /v1/metrics.
 *
 * Values are whole numbers in the script's own unit (ns, not seconds), so all of them are exact. quantize() is an
 * exponential histogram of scale 0, other distributions have their own edges. Counters count since the service began.
 *
 * The service's thread makes the request, a thread of its own sends it. A receiver that is slow or gone delays nothing,
 * and nothing waits for it in a queue: the next push has the newest values.
 *
 * Written by hand, as proto.c is, for the same reason.
 */
#include "export/export.h"
#include "export/pb.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- fields of the messages -------------------------------------------------------------------------------------- */

enum { REQUEST_RESOURCE = 1 };
enum { RESOURCE_METRICS_RESOURCE = 1, RESOURCE_METRICS_SCOPE };
enum { RESOURCE_ATTRIBUTE = 1 };
enum { SCOPE_METRICS_SCOPE = 1, SCOPE_METRICS_METRIC };
enum { SCOPE_NAME = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_STRING = 1 };
enum {
	METRIC_NAME = 1,
	METRIC_DESCRIPTION,
	METRIC_UNIT,
	METRIC_OF_GAUGE = 5,
	METRIC_OF_SUM = 7,
	METRIC_OF_HIST = 9,
	METRIC_OF_EXP
};
enum { DATA_POINT = 1, DATA_TEMPORALITY, DATA_MONOTONIC };
enum { TEMPORALITY_CUMULATIVE = 2 };
enum { POINT_START = 2, POINT_TIME, POINT_COUNT, POINT_SUM };
enum { NUMBER_INT = 6, NUMBER_ATTRIBUTE };
enum { HIST_COUNTS = 6, HIST_BOUNDS, HIST_ATTRIBUTE = 9 };
enum { EXP_ATTRIBUTE = 1, EXP_SCALE = 6, EXP_ZERO, EXP_POSITIVE, EXP_NEGATIVE };
enum { SIDE_OFFSET = 1, SIDE_COUNTS };

struct times {
	uint64_t start, now; /* ns since 1970 */
};

static void
put_attribute(struct sbuf *b, unsigned field, const char *name, size_t len, struct sbuf *text)
{
	struct sbuf pair = {0}, value = {0};
	pb_message(&value, VALUE_STRING, text);
	pb_bytes(&pair, KEY_VALUE_KEY, name, len);
	pb_message(&pair, KEY_VALUE_VALUE, &value);
	pb_message(b, field, &pair);
}

static void
put_text_attribute(struct sbuf *b, const char *name, const char *text)
{
	struct sbuf value = {0};
	sb_adds(&value, text);
	put_attribute(b, RESOURCE_ATTRIBUTE, name, strlen(name), &value);
}

static void
number_label(struct sbuf *b, const char *name, size_t len, struct sbuf *value)
{
	put_attribute(b, NUMBER_ATTRIBUTE, name, len, value);
}

static void
hist_label(struct sbuf *b, const char *name, size_t len, struct sbuf *value)
{
	put_attribute(b, HIST_ATTRIBUTE, name, len, value);
}

static void
exp_label(struct sbuf *b, const char *name, size_t len, struct sbuf *value)
{
	put_attribute(b, EXP_ATTRIBUTE, name, len, value);
}

static void
put_times(struct sbuf *point, const struct times *t)
{
	pb_fixed(point, POINT_START, t->start);
	pb_fixed(point, POINT_TIME, t->now);
}

/* -- points ------------------------------------------------------------------------------------------------------ */

static void
put_number(struct sbuf *point, const struct family *f, const struct row *r, const struct times *t)
{
	const struct metric *m = f->m;
	put_times(point, t);
	pb_fixed(point, NUMBER_INT,
	    m->fn == ET_AGG_COUNT ? r->count
	    : m->fn == ET_AGG_SUM ? r->sum
				  : (uint64_t)r->value);
	proto_labels(point, r->labels, number_label);
}

static void
put_count_and_sum(struct sbuf *point, const struct family *f, const struct row *r)
{
	uint64_t all = 0;
	for (unsigned i = 0; r->buckets && i < f->nbuckets; i++)
		all += r->buckets[i];
	pb_fixed(point, POINT_COUNT, all);
	if (f->m->sum)
		pb_double(point, POINT_SUM, (double)(int64_t)r->sum);
}

/* The edges are upper ends, inclusive, as they are here. */
static void
put_hist(struct sbuf *point, const struct family *f, const struct row *r, const struct times *t)
{
	struct sbuf counts = {0}, bounds = {0};
	put_times(point, t);
	put_count_and_sum(point, f, r);
	for (unsigned i = 0; i < f->nbuckets; i++) {
		pb_add_fixed(&counts, r->buckets ? r->buckets[i] : 0);
		if (i + 1 < f->nbuckets)
			pb_add_double(&bounds, (double)f->edges[i]);
	}
	pb_message(point, HIST_COUNTS, &counts);
	pb_message(point, HIST_BOUNDS, &bounds);
	proto_labels(point, r->labels, hist_label);
}

/* One side: bucket i is for values over 2^i up to 2^(i+1), that of quantize() for 2^i to 2^(i+1) - 1. */
static void
put_side(struct sbuf *point, unsigned field, const struct family *f, const struct row *r, bool negative)
{
	uint64_t counts[64] = {0};
	int first = 64, last = -1;
	for (unsigned i = 0; r->buckets && i < f->nbuckets; i++) {
		if (!r->buckets[i] || f->edges[i] == 0 || (f->edges[i] < 0) != negative)
			continue;
		/* the edge that is nearer to zero is a power of two below zero, and one less than one above */
		uint64_t v = negative ? -(uint64_t)f->edges[i] : (uint64_t)f->edges[i];
		int at = 63 - __builtin_clzll(v);
		counts[at] += r->buckets[i];
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	struct sbuf side = {0}, list = {0};
	for (int i = first; i <= last; i++)
		pb_varint(&list, counts[i]);
	pb_sint(&side, SIDE_OFFSET, last < 0 ? 0 : first);
	pb_message(&side, SIDE_COUNTS, &list);
	pb_message(point, field, &side);
}

static void
put_exp(struct sbuf *point, const struct family *f, const struct row *r, const struct times *t)
{
	uint64_t zero = 0;
	for (unsigned i = 0; r->buckets && i < f->nbuckets; i++)
		zero += f->edges[i] == 0 ? r->buckets[i] : 0;
	put_times(point, t);
	put_count_and_sum(point, f, r);
	pb_sint(point, EXP_SCALE, 0);
	pb_fixed(point, EXP_ZERO, zero);
	put_side(point, EXP_POSITIVE, f, r, false);
	put_side(point, EXP_NEGATIVE, f, r, true);
	proto_labels(point, r->labels, exp_label);
}

/* -- metrics ----------------------------------------------------------------------------------------------------- */

/* The name without its unit, which has a field of its own. */
static void
put_head(struct sbuf *metric, const struct metric *m)
{
	size_t len = strlen(m->name), unit = m->unit ? strlen(m->unit) + 1 : 0;
	const char *own = m->decimals == 9                  ? "ns"
			  : m->decimals == 6                ? "us"
			  : m->decimals == 3                ? "ms"
			  : m->decimals == 2                ? "%"
			  : !m->unit                        ? "1"
			  : strcmp(m->unit, "seconds") == 0 ? "s"
			  : strcmp(m->unit, "bytes") == 0   ? "By"
							    : m->unit;
	pb_bytes(metric, METRIC_NAME, m->name, len > unit ? len - unit : len);
	pb_text(metric, METRIC_DESCRIPTION, m->help);
	pb_text(metric, METRIC_UNIT, own);
}

static void
put_family(struct sbuf *b, const struct family *f, const struct times *t)
{
	const struct metric *m = f->m;
	bool is_hist = m->type == METRIC_HISTOGRAM, is_exp = is_hist && m->fn == ET_AGG_QUANTIZE;
	struct sbuf metric = {0}, data = {0};
	for (size_t i = 0; i < f->n; i++) {
		struct sbuf point = {0};
		(is_exp ? put_exp : is_hist ? put_hist : put_number)(&point, f, f->rows[i], t);
		pb_message(&data, DATA_POINT, &point);
	}
	if (m->type != METRIC_GAUGE)
		pb_uint(&data, DATA_TEMPORALITY, TEMPORALITY_CUMULATIVE);
	if (m->type == METRIC_COUNTER)
		pb_uint(&data, DATA_MONOTONIC, 1);
	put_head(&metric, m);
	pb_message(&metric,
	    is_exp                      ? METRIC_OF_EXP
	    : is_hist                   ? METRIC_OF_HIST
	    : m->type == METRIC_COUNTER ? METRIC_OF_SUM
					: METRIC_OF_GAUGE,
	    &data);
	pb_message(b, SCOPE_METRICS_METRIC, &metric);
}

void
otlp_request(struct sbuf *b, struct service *s, uint64_t now)
{
	const struct times t = {s->started * 1000000000, now};
	struct sbuf all = {0}, resource = {0}, scope = {0}, metrics = {0};
	put_text_attribute(&resource, "service.name", "erltrace");
	pb_message(&all, RESOURCE_METRICS_RESOURCE, &resource);
	pb_text(&scope, SCOPE_NAME, "erltrace");
	pb_message(&metrics, SCOPE_METRICS_SCOPE, &scope);
	for (unsigned i = 0; i < s->nscripts; i++) {
		struct export_script *script = s->scripts[i];
		pthread_mutex_lock(&script->lock);
		for (unsigned k = 0; k < script->metrics.n; k++)
			if (script->fams[k].n)
				put_family(&metrics, &script->fams[k], &t);
		pthread_mutex_unlock(&script->lock);
	}
	pb_message(&all, RESOURCE_METRICS_SCOPE, &metrics);
	pb_message(b, REQUEST_RESOURCE, &all);
}

/* -- pushing ----------------------------------------------------------------------------------------------------- */

struct otlp {
	char *url;
	uint64_t interval, next; /* ms */
	pthread_t thread;
	pthread_mutex_t lock; /* for all that follows */
	pthread_cond_t change;
	struct sbuf body; /* what is to be sent; the thread takes it */
	bool busy, quit, ending, told;
	struct otlp_numbers n;
};

/* A receiver that fails is reported once, until it works again. The lock is held. */
static void
note(struct otlp *o, bool ok, const char *why)
{
	o->n.sent += ok;
	o->n.failed += !ok;
	if (!ok && !o->told)
		export_say("OTLP: %s", why);
	else if (ok && o->told)
		export_say("OTLP: %s takes metrics again", o->url);
	o->told = !ok;
}

static void *
push(void *arg)
{
	struct otlp *o = arg;
	pthread_mutex_lock(&o->lock);
	for (;;) {
		while (!o->busy && !o->quit)
			pthread_cond_wait(&o->change, &o->lock);
		if (!o->busy)
			break;
		struct sbuf body = o->body;
		struct why why;
		o->body = (struct sbuf){0};
		unsigned ms = o->ending ? EXP_TELL_MS : EXP_PUSH_MS;
		pthread_mutex_unlock(&o->lock);
		bool ok = deliver_post(o->url, "application/x-protobuf", body.at, body.len, ms, &why);
		sb_free(&body);
		pthread_mutex_lock(&o->lock);
		note(o, ok, why.text);
		o->busy = false;
		pthread_cond_broadcast(&o->change);
	}
	pthread_mutex_unlock(&o->lock);
	return NULL;
}

struct otlp *
otlp_open(const char *url, int64_t interval)
{
	struct otlp *o = calloc(1, sizeof *o);
	if (!o || !(o->url = strdup(url))) {
		free(o);
		return NULL;
	}
	o->interval = (uint64_t)interval / 1000000;
	o->next = mono_ms() + o->interval;
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->change, NULL);
	int err = pthread_create(&o->thread, NULL, push, o);
	if (!err)
		return o;
	pthread_cond_destroy(&o->change);
	pthread_mutex_destroy(&o->lock);
	free(o->url);
	free(o);
	errno = err;
	return NULL;
}

/* The lock is held, and the thread has nothing to do. */
static void
give(struct otlp *o, struct service *s)
{
	otlp_request(&o->body, s, clock_ns(CLOCK_REALTIME));
	if (o->body.failed) {
		sb_free(&o->body);
		note(o, false, "out of memory");
		return;
	}
	o->busy = true;
	pthread_cond_broadcast(&o->change);
}

void
otlp_tick(struct otlp *o, struct service *s)
{
	if (mono_ms() < o->next)
		return;
	o->next = mono_ms() + o->interval;
	pthread_mutex_lock(&o->lock);
	if (o->busy)
		o->n.skipped++;
	else
		give(o, s);
	pthread_mutex_unlock(&o->lock);
}

void
otlp_close(struct otlp *o, struct service *s)
{
	pthread_mutex_lock(&o->lock);
	o->ending = true;
	while (o->busy)
		pthread_cond_wait(&o->change, &o->lock);
	give(o, s);
	o->quit = true;
	pthread_cond_broadcast(&o->change);
	pthread_mutex_unlock(&o->lock);
	pthread_join(o->thread, NULL);
	sb_free(&o->body);
	pthread_cond_destroy(&o->change);
	pthread_mutex_destroy(&o->lock);
	free(o->url);
	free(o);
}

void
otlp_count(struct otlp *o, struct otlp_numbers *n)
{
	pthread_mutex_lock(&o->lock);
	*n = o->n;
	pthread_mutex_unlock(&o->lock);
}
