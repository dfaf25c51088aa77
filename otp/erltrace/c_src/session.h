/*
 * A session: one script running in this VM. See session.c for its life.
 * All functions return NULL or what went wrong, in a buffer of the session's.
 */
#ifndef ERLTRACE_SESSION_H
#define ERLTRACE_SESSION_H

#include "base/sbuf.h"
#include "provider/provider.h"

#include "hub.h"

/* Held by a NIF resource; the session itself is a row of the hub. */
struct sess {
	struct hub *hub;
	struct session *row;             /* NULL: closed; changes with hub.manage held */
	struct probes *probes;           /* for the rates of tick and profile */
	struct pv_run *timers, *strikes; /* tick-N; profile-N */
	struct pv_bound *bound;          /* timer probes */
	unsigned nbound, nticks;         /* from sess_go on the first nticks are ticks, the others samples */
	struct probe *rates;             /* of the profile probes, while they run */
	char **names;                    /* copies of the names given to bind */
	unsigned nnames;
	unsigned *looks; /* by index of a probe: the arguments that its clauses look at, a bit each */
	unsigned nlooks;
	bool started, running, stopped; /* running: from sess_go on */
	atomic_bool halted;
	struct why why;
};

const char *sess_open(struct sess *s, struct hub *h, const void *object, size_t len, struct eng_conf conf);
/* *index: for sess_subscribe and sess_fire. Timer probes need no subscription. */
const char *sess_bind(struct sess *s, uint32_t id, const char *const names[4], unsigned clause, unsigned *index);
/* An erlang probe by its name, for the engine's probe `index`. */
const char *sess_subscribe(struct sess *s, unsigned index, const char *name);
/* The arguments that the clauses bound to a probe look at so far, a bit each. All bindings come before subscriptions.
 */
unsigned sess_looks(const struct sess *s, unsigned index);
/* A function by name. */
const char *sess_subscribe_mfa(struct sess *s, unsigned index, enum mfa_sort sort, ErlNifEnv *env, ERL_NIF_TERM m,
    ERL_NIF_TERM f, unsigned arity, enum mfa_native native);
/* From here on sess_fire works, for BEGIN. */
const char *sess_start(struct sess *s);
/* The tracer may fire. */
const char *sess_go(struct sess *s);
/* And now the timers: when the VM has begun to tell of its events, so that a tick that ends the script comes after the
 * first of them. */
const char *sess_timers(struct sess *s);
void sess_fire(struct sess *s, unsigned index);
/* The tracer no longer calls its clauses, except where it is inside one just now. It waits for nobody and may come at
 * any time. */
void sess_halt(struct sess *s);
/* No clause runs any more, no timer either; what was recorded can be taken out. */
void sess_stop(struct sess *s);
void sess_close(struct sess *s);
/* The module is there, or again while sessions of its last time are; false: out of memory. */
bool sess_load(struct hub *h, unsigned nshards);
/* The module is gone. Sessions may be there still: their owners have not been told yet. */
void sess_unload(struct hub *h);

void sess_drain(struct sess *s, struct sbuf *out);
void sess_snap(struct sess *s, struct sbuf *out);

#endif
