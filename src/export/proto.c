/*
 * Values as Prometheus' protobuf format (io.prometheus.client.MetricFamily, each with its length before it), for
 * scrapers that prefer it. It is the only format that has native (exponential) histograms.
 *
 * Written by hand: the format has eight small messages, of which only fields are written. protobuf-c would add a
 * compiler to the build and a library to the command.
 *
 * quantize() has a bucket from 2^k to 2^(k+1) - 1 for whole numbers. That is bucket k + 1 of schema 0, which is over
 * 2^k and up to 2^(k+1): the edges are the same numbers, and only a value that is just 2^k would be in the one below.
 * In seconds, edges of nanoseconds would not be powers of two. So the native histogram has the script's own unit, and
 * its own name if that is not the unit of the other formats.
 *
 * Counters, gauges and what the service says of itself come from the text format, so that there is one place that
 * decides what they are.
 */
#include "export/export.h"
#include "export/pb.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- fields of the messages -------------------------------------------------------------------------------------- */

enum { FAMILY_NAME = 1, FAMILY_HELP, FAMILY_TYPE, FAMILY_METRIC };
enum { METRIC_LABEL = 1, METRIC_HAS_GAUGE, METRIC_HAS_COUNTER, METRIC_HAS_HISTOGRAM = 7 };
enum { LABEL_NAME = 1, LABEL_VALUE };
enum { NUMBER_VALUE = 1 }; /* of a gauge or a counter */
enum {
	HIST_COUNT = 1,
	HIST_SUM,
	HIST_BUCKET,
	HIST_SCHEMA = 5,
	HIST_ZERO_THRESHOLD,
	HIST_ZERO_COUNT,
	HIST_NEGATIVE_SPAN = 9,
	HIST_NEGATIVE_DELTA,
	HIST_POSITIVE_SPAN = 12,
	HIST_POSITIVE_DELTA,
};
enum { BUCKET_COUNT = 1, BUCKET_UPPER };
enum { SPAN_OFFSET = 1, SPAN_LENGTH };

static const unsigned types[] = {[METRIC_COUNTER] = 0, [METRIC_GAUGE] = 1, [METRIC_HISTOGRAM] = 4};

static void
put_head(struct sbuf *family, const char *name, const char *help, enum metric_type type)
{
	pb_bytes(family, FAMILY_NAME, name, strlen(name));
	pb_bytes(family, FAMILY_HELP, help, strlen(help));
	pb_uint(family, FAMILY_TYPE, types[type]);
}

static void
put_family(struct sbuf *b, struct sbuf *family)
{
	pb_varint(b, family->len);
	sb_add(b, family->at ? family->at : "", family->len);
	b->failed |= family->failed;
	sb_free(family);
}

/* Adds text up to a bare quotation mark, or up to `end`. Returns where it ends. */
static const char *
add_unescaped(struct sbuf *b, const char *s, const char *end)
{
	for (; *s && (end ? s < end : *s != '"'); s++) {
		bool escaped = *s == '\\' && s[1];
		s += escaped;
		sb_addc(b, escaped && *s == 'n' ? '\n' : *s);
	}
	return s;
}

const char *
proto_labels(
    struct sbuf *b, const char *s, void (*put)(struct sbuf *b, const char *name, size_t len, struct sbuf *value))
{
	while (*s && *s != '}') {
		struct sbuf value = {0};
		size_t len = strcspn(s, "=");
		const char *end = add_unescaped(&value, s + len + 2, NULL);
		put(b, s, len, &value);
		s = end + (*end == '"');
		s += *s == ',';
	}
	return s;
}

static void
put_label(struct sbuf *metric, const char *name, size_t len, struct sbuf *value)
{
	struct sbuf label = {0};
	pb_bytes(&label, LABEL_NAME, name, len);
	pb_message(&label, LABEL_VALUE, value);
	pb_message(metric, METRIC_LABEL, &label);
}

static const char *
put_labels(struct sbuf *metric, const char *s)
{
	return proto_labels(metric, s, put_label);
}

