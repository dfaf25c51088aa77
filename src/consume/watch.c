#include "consume/watch.h"

#include "base/hash.h"
#include "object/aggval.h"
#include "object/cond.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 256 };
#define PICTURE_NS (WATCH_MINUTE * 1000000000ull)
#define SWEEP_NS 1000000000ull

static bool
has_alert(const struct dobj *o)
{
	for (uint32_t i = 0; i < o->nacts; i++)
		if (o->acts[i].kind == DA_ALERT)
			return true;
	return false;
}

/* The aggregation that alert() shows. */
static uint32_t
shown_agg(const struct dobj *o)
{
	for (uint32_t i = 0; i < o->naggs; i++)
		if (aggfn_is(o->aggs[i].fn, AT_DIST))
			return i;
	return 0;
}

static const struct dobj_cond *
cond_of(const struct agg_watch *w, uint32_t i)
{
	return i < w->o->nconds ? &w->o->conds[i] : &w->picture;
}

bool
watch_init(struct agg_watch *w, const struct dobj *o, uint64_t now)
{
	*w = (struct agg_watch){.o = o, .n = o->nconds, .started = now};
	if (o->naggs && has_alert(o)) {
		w->picture = (struct dobj_cond){.agg = shown_agg(o), .window = PICTURE_NS, .mul = 1, .div = 1};
		w->numbers = o->aggs[w->picture.agg];
		if (w->numbers.fn != AGG_SUM)
			w->numbers.fn = AGG_COUNT;
		w->picture.fn = w->numbers.fn == AGG_SUM ? COND_SUM : COND_COUNT;
		w->n++;
	}
	if (!w->n)
		return true;
	w->conds = calloc(w->n, sizeof *w->conds);
	for (uint32_t i = 0; w->conds && i < w->n; i++) {
		struct watch_cond *c = &w->conds[i];
		const struct dobj_agg *a = &o->aggs[cond_of(w, i)->agg];
		c->agg = i < o->nconds ? a : &w->numbers;
		c->nwords = aggval_words(c->agg);
		c->minute_words = aggval_words(a);
		c->slot = cond_of(w, i)->window / WATCH_SLOTS;
		c->chains = calloc(CHAINS, sizeof *c->chains);
		c->sum = calloc(c->nwords ? c->nwords : 1, sizeof *c->sum);
		bool dist = aggfn_is(a->fn, AT_DIST) && c->minute_words <= WATCH_WORDS;
		c->minute = dist ? calloc((size_t)c->minute_words * WATCH_MINUTE, sizeof *c->minute) : NULL;
		if (!c->chains || !c->sum || (dist && !c->minute)) {
			watch_free(w);
			return false;
		}
	}
	return w->conds != NULL;
}

void
watch_free(struct agg_watch *w)
{
	for (uint32_t i = 0; w->conds && i < w->n; i++) {
		struct watch_cond *c = &w->conds[i];
		for (unsigned k = 0; c->chains && k < CHAINS; k++)
			for (struct watched *x = c->chains[k], *next; x; x = next) {
				next = x->next;
				free(x);
			}
		free(c->chains);
		free(c->sum);
		free(c->minute);
	}
	free(w->conds);
	w->conds = NULL;
}

static size_t
bytes_of(const struct watch_cond *c, size_t keylen)
{
	return sizeof(struct watched) + (size_t)c->nwords * WATCH_SLOTS * sizeof(uint64_t) + keylen;
}

static const char *
key_of(const struct watch_cond *c, const struct watched *x)
{
	return (const char *)(x->words + (size_t)c->nwords * WATCH_SLOTS);
}

static unsigned
chain_of(uint64_t hash)
{
	return (hash ^ hash >> 32) % CHAINS;
}

/* Frees the key that a link leads to. */
static void
forget(struct agg_watch *w, struct watch_cond *c, struct watched **link)
{
	struct watched *x = *link;
	for (unsigned i = 0; i < c->ntop; i++)
		if (c->top[i].at == x)
			c->ntop = 0, c->topped = 0;
	*link = x->next;
	w->bytes -= bytes_of(c, x->keylen);
	c->n--;
	free(x);
}

/* Returns NULL if there is no room. */
static struct watched *
find(struct agg_watch *w, struct watch_cond *c, const void *key, size_t keylen)
{
	uint64_t hash = hash_bytes(key, keylen);
	struct watched **chain = &c->chains[chain_of(hash)];
	for (struct watched *x = *chain; x; x = x->next)
		if (x->hash == hash && x->keylen == keylen && (!keylen || memcmp(key_of(c, x), key, keylen) == 0))
			return x;
	size_t bytes = bytes_of(c, keylen);
	struct watched *x = c->n < WATCH_KEYS && w->bytes + bytes <= WATCH_BYTES ? calloc(1, bytes) : NULL;
	if (!x)
		return NULL;
	x->hash = hash;
	x->keylen = (uint32_t)keylen;
	if (keylen)
		memcpy(x->words + (size_t)c->nwords * WATCH_SLOTS, key, keylen);
	x->next = *chain;
	*chain = x;
	c->n++;
	w->bytes += bytes;
	return x;
}

