/*
 * Calls that the VM counts itself.
 *
 * If all that a probe's clauses do is to count (object/counts.h), no event is needed: the agent sets counters of the VM
 * (erltrace_counters.erl) and reads them now and then. What was added since the last time is folded in: the clauses run
 * once, for all of those calls.
 *
 * This must come before anything that looks at aggregations. Snapshots are asked for by the agent itself. A tick with
 * printa(), clear() or exit() asks the agent and waits for it; so only the timers' thread waits, and only for a while.
 * Other probes cannot wait, because they fire inside the VM. A script that has such actions there gets events.
 */
#ifndef ERLTRACE_COUNTED_H
#define ERLTRACE_COUNTED_H

#include "script.h"

/* A clause was bound to a probe. Returns false if there is no memory. */
bool counted_bind(struct opened *s, unsigned index, const char *const names[4], unsigned clause);
/* What the options have to say. */
void counted_conf(struct opened *s, const struct eng_conf *conf);
/* Returns whether some clause of a probe does more than count. All bindings come before. */
bool counted_acts(const struct opened *s, unsigned index);
/* Returns whether the VM may count for a probe. If it may not, and the clauses do no more than that, `uncounted` says
 * why. */
bool counted_may(const struct opened *s, unsigned index);
/* The VM counts for some probes, and `agent` reads. Called before script_start. */
const char *counted_begin(struct opened *s, ErlNifPid agent);
/* So many calls more of a function, {Module, Function, Arity}, for its probe. */
void counted_fold(struct opened *s, unsigned index, ErlNifEnv *env, ERL_NIF_TERM function, uint64_t calls);
/* All counters were read for request `ticket` of a tick. */
void counted_folded(struct opened *s, unsigned ticket);
/* Called before a tick fires. Returns false if it should not fire any more. */
bool counted_before_tick(struct script *row, unsigned index);

#endif
