/*
 * Aggregation tables: a chained hash in one fixed block. Entries are laid one after the other from the start. The chain
 * heads stand at the block's end and grow towards them as long as there is room, one with each entry. (This is linear
 * hashing: no entry ever pays for moving all the others.) An entry is never removed alone: a snapshot takes the whole
 * table.
 *
 * Each shard has two tables. Firings use one. The consumer reads the other one at leisure, and empties it when it comes
 * for the next snapshot: see turn.c.
 */
#include "engine/user/user.h"

#include "object/aggval.h"

#ifdef ET_TINY
enum { INDEX_FIRST = 2 };
#else
enum { INDEX_FIRST = 1024 };
#endif
enum { UNIT = 8, FIRST = 16 }; /* links are in units; 0 means no link */

struct agg_entry {
	uint32_t next, hash;
	uint32_t agg; /* with the cut: ENG_AGG_OF, ENG_CUT_OF */
	uint32_t keylen;
	/* key, then words */
};

/* Returns the value that new entries of an aggregation get as `agg` now. */
static inline uint32_t
tag_of(const struct activation *r, const struct agg *a)
{
	return a->id | atomic_load_explicit(&r->e->cut, memory_order_relaxed);
}

static inline uint32_t *
head_at(const struct aggtab *t, uint32_t chain)
{
	return (uint32_t *)(void *)(t->at + t->size) - 1 - chain;
}

/* There are nindex chains, fewer than the mask + 1 that the hash could name. Entries of a chain that does not exist
 * yet are in the chain that it will be split from, in the lower half. */
static inline uint32_t *
head_of(const struct aggtab *t, uint32_t hash)
{
	uint32_t chain = hash & t->mask;
	return head_at(t, ET_LIKELY(chain < t->nindex) ? chain : hash & t->mask >> 1);
}

static inline struct agg_entry *
entry_at(const struct aggtab *t, uint32_t link)
{
	return (struct agg_entry *)(void *)(t->at + (size_t)link * UNIT);
}

static inline uint64_t *
entry_words(struct agg_entry *en)
{
	return (uint64_t *)(void *)((char *)(en + 1) + en->keylen);
}

/* Returns the bytes for some elements of each aggregation. */
static size_t
least_size(const struct user_engine *e)
{
	size_t n = 256;
	for (uint32_t i = 0; i < e->o->naggs && n < LEAST_MOST; i++)
		n += LEAST_ELEMENTS * (sizeof(struct agg_entry) + up8(key_max(e, e->aggs[i].key, e->aggs[i].nkeys)) +
					  (size_t)e->aggs[i].nwords * 8 + sizeof(uint32_t));
	return n < LEAST_MOST ? up8(n) : LEAST_MOST;
}

void
agg_place(struct user_engine *e, struct shard *sh)
{
	size_t least = least_size(e);
	for (unsigned i = 0; i < 2; i++) {
		struct aggtab *t = &sh->agg[i];
		t->size = up8((size_t)e->conf.aggsize);
		if (t->size < least)
			t->size = least;
		t->at = store_take(&e->store, t->size);
		t->nindex = INDEX_FIRST;
		while (t->nindex > 1 && t->nindex * sizeof(uint32_t) > t->size / 8)
			t->nindex /= 2;
		t->mask = t->nindex - 1;
		t->top = FIRST;
	}
}

/* Adds a chain. It takes its entries from the chain that had them until now. */
static ET_COLD void
split(struct aggtab *t)
{
	if (t->nindex > UINT32_MAX / 4 || t->top + ((size_t)t->nindex + 1) * sizeof(uint32_t) > t->size)
		return;
	if (t->nindex > t->mask)
		t->mask = t->mask * 2 + 1;
	uint32_t mine = t->nindex++, *to = head_at(t, mine), *at = head_at(t, mine & t->mask >> 1);
	*to = 0;
	while (*at) {
		struct agg_entry *en = entry_at(t, *at);
		if ((en->hash & t->mask) != mine) {
			at = &en->next;
			continue;
		}
		uint32_t link = *at;
		*at = en->next;
		en->next = *to;
		*to = link;
	}
}

