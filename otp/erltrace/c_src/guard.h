/*
 * The guard: cleans up when nobody else can.
 *
 * The hub process owns everything that is switched on in the node. If it ends, live agents notice and clean up. If all
 * of erltrace's processes are killed at once, nobody is left, and a library cannot start a process. But the VM tells
 * the library of a process that ends, and the library can send a message. So it asks the node's own server for remote
 * calls, rex, to call erltrace_agent:rescue(Path).
 */
#ifndef ERLTRACE_GUARD_H
#define ERLTRACE_GUARD_H

#include <erl_nif.h>

#include <stdbool.h>

bool guard_load(ErlNifEnv *env);

/* guard(Pid, Path): if Pid, the hub, ends from now on, it is rescued. guard(undefined, _): it ends normally. */
ERL_NIF_TERM guard_set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
