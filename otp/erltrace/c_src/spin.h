/* A spinlock for sections of some hundred nanoseconds. */
#ifndef ERLTRACE_SPIN_H
#define ERLTRACE_SPIN_H

#include "base/hot.h"

#include <sched.h>
#include <stdatomic.h>

typedef atomic_int spin;

static ET_COLD __attribute__((unused)) void
spin_wait(spin *l)
{
	unsigned tries = 0;
	do {
		while (atomic_load_explicit(l, memory_order_relaxed))
			if (++tries % 64 == 0)
				sched_yield(); /* the holder may have lost its CPU */
	} while (atomic_exchange_explicit(l, 1, memory_order_acquire));
}

static inline void
spin_lock(spin *l)
{
	if (ET_UNLIKELY(atomic_exchange_explicit(l, 1, memory_order_acquire)))
		spin_wait(l);
}

static inline void
spin_unlock(spin *l)
{
	atomic_store_explicit(l, 0, memory_order_release);
}

#endif
