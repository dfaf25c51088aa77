/*
 * Flame graphs. The keys of an element are a path in a tree, outermost frame first; widths are shares of the whole.
 * Each aggregation has its own tree. Frames narrower than a third of a unit are not drawn.
 */
#include "picture/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 17, CHAR = 7 };

struct flame_frame {
	char *name;
	uint64_t hash;
	uint64_t value; /* includes all frames above it */
	uint32_t child, sibling;
};

struct tree {
	unsigned id;
	char *name;
	const char *what; /* what is added up: count, sum */
	uint32_t root;
};

struct flame {
	struct flame_frame *frames; /* index 0 is not a frame */
	uint32_t n, cap;
	struct tree trees[PIC_AGGS];
	unsigned ntrees;
	bool left_out, failed;
};

struct flame *
flame_new(void)
{
	return calloc(1, sizeof(struct flame));
}

void
flame_free(struct flame *f)
{
	if (!f)
		return;
	for (uint32_t i = 1; i < f->n; i++)
		free(f->frames[i].name);
	for (unsigned i = 0; i < f->ntrees; i++)
		free(f->trees[i].name);
	free(f->frames);
	free(f);
}

static uint64_t
hash_of(const char *s, size_t n)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211u;
	return h;
}

/* Returns its index, or 0 if there is no room. */
static uint32_t
add_frame(struct flame *f, const char *name, size_t n)
{
	if (f->n >= PIC_FRAMES) {
		f->left_out = true;
		return 0;
	}
	if (f->n == f->cap) {
		uint32_t cap = f->cap ? f->cap * 2 : 64;
		struct flame_frame *more = realloc(f->frames, cap * sizeof *more);
		if (!more) {
			f->failed = true;
			return 0;
		}
		f->frames = more;
		f->cap = cap;
	}
	f->n += f->n == 0;
	char *copy = strndup(name, n < 4 * PIC_NAME ? n : 4 * PIC_NAME);
	if (!copy) {
		f->failed = true;
		return 0;
	}
	f->frames[f->n] = (struct flame_frame){.name = copy, .hash = hash_of(name, n)};
	return f->n++;
}

static uint32_t
child_of(struct flame *f, uint32_t at, const char *name, size_t n)
{
	uint64_t hash = hash_of(name, n);
	for (uint32_t c = f->frames[at].child; c; c = f->frames[c].sibling)
		if (f->frames[c].hash == hash)
			return c;
	uint32_t c = add_frame(f, name, n);
	if (c) {
		f->frames[c].sibling = f->frames[at].child;
		f->frames[at].child = c;
	}
	return c;
}

static struct tree *
tree_of(struct flame *f, const struct et_aggdata *a)
{
	for (unsigned i = 0; i < f->ntrees; i++)
		if (f->trees[i].id == a->id)
			return &f->trees[i];
	if (f->ntrees == PIC_AGGS) {
		f->left_out = true;
		return NULL;
	}
	struct tree *t = &f->trees[f->ntrees];
	*t = (struct tree){.id = a->id, .what = et_agg_name(a->fn), .root = add_frame(f, "all", 3)};
	t->name = t->root ? strdup(a->name) : NULL;
	if (!t->name) {
		f->failed |= t->root != 0;
		return NULL;
	}
	f->ntrees++;
	return t;
}

/* Goes up the tree by the frames of a text, which are separated by ';'. */
static uint32_t
step(struct flame *f, uint32_t at, const char *text, size_t n, uint64_t value, unsigned *depth)
{
	while (at && n && *depth < PIC_DEPTH) {
		const char *end = memchr(text, ';', n);
		size_t len = end ? (size_t)(end - text) : n;
		if (len && (at = child_of(f, at, text, len))) {
			f->frames[at].value += value;
			++*depth;
		}
		text += len + (end != NULL);
		n -= len + (end != NULL);
	}
	return at;
}

static enum et_aggwalk
on_element(struct et_aggdata *a, void *arg)
{
	struct flame *f = arg;
	if (et_agg_kind(a->fn) != ET_AGGKIND_TOTAL || !a->nkeys || a->value <= 0)
		return ET_AGGWALK_NEXT;
	struct tree *t = tree_of(f, a);
	if (!t)
		return f->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
	uint64_t value = (uint64_t)a->value;
	uint32_t at = t->root;
	unsigned depth = 0;
	f->frames[at].value += value;
	for (unsigned i = 0; at && i < a->nkeys; i++) {
		struct sbuf text = {0};
		svg_key(&text, a->h, &a->keys[i]);
		f->failed |= text.failed;
		at = step(f, at, text.at ? text.at : "", text.len, value, &depth);
		sb_free(&text);
	}
	return f->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
}

