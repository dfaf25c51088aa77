/*
 * Speculations. Each shard has a buffer for each of them. The data of one shard move when the speculation is committed
 * there; those of other shards move when the consumer cleans. A speculation's id is busy until then.
 *
 * States: inactive → active (speculation()) → one → many shards have data (speculate())
 *   → committing → inactive            only the committing shard had data
 *   → committing-many, discarding → inactive by clean()
 */
#include "engine/user/user.h"

static bool
move(_Atomic int *state, int from, int to)
{
	return atomic_compare_exchange_strong_explicit(state, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

static int
state_of(_Atomic int *state)
{
	return atomic_load_explicit(state, memory_order_acquire);
}

void
spec_init(struct user_engine *e)
{
	uint32_t n = e->conf.nspec;
	for (uint32_t i = 0; i < n; i++)
		atomic_init(&e->spec_next[i], i + 1 < n ? i + 2 : 0);
	atomic_init(&e->spec_free, n ? 1 : 0);
}

/* The upper half of spec_free counts changes, so that a list that was changed and changed back does not pass for
 * unchanged. */
uint32_t
spec_new(struct activation *r)
{
	struct user_engine *e = r->e;
	uint64_t head = atomic_load_explicit(&e->spec_free, memory_order_acquire), next;
	do {
		if (!(uint32_t)head) {
			bool busy = atomic_load_explicit(&e->spec_busy, memory_order_relaxed) > 0;
			count_drop(r->sh, busy ? ENG_DROP_SPECBUSY : ENG_DROP_SPECUNAVAIL);
			return 0;
		}
		next = atomic_load_explicit(&e->spec_next[(uint32_t)head - 1], memory_order_relaxed);
		next |= ((head >> 32) + 1) << 32;
	} while (!atomic_compare_exchange_weak_explicit(
	    &e->spec_free, &head, next, memory_order_acq_rel, memory_order_acquire));
	atomic_store_explicit(&e->spec[(uint32_t)head - 1], SPEC_ACTIVE, memory_order_release);
	return (uint32_t)head;
}

/* Called when it was committed or discarded, and no shard has data of it any more. */
static void
spec_done(struct user_engine *e, uint32_t id)
{
	uint64_t head = atomic_load_explicit(&e->spec_free, memory_order_acquire);
	atomic_store_explicit(&e->spec[id - 1], SPEC_INACTIVE, memory_order_release);
	atomic_fetch_sub_explicit(&e->spec_busy, 1, memory_order_relaxed);
	do
		atomic_store_explicit(&e->spec_next[id - 1], (uint32_t)head, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(
	    &e->spec_free, &head, id | ((head >> 32) + 1) << 32, memory_order_acq_rel, memory_order_acquire));
}

/* 0 means that none was free, and is ignored silently. Other numbers that are not a speculation are a fault. */
static bool
is_bad(const struct activation *r, uint64_t id)
{
	return id > r->e->conf.nspec;
}

/* From here on the clause's data go to the speculation. If there is none, the clause ends without a fault. */
bool
spec_speculate(struct activation *r, uint64_t id)
{
	if (r->rec)
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (id == 0 || is_bad(r, id))
		return false;
	_Atomic int *state = &r->e->spec[id - 1];
	bool mine = r->sh->spec[id - 1].off > 0;
	for (;;) {
		int s = state_of(state);
		if (s != SPEC_ACTIVE && s != SPEC_ONE && s != SPEC_MANY)
			return false;
		int next = s == SPEC_ACTIVE ? SPEC_ONE : s == SPEC_ONE && !mine ? SPEC_MANY : s;
		if (next == s || move(state, s, next))
			break;
	}
	r->spec = (uint32_t)id;
	return true;
}

/*
 * Commits or discards: sets `done` if no other shard can have data, or `later` if clean() has to look. Returns false if
 * there is nothing to do.
 */
static bool
finish(struct user_engine *e, uint64_t id, bool mine, int done, int later, int *now)
{
	_Atomic int *state = &e->spec[id - 1];
	for (;;) {
		int s = state_of(state);
		if (s != SPEC_ACTIVE && s != SPEC_ONE && s != SPEC_MANY)
			return false;
		*now = s == SPEC_ACTIVE || (s == SPEC_ONE && mine) ? done : later;
		if (move(state, s, *now)) {
			atomic_fetch_add_explicit(&e->spec_busy, 1, memory_order_relaxed);
			return true;
		}
	}
}

bool
spec_commit(struct activation *r, uint64_t id)
{
	int now;
	if (r->rec || is_bad(r, id))
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (id == 0)
		return true;
	struct recbuf *b = &r->sh->spec[id - 1];
	if (!finish(r->e, id, b->off > 0, SPEC_COMMITTING, SPEC_COMMITTING_MANY, &now))
		return true;
	bool ok = buf_commit(r->e, r->sh, b, r->p->role == ROLE_END, r);
	if (now == SPEC_COMMITTING)
		spec_done(r->e, (uint32_t)id);
	return ok;
}

bool
spec_discard(struct activation *r, uint64_t id)
{
	int now;
	if ((r->rec && r->spec == id) || is_bad(r, id))
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (id == 0)
		return true;
	struct recbuf *b = &r->sh->spec[id - 1];
	if (finish(r->e, id, b->off > 0, SPEC_COMMITTING, SPEC_DISCARDING, &now)) {
		b->off = 0;
		if (now == SPEC_COMMITTING)
			spec_done(r->e, (uint32_t)id);
	}
	return true;
}

/*
 * A shard that began to speculate holds its lock until its data are in. So after a visit to every shard, no more data
 * can come.
 */
void
spec_clean(struct user_engine *e)
{
	for (uint32_t i = 0; i < e->conf.nspec && atomic_load_explicit(&e->spec_busy, memory_order_relaxed); i++) {
		int s = state_of(&e->spec[i]);
		if (s != SPEC_COMMITTING_MANY && s != SPEC_DISCARDING)
			continue;
		bool all = true;
		for (unsigned j = 0; j < e->conf.nshards; j++) {
			struct shard *sh = &e->shards[j];
			if (!shard_visit(e, sh)) {
				all = false; /* tried again next time */
				continue;
			}
			if (s == SPEC_COMMITTING_MANY)
				buf_commit(e, sh, &sh->spec[i], false, NULL);
			sh->spec[i].off = 0;
			shard_leave(e, sh);
		}
		if (all)
			spec_done(e, i + 1);
	}
}
