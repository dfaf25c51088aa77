/*
 * How deep the stack of the running process is: which calls are nested, and which took the place of another.
 *
 * A return probe must know of each call whether it is a tail call, and of each return_to which calls are over. The
 * match specification's {caller} tells that, but running a match specification and looking up the caller costs the VM
 * more than the call's whole event. The depth of the stack tells it exactly and costs two loads. The VM gives it to
 * nobody, so it is read where the VM keeps it: env leads to the process, and two words of the process are the top and
 * the end of its stack.
 *
 * Where those words are is found out on the running VM, by erltrace_levels.erl, and tried with traced calls. If
 * anything there is not as expected, it stays unknown and {caller} is used.
 */
#ifndef ERLTRACE_LEVEL_H
#define ERLTRACE_LEVEL_H

#include "base/hot.h"

#include <erl_nif.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* In words of the stack. */
struct levels {
	atomic_bool known; /* set once, after the others, while nobody follows returns */
	unsigned top, end; /* which words of the process */
	uint32_t marker;   /* what a traced call adds if return_to is traced, once for each level of the real stack */
	uint32_t frame;    /* what it adds if {return_trace} or {exception_trace} is set */
};
extern struct levels levels;

static inline bool
levels_known(void)
{
	return atomic_load_explicit(&levels.known, memory_order_acquire);
}

/* The process that the event happens in. `env` begins with two pointers; the second is to the process. */
static inline const uint64_t *
level_process(ErlNifEnv *env)
{
	return ((const uint64_t *const *)(const void *)env)[1];
}

/* Returns 0 if the event is not one of the process itself: then it is not known. */
static inline uint32_t
level_now(ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	const uint64_t *p = level_process(env);
	return ET_LIKELY(p && p[0] == tracee) ? (uint32_t)((p[levels.end] - p[levels.top]) / 8) : 0;
}

/* An event of the process that finds it out. */
void level_note(ErlNifEnv *env, const ERL_NIF_TERM argv[]);
/* erltrace_tracer:level/1 */
ERL_NIF_TERM level_nif(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
