/*
 * Requests as a waterfall: a row for each server on the way of a request, with the time that the request waited for it,
 * the time that it ran, and of that its own work.
 *
 * The rows are the elements of an aggregation @waterfall. Its keys are request, at, wait, run (ns), depth, process, its
 * name, what was asked, and the reply; on several nodes the node comes first. The value is how long the request took. A
 * script may keep only the slowest, and none at its end. So the rows of the last turn that had any are drawn.
 */
#include "picture/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 9, REQUESTS = 20, HEAD = 30, ROW = 20, GAP = 10, LABEL = 420, CHAR = 7 };
enum { REQUEST, AT, WAIT, RUN, DEPTH, PROCESS, NAME, ASKED, REPLY };

struct pic_hop {
	char *text[KEYS];
	int64_t at, wait, run, depth, total;
};

void
waterfall_free(struct picture *p)
{
	for (unsigned i = 0; i < p->nhops; i++)
		for (unsigned k = 0; k < KEYS; k++)
			free(p->hops[i].text[k]);
	free(p->hops);
	p->hops = NULL;
	p->nhops = 0;
}

static bool
take_keys(struct pic_hop *hop, const struct et_aggdata *d)
{
	unsigned first = d->nkeys - KEYS;
	for (unsigned k = 0; k < KEYS; k++)
		if (!(hop->text[k] = et_value_text(d->h, &d->keys[first + k])))
			return false;
	hop->at = strtoll(hop->text[AT], NULL, 10);
	hop->wait = strtoll(hop->text[WAIT], NULL, 10);
	hop->run = strtoll(hop->text[RUN], NULL, 10);
	hop->depth = strtoll(hop->text[DEPTH], NULL, 10);
	hop->total = d->value;
	return true;
}

/* Times that cannot be are left out: anybody may call an aggregation so. */
static bool
is_possible(const struct pic_hop *h)
{
	const int64_t most = INT64_MAX / 4;
	return h->at >= 0 && h->wait >= 0 && h->run >= 0 && h->depth >= 0 && h->total > 0 && h->at < most &&
	       h->wait < most && h->run < most;
}

bool
waterfall_take(struct picture *p, const struct et_aggdata *d)
{
	if (strcmp(d->name, "waterfall") != 0 || d->nbuckets || d->nkeys < KEYS)
		return true;
	if (!p->taking)
		waterfall_free(p);
	p->taking = true;
	if (p->nhops == PIC_HOPS)
		return true; /* those that are kept are enough for a picture */
	if (!p->hops && !(p->hops = calloc(PIC_HOPS, sizeof *p->hops)))
		return false;
	struct pic_hop *hop = &p->hops[p->nhops++];
	return take_keys(hop, d);
}