bool
flame_take(struct flame *f, struct et *h)
{
	return et_aggregate_walk(h, ET_AGGSORT_KEY, on_element, f) == 0 && !f->failed;
}

/* -- drawing -- */

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(struct flame_frame *const *)a)->name, (*(struct flame_frame *const *)b)->name);
}

static unsigned
height_of(const struct flame *f, uint32_t at, double scale)
{
	unsigned most = 0;
	for (uint32_t c = f->frames[at].child; c; c = f->frames[c].sibling)
		if ((double)f->frames[c].value * scale >= 0.34) {
			unsigned h = height_of(f, c, scale);
			if (h > most)
				most = h;
		}
	return most + 1;
}

struct drawing {
	const struct flame *f;
	struct sbuf *b;
	double scale;
	uint64_t all;
	unsigned bottom; /* of the lowest row */
	bool failed;
};

static void
draw(struct drawing *d, const struct flame_frame *fr, double x, unsigned depth)
{
	double width = (double)fr->value * d->scale;
	unsigned y = d->bottom - (depth + 1) * ROW, r = 205 + (unsigned)(fr->hash >> 16) % 45,
		 g = 90 + (unsigned)(fr->hash >> 32) % 120;
	sb_adds(d->b, "<g><title>");
	svg_text(d->b, fr->name, strlen(fr->name), 2 * PIC_NAME);
	sb_printf(d->b,
	    " (%llu, %.2f %%)</title><rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"#%02x%02x50\"/>",
	    (unsigned long long)fr->value, 100.0 * (double)fr->value / (double)d->all, x, y, width, ROW,
	    depth ? r : 0xdd, depth ? g : 0xcc);
	if (width > 3 * CHAR) {
		sb_printf(d->b, "<text x=\"%.1f\" y=\"%u\">", x + 3, y + 12);
		svg_text(d->b, fr->name, strlen(fr->name), (size_t)((width - 6) / (double)CHAR));
		sb_adds(d->b, "</text>");
	}
	sb_adds(d->b, "</g>\n");
	unsigned n = 0;
	for (uint32_t c = fr->child; c; c = d->f->frames[c].sibling)
		n++;
	const struct flame_frame **kids = n ? malloc(n * sizeof *kids) : NULL;
	d->failed |= n && !kids;
	n = 0;
	for (uint32_t c = fr->child; kids && c; c = d->f->frames[c].sibling)
		kids[n++] = &d->f->frames[c];
	if (kids)
		qsort(kids, n, sizeof *kids, by_name);
	for (unsigned i = 0; kids && i < n; i++) {
		if ((double)kids[i]->value * d->scale >= 0.34)
			draw(d, kids[i], x, depth + 1);
		x += (double)kids[i]->value * d->scale;
	}
	free(kids);
}

unsigned
flame_draw(struct flame *f, struct sbuf *b, unsigned *y)
{
	unsigned drawn = 0;
	for (unsigned i = 0; i < f->ntrees; i++) {
		const struct flame_frame *root = &f->frames[f->trees[i].root];
		struct drawing d = {.f = f,
		    .b = b,
		    .all = root->value,
		    .scale = (double)(SVG_WIDTH - 2 * SVG_MARGIN) / (double)root->value};
		sb_printf(b, "<text x=\"%d\" y=\"%u\">@", SVG_MARGIN, *y + 12);
		svg_text(b, f->trees[i].name, strlen(f->trees[i].name), 60);
		sb_printf(b, "<tspan class=\"m\">  %s ", f->trees[i].what);
		svg_number(b, (double)root->value);
		sb_adds(b, "</tspan></text>\n<g class=\"f\">\n");
		d.bottom = *y + 22 + height_of(f, f->trees[i].root, d.scale) * ROW;
		draw(&d, root, SVG_MARGIN, 0);
		sb_adds(b, "</g>\n");
		b->failed |= d.failed;
		*y = d.bottom + 18;
		drawn++;
	}
	if (f->left_out) {
		sb_printf(b, "<text class=\"m\" x=\"%d\" y=\"%u\">There were more frames than fit: %d.</text>\n",
		    SVG_MARGIN, *y + 12, PIC_FRAMES);
		*y += 18;
	}
	return drawn;
}
