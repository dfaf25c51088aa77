/*
 * What the callbacks share: the atoms of the VM's events, and the beginning and end of an event.
 *
 * tracer.c decides (`enabled`). trace_*.c make events of what the VM reports, one file for each kind, and run the
 * clauses. The callbacks come on normal and dirty schedulers and, for messages, processes and ports, without their own
 * process (enif_self is not available).
 */
#ifndef ERLTRACE_CALLBACK_H
#define ERLTRACE_CALLBACK_H

#include "event.h"
#include "tracer.h"

#define ATOMS(X) \
	X(trace) \
	X(trace_status) \
	X(discard) \
	X(remove) \
	X(ok) \
	X(extra) \
	X(match_spec_result) \
	X(undefined) \
	X(call) \
	X(return_to) \
	X(return_from) \
	X(exception_from) \
	X(send) \
	X(receive) \
	X(timeout) \
	X(spawned) \
	X(spawn) \
	X(exit) \
	X(link) \
	X(unlink) \
	X(getting_linked) \
	X(getting_unlinked) \
	X(in) \
	X(out) \
	X(in_exiting) \
	X(out_exiting) \
	X(out_exited) \
	X(gc_minor_start) \
	X(gc_minor_end) \
	X(gc_major_start) \
	X(gc_major_end) \
	X(wordsize) \
	X(heap_block_size) \
	X(open) \
	X(closed) \
	X(command) \
	X(close) \
	X(connect) \
	X(control) \
	X(flush) \
	X(erlang) \
	X(seq_trace) \
	X(levels)
#define X(a) extern ERL_NIF_TERM atom_##a;
ATOMS(X)
#undef X
extern ERL_NIF_TERM atom_register_, atom_unregister_;

static inline unsigned
wants(void)
{
	return atomic_load_explicit(&the_hub.wants, memory_order_acquire);
}

static inline bool
is_on(enum erl_probe id)
{
	return atomic_load_explicit(&the_hub.on[id], memory_order_relaxed);
}

/* Begins a callback: locks the shard and begins the event. Returns false if no script is there any more. */
static inline __attribute__((always_inline)) bool
begin(struct event *ev, ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	unsigned index;
	struct hub_shard *s = hub_enter(&the_hub, &index);
	if (!the_hub.nrunning) {
		hub_leave(s);
		return false;
	}
	ev_init(ev, &the_hub, s, index, env, tracee);
	return true;
}

/* The event happens in the process itself, so it is the one that runs here. */
static inline void
is_running(struct event *ev)
{
	if (ET_UNLIKELY(wants() & WANT_SLOT) &&
	    atomic_load_explicit(&thread_own()->process, memory_order_relaxed) != ev->tracee)
		ev_running(ev->shard, ev->env, ev->tracee);
}

static inline ERL_NIF_TERM
end(struct event *ev)
{
	ev_end(ev);
	return atom_ok;
}

static inline ERL_NIF_TERM
option(ErlNifEnv *env, ERL_NIF_TERM opts, ERL_NIF_TERM key)
{
	ERL_NIF_TERM v;
	return enif_get_map_value(env, opts, key, &v) ? v : 0;
}

static inline const struct sub *
subs(enum erl_probe id)
{
	return the_hub.subs[id];
}

/* trace: every tag as it comes, for probe `trace` (p, event, state, arg1, arg2). */
void fire_trace_probe(struct event *ev, const struct sub *list, const ERL_NIF_TERM argv[]);
static inline void
fire_trace(struct event *ev, const ERL_NIF_TERM argv[])
{
	if (ET_UNLIKELY(wants() & WANT(ES_ALL)))
		fire_trace_probe(ev, subs(ERLP_TRACE), argv);
}

/* Sets arguments n to n + 2 from the sequential-trace token of a match specification's result; 0 if none. */
void add_token(struct event *ev, unsigned n, ERL_NIF_TERM token);
/* The size of a term in words, if somebody looks at argument n. */
uint64_t words_if(struct event *ev, const struct sub *list, unsigned n, ERL_NIF_TERM t);
/* A message was sent: trace_messages.c. */
ERL_NIF_TERM trace_send(ErlNifEnv *env, const ERL_NIF_TERM argv[]);
/* A port has got something: trace_ports.c. */
void fire_port_receive(struct event *ev, const ERL_NIF_TERM argv[]);

#endif
