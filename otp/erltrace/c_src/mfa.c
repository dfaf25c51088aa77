/* Insert-only hash table: readers follow atomic links, writers hold a lock. */
#include "mfa.h"

#include "hub.h"
#include "spin.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Pages are touched as it fills: a large system has some 100,000 functions. */
#ifdef ET_TINY
enum { NBUCKETS = 8, MAX_MFAS = 1 << 12, TEXT_BYTES = 128 << 10 };
#else
enum { NBUCKETS = 1 << 15, MAX_MFAS = 1 << 18, TEXT_BYTES = 24 << 20 };
#endif
enum { MAX_ARITY = 255 };

struct mfas {
	spin lock; /* for adding */
	uint32_t n;
	size_t used; /* of text */
	atomic_uint buckets[NBUCKETS];
	struct mfa at[MAX_MFAS]; /* 0 is not used */
	char text[TEXT_BYTES];
};

struct mfas *
mfas_new(void)
{
	struct mfas *t = calloc(1, sizeof *t); /* pages are touched as it fills */
	if (t)
		t->n = 1;
	return t;
}

void
mfas_free(struct mfas *t)
{
	if (!t)
		return;
	for (uint32_t i = 1; i < t->n; i++)
		for (int k = 0; k < MFA_NSORTS; k++)
			sub_free_all(&t->at[i].subs[k]);
	free(t);
}

/* Does not use the arity, which comes in two forms; few functions share a name. */
static inline unsigned
bucket_of(ERL_NIF_TERM m, ERL_NIF_TERM f)
{
	/* atoms are small numbers with a tag, so a shift keeps them apart */
	uint64_t h = (m ^ (uint64_t)f << 24) * 0x9e3779b97f4a7c15ULL;
	return (unsigned)(h >> 40) & (NBUCKETS - 1);
}

static struct mfa *
find(struct mfas *t, unsigned bucket, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity)
{
	unsigned i = atomic_load_explicit(&t->buckets[bucket], memory_order_acquire);
	while (i) {
		struct mfa *e = &t->at[i];
		if (e->m == m && e->f == f && e->arity == arity)
			return e;
		i = atomic_load_explicit(&e->next, memory_order_acquire);
	}
	return NULL;
}

static ET_COLD struct mfa *
add(struct mfas *t, ErlNifEnv *env, unsigned bucket, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity)
{
	char text[1200];
	if (!enif_is_atom(env, m) || !enif_is_atom(env, f) || arity > MAX_ARITY)
		return NULL; /* only words can be kept */
	size_t len = text_mfa(env, m, f, arity, text, sizeof text);
	spin_lock(&t->lock);
	struct mfa *e = find(t, bucket, m, f, arity);
	if (!e && t->n < MAX_MFAS && TEXT_BYTES - t->used > len) {
		e = &t->at[t->n];
		e->m = m;
		e->f = f;
		e->a = enif_make_uint(env, arity); /* small, so it is not a pointer */
		e->arity = (uint8_t)arity;
		e->index = t->n;
		e->text = memcpy(t->text + t->used, text, len + 1);
		e->len = (uint32_t)len;
		t->used += len + 1;
		atomic_store_explicit(
		    &e->next, atomic_load_explicit(&t->buckets[bucket], memory_order_relaxed), memory_order_relaxed);
		atomic_store_explicit(&t->buckets[bucket], t->n++, memory_order_release);
	}
	spin_unlock(&t->lock);
	return e;
}

ET_HOT bool
mfa_arity(ErlNifEnv *env, ERL_NIF_TERM t, unsigned *arity)
{
	ERL_NIF_TERM head;
	for (*arity = 0; enif_get_list_cell(env, t, &head, &t); ++*arity)
		if (*arity == MAX_ARITY)
			return false;
	return enif_is_empty_list(env, t) || (!*arity && enif_get_uint(env, t, arity) && *arity <= MAX_ARITY);
}

ET_HOT struct mfa *
mfa_get(struct mfas *t, ErlNifEnv *env, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity)
{
	unsigned bucket = bucket_of(m, f);
	struct mfa *e = find(t, bucket, m, f, arity);
	return e ? e : add(t, env, bucket, m, f, arity);
}

static ET_HOT __attribute__((noinline)) struct mfa *
mfa_of_args(struct mfas *t, ErlNifEnv *env, const ERL_NIF_TERM e[3])
{
	unsigned arity;
	return mfa_arity(env, e[2], &arity) ? mfa_get(t, env, e[0], e[1], arity) : NULL;
}

/* If the arity is a number, all three are words to compare: what is kept is never a pointer. */
ET_HOT struct mfa *
mfa_of(struct mfas *t, ErlNifEnv *env, ERL_NIF_TERM mfa)
{
	const ERL_NIF_TERM *e;
	int n;
	if (ET_UNLIKELY(!enif_get_tuple(env, mfa, &n, &e) || n != 3))
		return NULL;
	ERL_NIF_TERM module = e[0], function = e[1], arity = e[2];
	unsigned i = atomic_load_explicit(&t->buckets[bucket_of(module, function)], memory_order_acquire);
	for (; i; i = atomic_load_explicit(&t->at[i].next, memory_order_acquire)) {
		struct mfa *at = &t->at[i];
		if (ET_LIKELY(at->m == module && at->f == function && at->a == arity))
			return at;
	}
	return mfa_of_args(t, env, e);
}

ET_HOT struct mfa *
mfa_at(struct mfas *t, uint32_t index)
{
	return &t->at[index];
}

void
mfas_forget(struct mfas *t, unsigned script, struct sub **removed)
{
	for (uint32_t i = 1; i < t->n; i++)
		for (int k = 0; k < MFA_NSORTS; k++)
			sub_remove(&t->at[i].subs[k], script, removed);
}

uint32_t
mfas_count(struct mfas *t)
{
	spin_lock(&t->lock);
	uint32_t n = t->n;
	spin_unlock(&t->lock);
	return n;
}
