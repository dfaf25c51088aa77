/*
 * Distributions of quantize(), lquantize() and llquantize(), and the bars of agghist and aggpack.
 *
 * A bar has 40 columns for the sum of all counts (with aggzoom for the largest count, made a little smaller so that it
 * does not look full). If a distribution has negative and positive counts, its bars have zero in the middle.
 */
#include "show/text.h"

#include "object/aggval.h"

enum { BAR = 40 };
#define ZOOM_MAX 0.95L /* of the bar, for the largest count with aggzoom */

static long double
absl(int64_t v)
{
	long double d = (long double)v;
	return d < 0 ? -d : d;
}

void
hist_scale_add(struct hist_scale *sc, const struct show *s, int64_t v)
{
	long double a = absl(v);
	sc->positives |= v > 0;
	sc->negatives |= v < 0;
	if (!s->aggzoom)
		sc->total += a;
	else if (a / (sc->full ? 1 : ZOOM_MAX) > sc->total)
		sc->total = a / (sc->full ? 1 : ZOOM_MAX);
}

static void
add_utf8(struct sbuf *b, unsigned c)
{
	char u[3] = {(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f))};
	sb_add(b, u, 3);
}

/* Block characters: eighths of a column. */
static void
bar_utf8(struct sbuf *b, const struct show *s, long double f)
{
	unsigned whole = (unsigned)f, part = (unsigned)((f - (long double)whole) * 8), used = whole;
	if (s->colour && (whole || part))
		sb_adds(b, "\033[36m");
	for (unsigned i = 0; i < whole; i++)
		add_utf8(b, 0x2588);
	if (part && whole < BAR) {
		add_utf8(b, 0x2590 - part);
		used++;
	}
	if (s->colour && (whole || part))
		sb_adds(b, "\033[0m");
	sb_fill(b, ' ', used < BAR ? BAR - used : 0);
}

void
text_bar(struct sbuf *b, const struct show *s, int64_t v, uint64_t normal, const struct hist_scale *sc)
{
	unsigned width = sc->positives && sc->negatives ? BAR / 2 : BAR;
	long double f = sc->total > 0 ? absl(v) * width / sc->total : 0;
	unsigned depth = (unsigned)(f + 0.5L);
	if (depth > width)
		depth = width;
	bool left = sc->negatives && v <= 0;
	if (!sc->negatives) {
		sb_addc(b, '|');
		if (s->utf8)
			bar_utf8(b, s, f);
		else {
			sb_fill(b, '@', depth);
			sb_fill(b, ' ', width - depth);
		}
	} else if (left) {
		sb_fill(b, ' ', width - depth);
		sb_fill(b, '@', depth);
		sb_addc(b, '|');
		if (sc->positives)
			sb_fill(b, ' ', width);
	} else {
		sb_fill(b, ' ', width);
		sb_addc(b, '|');
		sb_fill(b, '@', depth);
		sb_fill(b, ' ', width - depth);
	}
	sb_printf(b, " %-9lld\n", (long long)aggval_normalized(v, normal));
}

/* What stands before a bucket's bar. */
static void
text_label(struct sbuf *b, const struct dobj_agg *a, uint32_t i, uint32_t n, int width)
{
	struct aggval_range r = aggval_bucket(a, i);
	if (!aggfn_is(a->fn, AT_OPEN)) {
		sb_printf(b, "%*lld", width, (long long)(i < AGGVAL_QZERO ? r.hi : r.lo));
		return;
	}
	char text[32];
	if (i == 0)
		snprintf(text, sizeof text, "< %lld", (long long)r.hi + 1);
	else if (i == n - 1)
		snprintf(text, sizeof text, ">= %lld", (long long)r.lo);
	else
		snprintf(text, sizeof text, "%lld", (long long)r.lo);
	sb_printf(b, "%*s", width, text);
}

/* The buckets to show: those with data plus one on each side; without data, those around zero. */
static void
find_range(const struct dobj_agg *a, const uint64_t *counts, uint32_t n, uint32_t *first, uint32_t *last)
{
	uint32_t i = 0, j = n - 1;
	while (i < n && counts[i] == 0)
		i++;
	if (i == n) {
		bool is_open = aggfn_is(a->fn, AT_OPEN);
		*first = is_open ? 0 : AGGVAL_QZERO - 1;
		uint32_t end = *first + (is_open && !aggfn_is(a->fn, AT_EVEN) ? 1 : 2);
		*last = end < n ? end : n - 1;
		return;
	}
	while (counts[j] == 0)
		j--;
	*first = i ? i - 1 : 0;
	*last = j < n - 1 ? j + 1 : j;
}

