/* The minute before an alert as one heatmap. */
#include "picture/picture.h"

#include <stdlib.h>

static bool
fill(const struct et_alertdata *a, struct picture *p, struct pic_agg *g, struct pic_key *k)
{
	g->per = (a->nbuckets + PIC_ROWS - 1) / PIC_ROWS;
	g->rows = (a->nbuckets + g->per - 1) / g->per;
	g->nbuckets = a->nbuckets;
	g->low = calloc(g->rows, sizeof *g->low);
	g->high = calloc(g->rows, sizeof *g->high);
	k->cells = calloc((size_t)g->rows * a->nseconds, sizeof *k->cells);
	k->room = p->columns;
	if (!g->low || !g->high || !k->cells)
		return false;
	for (unsigned i = 0; i < a->nbuckets; i++) {
		if (i % g->per == 0)
			g->low[i / g->per] = a->low[i];
		g->high[i / g->per] = a->high[i];
		for (unsigned c = 0; c < a->nseconds; c++) {
			k->cells[(size_t)c * g->rows + i / g->per] += a->cells[(size_t)c * a->nbuckets + i];
			k->total += a->cells[(size_t)c * a->nbuckets + i];
		}
	}
	return k->total > 0;
}

bool
picture_minute(const struct et_alertdata *a, struct sbuf *b)
{
	static char all[] = "";
	struct sbuf body = {0};
	struct picture p = {.columns = a->nseconds, .width = 1000000000};
	struct pic_agg g = {.nkeys = 1};
	struct pic_key *k = &g.keys[0];
	unsigned y = 40;
	if (!a->nseconds || !a->nbuckets)
		return false;
	union {
		const char *from;
		char *to;
	} name = {.from = a->aggregation};
	g.name = name.to;
	k->name = all;
	bool ok = fill(a, &p, &g, k);
	if (ok) {
		heatmap_draw(&p, &g, k, &body, &y);
		svg_page(b, "the last minute, now right", &body, y);
		ok = !b->failed && !body.failed;
	}
	sb_free(&body);
	free(g.low);
	free(g.high);
	free(k->cells);
	return ok;
}
