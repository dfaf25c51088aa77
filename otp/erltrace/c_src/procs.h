/*
 * What is kept of an Erlang process while it is traced: the time it has run,
 * and a shadow of its call stack.
 *
 * Why a shadow stack: {return_trace} tells of returns, but it pushes a frame
 * for each call and so turns a tail-recursive server into a growing one. The
 * trace flag return_to does not: the VM pushes one marker for each level of the real
 * stack, and tells once per level, when it is left, to which function control
 * goes. So calls are put on the shadow stack with the function that they will return to
 * (the match specification's {caller}, which the VM reads off the return address):
 *  - a call whose caller is the caller of the topmost frame replaced that frame
 *    by a tail call: the frame's function has returned, as DTrace has it;
 *  - any other call is a new level;
 *  - return_to X leaves the topmost frame whose caller is X, and all above it:
 *    above it are only frames that an exception went through.
 * One case looks the same both ways: a function that called itself, not as a
 * tail call, and then calls itself again. It is taken for a new level; frames
 * that were none are closed when the level below is left, and the
 * depth is bounded.
 *
 * Memory is fixed. A process that does not fit is not followed and counted.
 */
#ifndef ERLTRACE_PROCS_H
#define ERLTRACE_PROCS_H

#include <erl_nif.h>

#include <stdbool.h>
#include <stdint.h>

struct procs;

struct procs *procs_new(void);
void procs_free(struct procs *t);
/* The process is gone. */
void procs_exit(struct procs *t, ERL_NIF_TERM pid);

/* A frame that returned. */
struct frame_left {
	uint32_t mfa, depth;
};

/* A call. *left gets the frame that it replaced; its mfa is 0 if there is none. Returns the depth, from 1, or 0 if
 * the process is not followed. */
unsigned procs_call(struct procs *t, ERL_NIF_TERM pid, uint32_t mfa, uint32_t caller, struct frame_left *left);
/* Returns the number of frames left, innermost first. If *more is set, call again for the rest. */
unsigned procs_return_to(
    struct procs *t, ERL_NIF_TERM pid, uint32_t to, struct frame_left *left, unsigned max, bool *more);
/* Returns the depth of the innermost call of the function, from 1, or 0 if it is not followed. */
unsigned procs_depth(struct procs *t, ERL_NIF_TERM pid, uint32_t mfa);
/* Writes the functions on the shadow stack, innermost first, and the caller of the outermost. Returns their number. */
unsigned procs_stack(struct procs *t, ERL_NIF_TERM pid, uint64_t *mfas, unsigned max);

/* Running time in ns. */
void procs_in(struct procs *t, ERL_NIF_TERM pid, uint64_t now);
void procs_out(struct procs *t, ERL_NIF_TERM pid, uint64_t now);
uint64_t procs_ran(struct procs *t, ERL_NIF_TERM pid, uint64_t now);

struct procs_stats {
	uint32_t processes, frames; /* in use */
	uint64_t lost;              /* calls that did not fit */
};
void procs_stats(struct procs *t, struct procs_stats *s);

#endif
