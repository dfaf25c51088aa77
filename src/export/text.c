/*
 * Values as text: Prometheus' format 0.0.4 and OpenMetrics 1.0. Both have the same samples; they differ in the lines
 * before them and in the end.
 *
 * Numbers are written exactly. A value in ns becomes seconds by moving the decimal point, not by a division, so that
 * the edge of a bucket 2^k - 1 ns is the same text in every scrape.
 */
#include "export/export.h"

#include "base/tame.h"

#include <inttypes.h>
#include <string.h>

void
text_label(struct sbuf *b, const char *name, const char *value)
{
	size_t len = strlen(value);
	sb_printf(b, "%s=\"", name);
	for (size_t i = 0; i < len && i < EXP_LABEL_BYTES;) {
		size_t n = utf8_len((const unsigned char *)value + i, len - i);
		char c = value[i];
		if (n == 0)
			sb_adds(b, "\xef\xbf\xbd"); /* U+FFFD */
		else if (c == '"' || c == '\\')
			sb_printf(b, "\\%c", c);
		else if (c == '\n')
			sb_adds(b, "\\n");
		else
			sb_add(b, value + i, n);
		i += n ? n : 1;
	}
	sb_addc(b, '"');
}

void
text_number(struct sbuf *b, int64_t v, unsigned decimals)
{
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v, by = 1;
	for (unsigned i = 0; i < decimals; i++)
		by *= 10;
	sb_printf(b, "%s%" PRIu64, v < 0 ? "-" : "", u / by);
	uint64_t rest = u % by;
	if (!rest)
		return;
	while (rest % 10 == 0) {
		rest /= 10;
		decimals--;
	}
	sb_printf(b, ".%0*" PRIu64, (int)decimals, rest);
}

/* A line of text: no line ends in it, and in OpenMetrics no bare quotation mark. */
static void
help_text(struct sbuf *b, const char *help, bool open)
{
	for (; *help; help++)
		if (*help == '\n')
			sb_adds(b, "\\n");
		else if (*help == '\\' || (open && *help == '"'))
			sb_printf(b, "\\%c", *help);
		else
			sb_addc(b, *help);
	sb_addc(b, '\n');
}

void
text_head(struct sbuf *b, const char *name, enum metric_type type, const char *unit, const char *help, bool open)
{
	const char *end = type == METRIC_COUNTER && !open ? "_total" : "";
	sb_printf(b, "# TYPE %s%s %s\n", name, end, metric_type_name(type));
	if (open && unit)
		sb_printf(b, "# UNIT %s %s\n", name, unit);
	sb_printf(b, "# HELP %s%s ", name, end);
	help_text(b, help, open);
}

static void
braces(struct sbuf *b, const char *labels)
{
	if (*labels)
		sb_printf(b, "{%s}", labels);
}

static void
edge(struct sbuf *b, const struct metric *m, const struct row *r, int64_t high, bool open)
{
	sb_printf(b, "%s_bucket{%s%sle=\"", m->name, r->labels, *r->labels ? "," : "");
	size_t before = b->len;
	if (high == INT64_MAX)
		sb_adds(b, "+Inf");
	else {
		text_number(b, high, m->decimals);
		/* OpenMetrics writes whole numbers here like others */
		if (open && b->at && !memchr(b->at + before, '.', b->len - before))
			sb_adds(b, ".0");
	}
	sb_adds(b, "\"} ");
}

static void
histogram(struct sbuf *b, const struct family *f, const struct row *r, bool open)
{
	const struct metric *m = f->m;
	uint64_t all = 0;
	bool negative = f->any && f->edges[f->from] < 0;
	for (unsigned i = 0; i < f->nbuckets; i++) {
		all += r->buckets ? r->buckets[i] : 0;
		if (!f->any || i < f->from || i > f->to || f->edges[i] == INT64_MAX)
			continue;
		edge(b, m, r, f->edges[i], open);
		sb_printf(b, "%" PRIu64 "\n", all);
	}
	edge(b, m, r, INT64_MAX, open);
	sb_printf(b, "%" PRIu64 "\n", all);
	/* OpenMetrics has no sum if there are negative values */
	if (m->sum && !(open && negative)) {
		sb_printf(b, "%s_sum", m->name);
		braces(b, r->labels);
		sb_addc(b, ' ');
		text_number(b, (int64_t)r->sum, m->decimals);
		sb_addc(b, '\n');
	}
	sb_printf(b, "%s_count", m->name);
	braces(b, r->labels);
	sb_printf(b, " %" PRIu64 "\n", all);
}

static void
number_row(struct sbuf *b, const struct metric *m, const struct row *r)
{
	sb_printf(b, "%s%s", m->name, m->type == METRIC_COUNTER ? "_total" : "");
	braces(b, r->labels);
	sb_addc(b, ' ');
	text_number(b,
	    m->fn == ET_AGG_COUNT ? (int64_t)r->count
	    : m->fn == ET_AGG_SUM ? (int64_t)r->sum
				  : r->value,
	    m->decimals);
	sb_addc(b, '\n');
}

void
text_family(struct sbuf *b, const struct family *f, bool open)
{
	text_head(b, f->m->name, f->m->type, f->m->unit, f->m->help, open);
	for (size_t k = 0; k < f->n; k++)
		if (f->m->type == METRIC_HISTOGRAM)
			histogram(b, f, f->rows[k], open);
		else
			number_row(b, f->m, f->rows[k]);
}

void
text_script(struct sbuf *b, struct export_script *s, bool open)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->metrics.n; i++)
		if (s->fams[i].n)
			text_family(b, &s->fams[i], open);
	pthread_mutex_unlock(&s->lock);
}
