/*
 * A script that was opened in this VM. See script.c for its life. (A session is something else: from OTP 27 on the VM
 * calls its trace settings so, see erltrace_session.erl.) All functions return NULL, or what went wrong, in a buffer of
 * the script.
 */
#ifndef ERLTRACE_SCRIPT_H
#define ERLTRACE_SCRIPT_H

#include "base/sbuf.h"
#include "provider/provider.h"

#include "hub.h"

/* A script as its owner holds it, in a NIF resource. What runs is a row of the hub. */
struct opened {
	struct hub *hub;
	struct script *row;              /* NULL if closed; changes with hub.manage held */
	struct probes *probes;           /* for the rates of tick and profile */
	struct pv_run *timers, *strikes; /* tick-N; profile-N */
	struct pv_bound *bound;          /* timer probes */
	unsigned nbound, nticks;         /* from script_go on the first nticks are ticks, the others samples */
	struct probe *rates;             /* of the profile probes, while they run */
	char **names;                    /* copies of the names given to bind */
	unsigned nnames;
	unsigned *looks; /* by index of a probe: the arguments that its clauses look at, a bit each */
	unsigned nlooks;
	unsigned char *traits; /* by index of a probe, for counted.c */
	unsigned ntraits;
	const char *uncounted;          /* why the VM must not count for any probe, or NULL */
	bool started, running, stopped; /* running: from script_go on */
	bool settled;                   /* stopped, and no callback knows of it any more */
	uint64_t *under_way;            /* by shard: hub_note() when it was stopped */
	struct sub *removed;            /* subscriptions that callbacks may still look at */
	atomic_bool halted;
	struct why why;
};

const char *script_open(struct opened *s, struct hub *h, const void *object, size_t len, struct eng_conf conf);
/* *index is for script_subscribe and script_fire. Timer probes need no subscription. */
const char *script_bind(struct opened *s, uint32_t id, const char *const names[4], unsigned clause, unsigned *index);
/* An erlang probe by its name, for the engine's probe `index`. */
const char *script_subscribe(struct opened *s, unsigned index, const char *name);
/* Returns the arguments that the clauses bound to a probe look at so far, one bit each. All bindings come before
 * subscriptions. */
unsigned script_looks(const struct opened *s, unsigned index);
/* A function by name. */
const char *script_subscribe_mfa(struct opened *s, unsigned index, enum mfa_sort sort, ErlNifEnv *env, ERL_NIF_TERM m,
    ERL_NIF_TERM f, unsigned arity, enum mfa_native native);
/* What a source of events needs, for a script with such stacks. */
unsigned script_wants(const struct script *row, enum erl_source source);
/* From here on script_fire works, for BEGIN. */
const char *script_start(struct opened *s);
/* From here on the tracer may fire. */
const char *script_go(struct opened *s);
/* Starts the timers. It comes after the VM has begun to report its events, so that a tick that ends the script comes
 * after the first of them. */
const char *script_timers(struct opened *s);
void script_fire(struct opened *s, unsigned index);
/* After this the tracer no longer calls the script's clauses, except where it is inside one just now. It never waits
 * and may be called at any time. */
void script_halt(struct opened *s);
/* When this has returned true no clause and no timer runs; what was recorded can be taken out. It never waits: it
 * returns false while an event that began before is under way, and is to be called again. */
bool script_stop(struct opened *s);
/* The same; frees all. */
bool script_close(struct opened *s);
/* Where nobody can call again. */
void script_close_patiently(struct opened *s);
/* The module was loaded, perhaps again while old scripts exist. Returns false if memory ran out. */
bool script_load(struct hub *h, unsigned nshards);
/* The module is gone. Scripts may still exist, because their owners have not been told yet. */
void script_unload(struct hub *h);

void script_drain(struct opened *s, struct sbuf *out);
void script_snap(struct opened *s, struct sbuf *out);

#endif
