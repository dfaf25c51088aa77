/*
 * What tracing costs the node, by script and shard.
 *
 * An event costs more than its clauses: the VM notices it, asks twice whether it is wanted, makes terms of it and
 * calls. So the measurement runs from the VM's first question (tracer_enabled_*) to the end of the callback. What the
 * VM needs before and after that cannot be seen from here. A table has it for each kind of event and each OTP, in units
 * of some work that the VM does for us (making and reading a tuple and a map). How long that work takes on this node is
 * measured whenever a script starts. One event in 64, chosen at random, is measured and stands for those between. An
 * event that read the clock because it was long (engine.h) is always measured from there on, and stands for itself.
 *
 * The clock of processor time is a system call, so it is not read for an event that is short. Once one seemed to be
 * long, perhaps because its thread lost the processor, the next ones that are measured are measured by that clock.
 *
 * After a window of two seconds, the time spent in it is compared with maxoverhead, as a part of the time that the
 * scheduler's thread could run. So a node that shares its processors is guarded as well. The rows say what cost most.
 */
#ifndef ERLTRACE_METER_H
#define ERLTRACE_METER_H

#include "base/hot.h"

#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct event;
struct script;

enum { METER_EVERY = 64, METER_ROWS = 64, METER_FIRED = 8 };
enum { METER_OTHERS = 2 }; /* meters after those of the shards: of timers, of calls that the VM counts */
#define METER_WINDOW 2000000000ull
#define METER_NO_PROBE 0xffffffffu /* what the script needs in addition to its probes */

struct meter_row {
	unsigned probe;
	uint32_t mfa;       /* 0: none */
	uint64_t ns;        /* at most so much */
	uint64_t inherited; /* of that, what may be others' */
};

/* For one script and one shard. Only the holder of the shard's lock writes. */
struct meter {
	_Alignas(64) uint64_t since; /* ns: the window began */
	uint64_t spent;              /* ns, in the window */
	uint64_t waited;             /* ns that the thread had waited for a processor when the window began */
	_Atomic uint64_t total;      /* ns, since the start */
	struct meter_row rows[METER_ROWS];
};

/* Which events of a shard are measured. */
struct meter_turns {
	unsigned until;  /* events to the next one; 0 if not begun */
	unsigned weight; /* how many events it stands for */
	uint32_t random;
	unsigned careful; /* so many of those that are measured are measured by processor time */
};

/* Of an event that is measured. */
struct metered {
	uint64_t start; /* ns */
	uint64_t cpu;   /* ns of processor time at its beginning; 0 if it is not measured by that */
	unsigned weight, nfired;
	bool whole; /* start is the VM's first question */
	struct {
		struct script *script;
		unsigned probe;
		uint64_t ns;
	} fired[METER_FIRED];
};

void meter_note(struct thread *t);

/* Called in each tracer_enabled_* that does not discard. */
static inline void
meter_asked(void)
{
	struct thread *t = thread_own();
	if (ET_UNLIKELY(atomic_load_explicit(&t->armed, memory_order_relaxed) == 1))
		meter_note(t);
}

/* Measures how long the unit of the table takes here and now: about 0.1 ms. Not on a scheduler. */
void meter_calibrate(void);

/* Called when an event begins: decides whether it is measured. */
void meter_turn(struct event *ev, struct meter_turns *t);
/* Runs the clauses of a script for an event that is measured, or has become long. */
void meter_fire(struct event *ev, struct script *s, unsigned probe);
/* They have run, and the event has looked at the clock. */
void meter_long(struct event *ev, struct script *s, unsigned probe);
void meter_end(struct event *ev);
/* Calls that the VM has counted: counted.h. They have a meter of their own, written by whoever holds the script's lock.
 */
void meter_begin_counted(struct script *s);
void meter_counted(struct script *s, unsigned probe, uint64_t calls);
/* A timer's clauses; the meter and the engine's shard are the last. */
void meter_tick(struct script *s, unsigned shard, unsigned probe, uint64_t ns);

#endif
