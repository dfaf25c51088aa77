/*
 * What is kept of an Erlang process while it is traced: the time it has run,
 * and a shadow of its call stack.
 *
 * Why a shadow stack: {return_trace} tells of returns, but it pushes a frame
 * for each call and so turns a tail-recursive server into a growing one. The
 * trace flag return_to does not: the VM pushes one marker for each level of the real
 * stack, and tells once per level, when it is left. It does not tell which calls are
 * over then. So calls are put on the shadow stack, each with its place on the real one, as
 * far as that is known.
 *
 * By level (level.h): `base` is how deep the real stack was when the level began,
 * `after` how deep it is in the call itself, with all that the VM has pushed for tracing.
 *  - a call at the depth `after` of the topmost frame replaced that frame by a tail call: the
 *    frame's function has returned, as DTrace has it;
 *  - frames whose base is not below the call's level were left and nobody told: an exception
 *    went through them, or the process hibernated;
 *  - any other call is deeper and a new level;
 *  - return_to leaves all frames whose base is not below the depth that the stack has then. The marker may or
 *    may not be gone from it, and the next level is further below than a marker.
 *
 * By caller, if levels are not known: the match specification's {caller} tells the function that a call will
 * return to.
 *  - a call whose caller is the caller of the topmost frame replaced that frame;
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

/* Frames that returned, innermost first. */
struct frame_left {
	uint32_t mfa, depth;
};
enum { FRAMES_LEFT = 16 };
struct frames_left {
	unsigned n;
	bool more; /* call again for the rest */
	struct frame_left frame[FRAMES_LEFT];
};

struct traced_call {
	uint32_t mfa;
	uint32_t caller; /* 0 if it is not known */
	uint32_t level;  /* of the stack, in words; 0 if it is not known */
	uint32_t marker; /* struct levels; 0: calls are told apart by caller */
	uint32_t frame;  /* what the VM pushes in addition to a marker */
};

/* A call. *left gets the frames that are over. If there are more, the call is not on the stack yet. Returns the depth,
 * from 1, or 0 if the call is not followed. */
unsigned procs_call(struct procs *t, ERL_NIF_TERM pid, const struct traced_call *call, struct frames_left *left);
/* return_to, by level. */
void procs_left(struct procs *t, ERL_NIF_TERM pid, uint32_t level, uint32_t marker, struct frames_left *left);
/* return_to, by caller. */
void procs_return_to(struct procs *t, ERL_NIF_TERM pid, uint32_t to, struct frames_left *left);
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