static ET_COLD uint64_t *
add_entry(struct activation *r, struct aggtab *t, const struct agg *a, uint32_t hash, const char *key, size_t keylen)
{
	size_t size = sizeof(struct agg_entry) + keylen + (size_t)a->nwords * 8;
	if (!charge(r, size))
		return NULL;
	if (t->n >= t->nindex)
		split(t);
	if (size > t->size - t->nindex * sizeof(uint32_t) - t->top || t->top / UNIT > UINT32_MAX) {
		atomic_fetch_add_explicit(&r->sh->drops[ENG_DROP_AGGREGATION], 1 + r->f->more, memory_order_relaxed);
		return NULL;
	}
	struct agg_entry *en = (struct agg_entry *)(void *)(t->at + t->top);
	uint32_t *head = head_of(t, hash);
	*en = (struct agg_entry){.next = *head, .hash = hash, .agg = tag_of(r, a), .keylen = (uint32_t)keylen};
	memcpy(en + 1, key, keylen);
	memset(entry_words(en), 0, (size_t)a->nwords * 8);
	*head = (uint32_t)(t->top / UNIT);
	t->n++;
	store_order();
	t->top += size;
	return entry_words(en);
}

/* Loads up to seven bytes as the low bytes of a word. The loads may overlap; then they bring the same bytes to the
 * same place. */
static inline uint64_t
tail_word(const char *s, size_t n)
{
	uint32_t first, last;
	if (n >= 4) {
		memcpy(&first, s, 4);
		memcpy(&last, s + n - 4, 4);
		return first | (uint64_t)last << 8 * (n - 4);
	}
	if (n == 0)
		return 0;
	uint64_t a = (uint8_t)s[0], b = (uint8_t)s[n / 2], c = (uint8_t)s[n - 1];
	return a | b << 8 * (n / 2) | c << 8 * (n - 1);
}

/* A string as tuple_pack() would lay it out, but not copied: `whole` bytes in place, and one more word. */
struct laid {
	const char *at;
	size_t whole;
	uint64_t last;
};

static inline uint64_t
laid_hash(const struct laid *l, uint64_t seed)
{
	uint64_t h = seed, w;
	for (size_t i = 0; i < l->whole; i += 8) {
		memcpy(&w, l->at + i, 8);
		h = tuple_mix(h, w);
	}
	return tuple_end(tuple_mix(h, l->last));
}

static inline bool
laid_is(const struct laid *l, const char *key)
{
	uint64_t a, b;
	for (size_t i = 0; i < l->whole; i += 8) {
		memcpy(&a, l->at + i, 8);
		memcpy(&b, key + i, 8);
		if (a != b)
			return false;
	}
	memcpy(&b, key + l->whole, 8);
	return b == l->last;
}

/* Returns the value under a string if it is in the table. Returns NULL if it is not, or on a fault. */
static ET_HOT uint64_t *
find_string(struct activation *r, const struct agg *a, uint64_t addr, uint64_t seed)
{
	struct aggtab *t = &r->sh->agg[r->sh->active[TURN_AGG]];
	struct str s;
	if (!mem_str(r, addr, 0, &s))
		return NULL;
	size_t tail = s.len % 8;
	struct laid l = {s.at, s.len - tail, tail_word(s.at + (s.len - tail), tail)};
	uint32_t hash = (uint32_t)laid_hash(&l, seed), tag = tag_of(r, a);
	for (uint32_t link = *head_of(t, hash); link;) {
		struct agg_entry *en = entry_at(t, link);
		if (en->hash == hash && en->agg == tag && en->keylen == l.whole + 8 &&
		    laid_is(&l, (const char *)(en + 1)))
			return entry_words(en);
		link = en->next;
	}
	return NULL;
}

/* `tag` is from before the value was looked for: after a cut the row must not be found any more. */
static inline void
memo_put(struct shard *sh, const struct agg *a, uint32_t tag, struct eng_same same, uint64_t *words)
{
	struct memo *pair = &sh->memos[MEMO_PLACE(same.word + a->id)];
	pair[1] = pair[0];
	pair[0] = (struct memo){same.word, (uint64_t)same.kind << 32 | tag, words};
}

