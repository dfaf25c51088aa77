/*
 * The guard: cleans up when nobody else can.
 *
 * The hub process owns all that is switched on in the node, and agents that live notice its end and clean up. When all
 * of erltrace's processes are killed at once nobody is left, and a library cannot start a process. But the VM tells it
 * of a process that ends, and it can send a message: the node's own server for remote calls, rex, is asked to call
 * erltrace_hub:rescue(Path).
 */
#ifndef ERLTRACE_GUARD_H
#define ERLTRACE_GUARD_H

#include <erl_nif.h>

#include <stdbool.h>

bool guard_load(ErlNifEnv *env);

/* guard(Pid, Path): if Pid, the hub, ends from now on it is rescued. guard(undefined, _): it ends in order. */
ERL_NIF_TERM guard_set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