void
text_hist(struct sbuf *b, const struct show *s, const struct dobj_agg *a, const uint64_t *words, uint64_t normal)
{
	uint32_t n = aggval_nbuckets(a), first, last;
	const uint64_t *counts = words + 1;
	if (n == 0)
		return;
	find_range(a, counts, n, &first, &last);
	struct hist_scale sc = {0};
	for (uint32_t i = first; i <= last; i++)
		hist_scale_add(&sc, s, (int64_t)counts[i]);
	sb_printf(b, "\n%16s %41s %-9s\n", "value", "------------- Distribution -------------", "count");
	for (uint32_t i = first; i <= last; i++) {
		text_label(b, a, i, n, 16);
		sb_addc(b, ' ');
		text_bar(b, s, (int64_t)counts[i], normal, &sc);
	}
}

void
hist_range_add(struct hist_range *r, const struct dobj_agg *a, const uint64_t *words)
{
	uint32_t n = aggval_nbuckets(a);
	for (uint32_t i = 0; i < n; i++) {
		if (words[1 + i] == 0)
			continue;
		if (!r->any || i < r->first)
			r->first = i;
		if (!r->any || i > r->last)
			r->last = i;
		r->any = true;
	}
}

/* The buckets that aggpack shows. Those of lquantize() are all shown. */
static void
pack_range(const struct dobj_agg *a, const struct hist_range *r, uint32_t *min, uint32_t *max)
{
	uint32_t n = aggval_nbuckets(a);
	*min = 0;
	*max = n - 1;
	if (aggfn_is(a->fn, AT_EVEN))
		return;
	*min = r->any ? r->first : 0;
	*max = r->any ? r->last : 0;
	bool has_zero = !aggfn_is(a->fn, AT_OPEN); /* a bucket of its own for it */
	if (!r->any && has_zero)
		*min = *max = AGGVAL_QZERO;
	if (*min != 0 && !(has_zero && *min == AGGVAL_QZERO))
		--*min;
	if (*max < n - 1)
		++*max;
}

static int
label_width(const struct dobj_agg *a, uint32_t i, bool is_min)
{
	if (aggfn_is(a->fn, AT_EVEN))
		return is_min ? 7 : 8;
	struct sbuf t = {0};
	text_label(&t, a, i, aggval_nbuckets(a), 0);
	int w = (int)t.len;
	sb_free(&t);
	return w < 4 ? 4 : w;
}

void
text_pack_header(struct sbuf *b, const struct dobj_agg *a, const struct hist_range *r, unsigned keywidth)
{
	uint32_t min, max;
	pack_range(a, r, &min, &max);
	sb_printf(b, "\n%*s %*s .", (int)keywidth, keywidth ? "key" : "", label_width(a, min, true), "min");
	sb_fill(b, '-', max - min + 1);
	sb_printf(b, ". %-*s | count\n", label_width(a, max, false), "max");
}

static void
pack_cell(struct sbuf *b, const struct show *s, int64_t v, long double total)
{
	static const char up[] = "__xxxxXX", down[] = "vvvvVV";
	if (v == 0 || total <= 0) {
		sb_addc(b, ' ');
		return;
	}
	if (v < 0)
		sb_addc(b, down[(unsigned)(absl(v) * 5 / total + 0.5L)]);
	else if (s->utf8)
		add_utf8(b, 0x2581 + (unsigned)(absl(v) * 7 / total + 0.5L));
	else
		sb_addc(b, up[(unsigned)(absl(v) * 7 / total + 0.5L)]);
}

void
text_pack(
    struct sbuf *b, const struct show *s, const struct dobj_agg *a, const uint64_t *words, const struct hist_range *r)
{
	uint32_t min, max, n = aggval_nbuckets(a);
	if (n == 0)
		return;
	pack_range(a, r, &min, &max);
	struct hist_scale sc = {0};
	uint64_t count = 0;
	for (uint32_t i = min; i <= max; i++) {
		hist_scale_add(&sc, s, (int64_t)words[1 + i]);
		count += words[1 + i];
	}
	bool linear = aggfn_is(a->fn, AT_EVEN);
	if (!linear)
		sb_addc(b, ' ');
	text_label(b, a, min, n, linear ? 8 : label_width(a, min, true));
	sb_adds(b, " :");
	for (uint32_t i = min; i <= max; i++)
		pack_cell(b, s, (int64_t)words[1 + i], sc.total);
	sb_adds(b, ": ");
	text_label(b, a, max, n, linear ? -8 : -label_width(a, max, false));
	sb_printf(b, " | %lld\n", (long long)count);
}
