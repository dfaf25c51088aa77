/* Probes that applications fire themselves: erltrace:p, pn and their tags. */
#ifndef ERLTRACE_USER_TRACE_H
#define ERLTRACE_USER_TRACE_H

#include "tracer.h"

ERL_NIF_TERM user_trace_s1(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* Tag, then 0 to 4 integers and 0 to 4 strings in 8 positions. */
ERL_NIF_TERM user_trace_i4s4(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* The same with a probe number first. */
ERL_NIF_TERM user_trace_n(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
