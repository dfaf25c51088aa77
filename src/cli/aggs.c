/*
 * --top: the aggregations of a script as tables, sorted, with how much was added per second.
 *
 * The library gives sums since the start, or since the script cleared them. What was added between two looks is
 * gathered here, so that a rate is right whatever the script does with its aggregations.
 */
#include "cli/live.h"

#include "base/hash.h"
#include "picture/picture.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20000, MOST_AGGS = 16, PLAIN_LINES = 20, NUMBER = 11 };

struct shown_row {
	char *key;
	unsigned id;
	uint64_t hash;
	uint64_t count, added; /* values: total, and since the last frame */
	int64_t value;         /* as the aggregation shows it */
	int64_t grown, total;  /* sum: growth since the last frame, and total */
	uint64_t before;       /* the library's last numbers: values, and */
	int64_t before_value;  /* the sum */
	uint64_t seen;         /* the last look that found it */
	int64_t p50, p95, p99; /* distributions: bounds of buckets */
	double rate;           /* for sorting */
};

struct shown_agg {
	unsigned id;
	char *name;
	enum et_aggfn fn;
};

enum sort { BY_RATE, BY_VALUE, BY_KEY, NSORTS };
static const char *const sort_names[] = {"rate", "value", "key"};

struct aggs {
	struct shown_row *rows;
	unsigned nrows;
	unsigned *slots, nslots; /* row plus one, by hash */
	struct shown_agg aggs[MOST_AGGS];
	unsigned naggs;
	enum sort sort;
	uint64_t looks;
	bool failed, is_full;
};

struct aggs *
aggs_new(const struct cli *c)
{
	struct aggs *a = calloc(1, sizeof *a);
	for (unsigned i = 0; a && c->sort && i < NSORTS; i++)
		if (strcmp(c->sort, sort_names[i]) == 0)
			a->sort = (enum sort)i;
	return a;
}

void
aggs_free(struct aggs *a)
{
	for (unsigned i = 0; a && i < a->nrows; i++)
		free(a->rows[i].key);
	for (unsigned i = 0; a && i < a->naggs; i++)
		free(a->aggs[i].name);
	if (a) {
		free(a->rows);
		free(a->slots);
	}
	free(a);
}

static const struct shown_agg *
find_agg(struct aggs *a, const struct et_aggdata *d)
{
	for (unsigned i = 0; i < a->naggs; i++)
		if (a->aggs[i].id == d->id)
			return &a->aggs[i];
	if (a->naggs == MOST_AGGS)
		return NULL;
	struct shown_agg *g = &a->aggs[a->naggs];
	*g = (struct shown_agg){.id = d->id, .fn = d->fn, .name = strdup(d->name)};
	if (!g->name) {
		a->failed = true;
		return NULL;
	}
	a->naggs++;
	return g;
}

static bool
grow(struct aggs *a)
{
	unsigned n = a->nslots ? a->nslots * 2 : 256;
	unsigned *slots = calloc(n, sizeof *slots);
	struct shown_row *rows = realloc(a->rows, n * sizeof *rows);
	if (rows)
		a->rows = rows;
	if (!slots || !rows) {
		free(slots);
		return false;
	}
	for (unsigned i = 0; i < a->nrows; i++) {
		unsigned at = (unsigned)a->rows[i].hash & (n - 1);
		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = i + 1;
	}
	free(a->slots);
	a->slots = slots;
	a->nslots = n;
	return true;
}

/* Returns the row of a key, or NULL if there is no room or no memory. */
static struct shown_row *
find_row(struct aggs *a, unsigned id, const struct sbuf *key)
{
	uint64_t hash = hash_bytes(key->at, key->len) + id;
	const char *text = key->at ? key->at : "";
	if (a->nrows * 2 >= a->nslots && !grow(a)) {
		a->failed = true;
		return NULL;
	}
	unsigned at = (unsigned)hash & (a->nslots - 1);
	for (; a->slots[at]; at = (at + 1) & (a->nslots - 1)) {
		struct shown_row *r = &a->rows[a->slots[at] - 1];
		if (r->hash == hash && r->id == id && strcmp(r->key, text) == 0)
			return r;
	}
	if (a->nrows == MOST_ROWS) {
		a->is_full = true;
		return NULL;
	}
	struct shown_row *r = &a->rows[a->nrows];
	*r = (struct shown_row){.id = id, .hash = hash, .key = strdup(text)};
	if (!r->key) {
		a->failed = true;
		return NULL;
	}
	a->slots[at] = ++a->nrows;
	return r;
}

