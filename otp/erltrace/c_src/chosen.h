/*
 * The option sample=N: of N processes one is chosen, and the script sees events of the chosen ones only.
 *
 * Which ones are chosen depends on nothing but the pid, so pairs of events in one process stay together, and who is
 * chosen for N is chosen for every smaller number too. So several such scripts need the flags of the least N.
 *
 * Only the chosen ones have trace flags (erltrace_flags.erl): the others cost nothing. But the VM has one set of flags
 * for all processes that begin. Those of them that are not chosen are strays: `enabled` discards their events before
 * the VM makes anything of them, and notes who it was. The hub process takes their flags away.
 *
 * The code server always has the flags, because new code needs its patterns again. Scripts see it if it is chosen, and
 * what it tells of code in any case.
 */
#ifndef ERLTRACE_CHOSEN_H
#define ERLTRACE_CHOSEN_H

#include "provider/erlang_probes.h"

#include <erl_nif.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { STRAYS = 1024 };
struct strays {
	_Atomic(ERL_NIF_TERM) pid[STRAYS]; /* by the bits of the pid above its tag; 0: none */
};

/* The bits of a pid above its tag count up from process to process. Multiplied so, they are spread evenly. */
static inline uint32_t
chosen_hash(ERL_NIF_TERM pid)
{
	return (uint32_t)(((uint64_t)pid >> 4) * 0x9e3779b97f4a7c15 >> 32);
}

/* Returns whether it is a process and not chosen. Ports, and what has no process, are never hidden. */
static inline bool
chosen_hides(unsigned one_of, ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	return (uint64_t)chosen_hash(tracee) * one_of >> 32 && enif_is_pid(env, tracee);
}

/* Returns whether it is enough for a script to get events of the chosen processes. It is not if an event is made of
 * what several processes do, or of what runs on a scheduler at some moment. */
static inline bool
chosen_only(unsigned wants)
{
	return !(wants & (WANT_SIGNAL | WANT_SAMPLE | WANT_READ | WANT_SLOT | WANT_WHERE));
}

static inline void
stray_note(struct strays *s, ERL_NIF_TERM pid)
{
	_Atomic(ERL_NIF_TERM) *at = &s->pid[((uint64_t)pid >> 4) % STRAYS];
	if (!atomic_load_explicit(at, memory_order_relaxed))
		atomic_store_explicit(at, pid, memory_order_relaxed);
}

/* NIFs: loader(Pid): the code server; chosen(Pid, N) -> boolean(): always true for that; strays() -> [Pid]: those noted
 * since it was last asked */
ERL_NIF_TERM chosen_loader(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM chosen_nif(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM chosen_strays(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

#endif
