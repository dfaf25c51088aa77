/* A heatmap. Cells of one colour are one shape, so that a picture of many columns stays small. */
#include "picture/picture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LEVELS = 12, HEIGHT_MOST = 220, ROW_MOST = 16 };

/* The palette is cividis, from light to dark. Colour-blind people can tell its colours apart, and so can everybody
 * by lightness alone. */
static const char *const colours[LEVELS] = {"#e8d34f", "#d3c164", "#bdaf6e", "#a99e73", "#969077", "#848279", "#747477",
    "#656773", "#555b6e", "#434e6c", "#2b406d", "#00224e"};

static unsigned
level_of(uint64_t n, uint64_t most)
{
	if (most < 2)
		return LEVELS - 1;
	double t = log((double)n) / log((double)most);
	return t >= 1 ? LEVELS - 1 : (unsigned)(t * (LEVELS - 1) + 0.5);
}

static uint64_t
cell(const struct pic_agg *a, const struct pic_key *k, unsigned column, unsigned row)
{
	return column < k->room ? k->cells[column * a->rows + row] : 0;
}

/* Finds the rows that are not empty, plus one free row on either side. */
static void
range(const struct picture *p, const struct pic_agg *a, const struct pic_key *k, unsigned *first, unsigned *last,
    uint64_t *most)
{
	*first = a->rows;
	*last = 0;
	*most = 0;
	for (unsigned c = 0; c < p->columns; c++)
		for (unsigned r = 0; r < a->rows; r++) {
			uint64_t n = cell(a, k, c, r);
			if (!n)
				continue;
			if (r < *first)
				*first = r;
			if (r > *last)
				*last = r;
			if (n > *most)
				*most = n;
		}
	*first -= *first > 0;
	*last += *last + 1 < a->rows;
}

/* Finds the upper bound of the row in which this share of all values is reached. */
static void
percentile(const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, const char *name,
    double share)
{
	uint64_t sum = 0;
	unsigned row = 0;
	for (; row < a->rows; row++) {
		for (unsigned c = 0; c < p->columns; c++)
			sum += cell(a, k, c, row);
		if ((double)sum >= share * (double)k->total)
			break;
	}
	if (row == a->rows)
		row--;
	bool open = a->high[row] == INT64_MAX;
	sb_printf(b, ", %s %s ", name, open ? "\xe2\x89\xa5" : "\xe2\x89\xa4");
	svg_number(b, (double)(open ? a->low[row] : a->high[row]));
}

static void
heading(const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, unsigned y)
{
	bool others = a->others && k == &a->keys[a->nkeys - 1];
	sb_printf(b, "<text x=\"%d\" y=\"%u\">@", SVG_MARGIN, y);
	svg_text(b, a->name, strlen(a->name), 60);
	if (*k->name || others) {
		sb_adds(b, "[");
		svg_text(b, others ? "other keys" : k->name, strlen(others ? "other keys" : k->name), 100);
		sb_adds(b, "]");
	}
	sb_printf(b, "<tspan class=\"m\">  %" PRIu64 " value%s", k->total, k->total == 1 ? "" : "s");
	percentile(p, a, k, b, "p50", 0.5);
	percentile(p, a, k, b, "p90", 0.9);
	percentile(p, a, k, b, "p99", 0.99);
	sb_adds(b, "</tspan></text>\n");
}

/* Steps of 1, 2, 5, 10, … seconds or parts of a second, so that there are at most 12. */
static void
time_axis(const struct picture *p, struct sbuf *b, unsigned y)
{
	double all = (double)p->columns * (double)p->width / 1e9, step = 0.001;
	static const double factors[] = {2, 2.5, 2};
	for (unsigned i = 0; all / step > 12; i++)
		step *= factors[i % 3];
	for (unsigned i = 0; i * step <= all * 1.0001; i++)
		sb_printf(b, "<text class=\"m c\" x=\"%.1f\" y=\"%u\">%g s</text>\n",
		    (double)SVG_LEFT + i * step / all * (double)SVG_PLOT, y, round(i * step * 1000) / 1000);
}

static void
legend(struct sbuf *b, unsigned y, uint64_t most)
{
	int x = SVG_WIDTH - SVG_MARGIN - LEVELS * 12 - 60;
	sb_printf(b, "<text class=\"m r\" x=\"%d\" y=\"%u\">1</text>", x - 4, y);
	for (unsigned i = 0; i < LEVELS; i++)
		sb_printf(b, "<rect x=\"%d\" y=\"%u\" width=\"12\" height=\"10\" fill=\"%s\"/>", x + 12 * (int)i, y - 9,
		    colours[i]);
	sb_printf(b, "<text class=\"m\" x=\"%d\" y=\"%u\">", x + 12 * LEVELS + 4, y);
	svg_number(b, (double)most);
	sb_adds(b, "</text>\n");
}

/* Draws the cells of one colour. Neighbours in a row are one rectangle. */
static void
shape(const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, unsigned level,
    uint64_t most, unsigned first, unsigned last, double top, double height)
{
	double width = (double)SVG_PLOT / p->columns;
	bool any = false;
	for (unsigned r = first; r <= last; r++)
		for (unsigned c = 0; c < p->columns; c++) {
			unsigned from = c;
			for (uint64_t n; c < p->columns && (n = cell(a, k, c, r)) && level_of(n, most) == level;)
				c++;
			if (c == from)
				continue;
			if (!any)
				sb_printf(b, "<path fill=\"%s\" d=\"", colours[level]);
			any = true;
			sb_printf(b, "M%.1f %.1fh%.1fv%.1fh-%.1fz", (double)SVG_LEFT + from * width,
			    top + (last - r) * height, (c - from) * width, height, (c - from) * width);
		}
	if (any)
		sb_adds(b, "\"/>\n");
}

void
heatmap_draw(const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, unsigned *y)
{
	unsigned first, last;
	uint64_t most;
	range(p, a, k, &first, &last, &most);
	unsigned rows = last - first + 1;
	double height = (double)HEIGHT_MOST / rows;
	if (height > (double)ROW_MOST)
		height = ROW_MOST;
	unsigned top = *y + 24, bottom = top + (unsigned)ceil(height * rows);
	heading(p, a, k, b, *y + 12);
	legend(b, *y + 12, most);
	sb_printf(b, "<rect class=\"g\" x=\"%d\" y=\"%u\" width=\"%d\" height=\"%u\"/>\n", SVG_LEFT, top, SVG_PLOT,
	    bottom - top);
	for (unsigned l = 0; l < LEVELS; l++)
		shape(p, a, k, b, l, most, first, last, top, height);
	/* a label where there is room for it */
	unsigned every = (unsigned)ceil(14 / height);
	for (unsigned r = first; r <= last; r += every) {
		sb_printf(b, "<text class=\"m r\" x=\"%d\" y=\"%.1f\">", SVG_LEFT - 6,
		    top + (last - r) * height + height / 2 + 4);
		if (a->low[r] == INT64_MIN) {
			sb_adds(b, "&lt; ");
			svg_number(b, (double)a->high[r] + 1);
		} else
			svg_number(b, (double)a->low[r]);
		sb_adds(b, "</text>\n");
	}
	time_axis(p, b, bottom + 14);
	*y = bottom + 30;
}