/* Returns the value under a key, and makes it if it is new. Returns NULL if the table is full. */
static inline uint64_t *
find(struct activation *r, const struct agg *a, uint64_t hash64, const char *key, size_t keylen)
{
	struct aggtab *t = &r->sh->agg[r->sh->active[TURN_AGG]];
	uint32_t hash = (uint32_t)hash64, tag = tag_of(r, a);
	for (uint32_t link = *head_of(t, hash); link;) {
		struct agg_entry *en = entry_at(t, link);
		if (en->hash == hash && en->agg == tag && en->keylen == keylen && memcmp(en + 1, key, keylen) == 0)
			return entry_words(en);
		link = en->next;
	}
	return add_entry(r, t, a, hash, key, keylen);
}

/* The same for a key of any shape. Returns NULL on a fault or if the table is full. */
static __attribute__((noinline)) uint64_t *
find_tuple(struct activation *r, const struct agg *a, const uint64_t *slots, uint64_t seed)
{
	char *key = r->sh->keybuf;
	size_t len;
	if (!tuple_pack(r, &r->e->keys[a->key], a->nkeys, slots, key, &len))
		return NULL;
	return find(r, a, tuple_hash(key, len, seed), key, len);
}

static ET_HOT __attribute__((noinline)) uint64_t *
find_int(struct activation *r, const struct agg *a, uint64_t slot, uint64_t seed)
{
	uint64_t word = key_int(&r->e->keys[a->key], slot);
	return find(r, a, tuple_hash(&word, 8, seed), (const char *)&word, 8);
}

static __attribute__((noinline)) uint64_t *
find_by_string(struct activation *r, const struct agg *a, const uint64_t *slots, uint64_t seed)
{
	struct eng_same same;
	uint32_t tag = tag_of(r, a);
	bool known = mem_same(r, slots[0], &same);
	uint64_t *words = known ? agg_recall(r->sh, r->e, a, same) : NULL;
	if (words)
		return words;
	words = find_string(r, a, slots[0], seed);
	if (!words && r->fault < 0)
		words = find_tuple(r, a, slots, seed);
	if (known && words)
		memo_put(r->sh, a, tag, same, words);
	return words;
}

/* More than one word is written: if the thread dies here, the entry must not be trusted. */
static ET_HOT __attribute__((noinline)) bool
add_words(struct activation *r, const struct agg *a, uint64_t *words, int64_t v, int64_t incr)
{
	struct aggtab *t = &r->sh->agg[r->sh->active[TURN_AGG]];
	t->busy = (uint32_t)((size_t)((char *)words - t->at) / UNIT);
	store_order();
	if (a->d->fn == AGG_SUM || a->d->fn == AGG_AVG)
		aggval_add_sum(words, v);
	else
		aggval_add(a->d, words, v, incr);
	store_order();
	t->busy = 0;
	return true;
}

static inline bool
add_value(struct activation *r, const struct agg *a, uint64_t *words, int64_t v, int64_t incr)
{
	if (a->nwords != 1)
		return add_words(r, a, words, v, incr);
	aggval_add_count(words, r->f->more);
	return true;
}

static ET_HOT __attribute__((noinline)) bool
find_and_add(struct activation *r, const struct agg *a, const uint64_t *slots, int64_t v, int64_t incr)
{
	uint64_t seed = r->e->seed + a->id, *words;
	if (ET_UNLIKELY(!charge(r, 16)))
		return false;
	if (a->shape == SHAPE_STRING)
		words = find_by_string(r, a, slots, seed);
	else if (a->shape == SHAPE_INT)
		words = find_int(r, a, slots[0], seed);
	else
		words = find_tuple(r, a, slots, seed);
	if (ET_UNLIKELY(!words))
		return r->fault < 0;
	return add_value(r, a, words, v, incr);
}

/*
 * What most firings do: the value is under a string that was found before, known by a word. Nothing is called on this
 * way except by a jump at its end, so it saves no registers.
 */
