/*
 * Speculations. Each shard has a buffer for each of them. Data of one shard move when
 * the speculation is committed there; those of other shards when the consumer
 * cleans. A speculation's id is busy until then.
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

uint32_t
spec_new(struct run *r)
{
	bool busy = false;
	for (uint32_t i = 0; i < r->e->conf.nspec; i++) {
		if (move(&r->e->spec[i], SPEC_INACTIVE, SPEC_ACTIVE))
			return i + 1;
		int s = state_of(&r->e->spec[i]);
		busy |= s == SPEC_COMMITTING || s == SPEC_COMMITTING_MANY || s == SPEC_DISCARDING;
	}
	count_drop(r->sh, busy ? ENG_DROP_SPECBUSY : ENG_DROP_SPECUNAVAIL);
	return 0;
}

/* 0 stands for "none was free" and is passed over in silence; other numbers that are no speculation are a fault. */
static bool
is_bad(const struct run *r, uint64_t id)
{
	return id > r->e->conf.nspec;
}

/* From here on the clause's data go to the speculation; where there is none the clause ends, without a fault. */
bool
spec_speculate(struct run *r, uint64_t id)
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
 * Commit and discard: `done` when no other shard can have data, `later` when
 * clean() has to look. False: there is nothing to do.
 */
static bool
finish(_Atomic int *state, bool mine, int done, int later, int *now)
{
	for (;;) {
		int s = state_of(state);
		if (s != SPEC_ACTIVE && s != SPEC_ONE && s != SPEC_MANY)
			return false;
		*now = s == SPEC_ACTIVE || (s == SPEC_ONE && mine) ? done : later;
		if (move(state, s, *now))
			return true;
	}
}

bool
spec_commit(struct run *r, uint64_t id)
{
	int now;
	if (r->rec || is_bad(r, id))
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (id == 0)
		return true;
	_Atomic int *state = &r->e->spec[id - 1];
	struct recbuf *b = &r->sh->spec[id - 1];
	if (!finish(state, b->off > 0, SPEC_COMMITTING, SPEC_COMMITTING_MANY, &now))
		return true;
	buf_commit(r->e, r->sh, b, r->p->kind == PROBE_END);
	if (now == SPEC_COMMITTING)
		move(state, SPEC_COMMITTING, SPEC_INACTIVE);
	return true;
}

bool
spec_discard(struct run *r, uint64_t id)
{
	int now;
	if ((r->rec && r->spec == id) || is_bad(r, id))
		return fail(r, DIF_FAULT_ILLOP, 0);
	if (id == 0)
		return true;
	_Atomic int *state = &r->e->spec[id - 1];
	struct recbuf *b = &r->sh->spec[id - 1];
	if (finish(state, b->off > 0, SPEC_COMMITTING, SPEC_DISCARDING, &now)) {
		b->off = 0;
		if (now == SPEC_COMMITTING)
			move(state, SPEC_COMMITTING, SPEC_INACTIVE);
	}
	return true;
}

/*
 * A shard that had begun to speculate holds its lock until its data are in, so that
 * after the visit of every shard nothing can come any more.
 */
void
spec_clean(struct engine *e)
{
	for (uint32_t i = 0; i < e->conf.nspec; i++) {
		int s = state_of(&e->spec[i]);
		if (s != SPEC_COMMITTING_MANY && s != SPEC_DISCARDING)
			continue;
		for (unsigned j = 0; j < e->conf.nshards; j++) {
			struct shard *sh = &e->shards[j];
			spin_lock(&sh->lock);
			if (s == SPEC_COMMITTING_MANY)
				buf_commit(e, sh, &sh->spec[i], false);
			sh->spec[i].off = 0;
			spin_unlock(&sh->lock);
		}
		move(&e->spec[i], s, SPEC_INACTIVE);
	}
}
