/*
 * Memory for dynamic variables, from one fixed block that all shards share.
 *
 * Chunks come from the few that the stripe freed last, otherwise from the stripe's slab (so that stripes do not share
 * cache lines), otherwise from the common part: lists of free chunks by size class, the block's untouched rest, and
 * larger classes. The common part has its own lock, taken inside a stripe's. When nothing is left, chunks that stripes
 * keep are taken from them.
 */
#include "engine/user/dyn.h"

/* Returns the smallest class whose chunks hold `units`. *units becomes their size. */
static unsigned
class_of(uint32_t *units)
{
	if (*units <= SMALL)
		return *units;
	unsigned c = SMALL + 1;
	for (uint32_t base = SMALL; c + 4 <= NCLASSES; base *= 2, c += 4)
		for (unsigned quarter = 1; quarter <= 4; quarter++)
			if (*units <= base + base / 4 * quarter) {
				*units = base + base / 4 * quarter;
				return c + quarter - 1;
			}
	return NCLASSES;
}

/* Returns a chunk that the stripe kept, of exactly this size or also a larger one. */
static uint32_t
kept_take(struct dyn *d, struct stripe *st, uint32_t units, bool larger)
{
	for (uint32_t i = st->nkept; i > 0; i--) {
		uint32_t link = st->kept[i - 1], has = elem_at(d, link)->units;
		if (has == units || (larger && has > units)) {
			st->kept[i - 1] = st->kept[--st->nkept];
			return link;
		}
	}
	return 0;
}

static void
free_common(struct dyn *d, uint32_t link)
{
	struct elem *el = elem_at(d, link);
	uint32_t units = el->units;
	unsigned c = class_of(&units);
	el->tnext = d->free[c];
	d->free[c] = link;
}

static uint32_t
cut(struct dyn *d, uint32_t *from, uint32_t units)
{
	uint32_t link = *from;
	*from += units;
	elem_at(d, link)->units = units;
	return link;
}

/* Takes a chunk from the common part. d->lock is held. */
static uint32_t
take_common(struct dyn *d, uint32_t units)
{
	unsigned c = class_of(&units);
	if (!d->free[c] && units <= d->end - d->top)
		return cut(d, &d->top, units);
	for (; c < NCLASSES; c++) {
		uint32_t link = d->free[c];
		if (link) {
			d->free[c] = elem_at(d, link)->tnext;
			return link;
		}
	}
	return 0;
}

/* Makes a chunk of a rest that is too short for anything else, unless it is smaller than any chunk. */
static void
free_rest(struct dyn *d, uint32_t from, uint32_t to)
{
	if (to - from >= LINE)
		free_common(d, cut(d, &from, to - from));
}

/* A new slab for the stripe; the rest of the old one becomes a chunk. What is skipped to the next cache line is too
 * short for one. d->lock is held. */
static bool
slab_new(struct dyn *d, struct stripe *st)
{
	uint32_t from = (d->top + LINE - 1) & ~(LINE - 1u);
	if (from < d->top || from >= d->end || d->slab > d->end - from)
		return false;
	free_rest(d, st->slab, st->slab_end);
	st->slab = from;
	st->slab_end = d->top = from + d->slab;
	return true;
}

/* Takes a chunk of at least this size that a stripe keeps. Its lock is held, and it is being changed if it has idle
 * elements. *seen grows by the number of those that were looked at. */
static uint32_t
take_from(struct user_engine *e, struct stripe *st, uint32_t units, unsigned *seen)
{
	struct dyn *d = e->dyn;
	uint32_t link = kept_take(d, st, units, true);
	if (!link && units <= st->slab_end - st->slab)
		link = cut(d, &st->slab, units);
	if (!link && units <= LINE && st->nidle) { /* there are no larger ones among the idle */
		if (idle_free(e, st, seen) && !(link = kept_take(d, st, units, true))) {
			spin_lock(&d->lock);
			link = take_common(d, units);
			spin_unlock(&d->lock);
		}
	}
	return link;
}

/* Takes what stripes keep. Busy stripes are skipped, so that two thieves cannot wait for each other. */
static ET_COLD uint32_t
steal(struct user_engine *e, struct stripe *own, uint32_t units)
{
	enum { COST = 4 }; /* of looking at a stripe, as a number of elements */
	unsigned seen = 0;
	uint32_t link = take_from(e, own, units, &seen);
	for (unsigned i = 0; i < NSTRIPES && !link; i++) {
		struct stripe *st = &e->dyn->stripes[i];
		own->walked += COST;
		if (st == own || !spin_trylock(&st->lock))
			continue;
		bool changes = st->nidle;
		if (changes)
			change_begin(st);
		link = take_from(e, st, units, &seen);
		if (changes)
			change_end(st);
		spin_unlock(&st->lock);
	}
	own->walked += seen;
	return link;
}

struct elem *
chunk_new(struct user_engine *e, struct stripe *st, size_t bytes)
{
	struct dyn *d = e->dyn;
	uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT), link;
	if (units < LINE)
		units = LINE; /* so that elements do not share cache lines */
	unsigned c = class_of(&units);
	if (c >= NCLASSES)
		return NULL;
	if ((link = kept_take(d, st, units, false)))
		return elem_at(d, link);
	bool small = units <= d->slab / 4;
	if (small && units <= st->slab_end - st->slab)
		return elem_at(d, cut(d, &st->slab, units));
	spin_lock(&d->lock);
	if (small && !d->free[c] && slab_new(d, st))
		link = cut(d, &st->slab, units);
	else
		link = take_common(d, units);
	spin_unlock(&d->lock);
	if (!link)
		link = steal(e, st, units);
	return link ? elem_at(d, link) : NULL;
}

void
chunk_free(struct dyn *d, struct stripe *st, struct elem *el)
{
	if (st->nkept < KEPT) {
		st->kept[st->nkept++] = link_of(d, el);
		return;
	}
	spin_lock(&d->lock);
	free_common(d, link_of(d, el));
	spin_unlock(&d->lock);
}
