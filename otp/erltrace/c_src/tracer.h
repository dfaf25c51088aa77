/* The erl_tracer's callbacks, for the NIF table in nif.c. */
#ifndef ERLTRACE_TRACER_H
#define ERLTRACE_TRACER_H

#include "hub.h"

extern struct hub the_hub;

void tracer_load(ErlNifEnv *env);

/* The event groups that have callbacks of their own. */
#define TRACER_GROUPS(X) X(call) X(receive) X(procs) X(ports) X(running_procs) X(garbage_collection)

ERL_NIF_TERM tracer_enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM tracer_enabled_running_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/*
 * Sends have no `trace_send` in the table, but come by `trace`. When a port's driver sends to a process that is gone,
 * the VM asks `trace_send`, if there is one, whether the event is enabled: with three arguments instead of five, so
 * that the last two are whatever is on its stack. Without it, it asks `enabled`.
 */
ERL_NIF_TERM tracer_enabled_send(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM tracer_trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
#define X(g) \
	ERL_NIF_TERM tracer_enabled_##g(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]); \
	ERL_NIF_TERM tracer_trace_##g(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
TRACER_GROUPS(X)
#undef X

#endif
