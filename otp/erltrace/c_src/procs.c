/* See procs.h. Hash by pid with striped locks; processes and frames come from pools with free lists. */
#include "procs.h"

#include "spin.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef ET_TINY
enum { NBUCKETS = 16, MAX_PROCS = 32, MAX_FRAMES = 64, MAX_DEPTH = 8, NSTRIPES = 4 };
#else
enum { NBUCKETS = 1 << 15, MAX_PROCS = 1 << 16, MAX_FRAMES = 3 << 16, MAX_DEPTH = 512, NSTRIPES = 256 };
#endif

struct call_frame {
	uint32_t mfa, caller;
	uint32_t below;       /* index, 0 ends */
	uint32_t base, after; /* by level: see procs.h */
};

/* Each has a cache line of its own, because neighbours run on other schedulers. */
struct proc {
	_Alignas(64) ERL_NIF_TERM pid;
	uint32_t next; /* in the bucket; in the free list */
	uint32_t top;  /* frame */
	uint32_t depth;
	uint32_t spare;      /* a frame that was just left, kept for the next call: most calls return before another is
			      * made */
	uint64_t ran, since; /* since is 0 if not running or unknown */
};

/* A pool of rows 1 … max by index; rows link through a field of theirs. */
struct pool {
	spin lock;
	uint32_t free, fresh, used;
};

/* So has each of these. */
struct proc_stripe {
	_Alignas(64) spin lock;
	atomic_uint spares; /* frames that are spare; written under the lock */
};

struct procs {
	void *block; /* the memory that this is in */
	atomic_ullong lost;
	_Alignas(64) struct pool procs;
	_Alignas(64) struct pool frames;
	struct proc_stripe stripes[NSTRIPES];
	uint32_t buckets[NBUCKETS];
	struct proc proc[MAX_PROCS + 1];
	struct call_frame frame[MAX_FRAMES + 1];
};

struct procs *
procs_new(void)
{
	/* not aligned_alloc(), whose pages would have to be zeroed and so be touched */
	char *block = calloc(1, sizeof(struct procs) + 63);
	if (!block)
		return NULL;
	struct procs *t = (struct procs *)(void *)(block + (-(uintptr_t)block & 63));
	t->block = block;
	return t;
}

void
procs_free(struct procs *t)
{
	if (t)
		free(t->block);
}

static uint32_t
proc_take(struct procs *t)
{
	struct pool *p = &t->procs;
	spin_lock(&p->lock);
	uint32_t i = p->free;
	if (i)
		p->free = t->proc[i].next;
	else if (p->fresh < MAX_PROCS)
		i = ++p->fresh;
	p->used += i != 0;
	spin_unlock(&p->lock);
	return i;
}

static void
proc_give(struct procs *t, uint32_t i)
{
	struct pool *p = &t->procs;
	spin_lock(&p->lock);
	t->proc[i].next = p->free;
	p->free = i;
	p->used--;
	spin_unlock(&p->lock);
}

static ET_COLD uint32_t
frame_take(struct procs *t)
{
	struct pool *p = &t->frames;
	spin_lock(&p->lock);
	uint32_t i = p->free;
	if (i)
		p->free = t->frame[i].below;
	else if (p->fresh < MAX_FRAMES)
		i = ++p->fresh;
	p->used += i != 0;
	spin_unlock(&p->lock);
	return i;
}

static ET_COLD void
frame_give(struct procs *t, uint32_t i)
{
	struct pool *p = &t->frames;
	spin_lock(&p->lock);
	t->frame[i].below = p->free;
	p->free = i;
	p->used--;
	spin_unlock(&p->lock);
}

static unsigned
bucket_of(ERL_NIF_TERM pid)
{
	uint64_t h = pid * 0x9e3779b97f4a7c15ULL;
	return (unsigned)(h >> 40) & (NBUCKETS - 1);
}

/* The caller has locked the bucket's stripe. */
static ET_COLD struct proc *
add(struct procs *t, unsigned bucket, ERL_NIF_TERM pid)
{
	uint32_t i = proc_take(t);
	if (!i)
		return NULL;
	t->proc[i] = (struct proc){.pid = pid, .next = t->buckets[bucket]};
	t->buckets[bucket] = i;
	return &t->proc[i];
}

