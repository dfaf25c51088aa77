/*
 * What the library keeps for each thread of the VM.
 *
 * Thread-local variables would be the usual place. But a library that is loaded late gets them on any C library only
 * through a call for each access, and musl refuses the model that needs none. So this is a table of our own, with the
 * thread's address as the key. A thread that ends leaves its row; a later one at the same address goes on with it,
 * which does no harm.
 */
#ifndef ERLTRACE_THREADS_H
#define ERLTRACE_THREADS_H

#include "arch/arch.h"
#include "base/hot.h"
#include "object/node_event.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = NODE_THREADS };
/* So many rows are given away. The others stay free, so that a search soon ends, also that of a thread without one:
 * it is done for each event. (tst.full-table.sh sets it.) */
#ifndef THREADS_MOST
#define THREADS_MOST (THREADS / 4 * 3)
#endif

/* Each row has a cache line of its own. It begins as struct node_thread: programs in the kernel read that part. */
struct thread {
	_Alignas(NODE_THREAD_SIZE) _Atomic uintptr_t self; /* 0 if the row is free */
	_Atomic uint64_t process;                          /* that runs here; 0 if unknown, or if nobody asks */
	_Atomic uint64_t mfa;                              /* address of text in the table of functions, or 0 */
	char eproc[NODE_EPROC];
	atomic_uint shard; /* number of its shard plus one; 0 if it has none yet */
	/* of meter.c: */
	atomic_uint armed; /* 1 if the next event is to be measured from the VM's first question on; 2 if that came */
	_Atomic uint64_t asked; /* ns: when it came */
};
_Static_assert(sizeof(struct thread) == NODE_THREAD_SIZE, "a row is what the kernel's programs think");
_Static_assert(offsetof(struct thread, process) == offsetof(struct node_thread, process) &&
		   offsetof(struct thread, mfa) == offsetof(struct node_thread, mfa) &&
		   offsetof(struct thread, eproc) == offsetof(struct node_thread, eproc),
    "they find what they read");
extern struct thread thread_rows[THREADS];

/* What programs in the kernel may have mapped: see seen.h. It lies in `seen_room`, at the beginning of a page of any
 * size (a C library may load this one at any 4 KiB). Threads write it always, so that nobody has to ask. */
enum { SEEN_ALIGN = 65536 };
extern char seen_room[NODE_SEEN_SIZE + SEEN_ALIGN];

static inline char *
seen_rows(void)
{
	return (char *)(((uintptr_t)seen_room + SEEN_ALIGN - 1) & ~(uintptr_t)(SEEN_ALIGN - 1));
}

/* Returns what programs in the kernel see of a thread with this row; NULL if it shares its row. */
static inline struct node_thread *
thread_seen(const struct thread *t)
{
	uintptr_t at = (uintptr_t)t - (uintptr_t)thread_rows;
	return ET_LIKELY(at < NODE_SEEN_SIZE) ? (struct node_thread *)(void *)(seen_rows() + at) : NULL;
}

/* The row, as programs in the kernel see it, is to be that of the thread. They run on the same thread, so only the
 * order of its own instructions matters. */
static inline void
thread_show(const struct thread *t)
{
	struct node_thread *s = thread_seen(t);
	if (ET_UNLIKELY(!s))
		return;
	__atomic_store_n(&s->process, 0, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst);
	__builtin_memcpy(s->eproc, t->eproc, NODE_EPROC);
	__atomic_store_n(&s->mfa, atomic_load_explicit(&t->mfa, memory_order_relaxed), __ATOMIC_RELAXED);
	__atomic_store_n(&s->self, atomic_load_explicit(&t->self, memory_order_relaxed), __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&s->process, atomic_load_explicit(&t->process, memory_order_relaxed), __ATOMIC_RELAXED);
}

/* Finds or makes the row of a thread that is not at its usual place. If no more are given away, threads share one. */
struct thread *thread_find(uintptr_t self);

/* Nothing is known any more of what runs on the threads. No callback runs meanwhile. */
void threads_forget(void);

/* Returns whether other threads may have the row as well. */
static inline bool
thread_is_shared(const struct thread *t)
{
	return !atomic_load_explicit(&t->self, memory_order_relaxed);
}

static inline unsigned
thread_place(uintptr_t self)
{
	return (unsigned)NODE_THREAD_PLACE((uint64_t)self);
}

/* The row of the calling thread. */
static inline struct thread *
thread_own(void)
{
	uintptr_t self = arch_thread();
	struct thread *t = &thread_rows[thread_place(self)];
	return ET_LIKELY(atomic_load_explicit(&t->self, memory_order_relaxed) == self) ? t : thread_find(self);
}

#endif