ET_HOT bool
agg_add(struct activation *r, const struct agg *a, const uint64_t *slots, int64_t v, int64_t incr)
{
	struct eng_same same;
	uint64_t *words;
	if (a->shape == SHAPE_STRING && mem_known(r, slots[0], &same) && (words = agg_recall(r->sh, r->e, a, same)) &&
	    ET_LIKELY(r->budget->left >= 16)) {
		r->budget->left -= 16;
		return add_value(r, a, words, v, incr);
	}
	return find_and_add(r, a, slots, v, incr);
}

/* The cost follows the use: few entries are unlinked one by one, many by clearing the index. */
static void
empty(struct user_engine *e, struct aggtab *t)
{
	bool few = t->n < t->nindex / 16;
	for (size_t at = FIRST; few && at < t->top;) {
		struct agg_entry *en = (struct agg_entry *)(void *)(t->at + at);
		at += sizeof *en + en->keylen + (size_t)e->aggs[ENG_AGG_OF(en->agg)].nwords * 8;
		*head_of(t, en->hash) = 0;
	}
	if (!few)
		memset(head_at(t, t->nindex - 1), 0, t->nindex * sizeof(uint32_t));
	t->top = FIRST;
	t->n = 0;
	store_order(); /* from here on a reader finds it empty */
	t->no = 0;
}

/*
 * If there are more cuts than numbers for them, no more are made. Then what comes after a record is shown with it. That
 * takes a consumer who did not come for tens of thousands of such records.
 */
ET_COLD void
agg_cut(struct user_engine *e)
{
	uint32_t now = atomic_load_explicit(&e->cut, memory_order_relaxed);
	if ((uint16_t)(ENG_CUT_OF(now) - atomic_load_explicit(&e->cut_taken, memory_order_relaxed)) < INT16_MAX / 2)
		atomic_fetch_add_explicit(&e->cut, 1u << 16, memory_order_acq_rel);
}

/*
 * The other table is what the last snapshot gave out. A consumer that asks for the next snapshot has received it, so
 * it can be emptied. If the shard still owes a table from the last time, that one is taken now, and what came since
 * then the next time.
 */
void
agg_snap(struct engine *engine,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg)
{
	struct user_engine *e = user_of(engine);
	bool part = false;
	unsigned patience = TURN_PATIENCE;
	e->nsnaps++;
	uint16_t cut = ENG_CUT_OF(atomic_load_explicit(&e->cut, memory_order_acquire));
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		part |= sh->turns[TURN_AGG].owed;
		if (sh->turns[TURN_AGG].owed)
			continue;
		empty(e, &sh->agg[turn_other(sh, TURN_AGG)]);
		turn_ask(sh, TURN_AGG);
	}
	turn_barrier(e);
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		if (!turn_take(e, sh, TURN_AGG, &patience)) {
			part = true;
			continue;
		}
		struct aggtab *t = &sh->agg[turn_other(sh, TURN_AGG)];
		t->no = e->nsnaps;
		store_order();
		agg_walk(e, t->at, t->top, 0, fn, arg);
	}
	e->part[TURN_AGG] = part;
	if (!part)
		atomic_store_explicit(&e->cut_taken, cut, memory_order_relaxed);
}

uint64_t
agg_walk(const struct user_engine *e, const char *at, size_t top, uint32_t busy,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg)
{
	uint64_t torn = 0;
	for (size_t off = FIRST; off < top;) {
		const struct agg_entry *en = (const struct agg_entry *)(const void *)(at + off);
		size_t left = top - off;
		if (left < sizeof *en || ENG_AGG_OF(en->agg) >= e->o->naggs || en->keylen % 8 ||
		    en->keylen > left - sizeof *en ||
		    (size_t)e->aggs[ENG_AGG_OF(en->agg)].nwords * 8 > left - sizeof *en - en->keylen)
			return torn + 1; /* what follows it cannot be found */
		const char *key = (const char *)(en + 1);
		const uint64_t *words = (const uint64_t *)(const void *)(key + en->keylen);
		if (busy && (size_t)((const char *)words - at) / UNIT == busy)
			torn++;
		else
			fn(arg, en->agg, key, en->keylen, words);
		off += sizeof *en + en->keylen + (size_t)e->aggs[ENG_AGG_OF(en->agg)].nwords * 8;
	}
	return torn;
}
