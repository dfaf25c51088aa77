/*
 * Alerts over aggregations: what each condition of the object (object/cond.h) has seen in its window, key by key, and
 * whether it is true.
 *
 * Memory is bounded: WATCH_KEYS keys of a condition and WATCH_BYTES in all; values of further keys are counted in
 * `dropped`. A key is forgotten when its window is empty and its alert is over.
 *
 * The action alert() has no condition. What it shows of the time before is that of one aggregation of the script, its
 * first distribution if it has any. It is watched as a condition that is never true: how many values came in a minute
 * (of sum() their sum). There the keys with few values give way to those with more, and nothing is counted.
 */
#ifndef ET_CONSUME_WATCH_H
#define ET_CONSUME_WATCH_H

#include "object/dobj.h"

enum {
	WATCH_KEYS = 1000,
	WATCH_BYTES = 64 << 20,
	WATCH_SLOTS = 10,
	WATCH_MINUTE = 60,
	WATCH_WORDS = 1024,
	WATCH_TOP = 5
};

/* A key of a condition. The window is a ring of slots. */
struct watched {
	struct watched *next; /* with the same hash */
	uint64_t hash;
	uint32_t keylen;
	bool firing;
	int64_t value;                /* when it was true last */
	uint64_t since;               /* ns: true since then, or while firing: false since then; 0 if not */
	uint64_t stamps[WATCH_SLOTS]; /* which slot of time it is; 0 if never used */
	uint64_t words[];             /* WATCH_SLOTS values, then the key */
};

struct watch_cond {
	const struct dobj_agg *agg; /* what is kept for a key */
	uint32_t nwords, n;         /* words of that; keys */
	uint64_t slot;              /* ns */
	struct watched **chains;
	uint64_t *sum; /* a value */
	/* A distribution of at most WATCH_WORDS words: all keys of the last minute, a value for each second. NULL:
	 * none. */
	uint64_t *minute;
	uint32_t minute_words;
	uint64_t seconds[WATCH_MINUTE]; /* which second, from 1; 0 if never used */
	/* The keys with the largest values at the last look that told something. */
	struct watched_top {
		const struct watched *at;
		int64_t value;
	} top[WATCH_TOP];
	unsigned ntop;
	uint64_t topped; /* ns: when */
};

struct agg_watch {
	const struct dobj *o;
	struct watch_cond *conds; /* one for each of the object, then perhaps one for alert() */
	uint32_t n;
	struct dobj_cond picture; /* the latter */
	struct dobj_agg numbers; /* for it: a count or a sum with the keys of its aggregation, which need little room */
	uint64_t swept;          /* ns: when keys of the latter were last forgotten */
	uint64_t started;        /* ns, monotonic */
	size_t bytes;
	uint64_t dropped;
};

/* What an alert is told about. */
struct watch_news {
	const struct dobj_cond *cond;
	const void *key;
	size_t keylen;
	int64_t value; /* in the unit of the limit; if it is over, the last one that was not */
	bool over, again;
	struct agg_watch *w;
	uint32_t number; /* of the condition */
	uint64_t now;
};
/* Returns 0 to go on. */
typedef int watch_fn(void *arg, const struct watch_news *n);

/* The object must outlive it. Returns false if there is no memory. */
bool watch_init(struct agg_watch *w, const struct dobj *o, uint64_t now);
void watch_free(struct agg_watch *w);
/* A value of an aggregation has come. pictures: somebody wants what alert() shows. */
void watch_add(struct agg_watch *w, uint32_t agg, const void *key, size_t keylen, const uint64_t *words, bool pictures,
    uint64_t now);
/* Looks at all conditions, and calls fn for those that begin, go on or end. */
int watch_look(struct agg_watch *w, uint64_t now, watch_fn *fn, void *arg);
/* What alert() may show. Returns false if there is nothing. */
bool watch_picture(struct agg_watch *w, struct watch_news *n, uint64_t now);
/* What an alert may show of its condition: the keys with the largest values (in c->top), in the limit's unit, and a
 * value of the last minute, column 0 … WATCH_MINUTE - 1; NULL if there was none. */
void watch_top(const struct watch_news *n);
const uint64_t *watch_second(const struct watch_news *n, unsigned column);
const void *watch_key(const struct watch_cond *c, const struct watched *x);

#endif
