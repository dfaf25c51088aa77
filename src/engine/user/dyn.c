/*
 * Dynamic variables: thread-locals and associative arrays, in one fixed block that all shards share.
 *
 * The block holds chain heads and chunks. Heads belong to stripes, and each stripe has its lock. An element of an
 * associative array belongs to the stripe that its key hashes to. Everything that a thread owns belongs to the thread's
 * stripe, together with an element (variable DYN_THREAD) that lists it. So the end of a thread takes one lock and a
 * walk of its own elements.
 *
 * Chunks come from the few that the stripe freed last, otherwise from the stripe's slab (so that stripes do not share
 * cache lines), otherwise from the common part: lists of free chunks by size class, the block's untouched rest, and
 * larger classes. The common part has its own lock, taken inside a stripe's. When nothing is left, chunks that other
 * stripes keep are taken from them.
 *
 * Numbers under a key of one word are read without the lock, so that readers write to no memory that others use. A
 * stripe has a number that is odd while it is being changed. A reader walks the chain, looks whether the number is
 * still the same, and otherwise takes the lock after all. What it meets on the way may be freed and used again
 * meanwhile, but a chunk stays a chunk: its header is always a header. So everything that such a reader looks at is
 * written atomically.
 */
#include "engine/user/user.h"

#ifdef ET_TINY
enum { NSTRIPES = 2, BYTES_PER_HEAD = 1024, KEPT = 1 };
#else
enum { NSTRIPES = 64, BYTES_PER_HEAD = 128, KEPT = 8 };
#endif
enum {
	UNIT = 16,  /* links and sizes count units; link 0 means none */
	LINE = 4,   /* units of a cache line */
	SLAB = 64,  /* units of a slab at most */
	SMALL = 32, /* classes 1..SMALL are exact, then four to each doubling */
	NCLASSES = SMALL + 1 + 4 * 24,
};
#define DYN_THREAD 0xffffffffu
#define DYN_STRTOK 0xfffffffeu
#define DYN_LEAVING 0xfffffffdu

struct elem {
	_Atomic uint32_t next, hash; /* read without the lock, as key and value are */
	_Atomic uint32_t var, keylen;
	uint32_t tnext, tprev; /* the thread's elements; in a free chunk, tnext is the next free one */
	uint32_t units, prev;  /* prev: in the chain */
			       /* key, then value */
};

struct stripe {
	_Alignas(64) struct spin lock;
	_Atomic uint32_t changes; /* odd while something is being changed */
	_Atomic uint32_t *heads;
	uint32_t busy;           /* link of the element that is being written, or 0 */
	uint32_t slab, slab_end; /* units: what is left of it */
	uint32_t nkept, kept[KEPT];
	uint32_t walked;  /* elements that find() passed by and nobody has paid for */
	uint32_t leaving; /* threads that have ended and still own something: DYN_LEAVING, linked by tprev */
};

struct dyn {
	struct stripe stripes[NSTRIPES];
	uint32_t mask; /* heads of a stripe - 1 */
	char *at;
	uint32_t slab;     /* units of a slab; 0 if the block is too small for slabs */
	uint32_t top, end; /* units: the untouched rest */
	_Alignas(64) struct spin lock;
	uint32_t free[NCLASSES];
};

