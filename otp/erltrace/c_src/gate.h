/*
 * The lock of a shard.
 *
 * Nearly always it is taken by the same thread: the scheduler that the shard belongs to. An atomic exchange for each
 * event would be a sixth of what an event costs us. So that thread, the owner, only says that it is inside, and then
 * looks whether somebody shut the gate. Everybody else shuts it first and then looks whether the owner is inside. One
 * of the two always sees the other, if neither of them looks before what it has said can be seen. The owner gets that
 * for nothing: whoever shuts the gate makes all threads of the process pass a barrier (membarrier(2)). Where the
 * kernel does not allow that, and until it was asked to (which takes some ten milliseconds), the owner pays for its
 * own barrier.
 *
 * A shard of several threads has an ordinary spinlock: its gate is always shut.
 */
#ifndef ERLTRACE_GATE_H
#define ERLTRACE_GATE_H

#include "base/hot.h"

#include "spin.h"
#include "threads.h"

#include <stdbool.h>

enum { GATE_VISITED = 1, GATE_COMMON = 2 }; /* why it is shut: somebody visits; it has several threads */

struct gate {
	_Atomic(const struct thread *) owner; /* NULL until it is known, then always the same */
	atomic_int inside;                    /* the owner is in, without the lock. Only the owner writes it. */
	atomic_int shut;                      /* bits. With the lock held. */
	atomic_bool cheap;                    /* whoever shuts it makes a barrier for the owner. With the lock held. */
	bool locked;                          /* of whoever is in: it has the lock */
	spin lock;
};

/* `may_own`: the calling thread may become the owner if there is none. */
void gate_enter_locked(struct gate *g, const struct thread *own, bool may_own);

/* The way in that nearly all events take. Returns false if the thread is not the owner or the gate is shut. */
static inline bool
gate_enter_owner(struct gate *g, const struct thread *own)
{
	if (ET_LIKELY(atomic_load_explicit(&g->owner, memory_order_relaxed) == own)) {
		if (ET_LIKELY(atomic_load_explicit(&g->cheap, memory_order_acquire))) {
			atomic_store_explicit(&g->inside, 1, memory_order_relaxed);
			atomic_signal_fence(memory_order_seq_cst);
		} else
			atomic_exchange(&g->inside, 1);
		if (ET_LIKELY(!atomic_load(&g->shut))) {
			g->locked = false;
			return true;
		}
		atomic_store_explicit(&g->inside, 0, memory_order_release);
	}
	return false;
}

static inline void
gate_enter(struct gate *g, const struct thread *own, bool may_own)
{
	if (ET_UNLIKELY(!gate_enter_owner(g, own)))
		gate_enter_locked(g, own, may_own);
}

static inline void
gate_leave(struct gate *g)
{
	if (ET_UNLIKELY(g->locked))
		spin_unlock(&g->lock);
	else
		atomic_store_explicit(&g->inside, 0, memory_order_release);
}

/* For other threads. Shutting takes some microseconds. */
void gate_shut(struct gate *g);
bool gate_try_shut(struct gate *g); /* waits no longer than a short event takes; returns false if that is not enough */
void gate_open(struct gate *g);
/* Returns whether nobody is inside. Whoever comes in later sees what the caller wrote before the last gates_fence(). */
bool gate_is_empty(struct gate *g);
/* n gates, `stride` bytes apart, at once. */
void gates_shut(struct gate *first, unsigned n, size_t stride);
/* From now on the owners pay for no barrier, if the kernel allows it, except those who are inside for long: they do
 * after the next time. Takes some ten milliseconds, the first time in a process. */
void gates_cheapen(struct gate *first, unsigned n, size_t stride);
/* Makes all threads of the process pass a barrier. Returns false before gates_cheapen(), or if the kernel does not
 * allow it. */
bool gates_barrier(void);
/* What was written before is seen by whoever comes in from now on, or gate_is_empty() sees them. */
void gates_fence(void);

#endif
