/*
 * Dynamic variables: thread-locals and associative arrays, in one fixed block that all shards share.
 *
 * The block holds chain heads and chunks. Heads belong to stripes, and each stripe has its lock. An element of an
 * associative array belongs to the stripe that its key hashes to. Everything that a thread owns belongs to the thread's
 * stripe, together with an element (variable DYN_THREAD) that lists it. So the end of a thread takes one lock and a
 * walk of its own elements.
 *
 * Chunks of memory are dyn_chunk.c's. A number that is set to 0 and soon again to something, as in `self->t =
 * timestamp` and `self->t = 0`, would cost two chunks each time. So a stripe keeps the last few such elements where
 * they are, with the value 0, which is what a variable that does not exist has. When others come, or when there is no
 * other memory, they are freed.
 *
 * Numbers under a key of one word are read and written without the stripe's lock, so that nothing is written that
 * others use, except the element itself. A stripe has a number that is odd while it is being changed. Who reads walks
 * the chain, looks whether the number is still the same, and otherwise takes the lock after all. What it meets on the
 * way may be freed and used again meanwhile, but a chunk stays a chunk: its header is always a header. So everything
 * that is looked at in this way is written atomically.
 *
 * Who writes holds the element, and then looks at the stripe's number for the second time. Who frees an element makes
 * the number odd first, and then holds the element. Whoever of them holds it later sees what the other has done before:
 * the writer gives up and takes the lock, the other finds the value that was written. Nobody waits for who holds an
 * element: writers take the lock after a while, and an element that cannot be freed now is freed another time.
 */