/* The slowest first; then by request, and in the order in which they were asked. */
static int
by_request(const void *a, const void *b)
{
	const struct pic_hop *x = a, *y = b;
	int order = strcmp(x->text[REQUEST], y->text[REQUEST]);
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (order)
		return order;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void
svg_time(struct sbuf *b, int64_t ns)
{
	double v = (double)ns;
	if (v >= 1e9)
		sb_printf(b, "%.3g s", v / 1e9);
	else if (v >= 1e6)
		sb_printf(b, "%.3g ms", v / 1e6);
	else if (v >= 1e3)
		sb_printf(b, "%.3g us", v / 1e3);
	else
		sb_printf(b, "%.0f ns", v);
}

static void
text(struct sbuf *b, const char *s, size_t most)
{
	svg_text(b, s, strlen(s), most);
}

static void
bar(struct sbuf *b, double scale, unsigned y, int64_t from, int64_t to, const char *colour)
{
	double width = (double)(to - from) * scale;
	sb_printf(b, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>",
	    (double)LABEL + (double)from * scale, y + 4, width < 0.8 ? 0.8 : width, ROW - 8, colour);
}

/* The times at which the server of row i worked itself: its run without the calls that it made. Returns their sum, and
 * draws them unless b is NULL. */
static int64_t
own(const struct pic_hop *rows, unsigned n, unsigned i, struct sbuf *b, double scale, unsigned y)
{
	int64_t from = rows[i].at + rows[i].wait, end = from + rows[i].run, sum = 0;
	for (unsigned j = i + 1; j <= n; j++) {
		bool last = j == n || rows[j].depth <= rows[i].depth;
		if (!last && rows[j].depth != rows[i].depth + 1)
			continue;
		int64_t to = last || rows[j].at > end ? end : rows[j].at;
		if (to > from) {
			sum += to - from;
			if (b)
				bar(b, scale, y, from, to, "#0b62a8");
		}
		if (last)
			break;
		int64_t back = rows[j].at + rows[j].wait + rows[j].run;
		from = back > from ? back : from;
	}
	return sum;
}

static void
title(struct sbuf *b, const struct pic_hop *h, int64_t itself)
{
	sb_adds(b, "<title>");
	text(b, h->text[PROCESS], PIC_NAME);
	sb_adds(b, ": ");
	text(b, h->text[ASKED], PIC_NAME);
	sb_adds(b, " -&gt; ");
	text(b, h->text[REPLY], PIC_NAME);
	sb_adds(b, "; asked at ");
	svg_time(b, h->at);
	sb_adds(b, ", waited ");
	svg_time(b, h->wait);
	sb_adds(b, ", ran ");
	svg_time(b, h->run);
	sb_adds(b, ", ");
	svg_time(b, itself);
	sb_adds(b, " of it itself</title>");
}

static void
row(struct sbuf *b, const struct pic_hop *rows, unsigned n, unsigned i, double scale, unsigned y)
{
	const struct pic_hop *h = &rows[i];
	unsigned indent = SVG_MARGIN + 14 * (unsigned)(h->depth < 12 ? h->depth : 12);
	size_t room = (LABEL - indent - 8) / CHAR, name = strlen(h->text[NAME]);
	sb_adds(b, "<g>");
	title(b, h, own(rows, n, i, NULL, 0, 0));
	sb_printf(b, "<text x=\"%u\" y=\"%u\">", indent, y + 14);
	text(b, h->text[NAME], room);
	sb_addc(b, ' ');
	if (name + 4 < room)
		text(b, h->text[ASKED], room - name - 2);
	sb_adds(b, "</text>");
	if (h->wait)
		bar(b, scale, y, h->at, h->at + h->wait, "#a9adb4");
	if (h->run)
		bar(b, scale, y, h->at + h->wait, h->at + h->wait + h->run, "#b9d6ef");
	own(rows, n, i, b, scale, y);
	sb_adds(b, "</g>\n");
}

static void
request(struct sbuf *b, const struct pic_hop *rows, unsigned n, unsigned *y)
{
	int64_t most = rows->total; /* a server may go on after its client has given up */
	for (unsigned i = 0; i < n; i++)
		if (rows[i].at + rows[i].wait + rows[i].run > most)
			most = rows[i].at + rows[i].wait + rows[i].run;
	double scale = (double)(SVG_WIDTH - LABEL - SVG_MARGIN) / (double)most;
	sb_printf(b, "<text style=\"font-weight:600\" x=\"%d\" y=\"%u\">", SVG_MARGIN, *y + 20);
	svg_time(b, rows->total);
	sb_adds(b, ": ");
	text(b, rows->text[ASKED], 50);
	sb_printf(b, "</text><text class=\"m\" x=\"%d\" y=\"%u\">0</text><text class=\"m r\" x=\"%d\" y=\"%u\">", LABEL,
	    *y + 20, SVG_WIDTH - SVG_MARGIN, *y + 20);
	svg_time(b, most);
	sb_printf(b, "</text><path class=\"g\" d=\"M%d %uH%d\"/>\n", LABEL, *y + HEAD - 5, SVG_WIDTH - SVG_MARGIN);
	*y += HEAD;
	for (unsigned i = 0; i < n; i++, *y += ROW)
		row(b, rows, n, i, scale, *y);
	*y += GAP;
}

unsigned
waterfall_draw(const struct picture *p, struct sbuf *b, unsigned *y)
{
	unsigned drawn = 0, left = 0, n;
	if (p->nhops)
		qsort(p->hops, p->nhops, sizeof *p->hops, by_request);
	for (unsigned i = 0; i < p->nhops; i += n) {
		const struct pic_hop *first = &p->hops[i];
		bool ok = first->depth == 0; /* otherwise its beginning was cut off */
		for (n = 0; i + n < p->nhops && strcmp(first[n].text[REQUEST], first->text[REQUEST]) == 0; n++)
			ok &= is_possible(&first[n]);
		if (ok && drawn < REQUESTS) {
			request(b, first, n, y);
			drawn++;
		} else
			left += ok;
	}
	if (!drawn)
		return 0;
	*y += 18;
	sb_printf(b,
	    "<text class=\"m\" x=\"%d\" y=\"%u\">Grey: the request waits in the server's queue. Dark: the server works. "
	    "Pale: the server waits for the next one.",
	    SVG_MARGIN, *y);
	if (left)
		sb_printf(b, " The slowest %d requests; %u more are not drawn.", REQUESTS, left);
	sb_adds(b, "</text>\n");
	return drawn;
}
