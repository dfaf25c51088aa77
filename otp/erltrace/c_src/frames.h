/*
 * Frames of Erlang stacks: a function by its number (mfa.h) and the line of its source, if the VM tells it.
 */
#ifndef ERLTRACE_FRAMES_H
#define ERLTRACE_FRAMES_H

#include "hub.h"

enum { FRAMES_MOST = 256 };

/* Converts a stack trace [{Module, Function, Arity or Arguments, Location}], innermost first, and returns the number
 * of frames. Elements that are not frames are left out; anything but a list gives 0. */
unsigned frames_of(struct hub *h, ErlNifEnv *env, ERL_NIF_TERM trace, uint64_t *frames, unsigned max);

#endif
