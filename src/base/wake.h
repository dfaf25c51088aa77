/*
 * Waiting for a change of something that a mutex guards. A condition variable would do, too. But the library inside the
 * VM cannot have those: see otp/erltrace/c_src/libc.c.
 */
#ifndef ET_BASE_WAKE_H
#define ET_BASE_WAKE_H

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAKE_NEVER = -1 };

/* Zeros are its first state, and nothing has to be freed. */
struct wake {
	atomic_uint turns;
};

/* Called with the lock held, which is released meanwhile. Returns when wake_all() was called, at `until` (ns of the
 * monotonic clock; WAKE_NEVER for none), or without a reason: look again at what you wait for. */
static inline void
wake_wait(struct wake *w, pthread_mutex_t *lock, int64_t until)
{
	struct timespec ts = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
	unsigned turns = atomic_load(&w->turns);
	pthread_mutex_unlock(lock);
	syscall(SYS_futex, &w->turns, FUTEX_WAIT_BITSET_PRIVATE, turns, until == WAKE_NEVER ? NULL : &ts, NULL,
	    FUTEX_BITSET_MATCH_ANY);
	pthread_mutex_lock(lock);
}

/* Called with the lock held, after the change. */
static inline void
wake_all(struct wake *w)
{
	atomic_fetch_add(&w->turns, 1);
	syscall(SYS_futex, &w->turns, FUTEX_WAKE_PRIVATE, INT_MAX);
}

#endif
