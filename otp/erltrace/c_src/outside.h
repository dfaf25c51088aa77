/* What the hub's process tells the tracer; for the NIF table. */
#ifndef ERLTRACE_OUTSIDE_H
#define ERLTRACE_OUTSIDE_H

#include <erl_nif.h>

/* event(Name, Process | undefined, Arguments): runs the clauses of a probe. */
ERL_NIF_TERM outside_event(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* waits(Process, Port, Node | none): a process waits for a busy port; when it runs again, that is an event. */
ERL_NIF_TERM outside_waits(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* ports([{Port, Owner, Name}]): those that are open already. */
ERL_NIF_TERM outside_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* natives([{Module, Function, Arity, 1 | 2}]): BIFs and NIFs. */
ERL_NIF_TERM outside_natives(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* symbol(Index) -> Text | undefined: the function that a frame of a stack stands for. */
ERL_NIF_TERM outside_symbol(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