/* What a reader without the lock may see. The order is that of the stores; see read_unlocked(). */
static inline uint32_t
get(const _Atomic uint32_t *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static inline void
set(_Atomic uint32_t *to, uint32_t v)
{
	atomic_store_explicit(to, v, memory_order_release);
}

static inline uint64_t
get_word(const void *from)
{
	return __atomic_load_n((const uint64_t *)from, __ATOMIC_ACQUIRE);
}

/* Copies n bytes and fills with zeroes up to `size`, a multiple of 8. */
static inline void
set_words(void *to, const void *from, size_t n, size_t size)
{
	uint64_t *at = to, w;
	size_t done = 0;
	for (; n - done >= 8; done += 8) {
		memcpy(&w, (const char *)from + done, 8);
		__atomic_store_n(at++, w, __ATOMIC_RELEASE);
	}
	for (; done < size; done += 8) {
		w = 0;
		if (done < n)
			memcpy(&w, (const char *)from + done, n - done);
		__atomic_store_n(at++, w, __ATOMIC_RELEASE);
	}
}

/* A stripe whose lock is held is changed between these. */
static inline void
change_begin(struct stripe *st)
{
	atomic_store_explicit(
	    &st->changes, atomic_load_explicit(&st->changes, memory_order_relaxed) + 1, memory_order_relaxed);
}

static inline void
change_end(struct stripe *st)
{
	atomic_store_explicit(
	    &st->changes, atomic_load_explicit(&st->changes, memory_order_relaxed) + 1, memory_order_release);
}

static inline struct elem *
elem_at(const struct dyn *d, uint32_t link)
{
	return (struct elem *)(void *)(d->at + (size_t)link * UNIT);
}

static inline uint32_t
link_of(const struct dyn *d, const struct elem *el)
{
	return (uint32_t)((size_t)((const char *)el - d->at) / UNIT);
}

static inline void *
elem_key(struct elem *el)
{
	return el + 1;
}

static inline void *
elem_value(struct elem *el)
{
	return (char *)(el + 1) + get(&el->keylen);
}

static size_t
dyn_size(const struct user_engine *e)
{
	/* the heads come out of the block, and a chunk may be a quarter larger than needed */
	size_t least = NSTRIPES * sizeof *e->dynheads;
	for (uint32_t i = 0; i < e->o->nvars && least < LEAST_MOST; i++) {
		const struct var *v = &e->vars[i];
		if (v->assoc || v->scope == DS_THREAD)
			least += LEAST_ELEMENTS *
				 (sizeof(struct elem) + key_max(e, v->key, v->nkeys) + v->size + 2 * LINE * UNIT) * 5 /
				 4;
	}
	least += LEAST_ELEMENTS * (sizeof(struct elem) + e->strsize + 2 * LINE * UNIT) * 5 / 4; /* strtok()'s state */
	size_t size = (size_t)e->conf.dynvarsize;
	return (size > least ? size : least) & ~(size_t)(UNIT - 1);
}

/* Heads of a stripe. */
static size_t
dyn_heads(const struct user_engine *e)
{
	size_t per = 1;
	while (per * 2 * NSTRIPES <= dyn_size(e) / BYTES_PER_HEAD)
		per *= 2;
	return per;
}

void
dyn_place(struct user_engine *e)
{
	e->dyn = store_take(&e->store, sizeof *e->dyn);
	e->dynheads = store_take(&e->store, dyn_heads(e) * NSTRIPES * sizeof *e->dynheads);
	e->dynmem = store_take(&e->store, dyn_size(e) + LINE * UNIT);
}

void
dyn_init(struct user_engine *e)
{
	struct dyn *d = e->dyn;
	size_t size = dyn_size(e), per = dyn_heads(e);
	d->at = e->dynmem;
	d->mask = (uint32_t)(per - 1);
	for (unsigned i = 0; i < NSTRIPES; i++)
		d->stripes[i].heads = (_Atomic uint32_t *)e->dynheads + i * per;
	/* the heads come out of the block */
	size_t paid = per * NSTRIPES * sizeof *e->dynheads;
	size = size > paid ? size - paid : 0;
	d->slab =
	    (uint32_t)(size / UNIT / (NSTRIPES * 64) < SLAB ? size / UNIT / (NSTRIPES * 64) : SLAB) & ~(LINE - 1u);
	d->top = LINE;
	d->end = (uint32_t)(size / UNIT < UINT32_MAX - LINE ? size / UNIT + LINE : UINT32_MAX);
}

/* ---- chunks ---- */

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

/* Returns a chunk of exactly this size that the stripe kept. */
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

/* Makes a chunk of a rest that is too short for anything else, unless it cannot even hold a header and a word. */
static void
free_rest(struct dyn *d, uint32_t from, uint32_t to)
{
	if (to - from > sizeof(struct elem) / UNIT)
		free_common(d, cut(d, &from, to - from));
}

/* A new slab for the stripe; the rest of the old one becomes a chunk. d->lock is held. */
static bool
slab_new(struct dyn *d, struct stripe *st)
{
	uint32_t from = (d->top + LINE - 1) & ~(LINE - 1u);
	if (from < d->top || from >= d->end || d->slab > d->end - from)
		return false;
	free_rest(d, st->slab, st->slab_end);
	free_rest(d, d->top, from);
	st->slab = from;
	st->slab_end = d->top = from + d->slab;
	return true;
}

/* Takes what other stripes keep. Busy stripes are skipped, so that two thieves cannot wait for each other. */
static uint32_t
steal(struct dyn *d, struct stripe *own, uint32_t units)
{
	uint32_t link = kept_take(d, own, units, true);
	for (unsigned i = 0; i < NSTRIPES && !link; i++) {
		struct stripe *st = &d->stripes[i];
		if (st == own || !spin_trylock(&st->lock))
			continue;
		link = kept_take(d, st, units, true);
		if (!link && units <= st->slab_end - st->slab)
			link = cut(d, &st->slab, units);
		spin_unlock(&st->lock);
	}
	return link;
}

static struct elem *
chunk_new(struct dyn *d, struct stripe *st, size_t bytes)
{
	uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT), link;
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
		link = steal(d, st, units);
	return link ? elem_at(d, link) : NULL;
}