/* Slots count from 1, because 0 means that one was never used. */
static uint64_t
slot_of(const struct agg_watch *w, const struct watch_cond *c, uint64_t now)
{
	return (now - w->started) / c->slot + 1;
}

static uint64_t
second_of(const struct agg_watch *w, uint64_t now)
{
	return (now - w->started) / 1000000000 + 1;
}

static void
add_second(
    const struct agg_watch *w, struct watch_cond *c, const struct dobj_agg *a, const uint64_t *words, uint64_t now)
{
	uint64_t second = second_of(w, now), *at = c->minute + second % WATCH_MINUTE * c->minute_words;
	if (c->seconds[second % WATCH_MINUTE] != second) {
		c->seconds[second % WATCH_MINUTE] = second;
		memset(at, 0, c->minute_words * sizeof *at);
	}
	aggval_merge(a, at, words);
}

/* Adds the window up in c->sum. Returns the ns that it spans. */
static uint64_t
add_up(const struct agg_watch *w, struct watch_cond *c, const struct watched *x, uint64_t now)
{
	uint64_t slot = slot_of(w, c, now), first = slot > WATCH_SLOTS ? slot - WATCH_SLOTS + 1 : 1;
	memset(c->sum, 0, c->nwords * sizeof *c->sum);
	for (unsigned i = 0; i < WATCH_SLOTS; i++)
		if (x->stamps[i] >= first)
			aggval_merge(c->agg, c->sum, x->words + (size_t)i * c->nwords);
	return now - w->started - (first - 1) * c->slot;
}

/* For what alert() shows: a key that has more values than others takes the place of one of them, the least in some
 * chains, so that nobody has to look at all. */
static struct watched *
displace(struct agg_watch *w, struct watch_cond *c, const void *key, size_t keylen, const uint64_t *words, uint64_t now)
{
	enum { LOOKED_AT = 4 };
	unsigned first = chain_of(hash_bytes(key, keylen)), word = c->agg->fn == AGG_SUM;
	int64_t least = (int64_t)words[word];
	struct watched **link = NULL;
	for (unsigned i = 0; i < LOOKED_AT; i++)
		for (struct watched **p = &c->chains[(first + i) % CHAINS]; *p; p = &(*p)->next) {
			add_up(w, c, *p, now);
			if ((int64_t)c->sum[word] >= least)
				continue;
			least = (int64_t)c->sum[word];
			link = p;
		}
	if (!link)
		return NULL;
	forget(w, c, link);
	return find(w, c, key, keylen);
}

void
watch_add(struct agg_watch *w, uint32_t agg, const void *key, size_t keylen, const uint64_t *words, bool pictures,
    uint64_t now)
{
	for (uint32_t i = 0; i < (pictures ? w->n : w->o->nconds); i++) {
		struct watch_cond *c = &w->conds[i];
		if (cond_of(w, i)->agg != agg || keylen > UINT32_MAX)
			continue;
		if (c->minute)
			add_second(w, c, &w->o->aggs[agg], words, now);
		struct watched *x = find(w, c, key, keylen);
		if (!x && i >= w->o->nconds)
			x = displace(w, c, key, keylen, words, now);
		if (!x) {
			w->dropped += i < w->o->nconds ? words[0] : 0;
			continue;
		}
		uint64_t slot = slot_of(w, c, now);
		uint64_t *at = x->words + slot % WATCH_SLOTS * c->nwords;
		if (x->stamps[slot % WATCH_SLOTS] != slot) {
			x->stamps[slot % WATCH_SLOTS] = slot;
			memset(at, 0, c->nwords * sizeof *at);
		}
		aggval_merge(c->agg, at, words);
	}
}

static int64_t
shown(const struct dobj_cond *d, int64_t v)
{
	__int128 x = (__int128)v * (__int128)d->mul / (__int128)d->div;
	return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}

/* Returns whether a state has lasted as long as the script wants. */
static bool
lasts(struct watched *x, const struct dobj_cond *d, bool is, uint64_t now)
{
	if (!is) {
		x->since = 0;
		return false;
	}
	if (!x->since)
		x->since = now;
	return now - x->since >= d->hold;
}

