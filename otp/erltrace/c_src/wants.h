/* What a script needs switched on in the VM, in the words of the hub's process (erltrace_hub.erl). */
#ifndef ERLTRACE_WANTS_H
#define ERLTRACE_WANTS_H

#include "hub.h"

/* [atom() | {frames, N}]: the trace flags and other sources, and the frames of the longest stack that it records. The
 * row may be NULL. */
ERL_NIF_TERM wants_list(ErlNifEnv *env, const struct script *row);

#endif