static void
put_number(struct sbuf *family, const char *labels, enum metric_type type, double v)
{
	struct sbuf metric = {0}, number = {0};
	put_labels(&metric, labels);
	pb_double(&number, NUMBER_VALUE, v);
	pb_message(&metric, type == METRIC_COUNTER ? METRIC_HAS_COUNTER : METRIC_HAS_GAUGE, &number);
	pb_message(family, FAMILY_METRIC, &metric);
}

/* The nearest double of a number that is exact in the text. */
static double
scaled(int64_t v, unsigned decimals)
{
	struct sbuf text = {0};
	text_number(&text, v, decimals);
	double d = text.at ? strtod(text.at, NULL) : 0;
	sb_free(&text);
	return d;
}

/* -- what the text format has ------------------------------------------------------------------------------------ */

static enum metric_type
type_of(const char *word)
{
	return strncmp(word, "counter", 7) == 0 ? METRIC_COUNTER : METRIC_GAUGE;
}

/* "# TYPE name type", "# HELP name text", then "name{labels} value", as self.c writes them: counters and gauges. */
void
proto_of_text(struct sbuf *b, const char *text)
{
	struct sbuf family = {0};
	char name[1024] = "";
	enum metric_type type = METRIC_GAUGE;
	for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		if (strncmp(line, "# TYPE ", 7) == 0) {
			if (family.len)
				put_family(b, &family);
			size_t len = strcspn(line + 7, " ");
			snprintf(name, sizeof name, "%.*s", (int)len, line + 7);
			type = type_of(line + 7 + len + 1);
		} else if (strncmp(line, "# HELP ", 7) == 0) {
			struct sbuf help = {0};
			add_unescaped(&help, line + 7 + strcspn(line + 7, " \n") + 1, end);
			put_head(&family, name, help.at ? help.at : "", type);
			sb_free(&help);
		} else {
			const char *labels = line + strcspn(line, "{ \n"), *value = labels;
			struct sbuf ignored = {0};
			if (*labels == '{')
				value = put_labels(&ignored, ++labels) + 1;
			sb_free(&ignored);
			put_number(&family, labels < value ? labels : "", type, strtod(value, NULL));
		}
	}
	if (family.len)
		put_family(b, &family);
}

/* -- histograms -------------------------------------------------------------------------------------------------- */

static double
sum_of(const struct metric *m, const struct row *r, unsigned decimals)
{
	return m->sum ? scaled((int64_t)r->sum, decimals) : (double)NAN; /* not known */
}

static uint64_t
put_classic(struct sbuf *h, const struct family *f, const struct row *r)
{
	uint64_t all = 0;
	for (unsigned i = 0; i < f->nbuckets; i++) {
		struct sbuf bucket = {0};
		all += r->buckets ? r->buckets[i] : 0;
		if (!f->any || i < f->from || i > f->to || f->edges[i] == INT64_MAX)
			continue;
		pb_uint(&bucket, BUCKET_COUNT, all);
		pb_double(&bucket, BUCKET_UPPER, scaled(f->edges[i], f->m->decimals));
		pb_message(h, HIST_BUCKET, &bucket);
	}
	return all;
}

/* The number of a bucket of quantize() in schema 0, by its upper end; of negative values, those of the other side. */
static int
index_of(int64_t edge)
{
	uint64_t v = edge < 0 ? -(uint64_t)edge : (uint64_t)edge;
	return 64 - __builtin_clzll(v);
}

/* One side of a native histogram: runs of buckets, and the counts as differences to the bucket before. */
static void
put_side(struct sbuf *h, const struct family *f, const struct row *r, bool negative, unsigned span, unsigned delta)
{
	uint64_t counts[65] = {0}, before = 0;
	for (unsigned i = 0; r->buckets && i < f->nbuckets; i++)
		if (f->edges[i] != 0 && (f->edges[i] < 0) == negative)
			counts[index_of(f->edges[i])] += r->buckets[i];
	int next = 0; /* the bucket after the last run */
	struct sbuf deltas = {0};
	for (int i = 0; i < 65; i++) {
		int from = i;
		for (; i < 65 && counts[i]; i++) {
			pb_sint(&deltas, delta, (int64_t)(counts[i] - before));
			before = counts[i];
		}
		if (i == from)
			continue;
		struct sbuf run = {0};
		pb_sint(&run, SPAN_OFFSET, from - next);
		pb_uint(&run, SPAN_LENGTH, (uint64_t)(i - from));
		pb_message(h, span, &run);
		next = i;
	}
	sb_add(h, deltas.at ? deltas.at : "", deltas.len);
	h->failed |= deltas.failed;
	sb_free(&deltas);
}