static void
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

/* ---- elements; the stripe's lock is held ---- */

/* Most keys are one word. */
static inline bool
is_key(const void *a, const void *b, size_t n)
{
	uint64_t x, y;
	if (n != 8)
		return memcmp(a, b, n) == 0;
	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return x == y;
}

static inline struct elem *
find(const struct dyn *d, struct stripe *st, uint32_t var, uint32_t hash, const void *key, size_t keylen)
{
	for (uint32_t link = get(&st->heads[hash & d->mask]); link;) {
		struct elem *el = elem_at(d, link);
		if (get(&el->hash) == hash && get(&el->var) == var && get(&el->keylen) == keylen &&
		    is_key(elem_key(el), key, keylen))
			return el;
		st->walked++;
		link = get(&el->next);
	}
	return NULL;
}

/* All that a thread owns is in one stripe, so its chains are long if it owns much: what was passed by costs time. The
 * clause notices when it pays the next time. */
static inline void
pay_walk(struct activation *r, struct stripe *st)
{
	enum { STEP = 32 }; /* units: each may be far away in memory */
	r->budget->left -= (int64_t)st->walked * STEP;
	st->walked = 0;
}

static struct elem *
add(struct dyn *d, struct stripe *st, uint32_t var, uint32_t hash, const void *key, size_t keylen, size_t valsize)
{
	struct elem *el = chunk_new(d, st, sizeof *el + keylen + valsize);
	if (!el)
		return NULL;
	_Atomic uint32_t *head = &st->heads[hash & d->mask];
	uint32_t next = get(head);
	set(&el->next, next);
	set(&el->hash, hash);
	set(&el->var, var);
	set(&el->keylen, (uint32_t)keylen);
	el->tnext = el->tprev = el->prev = 0;
	if (next)
		elem_at(d, next)->prev = link_of(d, el);
	set_words(elem_key(el), key, keylen, keylen);
	if (valsize) /* a value will be written */
		st->busy = link_of(d, el);
	store_order();
	set(head, link_of(d, el));
	return el;
}

static void
unchain(struct dyn *d, struct stripe *st, struct elem *el)
{
	uint32_t next = get(&el->next);
	set(el->prev ? &elem_at(d, el->prev)->next : &st->heads[get(&el->hash) & d->mask], next);
	if (next)
		elem_at(d, next)->prev = el->prev;
}

static inline uint32_t
thread_hash(const struct user_engine *e, uint64_t thread)
{
	return (uint32_t)tuple_hash(&thread, 8, e->seed ^ DYN_THREAD);
}

/* Adds an element to its thread's list. Returns false if there is no room for the list. */
static bool
own(struct user_engine *e, struct stripe *st, struct elem *el, uint64_t thread)
{
	struct dyn *d = e->dyn;
	uint32_t hash = thread_hash(e, thread);
	struct elem *t = find(d, st, DYN_THREAD, hash, &thread, 8);
	if (!t) {
		if (!(t = add(d, st, DYN_THREAD, hash, &thread, 8, 0)))
			return false;
	}
	el->tnext = t->tnext;
	el->tprev = link_of(d, t);
	if (t->tnext)
		elem_at(d, t->tnext)->tprev = link_of(d, el);
	t->tnext = link_of(d, el);
	return true;
}

/* Takes an element off its thread's list. A list that becomes empty is freed too. */
static void
disown(struct user_engine *e, struct stripe *st, struct elem *el)
{
	struct dyn *d = e->dyn;
	struct elem *prev = elem_at(d, el->tprev);
	prev->tnext = el->tnext;
	if (el->tnext)
		elem_at(d, el->tnext)->tprev = el->tprev;
	if (get(&prev->var) == DYN_THREAD && !prev->tnext) {
		unchain(d, st, prev);
		chunk_free(d, st, prev);
	}
}