/* *idle: nothing is left to remember. */
static int
look_at(struct agg_watch *w, uint32_t i, struct watched *x, uint64_t now, bool *idle, watch_fn *fn, void *arg)
{
	const struct dobj_cond *d = &w->o->conds[i];
	const struct dobj_agg *a = &w->o->aggs[d->agg];
	struct watch_cond *c = &w->conds[i];
	uint64_t span = add_up(w, c, x, now);
	int64_t v;
	bool has = cond_value(d, a, c->sum, span, &v);
	/* a rate or a number is only that of a window when there was time for one */
	bool early = span < d->window / 2 && (d->op == COND_LT || d->op == COND_LE);
	bool is = has && !early && cond_compare(d->op, v, x->firing ? d->until : d->limit);
	if (is)
		x->value = v;
	struct watch_news n = {d, key_of(c, x), x->keylen, shown(d, x->value), false, x->firing, w, i, now};
	*idle = false;
	if (x->firing) {
		n.over = lasts(x, d, !is, now);
		n.again = !n.over;
		if (n.over) {
			x->firing = false;
			x->since = 0;
		}
		return fn(arg, &n);
	}
	if (!lasts(x, d, is, now)) {
		*idle = !is && c->sum[0] == 0;
		return 0;
	}
	x->firing = true;
	x->since = 0;
	return fn(arg, &n);
}

/* Forgets keys of what alert() shows. */
static void
sweep(struct agg_watch *w, struct watch_cond *c, uint64_t now)
{
	w->swept = now;
	for (unsigned k = 0; k < CHAINS; k++)
		for (struct watched **p = &c->chains[k]; *p;) {
			struct watched *x = *p;
			add_up(w, c, x, now);
			if (c->sum[0]) {
				p = &x->next;
				continue;
			}
			forget(w, c, p);
		}
}

int
watch_look(struct agg_watch *w, uint64_t now, watch_fn *fn, void *arg)
{
	int rc = 0;
	if (w->n > w->o->nconds && now - w->swept >= SWEEP_NS)
		sweep(w, &w->conds[w->o->nconds], now);
	for (uint32_t i = 0; rc == 0 && i < w->o->nconds; i++) {
		struct watch_cond *c = &w->conds[i];
		/* what has no keys is there from the beginning, so that its absence can be noticed */
		if (w->o->aggs[w->o->conds[i].agg].nkeys == 0)
			find(w, c, NULL, 0);
		for (unsigned k = 0; rc == 0 && k < CHAINS; k++)
			for (struct watched **p = &c->chains[k]; rc == 0 && *p;) {
				struct watched *x = *p;
				bool idle = false;
				rc = look_at(w, i, x, now, &idle, fn, arg);
				if (!idle) {
					p = &x->next;
					continue;
				}
				forget(w, c, p);
			}
	}
	return rc;
}

bool
watch_picture(struct agg_watch *w, struct watch_news *n, uint64_t now)
{
	if (w->n == w->o->nconds)
		return false;
	*n = (struct watch_news){.cond = &w->picture, .w = w, .number = w->o->nconds, .now = now};
	return true;
}

const uint64_t *
watch_second(const struct watch_news *n, unsigned column)
{
	const struct watch_cond *c = &n->w->conds[n->number];
	uint64_t now = second_of(n->w, n->now);
	if (!c->minute || now + column < WATCH_MINUTE)
		return NULL;
	uint64_t second = now + column - (WATCH_MINUTE - 1);
	bool there = second && c->seconds[second % WATCH_MINUTE] == second;
	return there ? c->minute + second % WATCH_MINUTE * c->minute_words : NULL;
}

const void *
watch_key(const struct watch_cond *c, const struct watched *x)
{
	return key_of(c, x);
}

/* Once for all alerts that begin at the same look. */
void
watch_top(const struct watch_news *n)
{
	struct watch_cond *c = &n->w->conds[n->number];
	bool up = n->cond->op == COND_GT || n->cond->op == COND_GE;
	if (c->topped == n->now)
		return;
	c->topped = n->now;
	c->ntop = 0;
	for (unsigned k = 0; k < CHAINS; k++)
		for (const struct watched *x = c->chains[k]; x; x = x->next) {
			int64_t v;
			uint64_t span = add_up(n->w, c, x, n->now);
			/* one without values may be forgotten before this is shown */
			if (!c->sum[0] || !cond_value(n->cond, c->agg, c->sum, span, &v))
				continue;
			unsigned at = c->ntop < WATCH_TOP ? c->ntop++ : WATCH_TOP;
			for (; at > 0 && (up ? c->top[at - 1].value < v : c->top[at - 1].value > v); at--)
				if (at < WATCH_TOP)
					c->top[at] = c->top[at - 1];
			if (at < WATCH_TOP)
				c->top[at] = (struct watched_top){x, v};
		}
	for (unsigned i = 0; i < c->ntop; i++)
		c->top[i].value = shown(n->cond, c->top[i].value);
}