static inline struct proc *
lock_proc(struct procs *t, ERL_NIF_TERM pid, bool make, spin **held)
{
	unsigned b = bucket_of(pid);
	*held = &t->stripes[b % NSTRIPES].lock;
	spin_lock(*held);
	for (uint32_t i = t->buckets[b]; i; i = t->proc[i].next)
		if (t->proc[i].pid == pid)
			return &t->proc[i];
	return make ? add(t, b, pid) : NULL;
}

static void
count_spare(struct procs *t, const struct proc *p, unsigned change)
{
	atomic_uint *n = &t->stripes[bucket_of(p->pid) % NSTRIPES].spares;
	atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + change, memory_order_relaxed);
}

/* Frames of a process whose stripe is locked. The shared pool is used only if there is no spare frame. */
static uint32_t
frame_new(struct procs *t, struct proc *p)
{
	uint32_t i = p->spare;
	if (!i)
		return frame_take(t);
	p->spare = 0;
	count_spare(t, p, UINT32_MAX);
	return i;
}

static void
frame_leave(struct procs *t, struct proc *p, uint32_t i)
{
	if (p->spare) {
		frame_give(t, i);
		return;
	}
	p->spare = i;
	count_spare(t, p, 1);
}

static inline struct frame_left
pop(struct procs *t, struct proc *p)
{
	uint32_t i = p->top;
	struct frame_left left = {t->frame[i].mfa, p->depth--};
	p->top = t->frame[i].below;
	frame_leave(t, p, i);
	return left;
}

void
procs_exit(struct procs *t, ERL_NIF_TERM pid)
{
	unsigned b = bucket_of(pid);
	spin *held = &t->stripes[b % NSTRIPES].lock;
	spin_lock(held);
	for (uint32_t *link = &t->buckets[b]; *link; link = &t->proc[*link].next) {
		uint32_t i = *link;
		if (t->proc[i].pid != pid)
			continue;
		while (t->proc[i].top)
			pop(t, &t->proc[i]);
		if (t->proc[i].spare)
			frame_give(t, frame_new(t, &t->proc[i]));
		*link = t->proc[i].next;
		proc_give(t, i);
		break;
	}
	spin_unlock(held);
}

/* Pops the topmost frame into *left, if there is room. */
static inline bool
leave(struct procs *t, struct proc *p, struct frames_left *left)
{
	left->more = left->n == FRAMES_LEFT;
	if (!left->more)
		left->frame[left->n++] = pop(t, p);
	return !left->more;
}

/* Pops all frames whose base is at least this, and what may be left from before levels were known. */
static inline void
leave_down_to(struct procs *t, struct proc *p, uint32_t base, struct frames_left *left)
{
	while (p->top && (t->frame[p->top].base >= base || !t->frame[p->top].base) && leave(t, p, left))
		;
}

/* Leaves what a call replaces, and returns its frame but for the one below. */
static inline struct call_frame
place_by_level(struct procs *t, struct proc *p, const struct traced_call *c, struct frames_left *left)
{
	struct call_frame new = {.mfa = c->mfa, .caller = c->caller, .base = c->level};
	uint32_t marker = c->marker;
	leave_down_to(t, p, c->level, left);
	if (p->top && !left->more && t->frame[p->top].after == c->level) {
		new.base = t->frame[p->top].base;
		marker = 0; /* it is there already */
		leave(t, p, left);
	}
	new.after = c->level + marker + c->frame;
	return new;
}

static inline struct call_frame
place_by_caller(struct procs *t, struct proc *p, const struct traced_call *c, struct frames_left *left)
{
	const struct call_frame *top = &t->frame[p->top]; /* nobody's if it is number 0 */
	bool either = p->top && c->caller == c->mfa && top->mfa == c->mfa;
	if (p->top && top->caller == c->caller && (!either || p->depth >= MAX_DEPTH))
		leave(t, p, left);
	return (struct call_frame){.mfa = c->mfa, .caller = c->caller};
}

