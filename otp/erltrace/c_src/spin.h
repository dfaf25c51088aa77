/* A spinlock for sections of some hundred nanoseconds. */
#ifndef ERLTRACE_SPIN_H
#define ERLTRACE_SPIN_H

#include <sched.h>
#include <stdatomic.h>

typedef atomic_int spin;

static inline void
spin_lock(spin *l)
{
	for (unsigned tries = 0; atomic_exchange_explicit(l, 1, memory_order_acquire);) {
		while (atomic_load_explicit(l, memory_order_relaxed))
			if (++tries % 64 == 0)
				sched_yield(); /* the holder may have lost its CPU */
	}
}

static inline void
spin_unlock(spin *l)
{
	atomic_store_explicit(l, 0, memory_order_release);
}

#endif
