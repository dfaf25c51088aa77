/*
 * Distributions over time as text: one panel per key, values upwards, time to the right. The number of values is shown
 * by colour, or by shade if there are no colours, or by characters if there are no shades.
 */
#include "cli/live.h"

#include "picture/picture.h"

#include <math.h>
#include <string.h>

enum { LABEL = 10, LEVELS = 9 };

/* From dark blue through purple and orange to yellow: brighter means more. */
static const unsigned char colours[LEVELS] = {17, 18, 54, 90, 126, 168, 209, 215, 228};
static const char *const shades[] = {"\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93", "\xe2\x96\x88"};
static const char letters[] = ".:-=+*#%@";

static unsigned
level_of(uint64_t n, uint64_t most)
{
	double t = most < 2 ? 1 : log((double)n) / log((double)most);
	return t >= 1 ? LEVELS - 1 : (unsigned)(t * (LEVELS - 1) + 0.5);
}

/* What is shown of a key: columns of the picture, `per` of them as one. */
struct panel {
	const struct pic_agg *a;
	const struct pic_key *k;
	unsigned from, to, per; /* columns of the picture: [from, to) */
	unsigned first, last;   /* rows */
	uint64_t most;
};

static uint64_t
cell(const struct panel *p, unsigned column, unsigned row)
{
	uint64_t n = 0;
	for (unsigned c = column; c < column + p->per && c < p->to && c < p->k->room; c++)
		n += p->k->cells[c * p->a->rows + row];
	return n;
}

/* Finds the rows that are not empty. Returns false if all are. */
static bool
measure(struct panel *p)
{
	p->first = p->a->rows;
	p->last = 0;
	p->most = 0;
	for (unsigned c = p->from; c < p->to; c += p->per)
		for (unsigned r = 0; r < p->a->rows; r++) {
			uint64_t n = cell(p, c, r);
			if (!n)
				continue;
			p->first = r < p->first ? r : p->first;
			p->last = r > p->last ? r : p->last;
			p->most = n > p->most ? n : p->most;
		}
	return p->most > 0;
}

static void
draw_cell(const struct screen *s, struct sbuf *b, uint64_t n, uint64_t most)
{
	if (!n) {
		sb_addc(b, ' ');
		return;
	}
	unsigned level = level_of(n, most);
	if (s->colour)
		sb_printf(b, "\033[48;5;%um \033[0m", colours[level]);
	else if (s->unicode)
		sb_adds(b, shades[level * 4 / LEVELS]);
	else
		sb_addc(b, letters[level]);
}

static void
draw_row(const struct panel *p, const struct screen *s, struct sbuf *b, unsigned row)
{
	struct sbuf label = {0};
	int64_t low = p->a->low[row];
	if (low == INT64_MIN)
		sb_adds(&label, "below");
	else
		svg_number(&label, (double)low);
	sb_printf(b, "%*s |", LABEL - 2, label.at ? label.at : "");
	for (unsigned c = p->from; c < p->to; c += p->per)
		draw_cell(s, b, cell(p, c, row), p->most);
	sb_adds(b, "\n");
	sb_free(&label);
}

/* "-60s" under the first column, "now" under the last. */
static void
draw_time(const struct picture *pic, const struct panel *p, struct sbuf *b)
{
	unsigned width = (p->to - p->from + p->per - 1) / p->per;
	double seconds = (double)(p->to - p->from) * (double)pic->width / 1e9;
	char from[32], to[] = "now";
	snprintf(from, sizeof from, "-%.*f s", seconds < 10 ? 1 : 0, seconds);
	sb_fill(b, ' ', LABEL);
	sb_adds(b, from);
	if (width > strlen(from) + sizeof to)
		sb_fill(b, ' ', width - strlen(from) - sizeof to + 1);
	else
		sb_addc(b, ' ');
	sb_printf(b, "%s\n", to);
}

static void
draw_panel(const struct picture *pic, const struct panel *p, const struct screen *s, struct sbuf *b, unsigned rows)
{
	char title[512];
	bool others = p->a->others && p->k == &p->a->keys[p->a->nkeys - 1];
	snprintf(title, sizeof title, "@%s%s%s%s  %llu values, up to %llu in a cell", p->a->name,
	    *p->k->name || others ? "[" : "", others ? "other keys" : p->k->name, *p->k->name || others ? "]" : "",
	    (unsigned long long)p->k->total, (unsigned long long)p->most);
	screen_text(s, b, title, (int)s->cols);
	while (b->len && b->at[b->len - 1] == ' ')
		b->len--;
	sb_adds(b, "\n");
	/* the largest values come first; if there is no room, the smallest are left out */
	for (unsigned r = p->last + 1; r-- > p->first && rows; rows--)
		draw_row(p, s, b, r);
	draw_time(pic, p, b);
}

bool
heat_draw(const struct picture *pic, const struct screen *s, struct sbuf *b, unsigned most)
{
	unsigned width = s->cols > LABEL + 10 ? s->cols - LABEL : 10, panels = 0, used = 0;
	for (unsigned i = 0; i < pic->naggs; i++)
		for (unsigned k = 0; k < pic->aggs[i].nkeys; k++) {
			struct panel p = {.a = &pic->aggs[i], .k = &pic->aggs[i].keys[k], .to = pic->columns, .per = 1};
			/* a live view shows the last part; a picture of everything is made to fit */
			if (s->is_live)
				p.from = pic->columns > width ? pic->columns - width : 0;
			else
				p.per = (pic->columns + width - 1) / width;
			if (!p.per || !measure(&p))
				continue;
			unsigned rows = p.last - p.first + 1;
			if (most && used + 4 > most)
				return true;
			if (most && used + rows + 3 > most)
				rows = most - used - 3;
			sb_adds(b, panels++ ? "\n" : "");
			draw_panel(pic, &p, s, b, rows);
			used += rows + 3;
		}
	return panels > 0;
}
