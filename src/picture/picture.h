/*
 * Static pictures of aggregations as SVG: `erltrace -o latency.svg`.
 *
 * Distributions become heatmaps: time on x, one column per interval (option aggrate), values on y, counts as colour,
 * and one panel for each of the first keys. Everything else that adds up (count, sum) and has keys becomes a flame
 * graph. If one of the keys is a stack it is drawn from that, otherwise from the keys as they are nested. An
 * aggregation @waterfall becomes a waterfall of requests.
 *
 *   gather.c    what was added in each interval
 *   heatmap.c   its panels
 *   flame.c     the tree of frames and its panels
 *   waterfall.c requests and the servers on their way
 *   minute.c    the minute before an alert
 *   svg.c       text and shapes, safely; the page around the panels
 *
 * A picture belongs to its maker and is used by one thread. The limits below bound its memory, whatever the script
 * does. What is beyond them is merged ("other keys", wider columns), or left out with a note in the picture.
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
	PIC_HOPS = 8,
#else
	PIC_COLUMNS = 900,   /* beyond this, every two columns become one */
	PIC_KEYS = 16,       /* panels of a distribution; further keys are merged into the last */
	PIC_FRAMES = 100000, /* of a flame graph */
	PIC_HOPS = 2000,     /* rows of a waterfall */
#endif
	PIC_AGGS = 16,
	PIC_ROWS = 160, /* if there are more buckets, several become one row */
	PIC_NAME = 160, /* bytes shown of a key */
	PIC_DEPTH = 512,
};

/* One key of a distribution. */
struct pic_key {
	char *name;
	uint64_t hash;    /* of the whole key */
	uint64_t *now;    /* buckets, since the start of tracing or the last clear() */
	uint64_t *before; /* the same at the last turn */
	uint64_t *cells;  /* column by column, rows each; room for `room` columns */
	unsigned room;
	uint64_t total;
};

struct pic_agg {
	unsigned id;
	char *name;
	unsigned nbuckets, rows, per; /* per: buckets in a row */
	int64_t *low, *high;          /* of each row */
	struct pic_key keys[PIC_KEYS];
	unsigned nkeys;
	bool others; /* the last key stands for several */
};

struct picture {
	struct pic_agg *aggs;
	unsigned naggs;
	uint64_t start, width; /* ns: start of the first column, width of each */
	uint64_t last;         /* turn */
	unsigned columns, now; /* now: the one being filled */
	struct pic_hop *hops;  /* of the last turn that had any */
	unsigned nhops;
	bool taking;   /* this turn has some */
	bool left_out; /* there are distributions beyond PIC_AGGS */
	bool failed;   /* out of memory */
};

/* width is that of a column in ns. */
void picture_init(struct picture *p, uint64_t start, uint64_t width);
void picture_free(struct picture *p);
/* Adds what came since the last call to the column of `now` (ns). Returns false with p->failed set or et_errno(). */
bool picture_take(struct picture *p, struct et *h, uint64_t now);
/* Draws the whole document. *panels is the number of pictures in it, 0 if there was nothing to draw. Returns false
 * if memory ran out or with et_errno(). */
bool picture_draw(const struct picture *p, struct et *h, const char *title, struct sbuf *b, unsigned *panels);

/* heatmap.c: draws one panel at *y and moves *y below it. */
void heatmap_draw(
    const struct picture *p, const struct pic_agg *a, const struct pic_key *k, struct sbuf *b, unsigned *y);

/* flame.c */
struct flame;
struct flame *flame_new(void);
void flame_free(struct flame *f);
/* Takes the elements of all aggregations that can be drawn this way. */
bool flame_take(struct flame *f, struct et *h);
/* Draws all panels and returns their number. */
unsigned flame_draw(struct flame *f, struct sbuf *b, unsigned *y);

/* waterfall.c: takes an element if it is one of a waterfall; false: out of memory. Draws the requests, and returns
 * their number. */
bool waterfall_take(struct picture *p, const struct et_aggdata *d);
unsigned waterfall_draw(const struct picture *p, struct sbuf *b, unsigned *y);
void waterfall_free(struct picture *p);

/* svg.c. Widths are in units of the picture. */
enum { SVG_WIDTH = 1200, SVG_MARGIN = 12, SVG_LEFT = 84, SVG_PLOT = SVG_WIDTH - SVG_LEFT - SVG_MARGIN };
/* Text that may contain anything. At most `most` characters of it are shown. */
void svg_text(struct sbuf *b, const char *text, size_t n, size_t most);
/* A number that people can read: 950, 12k, 3.4M. */
void svg_number(struct sbuf *b, double v);
/* A key as text; several keys are joined by ", ". */
void svg_keys(struct sbuf *b, struct et *h, const struct et_aggdata *a);
void svg_key(struct sbuf *b, struct et *h, const struct et_value *v);
/* The whole document around panels that end at y. */
void svg_page(struct sbuf *b, const char *title, const struct sbuf *body, unsigned y);

/* minute.c: the last minute before an alert over a distribution, as a document with a heatmap. Returns false if there
 * was nothing in it, or no memory. */
bool picture_minute(const struct et_alertdata *a, struct sbuf *b);

#endif