/* Frees up to `most` elements of threads that have ended. */
static void
sweep(struct dyn *d, struct stripe *st, unsigned most)
{
	while (st->leaving && most) {
		struct elem *t = elem_at(d, st->leaving);
		for (; t->tnext && most; most--) {
			struct elem *el = elem_at(d, t->tnext);
			t->tnext = el->tnext;
			if (el->tnext)
				elem_at(d, el->tnext)->tprev = link_of(d, t);
			unchain(d, st, el);
			chunk_free(d, st, el);
		}
		if (t->tnext)
			return;
		st->leaving = t->tprev;
		unchain(d, st, t);
		chunk_free(d, st, t);
		most -= most > 0;
	}
}

/* ---- what D does with them ---- */

/* Where an element is or would be. */
struct dyn_place {
	struct stripe *st;
	const void *key;
	size_t keylen;
	uint32_t var, hash;
	uint64_t word; /* the key, when it is one word */
};

static inline struct stripe *
stripe_of_thread(const struct user_engine *e, uint64_t thread)
{
	return &e->dyn->stripes[thread_hash(e, thread) >> 8 & (NSTRIPES - 1)];
}

/* If the key is one word: a thread, or a number. Returns false if it is not. */
static inline bool
place_of_word(const struct activation *r, const struct var *v, const uint64_t *slots, struct dyn_place *p)
{
	const struct user_engine *e = r->e;
	const struct key *k = &e->keys[v->key];
	bool thread = v->scope == DS_THREAD;
	if (thread ? v->nkeys : v->nkeys != 1 || k->kind != DK_INT)
		return false;
	p->word = thread ? r->f->thread : key_int(k, slots[0]);
	uint64_t h = tuple_hash(&p->word, 8, e->seed ^ v->id);
	p->st = thread ? stripe_of_thread(e, p->word) : &e->dyn->stripes[h >> 32 & (NSTRIPES - 1)];
	p->var = v->id;
	p->hash = (uint32_t)h;
	p->key = &p->word;
	p->keylen = 8;
	return true;
}

static __attribute__((noinline)) bool
place_of_tuple(struct activation *r, const struct var *v, const uint64_t *slots, struct dyn_place *p)
{
	struct user_engine *e = r->e;
	const struct key *k = &e->keys[v->key];
	char *buf = r->sh->keybuf;
	size_t len = 0;

	p->var = v->id;
	p->key = buf;
	if (v->scope == DS_THREAD) {
		memcpy(buf, &r->f->thread, 8);
		if (!tuple_pack(r, k, v->nkeys, slots, buf + 8, &len))
			return false;
		p->keylen = len + 8;
		p->st = stripe_of_thread(e, r->f->thread);
	} else {
		if (!tuple_pack(r, k, v->nkeys, slots, buf, &len))
			return false;
		p->keylen = len;
	}
	uint64_t h = tuple_hash(p->key, p->keylen, e->seed ^ v->id);
	p->hash = (uint32_t)h;
	if (v->scope != DS_THREAD)
		p->st = &e->dyn->stripes[h >> 32 & (NSTRIPES - 1)];
	return true;
}

static inline bool
place_of(struct activation *r, const struct var *v, const uint64_t *slots, struct dyn_place *p)
{
	return ET_LIKELY(place_of_word(r, v, slots, p)) || place_of_tuple(r, v, slots, p);
}

static void
drop(struct user_engine *e, struct dyn_place *p, struct elem *el, bool owned)
{
	unchain(e->dyn, p->st, el);
	if (owned)
		disown(e, p->st, el);
	chunk_free(e->dyn, p->st, el);
}

/* Copies into scratch; of a string, only the bytes that it has. */
static bool
copy_out(struct activation *r, const struct var *v, const char *from, uint64_t *value)
{
	if (v->kind == DK_STRING)
		return !from || scratch_str(r, from, strnlen(from, v->nbytes - 1), value);
	char *to = scratch_new0(r, v->size, value);
	if (to && from)
		memcpy(to, from, v->size);
	return to != NULL;
}

/*
 * Reads a number whose key is one word, without the lock. Returns false if the stripe was changed meanwhile, or if its
 * chain is long. Whoever sees something that was written after a change began, sees afterwards that it began.
 */
