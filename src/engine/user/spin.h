/*
 * A spinlock for short critical sections. Under contention it yields the
 * processor, because the holder may have been preempted.
 */
#ifndef ET_ENGINE_USER_SPIN_H
#define ET_ENGINE_USER_SPIN_H

#include "arch/arch.h"
#include "base/hot.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct spin {
	_Atomic uint32_t held;
};

static ET_COLD __attribute__((unused)) void
spin_wait(struct spin *l)
{
	do {
		for (unsigned i = 0; atomic_load_explicit(&l->held, memory_order_relaxed); i++) {
			if (i >= 64) {
				sched_yield();
				i = 0;
			}
			arch_pause();
		}
	} while (atomic_exchange(&l->held, 1));
}

/* What the holder loads afterwards (seq_cst) is not older than this: see turn.c. */
static inline void
spin_lock(struct spin *l)
{
	if (ET_UNLIKELY(atomic_exchange(&l->held, 1)))
		spin_wait(l);
}

static inline bool
spin_trylock(struct spin *l)
{
	return !atomic_exchange_explicit(&l->held, 1, memory_order_acquire);
}

static inline void
spin_unlock(struct spin *l)
{
	atomic_store_explicit(&l->held, 0, memory_order_release);
}

#endif