/* Returns the upper bound of the bucket in which this share of all values is reached, or the lower bound if it has
 * no upper one. */
static int64_t
percentile(const struct et_aggdata *d, double share)
{
	int64_t low = 0, high = 0, n;
	double sum = 0;
	for (unsigned i = 0; i < d->nbuckets; i++) {
		n = et_agg_bucket(d, i, &low, &high);
		sum += n > 0 ? (double)n : 0;
		if (n > 0 && sum >= share * (double)d->count)
			break;
	}
	return high == INT64_MAX ? low : high;
}

static enum et_aggwalk
on_element(struct et_aggdata *d, void *arg)
{
	struct aggs *a = arg;
	struct sbuf key = {0};
	sb_adds(&key, "");
	svg_keys(&key, d->h, d);
	struct shown_row *r = find_agg(a, d) && !key.failed ? find_row(a, d->id, &key) : NULL;
	a->failed |= key.failed;
	sb_free(&key);
	if (!r)
		return a->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
	/* less than before: it was cleared, so all of it is new */
	bool cleared = d->count < r->before;
	uint64_t more = cleared ? d->count : d->count - r->before;
	r->added += more;
	r->count += more;
	r->grown += d->raw - (cleared ? 0 : r->before_value);
	r->total += d->raw - (cleared ? 0 : r->before_value);
	r->seen = a->looks;
	r->before = d->count;
	r->before_value = d->raw;
	if (d->count)
		r->value = d->value;
	if (d->nbuckets && d->count) {
		r->p50 = percentile(d, 0.5);
		r->p95 = percentile(d, 0.95);
		r->p99 = percentile(d, 0.99);
	}
	return ET_AGGWALK_NEXT;
}

bool
aggs_take(struct aggs *a, struct et *h)
{
	a->looks++;
	if (et_aggregate_walk(h, ET_AGGSORT_NONE, on_element, a) != 0 || a->failed)
		return false;
	/* rows that trunc() removed start again if they come back */
	for (unsigned i = 0; i < a->nrows; i++)
		if (a->rows[i].seen != a->looks) {
			a->rows[i].before = 0;
			a->rows[i].before_value = 0;
		}
	return true;
}

static const struct aggs *sorting; /* qsort has no argument */

static int
compare(const void *x, const void *y)
{
	const struct shown_row *a = *(struct shown_row *const *)x, *b = *(struct shown_row *const *)y;
	if (sorting->sort == BY_RATE && a->rate != b->rate)
		return a->rate < b->rate ? 1 : -1;
	if (sorting->sort != BY_KEY && a->value != b->value)
		return a->value < b->value ? 1 : -1;
	return strcmp(a->key, b->key);
}

static void
number(struct sbuf *b, double v)
{
	struct sbuf text = {0};
	screen_rate(&text, v);
	sb_printf(b, " %*s", NUMBER - 1, text.at ? text.at : "");
	sb_free(&text);
}

static void
head(const struct shown_agg *g, const struct screen *s, struct sbuf *b, int width)
{
	static const char *const sums[] = {"ADDED/s", "TOTAL", NULL}, *const dists[] = {"VALUES/s", "VALUES", "P50",
									  "P95", "P99", NULL};
	enum et_aggkind kind = et_agg_kind(g->fn);
	const char *others[] = {"VALUES/s", "VALUES", et_agg_name(g->fn), NULL};
	const char *const *names = kind == ET_AGGKIND_TOTAL ? sums : kind == ET_AGGKIND_DISTRIBUTION ? dists : others;
	struct sbuf line = {0};
	char title[256];
	snprintf(title, sizeof title, "@%s", g->name);
	screen_text(s, &line, title, width);
	for (unsigned i = 0; names[i]; i++)
		sb_printf(&line, " %*s", NUMBER - 1, names[i]);
	screen_heading(s, b, line.at ? line.at : "");
	sb_free(&line);
}

