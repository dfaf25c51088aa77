/*
 * Frames of Erlang stacks: a function by its number (mfa.h) and, where the VM tells, the line of its source.
 */
#ifndef ERLTRACE_FRAMES_H
#define ERLTRACE_FRAMES_H

#include "hub.h"

enum { FRAMES_MOST = 256 };

/* The frames of a stack trace [{Module, Function, Arity or Arguments, Location}], innermost first: their number. What
 * is none is left out; anything else than a list gives 0. */
unsigned frames_of(struct hub *h, ErlNifEnv *env, ERL_NIF_TERM trace, uint64_t *frames, unsigned max);

#endif
