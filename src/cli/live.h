/*
 * Views that are redrawn every interval: `erltrace -N shop top`, --top and --heatmap.
 *
 *   screen.c   the terminal: size, keys, a frame in the place of the last one
 *   live.c     the turns: keys, intervals, which view
 *   top.c      the node: processes, functions, messages, collections
 *   slice.c    how often functions are called, for top
 *   aggs.c     the aggregations of any script, with rates
 *   heat.c     distributions over time
 *
 * If the output is not a terminal, frames follow each other as plain text, and a heatmap is drawn once, at the end.
 */
#ifndef ET_CLI_LIVE_H
#define ET_CLI_LIVE_H

#include "base/sbuf.h"
#include "cli/cli.h"

struct picture;

/* -- the terminal */
struct screen {
	FILE *out;
	bool is_live; /* drawn in place; otherwise frames follow each other */
	bool has_keys;
	bool colour, unicode;
	unsigned rows, cols;
};

void screen_open(struct screen *s, FILE *out, unsigned show);
/* Restores the terminal. */
void screen_close(struct screen *s);
/* The same from a signal handler that ends the command. */
void screen_panic(void);
/* Asks for the current size. */
void screen_size(struct screen *s);
/* Shows a frame of lines. Returns false, with errno set, if it cannot be written. */
bool screen_show(struct screen *s, const struct sbuf *frame);
/* Waits for a key, at most this long. Returns 0 if none came. */
int screen_key(struct screen *s, unsigned ms);
/* Adds any text in `width` columns: cut if it is longer, padded if it is shorter (on the left if width < 0). */
void screen_text(const struct screen *s, struct sbuf *b, const char *text, int width);
/* A line that stands out. */
void screen_heading(const struct screen *s, struct sbuf *b, const char *text);
/* A rate, or a number with a fraction: 0, 0.5, 12, 3.4k. */
void screen_rate(struct sbuf *b, double v);

/* -- the views. `seconds` counts from the last frame. */
enum view { VIEW_TOP, VIEW_AGGS, VIEW_HEAT };

struct live {
	struct cli *c;
	enum view view;
	struct screen s;
	uint64_t interval, last, work; /* ns: length of a frame, and the times of the last frame and the last turn */
	uint64_t began;
	double seconds; /* between the last two frames */
	struct sbuf frame;
	FILE *none; /* what the script prints is dropped: the view is shown instead */
	FILE *said; /* where messages go while a terminal is drawn on, or NULL */
	char *saidtext;
	size_t saidlen;
	struct top *top;
	struct aggs *aggs;
	struct picture *heat;
};

/* top.c */
struct top *top_new(const struct cli *c);
void top_free(struct top *t);
const char *top_program(const struct cli *c);
/* Takes what has come since the last time. Returns false if memory ran out or with et_errno(). */
bool top_take(struct top *t, struct et *h);
void top_draw(struct top *t, const struct screen *s, struct sbuf *b, const char *node, double seconds);
/* Returns whether it used the key. */
bool top_key(struct top *t, int key);

/* slice.c: counts calls per second of these functions for a moment. Returns false if that failed. */
bool slice_calls(const struct cli *c, const char *const *names, unsigned n, double *rates);

/* aggs.c */
struct aggs *aggs_new(const struct cli *c);
void aggs_free(struct aggs *a);
bool aggs_take(struct aggs *a, struct et *h);
/* all: rates are over everything that came in these seconds, not since the last frame. */
void aggs_draw(struct aggs *a, const struct screen *s, struct sbuf *b, double seconds, bool all);
bool aggs_key(struct aggs *a, int key);

/* heat.c. most: rows of the screen, 0 for no limit. Returns false if there was nothing to draw. */
bool heat_draw(const struct picture *p, const struct screen *s, struct sbuf *b, unsigned most);

#endif
