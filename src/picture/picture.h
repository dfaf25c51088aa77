/*
 * Static pictures of aggregations as SVG: `erltrace -o latency.svg`.
 *
 * Distributions become heatmaps: time on x, one column an interval (option aggrate), values on y, counts as
 * colour; a panel for each of the first keys. Everything else that adds up (count, sum) and has keys becomes a
 * flame graph: of the stack where a key is one, else of the keys as they are nested.
 *
 *   gather.c    what was added in each interval
 *   heatmap.c   its panels
 *   flame.c     the tree of frames and its panels
 *   svg.c       text and shapes, safely; the page around the panels
 *
 * A picture belongs to its maker and is used by one thread. Its memory is bounded by the limits below, whatever the
 * script does: what is beyond them is merged ("other keys", wider columns) or left out and said.
 */
#ifndef ET_PICTURE_PICTURE_H
#define ET_PICTURE_PICTURE_H

#include "base/sbuf.h"
#include "erltrace.h"

enum {
#ifdef ET_TINY
	PIC_COLUMNS = 4,
	PIC_KEYS = 2,
	PIC_FRAMES = 64,
#else
	PIC_COLUMNS = 900,   /* more: two become one */
	PIC_KEYS = 16,       /* panels of a distribution; more: merged into the last */
	PIC_FRAMES = 100000, /* of a flame graph */
#endif
	PIC_AGGS = 16,
	PIC_ROWS = 160, /* more buckets: several become a row */
	PIC_NAME = 160, /* bytes of a key that are shown */
	PIC_DEPTH = 512,
};

/* One key of a distribution. */
struct pic_key {
	char *name;
	uint64_t hash;    /* of the whole key */
	uint64_t *now;    /* buckets, since the start of tracing or the last clear() */
	uint64_t *before; /* the same, at the last turn */
	uint64_t *cells;  /* column by column, rows each; room for `room` columns */
	unsigned room;
	uint64_t total;
};

struct pic_agg {
	unsigned id;
	char *name;
	unsigned nbuckets, rows, per; /* per: buckets of a row */
	int64_t *low, *high;          /* of each row */
	struct pic_key keys[PIC_KEYS];
	unsigned nkeys;
	bool others; /* the last key stands for several */
};

struct picture {
	struct pic_agg *aggs;
	unsigned naggs;
	uint64_t start, width; /* ns: of the first column, of each */
	uint64_t last;         /* turn */
	unsigned columns, now; /* now: the one being filled */
	bool left_out;         /* there are distributions beyond PIC_AGGS */
	bool failed;           /* out of memory */
};

/* width: ns of a column. */
void picture_init(struct picture *p, uint64_t start, uint64_t width);
void picture_free(struct picture *p);
/* Adds what has come since the last time to the column of `now` (ns). False: p->failed, or et_errno(). */
bool picture_take(struct picture *p, struct et *h, uint64_t now);
/* The whole document. *panels: how many pictures are in it; 0: there was nothing to draw. False: out of memory, or
 * et_errno(). */
bool picture_draw(const struct picture *p, struct et *h, const char *title, struct sbuf *b, unsigned *panels);

/* heatmap.c: one panel from *y on, which moves below it. */
void heatmap_draw(
    const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, unsigned *y);

/* flame.c */
struct flame;
struct flame *flame_new(void);
void flame_free(struct flame *f);
/* Takes the elements of all aggregations that can be drawn so. */
bool flame_take(struct flame *f, struct et *h);
/* All panels; how many. */
unsigned flame_draw(struct flame *f, struct sbuf *b, unsigned *y);

/* svg.c. Widths in units of the picture. */
enum { SVG_WIDTH = 1200, SVG_MARGIN = 12, SVG_LEFT = 84, SVG_PLOT = SVG_WIDTH - SVG_LEFT - SVG_MARGIN };
/* Text that may be anything: at most `most` characters of it. */
void svg_text(struct sbuf *b, const char *text, size_t n, size_t most);
/* A number that people can read: 950, 12k, 3.4M. */
void svg_number(struct sbuf *b, double v);
/* A key as text, several joined by ", ". */
void svg_keys(struct sbuf *b, struct et *h, const struct et_aggdata *a);
void svg_key(struct sbuf *b, struct et *h, const struct et_value *v);
/* The name of a frame. */
void svg_frame(struct sbuf *b, struct et *h, int64_t pid, uint64_t pc);

#endif
