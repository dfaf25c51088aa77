/* See gate.h. */
#include "gate.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATIENCE = 2000 }; /* looks at `inside`: some microseconds */

static bool
membarrier(int command)
{
	int saved = errno;
	long result = syscall(SYS_membarrier, command, 0, 0);
	errno = saved;
	return result == 0;
}

/* Every thread of this process passes a barrier. It was registered before, so it cannot fail. */
static void
barrier_for_all(void)
{
	membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

static void
wait_outside(struct gate *g)
{
	for (unsigned i = 1; atomic_load(&g->inside); i++) {
		arch_pause();
		if (i % 64 == 0)
			sched_yield(); /* the owner may have lost its CPU */
	}
}

/* The lock is held. Returns whether all threads still have to pass a barrier. */
static bool
shut(struct gate *g, int why)
{
	atomic_fetch_or(&g->shut, why);
	return atomic_load_explicit(&g->cheap, memory_order_relaxed);
}

ET_COLD void
gate_enter_locked(struct gate *g, const struct thread *own, bool may_own)
{
	spin_lock(&g->lock);
	const struct thread *owner = atomic_load_explicit(&g->owner, memory_order_relaxed);
	if (!owner && may_own && !atomic_load_explicit(&g->shut, memory_order_relaxed))
		atomic_store_explicit(&g->owner, own, memory_order_relaxed);
	else if (owner != own && !(atomic_load_explicit(&g->shut, memory_order_relaxed) & GATE_COMMON)) {
		if (shut(g, GATE_COMMON))
			barrier_for_all();
		wait_outside(g);
	}
	g->locked = true;
}

void
gate_shut(struct gate *g)
{
	gates_shut(g, 1, 0);
}

bool
gate_try_shut(struct gate *g)
{
	unsigned i = 0;
	while (atomic_load_explicit(&g->lock, memory_order_relaxed) ||
	       atomic_exchange_explicit(&g->lock, 1, memory_order_acquire)) {
		if (++i > PATIENCE)
			return false;
		arch_pause();
	}
	if (shut(g, GATE_VISITED))
		barrier_for_all();
	for (i = 0; atomic_load(&g->inside); i++) {
		if (i > PATIENCE) {
			gate_open(g);
			return false;
		}
		arch_pause();
	}
	return true;
}

void
gate_open(struct gate *g)
{
	atomic_fetch_and(&g->shut, ~GATE_VISITED);
	spin_unlock(&g->lock);
}

/* Those who have the lock do not say that they are inside. Nobody holds it for long, except for an event. */
bool
gate_is_empty(struct gate *g)
{
	if (atomic_load(&g->inside) || atomic_exchange_explicit(&g->lock, 1, memory_order_acquire))
		return false;
	spin_unlock(&g->lock);
	return true;
}

static struct gate *
gate_at(struct gate *first, unsigned i, size_t stride)
{
	return (struct gate *)(void *)((char *)first + i * stride);
}

void
gates_shut(struct gate *first, unsigned n, size_t stride)
{
	bool cheap = false;
	for (unsigned i = 0; i < n; i++) {
		struct gate *g = gate_at(first, i, stride);
		spin_lock(&g->lock);
		cheap |= shut(g, GATE_VISITED);
	}
	if (cheap)
		barrier_for_all();
	for (unsigned i = 0; i < n; i++)
		wait_outside(gate_at(first, i, stride));
}

static atomic_bool is_registered;

bool
gates_barrier(void)
{
	if (!atomic_load_explicit(&is_registered, memory_order_relaxed))
		return false;
	barrier_for_all();
	return true;
}

void
gates_fence(void)
{
	atomic_thread_fence(memory_order_seq_cst);
	gates_barrier();
}

/* Asks the kernel, the first time. */
static bool
register_barriers(void)
{
#if defined(__SANITIZE_THREAD__) /* it does not know of barriers that another thread makes */
	return false;
#else
	if (!atomic_load_explicit(&is_registered, memory_order_relaxed) &&
	    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
		atomic_store_explicit(&is_registered, true, memory_order_relaxed);
	return atomic_load_explicit(&is_registered, memory_order_relaxed);
#endif
}

/* Threads that were inside when `cheap` changed had their own barrier; those that come see that the gate is shut. */
void
gates_cheapen(struct gate *first, unsigned n, size_t stride)
{
	for (unsigned i = 0; i < n; i++) {
		struct gate *g = gate_at(first, i, stride);
		if (atomic_load_explicit(&g->cheap, memory_order_relaxed) || !register_barriers() || !gate_try_shut(g))
			continue;
		atomic_store_explicit(&g->cheap, true, memory_order_release);
		gate_open(g);
	}
}
