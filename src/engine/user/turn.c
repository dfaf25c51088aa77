/*
 * How tables and buffers change hands between firings and the consumer, without either waiting for the other.
 *
 * Each shard has two of each. Firings use one. The consumer has the other, and empties it when what it took from it has
 * arrived. For the next snapshot it writes down that it wants them the other way round. A firing looks at that once,
 * when it begins, and keeps to it until its end. So if no firing is under way after the consumer wrote it down, the
 * table that firings used until then is the consumer's. If one is, the consumer goes without this shard and looks again
 * the next time it comes; that firing has ended when the number of the shard's firings has changed.
 *
 * A firing says that it is under way, and then reads what is wanted. The consumer writes what it wants, and then looks
 * whether a firing is under way. One of them must see the other, so each needs a barrier in between. With a lock of the
 * shard's own that is the lock: it is held during a firing. If the caller has the lock, and can make all threads pass a
 * barrier (eng_locks.barrier), firings pay nothing for theirs.
 */
#include "engine/user/user.h"

#include <time.h>

/* What was known by its place in a table is not known any more. That is so even if it is the same table again, because
 * there was no firing since the last time: it was emptied meanwhile. */
ET_COLD void
turn_switch(struct shard *sh)
{
	uint32_t wanted = atomic_load(&sh->wanted);
	memset(sh->memos, 0, sizeof sh->memos);
	for (unsigned i = 0; i < NTURNS; i++)
		sh->active[i] = wanted >> i & 1;
	sh->used = wanted;
}

unsigned
turn_other(const struct shard *sh, enum turn_of what)
{
	return !(atomic_load_explicit(&sh->wanted, memory_order_relaxed) >> what & 1);
}

void
turn_ask(struct shard *sh, enum turn_of what)
{
	sh->turns[what].owed = true;
	sh->turns[what].since = 0;
	uint32_t wanted = atomic_load_explicit(&sh->wanted, memory_order_relaxed);
	atomic_store(&sh->wanted, (wanted ^ 1u << what) + (1u << NTURNS));
}

void
turn_init(struct user_engine *e)
{
	for (unsigned i = 0; i < e->conf.locks.n; i++)
		atomic_init(&e->shards[i].fences, true);
}

/* Once it could make one, it always can. */
void
turn_barrier(struct user_engine *e)
{
	const struct eng_locks *l = &e->conf.locks;
	atomic_thread_fence(memory_order_seq_cst);
	if (!l->barrier || !l->barrier(l->arg))
		return;
	for (unsigned i = 0; i < l->n; i++)
		if (atomic_load_explicit(&e->shards[i].fences, memory_order_relaxed))
			atomic_store_explicit(&e->shards[i].fences, false, memory_order_relaxed);
}

/* Returns an odd number if a firing is under way: another one for each firing, if that is known. */
static uint32_t
turn_of(const struct user_engine *e, struct shard *sh)
{
	bool is_own = (unsigned)(sh - e->shards) >= e->conf.locks.n;
	return is_own ? atomic_load(&sh->lock.held) : atomic_load(&sh->turn);
}

/* Returns whether a firing that may use what was asked for is still under way. */
static bool
is_used(const struct user_engine *e, struct shard *sh, enum turn_of what)
{
	uint32_t now = turn_of(e, sh), since = sh->turns[what].since;
	if (now % 2 == 0 || (since && now != since))
		return false;
	sh->turns[what].since = now;
	return true;
}

bool
turn_take(struct user_engine *e, struct shard *sh, enum turn_of what, unsigned *patience)
{
	while (is_used(e, sh, what)) {
		if (!*patience)
			return false;
		--*patience;
		arch_pause();
	}
	sh->turns[what].owed = false;
	return true;
}

bool
turn_is_whole(struct engine *engine, bool records)
{
	return !user_of(engine)->part[records ? TURN_BUF : TURN_AGG];
}

void
turn_wait_for_last(struct user_engine *e)
{
	turn_barrier(e);
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		uint32_t first = turn_of(e, &e->shards[i]);
		while (first % 2 && turn_of(e, &e->shards[i]) == first)
			nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
}