#include "engine/user/dyn.h"

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
	/* What a number has left is too small for strings. So idle numbers have a quarter of the block at most, or half
	 * of it if they are of threads, whose list stays with them; in a small block KEPT of each stripe. */
	size_t idle = size / UNIT / LINE / 4 / NSTRIPES;
	d->most_idle = idle < KEPT ? KEPT : idle < IDLE ? (uint32_t)idle : IDLE;
	d->top = LINE;
	d->end = (uint32_t)(size / UNIT < UINT32_MAX - LINE ? size / UNIT + LINE : UINT32_MAX);
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
add(struct user_engine *e, struct stripe *st, uint32_t var, uint32_t hash, const void *key, size_t keylen,
    size_t valsize)
{
	struct dyn *d = e->dyn;
	struct elem *el = chunk_new(e, st, sizeof *el + keylen + valsize);
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

/* The low half is the hash of the thread's list, the high half tells its stripe. */
static inline uint64_t
thread_hash(const struct user_engine *e, uint64_t thread)
{
	return tuple_hash(&thread, 8, e->seed ^ DYN_THREAD);
}

/* Of a thread's variable without other keys. */
static inline uint32_t
hash_in_thread(uint64_t thread_hash, uint32_t var)
{
	return (uint32_t)thread_hash + (var + 1) * 0x9e3779b1u;
}

static inline struct stripe *
stripe_of(const struct dyn *d, uint64_t hash)
{
	return (struct stripe *)&d->stripes[hash >> 32 & (NSTRIPES - 1)];
}

/* Adds an element to its thread's list. Returns false if there is no room for the list. */
static bool
own(struct user_engine *e, struct stripe *st, struct elem *el, uint64_t thread)
{
	struct dyn *d = e->dyn;
	uint32_t hash = (uint32_t)thread_hash(e, thread);
	struct elem *t = find(d, st, DYN_THREAD, hash, &thread, 8);
	if (!t) {
		if (!(t = add(e, st, DYN_THREAD, hash, &thread, 8, 0)))
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

/* Frees an element; `owned` by a thread. The stripe is being changed. */
static void
drop(struct user_engine *e, struct stripe *st, struct elem *el, bool owned)
{
	unchain(e->dyn, st, el);
	if (owned)
		disown(e, st, el);
	chunk_free(e->dyn, st, el);
}

/* The same for a number that is held. */
static void
drop_held(struct user_engine *e, struct stripe *st, struct elem *el)
{
	bool owned = e->vars[get(&el->var)].scope == DS_THREAD;
	spin_unlock(&el->held);
	drop(e, st, el, owned);
}

static void
idle_forget(struct stripe *st, struct elem *el)
{
	st->idle[get(&el->idle) - 1] = 0;
	st->nidle--;
	set(&el->idle, 0);
}

/* Frees an idle element, or only takes it off the list if it has a value again. Does nothing if somebody holds it.
 * Returns whether it was freed. The stripe is being changed. */
static bool
idle_end(struct user_engine *e, struct stripe *st, uint32_t link)
{
	struct elem *el = elem_at(e->dyn, link);
	if (!spin_trylock(&el->held))
		return false;
	idle_forget(st, el);
	if (get_word(elem_value(el))) {
		spin_unlock(&el->held);
		return false;
	}
	drop_held(e, st, el);
	return true;
}

/* A number has become 0. The one that was idle for the longest time makes room. The stripe is being changed. */
static void
idle_keep(struct user_engine *e, struct stripe *st, struct elem *el)
{
	if (get(&el->idle))
		return;
	/* steal() looks for small ones only */
	if (el->units > LINE && spin_trylock(&el->held)) {
		if (get_word(elem_value(el)))
			spin_unlock(&el->held);
		else
			drop_held(e, st, el);
		return;
	}
	uint32_t most = e->dyn->most_idle;
	for (unsigned tries = 0; tries < most; tries++) {
		uint32_t slot = st->oldest++ % most;
		if (st->idle[slot])
			idle_end(e, st, st->idle[slot]);
		if (st->idle[slot])
			continue;
		st->idle[slot] = link_of(e->dyn, el);
		st->nidle++;
		set(&el->idle, slot + 1);
		return;
	}
	/* All are being written at this very moment. So it stays until it is set to 0 again, or its thread ends. */
}

unsigned
idle_free(struct user_engine *e, struct stripe *st, unsigned *seen)
{
	unsigned freed = 0;
	uint32_t most = e->dyn->most_idle;
	for (unsigned i = 0; i < most && st->nidle && freed < KEPT; i++) {
		uint32_t link = st->idle[st->oldest++ % most];
		freed += link && idle_end(e, st, link);
		*seen += link != 0;
	}
	return freed;
}

/* Frees up to `most` elements of threads that have ended. Returns whether it is worth while to call it again. */
static bool
sweep(struct dyn *d, struct stripe *st, unsigned most)
{
	while (st->leaving && most) {
		struct elem *t = elem_at(d, st->leaving);
		for (; t->tnext && most; most--) {
			struct elem *el = elem_at(d, t->tnext);
			if (!spin_trylock(&el->held))
				return false;
			t->tnext = el->tnext;
			if (el->tnext)
				elem_at(d, el->tnext)->tprev = link_of(d, t);
			if (get(&el->idle))
				idle_forget(st, el);
			unchain(d, st, el);
			spin_unlock(&el->held);
			chunk_free(d, st, el);
		}
		if (t->tnext)
			return true;
		st->leaving = t->tprev;
		unchain(d, st, t);
		chunk_free(d, st, t);
		most -= most > 0;
	}
	return st->leaving != 0;
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

/* The same, if the key is one word: a thread, or a number. */
struct word_place {
	struct stripe *st;
	uint64_t word;
	uint32_t hash;
};

static inline struct word_place
place_of_thread(struct activation *r, uint32_t var)
{
	uint64_t h = r->thread_hash;
	if (!h)
		h = r->thread_hash = thread_hash(r->e, r->f->thread);
	return (struct word_place){stripe_of(r->e->dyn, h), r->f->thread, hash_in_thread(h, var)};
}

static inline struct word_place
place_of_number(const struct user_engine *e, const struct var *v, uint64_t number)
{
	uint64_t word = key_int(&e->keys[v->key], number), h = tuple_hash(&word, 8, e->seed ^ v->id);
	return (struct word_place){stripe_of(e->dyn, h), word, (uint32_t)h};
}

/* Of a variable that has `quick`. */
static inline struct word_place
place_quickly(struct activation *r, const struct var *v, const uint64_t *slots)
{
	return v->quick == QUICK_THREAD ? place_of_thread(r, v->id) : place_of_number(r->e, v, slots[0]);
}

static struct dyn_place
place_at_word(const struct var *v, struct word_place w)
{
	return (struct dyn_place){.st = w.st, .keylen = 8, .var = v->id, .hash = w.hash, .word = w.word};
}

static __attribute__((noinline)) bool
place_of_tuple(struct activation *r, const struct var *v, const uint64_t *slots, struct dyn_place *p)
{
	struct user_engine *e = r->e;
	const struct key *k = &e->keys[v->key];
	char *buf = r->sh->keybuf;
	bool is_thread = v->scope == DS_THREAD;
	size_t len = 0, at = is_thread ? 8 : 0;

	if (is_thread)
		memcpy(buf, &r->f->thread, 8);
	if (!tuple_pack(r, k, v->nkeys, slots, buf + at, &len))
		return false;
	p->var = v->id;
	p->key = buf;
	p->keylen = len + at;
	uint64_t h = tuple_hash(p->key, p->keylen, e->seed ^ v->id);
	p->hash = (uint32_t)h;
	p->st = stripe_of(e->dyn, is_thread ? thread_hash(e, r->f->thread) : h);
	return true;
}

static inline bool
place_of(struct activation *r, const struct var *v, const uint64_t *slots, struct dyn_place *p)
{
	if (v->scope == DS_THREAD && !v->nkeys)
		*p = place_at_word(v, place_of_thread(r, v->id));
	else if (v->scope != DS_THREAD && v->nkeys == 1 && r->e->keys[v->key].kind == DK_INT)
		*p = place_at_word(v, place_of_number(r->e, v, slots[0]));
	else
		return place_of_tuple(r, v, slots, p);
	p->key = &p->word;
	return true;
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

/* The variable tells how long the key is. */
static inline bool
is_at_word(struct elem *el, uint32_t var, const struct word_place *p)
{
	return get_word(el + 1) == p->word && get(&el->var) == var;
}

/*
 * Looks for a number whose key is one word, without the lock; *el is NULL if there is none. Returns false if the stripe
 * is being changed, or if its chain is long. What was found counts only if the stripe's number is `before` afterwards.
 * Whoever sees something that was written after a change began, sees afterwards that it began.
 */
static inline bool
find_unlocked(const struct dyn *d, uint32_t var, const struct word_place *p, uint32_t before, struct elem **el)
{
	enum { STEPS = 16 };
	uint32_t link = get(&p->st->heads[p->hash & d->mask]);
	if (before & 1)
		return false;
	for (unsigned i = 0; link; i++) {
		if (i == STEPS)
			return false;
		*el = elem_at(d, link);
		if (is_at_word(*el, var, p))
			return true;
		link = get(&(*el)->next);
	}
	*el = NULL;
	return true;
}

static inline uint64_t *
value_at_word(struct elem *el)
{
	return (uint64_t *)(void *)(el + 1) + 1;
}

static inline bool
is_found(const struct activation *r, const struct var *v, const uint64_t *slots)
{
	const struct dyn_found *f = &r->found;
	return f->var == v && (v->quick == QUICK_THREAD || f->word == key_int(&r->e->keys[v->key], slots[0])) &&
	       get(&f->st->changes) == f->changes;
}

/* Looks for a number of a variable that has `quick`: r->found. Returns false as find_unlocked() does. */
static inline bool
find_number(struct activation *r, const struct var *v, const uint64_t *slots)
{
	struct dyn_found *f = &r->found;
	if (is_found(r, v, slots))
		return true;
	struct word_place w = place_quickly(r, v, slots);
	f->st = w.st;
	f->changes = get(&w.st->changes);
	f->word = w.word;
	bool sure = find_unlocked(r->e->dyn, v->id, &w, f->changes, &f->el);
	f->var = sure ? v : NULL;
	return sure;
}

static inline bool
read_unlocked(const struct dyn_found *f, uint64_t *value)
{
	uint64_t found = f->el ? get_word(value_at_word(f->el)) : 0;
	if (ET_UNLIKELY(atomic_load_explicit(&f->st->changes, memory_order_relaxed) != f->changes))
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
		*value = get_word(elem_value(el));
	pay_walk(r, p.st);
	spin_unlock(&p.st->lock);
	return ok;
}

/* A number under one word is found here, without a call. */
ET_HOT bool
dyn_load(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t *value)
{
	if (ET_LIKELY(v->quick && r->budget->left >= 64)) {
		if (ET_LIKELY(find_number(r, v, slots) && read_unlocked(&r->found, value))) {
			r->budget->left -= 64;
			return true;
		}
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

static __attribute__((noinline)) bool
store_locked(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t value)
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
	if (!value && el && v->quick) {
		set_words(elem_value(el), &value, 8, 8);
		idle_keep(e, p.st, el);
	} else if (!value) {
		if (el)
			drop(e, p.st, el, thread);
	} else {
		if (!el && p.st->leaving)
			sweep(e->dyn, p.st, 16);
		if (!el && (el = add(e, p.st, p.var, p.hash, p.key, p.keylen, v->size)) && thread &&
		    !own(e, p.st, el, r->f->thread)) {
			drop(e, p.st, el, false);
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

/* Another writer holds the element. Returns false if it does not finish soon. */
static ET_COLD bool
hold_soon(struct elem *el)
{
	enum { TRIES = 32 };
	for (unsigned i = 0; i < TRIES; i++) {
		arch_pause();
		if (!atomic_load_explicit(&el->held.held, memory_order_relaxed) && spin_trylock(&el->held))
			return true;
	}
	return false;
}

/*
 * Writes a number that is there already. Returns false, and has done nothing, if the stripe is being changed, if
 * another writer has not finished soon, or if the number is to be 0 and is not idle yet: nobody would free its element.
 */
static inline bool
store_unlocked(const struct dyn_found *f, uint64_t value)
{
	struct elem *el = f->el;
	if (!el)
		return !value && atomic_load_explicit(&f->st->changes, memory_order_relaxed) == f->changes;
	if (ET_UNLIKELY(!spin_trylock(&el->held)) && !hold_soon(el))
		return false;
	bool done = (value || get(&el->idle)) && get(&f->st->changes) == f->changes;
	if (ET_LIKELY(done))
		__atomic_store_n(value_at_word(el), value, __ATOMIC_RELEASE);
	spin_unlock(&el->held);
	return done;
}

ET_HOT bool
dyn_store(struct activation *r, const struct var *v, const uint64_t *slots, uint64_t value)
{
	enum { COST = 64 + 8 };
	if (ET_LIKELY(
		v->quick && r->budget->left >= COST && find_number(r, v, slots) && store_unlocked(&r->found, value))) {
		r->budget->left -= COST;
		return true;
	}
	return store_locked(r, v, slots, value);
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
	uint64_t hash = thread_hash(e, thread);
	struct stripe *st = stripe_of(d, hash);
	spin_lock(&st->lock);
	struct elem *t = find(d, st, DYN_THREAD, (uint32_t)hash, &thread, 8);
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
			more = sweep(e->dyn, st, 1024);
			change_end(st);
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
	struct stripe *st = stripe_of(d, h);
	uint64_t number;
	memcpy(&number, value, sizeof number);
	if (v->kind == DK_INT && !number)
		return true; /* it was only kept */
	if (v->scope == DS_THREAD) {
		memcpy(&thread, key, 8);
		uint64_t owner = thread_hash(e, thread);
		st = stripe_of(d, owner);
		if (!v->nkeys)
			hash = hash_in_thread(owner, v->id);
	}
	spin_lock(&st->lock);
	change_begin(st);
	struct elem *el = find(d, st, v->id, hash, key, keylen);
	if (!el && (el = add(e, st, v->id, hash, key, keylen, v->size)) && v->scope == DS_THREAD &&
	    !own(e, st, el, thread)) {
		drop(e, st, el, false);
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
	return store_locked(r, &v, NULL, s);
}