static inline bool
read_unlocked(const struct dyn *d, const struct dyn_place *p, uint64_t *value)
{
	enum { STEPS = 16 };
	uint32_t before = get(&p->st->changes), link = get(&p->st->heads[p->hash & d->mask]);
	uint64_t found = 0;
	if (before & 1)
		return false;
	for (unsigned i = 0; link; i++) {
		if (i == STEPS || link > d->end - sizeof(struct elem) / UNIT - 1)
			return false;
		struct elem *el = elem_at(d, link);
		if (get(&el->hash) == p->hash && get(&el->var) == p->var && get(&el->keylen) == 8 &&
		    get_word(el + 1) == p->word) {
			found = get_word((const char *)(el + 1) + 8);
			break;
		}
		link = get(&el->next);
	}
	if (ET_UNLIKELY(atomic_load_explicit(&p->st->changes, memory_order_relaxed) != before))
		return false;
	*value = found;
	return true;
}

static __attribute__((noinline)) bool
load_locked(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t *value)
{
	struct dyn_place p;
	bool ok = true;
	if (!charge(r, 64) || !place_of(r, v, slots, &p))
		return false;
	*value = 0;
	spin_lock(&p.st->lock);
	struct elem *el = find(r->e->dyn, p.st, p.var, p.hash, p.key, p.keylen);
	if (v->kind != DK_INT)
		ok = copy_out(r, v, el ? elem_value(el) : NULL, value);
	else if (el)
		memcpy(value, elem_value(el), 8);
	pay_walk(r, p.st);
	spin_unlock(&p.st->lock);
	return ok;
}

/* A number under one word is found here, without a call. */
ET_HOT bool
dyn_load(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t *value)
{
	struct dyn_place p;
	if (v->kind == DK_INT && ET_LIKELY(r->budget->left >= 64) && place_of_word(r, v, slots, &p) &&
	    ET_LIKELY(read_unlocked(r->e->dyn, &p, value))) {
		r->budget->left -= 64;
		return true;
	}
	return load_locked(r, v, slots, value);
}

/* Fetches the value before the lock is taken, because it may be at any address. */
static bool
fetch(struct activation *r, const struct var *v, uint64_t value, const void **from, size_t *n)
{
	struct str s;
	if (v->kind == DK_STRING) {
		if (!mem_str(r, value, 1, &s))
			return false;
		*from = s.at;
		*n = s.len;
		return true;
	}
	*n = v->nbytes;
	if ((*from = mem_direct(r, value, v->nbytes)))
		return true;
	uint64_t addr;
	size_t used = r->scratch_used;
	char *to = scratch_new(r, v->nbytes, &addr);
	if (!to || !mem_get(r, value, to, v->nbytes))
		return false;
	r->scratch_used = used; /* the bytes stay ours until the next scratch_new */
	*from = to;
	return true;
}

ET_HOT bool
dyn_store(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t value)
{
	struct user_engine *e = r->e;
	const void *from = NULL;
	size_t n = 0;
	struct dyn_place p;
	bool thread = v->scope == DS_THREAD;

	if (!charge(r, 64 + v->size) || !place_of(r, v, slots, &p))
		return false;
	if (value && v->kind != DK_INT && !fetch(r, v, value, &from, &n))
		return false;
	spin_lock(&p.st->lock);
	change_begin(p.st);
	struct elem *el = find(e->dyn, p.st, p.var, p.hash, p.key, p.keylen);
	if (!value) {
		if (el)
			drop(e, &p, el, thread);
	} else {
		if (!el && p.st->leaving)
			sweep(e->dyn, p.st, 16);
		if (!el && (el = add(e->dyn, p.st, p.var, p.hash, p.key, p.keylen, v->size)) && thread &&
		    !own(e, p.st, el, r->f->thread)) {
			drop(e, &p, el, false);
			el = NULL;
		}
		if (el && v->kind == DK_INT) {
			set_words(elem_value(el), &value, 8, 8);
		} else if (el) {
			p.st->busy = link_of(e->dyn, el);
			store_order();
			set_words(elem_value(el), from, n, v->size);
		} else {
			count_drop(r->sh, ENG_DROP_DYNAMIC);
		}
		store_order();
		p.st->busy = 0;
	}
	pay_walk(r, p.st);
	change_end(p.st);
	spin_unlock(&p.st->lock);
	return true;
}

/*
 * A thread may own any amount of memory, and its end must not hold up the process that runs it. So only some of it is
 * freed at once. The rest is freed at the consumer's next visit and when the stripe gets new elements.
 */
void
dyn_thread_exit(struct engine *engine, uint64_t thread)
{
	struct user_engine *e = user_of(engine);
	struct dyn *d = e->dyn;
	uint32_t hash = thread_hash(e, thread);
	struct stripe *st = &d->stripes[hash >> 8 & (NSTRIPES - 1)];
	spin_lock(&st->lock);
	struct elem *t = find(d, st, DYN_THREAD, hash, &thread, 8);
	if (t) {
		change_begin(st);
		set(&t->var, DYN_LEAVING);
		t->tprev = st->leaving;
		st->leaving = link_of(d, t);
		sweep(d, st, 1024);
		change_end(st);
	}
	spin_unlock(&st->lock);
}

