/* Probes that applications fire themselves: erltrace:p, pn and their tags. */
#ifndef ERLTRACE_USER_TRACE_H
#define ERLTRACE_USER_TRACE_H

#include "event.h"
#include "tracer.h"

void user_trace_load(ErlNifEnv *env);

ERL_NIF_TERM user_trace_s1(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* 0 to 4 integers and 0 to 4 strings in 8 positions, then the tag. The tag comes last, so that the arguments of
 * erltrace:p stay in their registers. */
ERL_NIF_TERM user_trace_i4s4(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* The same with a probe's number first. */
ERL_NIF_TERM user_trace_n(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* OTP's own dyntrace was called: the arguments of its user_trace_s1, user_trace_i4s4 or user_trace_n. */
void user_trace_called(struct event *ev, ERL_NIF_TERM args);

#endif