static void
draw_row(const struct shown_agg *g, const struct shown_row *r, const struct screen *s, struct sbuf *b, int width)
{
	screen_text(s, b, r->key, width);
	number(b, r->rate);
	enum et_aggkind kind = et_agg_kind(g->fn);
	if (kind == ET_AGGKIND_TOTAL) {
		sb_printf(b, " %*lld", NUMBER - 1, (long long)(g->fn == ET_AGG_COUNT ? (int64_t)r->count : r->value));
	} else {
		sb_printf(b, " %*llu", NUMBER - 1, (unsigned long long)r->count);
		if (kind == ET_AGGKIND_NUMBER)
			sb_printf(b, " %*lld", NUMBER - 1, (long long)r->value);
	}
	if (kind == ET_AGGKIND_DISTRIBUTION) {
		number(b, (double)r->p50);
		number(b, (double)r->p95);
		number(b, (double)r->p99);
	}
	sb_adds(b, "\n");
}

static void
draw_agg(struct aggs *a, const struct shown_agg *g, struct shown_row **list, unsigned n, const struct screen *s,
    struct sbuf *b, unsigned lines)
{
	enum et_aggkind kind = et_agg_kind(g->fn);
	int numbers = kind == ET_AGGKIND_TOTAL ? 2 : kind == ET_AGGKIND_DISTRIBUTION ? 5 : 3;
	int width = (int)s->cols - numbers * NUMBER;
	if (width < 12)
		width = 12;
	head(g, s, b, width);
	sorting = a;
	qsort(list, n, sizeof(struct shown_row *), compare);
	for (unsigned i = 0; i < n && i < lines; i++)
		draw_row(g, list[i], s, b, width);
}

void
aggs_draw(struct aggs *a, const struct screen *s, struct sbuf *b, double seconds, bool all)
{
	struct shown_row **list = calloc(a->nrows + 1, sizeof(struct shown_row *));
	if (!list) {
		a->failed = true;
		return;
	}
	for (unsigned i = 0; i < a->nrows; i++) {
		struct shown_row *r = &a->rows[i];
		bool sums = false;
		for (unsigned k = 0; k < a->naggs; k++)
			sums |= a->aggs[k].id == r->id && a->aggs[k].fn == ET_AGG_SUM;
		double n = all    ? (sums ? (double)r->total : (double)r->count)
			   : sums ? (double)r->grown
				  : (double)r->added;
		r->rate = seconds > 0 ? n / seconds : 0;
		r->added = 0;
		r->grown = 0;
	}
	unsigned each = s->is_live && a->naggs ? (s->rows - 2) / a->naggs : PLAIN_LINES + 2;
	for (unsigned k = 0; k < a->naggs; k++) {
		unsigned n = 0;
		for (unsigned i = 0; i < a->nrows; i++)
			if (a->rows[i].id == a->aggs[k].id)
				list[n++] = &a->rows[i];
		draw_agg(a, &a->aggs[k], list, n, s, b, each > 2 ? each - 2 : 1);
		if (k + 1 < a->naggs)
			sb_adds(b, "\n");
	}
	if (!a->naggs)
		sb_adds(b, "nothing has been aggregated yet\n");
	if (a->is_full)
		sb_printf(b, "more than %d keys: the others are left out\n", MOST_ROWS);
	free(list);
}

bool
aggs_key(struct aggs *a, int key)
{
	switch (key) {
	case 'r':
		a->sort = BY_RATE;
		return true;
	case 'v':
		a->sort = BY_VALUE;
		return true;
	case 'k':
		a->sort = BY_KEY;
		return true;
	default:
		return false;
	}
}
