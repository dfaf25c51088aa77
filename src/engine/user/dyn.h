/*
 * What dyn.c and dyn_chunk.c share: the block of dynamic variables. See dyn.c.
 */
#ifndef ET_ENGINE_USER_DYN_H
#define ET_ENGINE_USER_DYN_H

#include "engine/user/user.h"

#ifdef ET_TINY
enum { NSTRIPES = 2, BYTES_PER_HEAD = 1024, KEPT = 1, IDLE = 2 };
#else
enum { NSTRIPES = 64, BYTES_PER_HEAD = 128, KEPT = 8, IDLE = 128 };
#endif
enum {
	UNIT = 16,  /* links and sizes count units; link 0 means none */
	LINE = 4,   /* units of a cache line, and of the smallest chunk */
	SLAB = 64,  /* units of a slab at most */
	SMALL = 32, /* classes 1..SMALL are exact, then four to each doubling */
	NCLASSES = SMALL + 1 + 4 * 24,
};
#define DYN_THREAD 0xffffffffu
#define DYN_STRTOK 0xfffffffeu
#define DYN_LEAVING 0xfffffffdu

struct elem {
	_Alignas(8) _Atomic uint32_t next; /* these are read without the lock, as key and value are */
	_Atomic uint32_t hash, var, keylen;
	struct spin held;      /* by who writes its value without the stripe's lock, or frees it */
	_Atomic uint32_t idle; /* its place in stripe.idle plus one, or 0 */
	uint32_t tnext, tprev; /* the thread's elements; in a free chunk, tnext is the next free one */
	uint32_t units, prev;  /* prev: in the chain */
			       /* key, then value */
};
_Static_assert(sizeof(struct elem) + 8 + 8 <= LINE * UNIT, "any chunk has room for a key and a value of a word");

struct stripe {
	_Alignas(64) struct spin lock;
	_Atomic uint32_t changes; /* odd while something is being changed */
	_Atomic uint32_t *heads;
	uint32_t idle[IDLE];     /* numbers that were set to 0 lately, and may be something again; or 0 */
	uint32_t nidle;          /* how many these are */
	uint32_t oldest;         /* the place of the next one to go, modulo dyn.most_idle */
	uint32_t busy;           /* link of the element that is being written, or 0 */
	uint32_t walked;         /* elements that find() passed by and nobody has paid for */
	uint32_t leaving;        /* threads that have ended and still own something: DYN_LEAVING, linked by tprev */
	uint32_t slab, slab_end; /* units: what is left of it */
	uint32_t nkept, kept[KEPT];
};

struct dyn {
	struct stripe stripes[NSTRIPES];
	uint32_t mask; /* heads of a stripe - 1 */
	char *at;
	uint32_t slab;      /* units of a slab; 0 if the block is too small for slabs */
	uint32_t top, end;  /* units: the untouched rest */
	uint32_t most_idle; /* of a stripe, up to IDLE */
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

/* dyn_chunk.c. The stripe's lock is held, and it is being changed. */
/* Returns memory for an element of so many bytes, its header included, or NULL. */
struct elem *chunk_new(struct user_engine *e, struct stripe *st, size_t bytes);
void chunk_free(struct dyn *d, struct stripe *st, struct elem *el);

/* dyn.c: frees some of the elements that the stripe keeps with the value 0, and returns how many. *seen grows by the
 * number of those that it looked at. The same holds. */
unsigned idle_free(struct user_engine *e, struct stripe *st, unsigned *seen);

#endif