void
dyn_clean(struct user_engine *e)
{
	for (unsigned i = 0; i < NSTRIPES; i++) {
		struct stripe *st = &e->dyn->stripes[i];
		for (bool more = true; more;) {
			spin_lock(&st->lock);
			change_begin(st);
			sweep(e->dyn, st, 1024);
			change_end(st);
			more = st->leaving != 0;
			spin_unlock(&st->lock);
		}
	}
}

/* ---- elements that outlive their engine: see image.h ---- */

size_t
dyn_sizeof(void)
{
	return sizeof(struct dyn);
}

bool
dyn_put(struct user_engine *e, const struct var *v, const char *key, size_t keylen, const char *value)
{
	struct dyn *d = e->dyn;
	uint64_t h = tuple_hash(key, keylen, e->seed ^ v->id), thread = 0;
	uint32_t hash = (uint32_t)h;
	struct stripe *st = &d->stripes[h >> 32 & (NSTRIPES - 1)];
	if (v->scope == DS_THREAD) {
		memcpy(&thread, key, 8);
		st = &d->stripes[thread_hash(e, thread) >> 8 & (NSTRIPES - 1)];
	}
	struct dyn_place p = {.st = st, .var = v->id, .hash = hash};
	spin_lock(&st->lock);
	change_begin(st);
	struct elem *el = find(d, st, v->id, hash, key, keylen);
	if (!el && (el = add(d, st, v->id, hash, key, keylen, v->size)) && v->scope == DS_THREAD &&
	    !own(e, st, el, thread)) {
		drop(e, &p, el, false);
		el = NULL;
	}
	if (el)
		set_words(elem_value(el), value, v->size, v->size);
	st->busy = 0;
	change_end(st);
	spin_unlock(&st->lock);
	return el != NULL;
}

uint64_t
dyn_walk(struct user_engine *e, const char *dyn, const char *heads, const char *mem,
    void (*fn)(void *arg, uint32_t var, const char *key, size_t keylen, const char *value, size_t room), void *arg)
{
	const struct dyn *d = (const struct dyn *)(const void *)dyn;
	const uint32_t *head = (const uint32_t *)(const void *)heads;
	size_t per = dyn_heads(e), bytes = dyn_size(e) + LINE * UNIT, left = bytes / UNIT;
	uint64_t torn = 0;
	for (size_t i = 0; i < per * NSTRIPES; i++) {
		/* no chain is longer than the memory has room for */
		for (uint32_t link = head[i]; link && left; left--) {
			size_t at = (size_t)link * UNIT;
			struct elem el;
			if (at > bytes - sizeof el)
				break;
			memcpy(&el, mem + at, sizeof el);
			size_t room = bytes - at - sizeof el;
			if (el.keylen > room || el.keylen % 8) {
				torn++;
				break;
			}
			const char *key = mem + at + sizeof el;
			if (d->stripes[i / per].busy == link)
				torn++;
			else
				fn(arg, el.var, key, el.keylen, key + el.keylen, room - el.keylen);
			link = el.next;
		}
	}
	return torn;
}

/* ---- strtok ---- */

/* Its state is a thread-local string that no program can name. */
static void
strtok_var(const struct user_engine *e, struct var *v)
{
	*v = (struct var){.scope = DS_THREAD,
	    .kind = DK_STRING,
	    .id = DYN_STRTOK,
	    .size = (uint32_t)up8(e->strsize),
	    .nbytes = e->strsize};
}

bool
dyn_strtok_get(struct activation *r, char *to)
{
	struct var v;
	struct dyn_place p;
	strtok_var(r->e, &v);
	if (!charge(r, 64 + v.nbytes))
		return false;
	place_of(r, &v, NULL, &p);
	spin_lock(&p.st->lock);
	struct elem *el = find(r->e->dyn, p.st, p.var, p.hash, p.key, p.keylen);
	if (el)
		memcpy(to, elem_value(el), v.nbytes);
	spin_unlock(&p.st->lock);
	return el != NULL;
}

bool
dyn_strtok_put(struct activation *r, uint64_t s)
{
	struct var v;
	strtok_var(r->e, &v);
	return dyn_store(r, &v, NULL, s);
}
