/*
 * What was added to distributions in each interval.
 *
 * The library gives sums since the start; a column is the difference of two turns. A sum that became smaller was
 * cleared in between, so all of it is new. Keys beyond the limit are added up in the last one.
 */
#include "picture/picture.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void
picture_init(struct picture *p, uint64_t start, uint64_t width)
{
	*p = (struct picture){.start = start, .last = start, .width = width ? width : 1000000000u};
}

void
picture_free(struct picture *p)
{
	for (unsigned i = 0; i < p->naggs; i++) {
		struct pic_agg *a = &p->aggs[i];
		for (unsigned k = 0; k < a->nkeys; k++) {
			free(a->keys[k].name);
			free(a->keys[k].now);
			free(a->keys[k].before);
			free(a->keys[k].cells);
		}
		free(a->name);
		free(a->low);
		free(a->high);
	}
	free(p->aggs);
	waterfall_free(p);
	*p = (struct picture){0};
}

static bool
find_agg(struct picture *p, const struct et_aggdata *d, struct pic_agg **out)
{
	for (unsigned i = 0; i < p->naggs; i++)
		if (p->aggs[i].id == d->id) {
			*out = &p->aggs[i];
			return true;
		}
	*out = NULL;
	if (p->naggs == PIC_AGGS) {
		p->left_out = true;
		return true;
	}
	struct pic_agg *more = realloc(p->aggs, (p->naggs + 1) * sizeof *more);
	if (!more)
		return false;
	p->aggs = more;
	struct pic_agg *a = &more[p->naggs];
	*a = (struct pic_agg){.id = d->id, .nbuckets = d->nbuckets};
	a->per = (d->nbuckets + PIC_ROWS - 1) / PIC_ROWS;
	a->rows = (d->nbuckets + a->per - 1) / a->per;
	a->name = strdup(d->name);
	a->low = calloc(a->rows, sizeof *a->low);
	a->high = calloc(a->rows, sizeof *a->high);
	p->naggs++; /* counted now, so that it is freed with the rest even if half made */
	if (!a->name || !a->low || !a->high)
		return false;
	for (unsigned i = 0; i < d->nbuckets; i++) {
		int64_t low, high;
		et_agg_bucket(d, i, &low, &high);
		if (i % a->per == 0)
			a->low[i / a->per] = low;
		a->high[i / a->per] = high;
	}
	*out = a;
	return true;
}

static struct pic_key *
find_key(struct pic_agg *a, struct et *h, const struct et_aggdata *d)
{
	struct sbuf text = {0};
	svg_keys(&text, h, d);
	uint64_t hash = hash_bytes(text.at, text.len);
	struct pic_key *k = NULL;
	for (unsigned i = 0; i < a->nkeys && !k; i++)
		if (a->keys[i].hash == hash)
			k = &a->keys[i];
	if (!k && a->nkeys == PIC_KEYS) {
		k = &a->keys[PIC_KEYS - 1];
		a->others = true;
	}
	if (!k && !text.failed) {
		k = &a->keys[a->nkeys++];
		*k = (struct pic_key){.hash = hash, .name = strndup(text.at ? text.at : "", 4 * PIC_NAME)};
		k->now = calloc(a->nbuckets, sizeof *k->now);
		k->before = calloc(a->nbuckets, sizeof *k->before);
		if (!k->name || !k->now || !k->before)
			k = NULL;
	}
	sb_free(&text);
	return k;
}

static enum et_aggwalk
on_element(struct et_aggdata *d, void *arg)
{
	struct picture *p = arg;
	struct pic_agg *a;
	if (!d->nbuckets) {
		p->failed |= !waterfall_take(p, d);
		return p->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
	}
	struct pic_key *k = find_agg(p, d, &a) && a ? find_key(a, d->h, d) : NULL;
	if (!k) {
		p->failed |= a != NULL || p->naggs < PIC_AGGS;
		return p->failed ? ET_AGGWALK_ABORT : ET_AGGWALK_NEXT;
	}
	for (unsigned i = 0; i < d->nbuckets; i++) {
		int64_t n = et_agg_bucket(d, i, NULL, NULL);
		if (n > 0)
			k->now[i] += (uint64_t)n;
	}
	return ET_AGGWALK_NEXT;
}

/* Joins every two columns into one. */
static void
halve(struct picture *p)
{
	for (unsigned i = 0; i < p->naggs; i++)
		for (unsigned k = 0; k < p->aggs[i].nkeys; k++) {
			struct pic_key *key = &p->aggs[i].keys[k];
			unsigned rows = p->aggs[i].rows;
			for (unsigned c = 0; c < key->room; c++)
				for (unsigned r = 0; r < rows; r++) {
					uint64_t n = key->cells[c * rows + r];
					key->cells[c * rows + r] = 0;
					key->cells[c / 2 * rows + r] += n;
				}
		}
	p->width *= 2;
	p->columns = (p->columns + 1) / 2;
}

static bool
room_for(struct pic_key *k, unsigned rows, unsigned column)
{
	if (column < k->room)
		return true;
	unsigned room = k->room ? k->room : 16;
	while (room <= column)
		room *= 2;
	uint64_t *cells = realloc(k->cells, (size_t)room * rows * sizeof *cells);
	if (!cells)
		return false;
	memset(cells + (size_t)k->room * rows, 0, (size_t)(room - k->room) * rows * sizeof *cells);
	k->cells = cells;
	k->room = room;
	return true;
}

static bool
add_column(struct picture *p, struct pic_agg *a, struct pic_key *k)
{
	bool cleared = false, any = false;
	for (unsigned i = 0; i < a->nbuckets; i++) {
		cleared |= k->now[i] < k->before[i];
		any |= k->now[i] != k->before[i];
	}
	if (any && !room_for(k, a->rows, p->now))
		return false;
	for (unsigned i = 0; any && i < a->nbuckets; i++) {
		uint64_t n = cleared ? k->now[i] : k->now[i] - k->before[i];
		k->cells[p->now * a->rows + i / a->per] += n;
		k->total += n;
	}
	uint64_t *swap = k->before;
	k->before = k->now;
	k->now = swap;
	memset(k->now, 0, a->nbuckets * sizeof *k->now);
	return true;
}

bool
picture_take(struct picture *p, struct et *h, uint64_t now)
{
	/* the values came at some time between the last turn and this one */
	uint64_t middle = p->last + (now > p->last ? (now - p->last) / 2 : 0);
	uint64_t since = middle > p->start ? middle - p->start : 0;
	p->last = now;
	while (since / p->width >= PIC_COLUMNS)
		halve(p);
	p->now = (unsigned)(since / p->width);
	if (p->now >= p->columns)
		p->columns = p->now + 1;
	p->taking = false;
	if (p->failed || et_aggregate_walk(h, ET_AGGSORT_KEY, on_element, p) != 0)
		return false;
	for (unsigned i = 0; i < p->naggs; i++)
		for (unsigned k = 0; k < p->aggs[i].nkeys; k++)
			p->failed |= !add_column(p, &p->aggs[i], &p->aggs[i].keys[k]);
	return !p->failed;
}