static void
put_native(struct sbuf *h, const struct family *f, const struct row *r)
{
	uint64_t zero = 0;
	for (unsigned i = 0; r->buckets && i < f->nbuckets; i++)
		zero += f->edges[i] == 0 ? r->buckets[i] : 0;
	pb_sint(h, HIST_SCHEMA, 0);
	pb_double(h, HIST_ZERO_THRESHOLD, 0x1p-128); /* the usual one; also tells that it is native if it is empty */
	pb_uint(h, HIST_ZERO_COUNT, zero);
	put_side(h, f, r, true, HIST_NEGATIVE_SPAN, HIST_NEGATIVE_DELTA);
	put_side(h, f, r, false, HIST_POSITIVE_SPAN, HIST_POSITIVE_DELTA);
}

static void
put_histogram(struct sbuf *family, const struct family *f, const struct row *r, bool classic, bool native)
{
	struct sbuf metric = {0}, h = {0}, buckets = {0};
	put_labels(&metric, r->labels);
	uint64_t all = put_classic(&buckets, f, r);
	pb_uint(&h, HIST_COUNT, all);
	pb_double(&h, HIST_SUM, sum_of(f->m, r, classic ? f->m->decimals : 0));
	if (classic)
		sb_add(&h, buckets.at ? buckets.at : "", buckets.len);
	h.failed |= buckets.failed;
	sb_free(&buckets);
	if (native)
		put_native(&h, f, r);
	pb_message(&metric, METRIC_HAS_HISTOGRAM, &h);
	pb_message(family, FAMILY_METRIC, &metric);
}

/* The name in the script's own unit: x_seconds of nanoseconds is x_nanoseconds. */
static void
native_name(const struct metric *m, char *name, size_t size)
{
	size_t unit = m->unit ? strlen(m->unit) : 0, len = strlen(m->name);
	const char *own = m->decimals == 9   ? "nanoseconds"
			  : m->decimals == 6 ? "microseconds"
			  : m->decimals == 3 ? "milliseconds"
					     : "percent";
	snprintf(name, size, "%.*s%s", (int)(len > unit ? len - unit : 0), m->name, own);
}

static void
put_histograms(struct sbuf *b, const struct family *f)
{
	const struct metric *m = f->m;
	bool native = m->fn == ET_AGG_QUANTIZE, apart = native && m->decimals;
	struct sbuf family = {0};
	put_head(&family, m->name, m->help, METRIC_HISTOGRAM);
	for (size_t i = 0; i < f->n; i++)
		put_histogram(&family, f, f->rows[i], true, native && !apart);
	put_family(b, &family);
	if (!apart)
		return;
	char name[1024];
	native_name(m, name, sizeof name);
	put_head(&family, name, m->help, METRIC_HISTOGRAM);
	for (size_t i = 0; i < f->n; i++)
		put_histogram(&family, f, f->rows[i], false, true);
	put_family(b, &family);
}

void
proto_script(struct sbuf *b, struct export_script *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->metrics.n; i++) {
		const struct family *f = &s->fams[i];
		if (!f->n)
			continue;
		if (f->m->type == METRIC_HISTOGRAM) {
			put_histograms(b, f);
			continue;
		}
		struct sbuf text = {0};
		text_family(&text, f, false);
		b->failed |= text.failed;
		if (text.at)
			proto_of_text(b, text.at);
		sb_free(&text);
	}
	pthread_mutex_unlock(&s->lock);
}