ET_HOT unsigned
procs_call(struct procs *t, ERL_NIF_TERM pid, const struct traced_call *c, struct frames_left *left)
{
	spin *held;
	uint32_t i = 0;
	unsigned depth = 0;
	left->n = 0;
	left->more = false;
	struct proc *p = lock_proc(t, pid, true, &held);
	if (p && (c->level || !c->marker)) {
		struct call_frame new = c->marker ? place_by_level(t, p, c, left) : place_by_caller(t, p, c, left);
		if (p->depth < MAX_DEPTH && !left->more && (i = frame_new(t, p))) {
			new.below = p->top;
			t->frame[i] = new;
			p->top = i;
			depth = ++p->depth;
		}
	}
	if (ET_UNLIKELY(!i && !left->more))
		atomic_fetch_add_explicit(&t->lost, 1, memory_order_relaxed);
	spin_unlock(held);
	return depth;
}

ET_HOT void
procs_left(struct procs *t, ERL_NIF_TERM pid, uint32_t level, uint32_t marker, struct frames_left *left)
{
	spin *held;
	left->n = 0;
	left->more = false;
	struct proc *p = lock_proc(t, pid, false, &held);
	if (p && level)
		leave_down_to(t, p, level > marker ? level - marker : 0, left);
	spin_unlock(held);
}

ET_COLD void
procs_return_to(struct procs *t, ERL_NIF_TERM pid, uint32_t to, struct frames_left *left)
{
	spin *held;
	unsigned n = 0, found = 0;
	left->n = 0;
	left->more = false;
	struct proc *p = lock_proc(t, pid, false, &held);
	for (uint32_t i = p ? p->top : 0; i && !found; i = t->frame[i].below) {
		n++;
		if (t->frame[i].caller == to)
			found = n;
	}
	while (found && leave(t, p, left))
		found--;
	spin_unlock(held);
}

unsigned
procs_depth(struct procs *t, ERL_NIF_TERM pid, uint32_t mfa)
{
	spin *held;
	struct proc *p = lock_proc(t, pid, false, &held);
	unsigned depth = p ? p->depth : 0;
	for (uint32_t i = p ? p->top : 0; i && t->frame[i].mfa != mfa; i = t->frame[i].below)
		depth--;
	spin_unlock(held);
	return depth;
}

unsigned
procs_stack(struct procs *t, ERL_NIF_TERM pid, uint64_t *mfas, unsigned max)
{
	spin *held;
	unsigned n = 0;
	uint32_t outermost = 0;
	struct proc *p = lock_proc(t, pid, false, &held);
	for (uint32_t i = p ? p->top : 0; i && n < max; i = t->frame[i].below) {
		mfas[n++] = t->frame[i].mfa;
		outermost = t->frame[i].caller;
	}
	spin_unlock(held);
	if (outermost && n < max)
		mfas[n++] = outermost;
	return n;
}

void
procs_in(struct procs *t, ERL_NIF_TERM pid, uint64_t now)
{
	spin *held;
	struct proc *p = lock_proc(t, pid, true, &held);
	if (p)
		p->since = now;
	spin_unlock(held);
}

void
procs_out(struct procs *t, ERL_NIF_TERM pid, uint64_t now)
{
	spin *held;
	struct proc *p = lock_proc(t, pid, false, &held);
	if (p && p->since) {
		p->ran += now - p->since;
		p->since = 0;
	}
	spin_unlock(held);
}

uint64_t
procs_ran(struct procs *t, ERL_NIF_TERM pid, uint64_t now)
{
	spin *held;
	uint64_t ran = 0;
	struct proc *p = lock_proc(t, pid, true, &held);
	if (p) {
		if (!p->since)
			p->since = now; /* it runs now: one of its own events brought us here */
		ran = p->ran + (now - p->since);
	}
	spin_unlock(held);
	return ran;
}

void
procs_stats(struct procs *t, struct procs_stats *s)
{
	spin_lock(&t->procs.lock);
	s->processes = t->procs.used;
	spin_unlock(&t->procs.lock);
	spin_lock(&t->frames.lock);
	s->frames = t->frames.used;
	spin_unlock(&t->frames.lock);
	for (unsigned i = 0; i < NSTRIPES; i++) {
		uint32_t spare = atomic_load_explicit(&t->stripes[i].spares, memory_order_relaxed);
		s->frames -= spare < s->frames ? spare : s->frames;
	}
	s->lost = atomic_load_explicit(&t->lost, memory_order_relaxed);
}
