/* See threads.h. */
#include "threads.h"

struct thread thread_rows[THREADS];
char seen_room[NODE_SEEN_SIZE + SEEN_ALIGN];
static struct thread shared;

void
threads_forget(void)
{
	for (unsigned i = 0; i < THREADS; i++) {
		atomic_store_explicit(&thread_rows[i].process, 0, memory_order_relaxed);
		atomic_store_explicit(&thread_rows[i].mfa, 0, memory_order_relaxed);
		if (atomic_load_explicit(&thread_rows[i].self, memory_order_relaxed))
			thread_show(&thread_rows[i]);
	}
	atomic_store_explicit(&shared.process, 0, memory_order_relaxed);
	atomic_store_explicit(&shared.mfa, 0, memory_order_relaxed);
}

ET_COLD struct thread *
thread_find(uintptr_t self)
{
	static atomic_uint taken;
	unsigned at = thread_place(self);
	for (unsigned i = 0; i < THREADS; i++, at = (at + 1) % THREADS) {
		struct thread *t = &thread_rows[at];
		uintptr_t there = atomic_load_explicit(&t->self, memory_order_relaxed);
		if (there == self)
			return t;
		if (there)
			continue;
		if (atomic_load_explicit(&taken, memory_order_relaxed) >= THREADS_MOST)
			break;
		if (atomic_compare_exchange_strong_explicit(
			&t->self, &there, self, memory_order_relaxed, memory_order_relaxed)) {
			atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
			return t;
		}
	}
	return &shared;
}
