/*
 * The erl_tracer: what the VM calls, in the process that triggered the event.
 *
 * `enabled` comes first and decides. It is called twice for each traced function call, so it does next to nothing; but
 * events of which only the process is wanted are over with it. The other callbacks are in trace_*.c.
 */
#include "callback.h"
#include "requests.h"
#include "special.h"
#include "text.h"

struct hub the_hub;

#define X(a) ERL_NIF_TERM atom_##a;
ATOMS(X)
#undef X
ERL_NIF_TERM atom_register_, atom_unregister_;

void
tracer_load(ErlNifEnv *env)
{
#define X(a) atom_##a = enif_make_atom(env, #a);
	ATOMS(X)
#undef X
	special_load(env);
	requests_load(env);
	atom_register_ = enif_make_atom(env, "register");
	atom_unregister_ = enif_make_atom(env, "unregister");
}

/* -- enabled ------------------------------------------------------------------------------------------------------ */

static inline ERL_NIF_TERM
decide(ErlNifEnv *env, ERL_NIF_TERM tracee, unsigned sources)
{
	if (!(wants() & sources) || hub_is_own(&the_hub, tracee))
		return atom_discard;
	unsigned one_of = atomic_load_explicit(&the_hub.one_of, memory_order_relaxed);
	if (ET_UNLIKELY(one_of > 1) && chosen_hides(one_of, env, tracee) &&
	    tracee != atomic_load_explicit(&the_hub.loader, memory_order_relaxed)) {
		stray_note(&the_hub.strays, tracee);
		return atom_discard;
	}
	meter_asked();
	return atom_trace;
}

/*
 * Tags without their own callback. trace_status asks whether the tracer still exists: if nothing runs it does not, and
 * the VM removes it from the process. Only this tag may be answered so.
 */
ET_HOT ERL_NIF_TERM
tracer_enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	if (argv[0] == atom_trace_status)
		return wants() || argv[1] == atom_levels ? atom_trace : atom_remove;
	return decide(env, argv[2], WANT(ES_SEQ) | WANT(ES_ALL));
}

#define ENABLED(name, sources) \
	ET_HOT ERL_NIF_TERM tracer_enabled_##name(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{ \
		(void)env; \
		(void)argc; \
		return decide(env, argv[2], (sources) | WANT(ES_ALL)); \
	}
ENABLED(receive, WANT(ES_RECEIVE) | WANT(ES_PORTRECV) | WANT(ES_REQUEST) | WANT_SIGNAL)
ENABLED(ports, WANT(ES_PORTS) | WANT(ES_PORTRECV))
ENABLED(running_ports, 0)

/*
 * After this question the VM would look for the function, make terms of the event and call again, which costs more than
 * most clauses. If nobody needs more than the process, the clauses run here, and the VM is told that nobody wants the
 * event. Returns false if somebody does.
 */
static ET_HOT bool
fire_asked(ErlNifEnv *env, const ERL_NIF_TERM argv[], enum erl_probe id)
{
	struct event ev;
	unsigned index;
	if (!atomic_load_explicit(&the_hub.brief[id], memory_order_relaxed))
		return false;
	struct hub_shard *s = hub_enter(&the_hub, &index);
	const struct sub *list = subs(id);
	bool brief = sub_is_brief(list); /* a script may have come meanwhile */
	if (!brief || !the_hub.nrunning) {
		hub_leave(s);
		return brief;
	}
	ev_init(&ev, &the_hub, s, index, env, argv[2]);
	ev.tag = argv[0];
	ev.brief = true;
	ev_text(&ev, 0, EV_TERM, argv[2]);
	ev_fire(&ev, list);
	ev_end(&ev);
	return true;
}

ET_HOT ERL_NIF_TERM
tracer_enabled_garbage_collection(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	enum erl_probe id = tag == atom_gc_minor_start   ? ERLP_GC_MINOR_START
			    : tag == atom_gc_minor_end   ? ERLP_GC_MINOR_END
			    : tag == atom_gc_major_start ? ERLP_GC_MAJOR_START
							 : ERLP_GC_MAJOR_END;
	ERL_NIF_TERM answer = decide(env, argv[2], WANT(ES_GC) | WANT(ES_ALL));
	return answer == atom_trace && fire_asked(env, argv, id) ? atom_discard : answer;
}

/* The tracer's state is `levels` in the process that finds out about the stack: level.h. */
ET_HOT ERL_NIF_TERM
tracer_enabled_call(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	if (ET_UNLIKELY(argv[1] == atom_levels))
		return atom_trace;
	return decide(env, argv[2], WANT(ES_CALL) | WANT(ES_RETURN) | WANT_SPECIAL | WANT(ES_ALL));
}

/* A flag brings several tags. Those that nobody asks for are discarded here, before the VM makes an event of them. */
ET_HOT ERL_NIF_TERM
tracer_enabled_send(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	return decide(
	    env, argv[2], argv[0] == atom_send ? WANT(ES_SEND) | WANT(ES_REQUEST) | WANT(ES_ALL) : WANT(ES_ALL));
}

ET_HOT ERL_NIF_TERM
tracer_enabled_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	unsigned sources = WANT(ES_ALL) | WANT_SIGNAL;
	ERL_NIF_TERM tag = argv[0];
	(void)env;
	(void)argc;
	if (tag == atom_spawned)
		sources |= is_on(ERLP_PROCESS_SPAWN) ? WANT(ES_PROCS) : 0;
	else if (tag == atom_exit)
		sources |= WANT_EXIT | WANT_RUN | (is_on(ERLP_PROCESS_EXIT) ? WANT(ES_PROCS) : 0);
	else if (tag != atom_spawn)
		sources |= WANT(ES_PROCS);
	return decide(env, argv[2], sources);
}

/* No event is made of this, so it costs only the question. */
static ET_HOT void
slot(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	unsigned index;
	bool in = argv[0] == atom_in || argv[0] == atom_in_exiting;
	struct hub_shard *s = hub_enter(&the_hub, &index);
	if (ET_LIKELY(wants() & WANT_SLOT)) /* not since the rows were cleared: hub_forget_threads() */
		ev_running(s, env, in ? argv[2] : 0);
	hub_leave(s);
}

/* If somebody wants more of switches than the two probes. */
static ERL_NIF_TERM
enabled_running(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	unsigned sources = WANT(ES_ALL) | WANT_RUN | WANT_WHERE;
	ERL_NIF_TERM tag = argv[0];
	if (ET_UNLIKELY(wants() & WANT_SLOT))
		slot(env, argv);
	if (wants() & WANT_SAMPLE) {
		if (tag == atom_in || tag == atom_in_exiting)
			sample_in(&the_hub);
		else if (sample_is_due(&the_hub))
			sources |= WANT_SAMPLE;
	}
	if (tag == atom_in || tag == atom_in_exiting)
		sources |= WANT_UNBLOCK | (is_on(ERLP_PROCESS_SCHEDULED) ? WANT(ES_RUNNING) : 0);
	else if (tag == atom_out || tag == atom_out_exiting)
		sources |= is_on(ERLP_PROCESS_UNSCHEDULED) ? WANT(ES_RUNNING) : 0;
	else
		sources |= WANT_EXIT | WANT(ES_RUNNING);
	return decide(env, argv[2], sources);
}

ET_HOT ERL_NIF_TERM
tracer_enabled_running_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	if (!atomic_load_explicit(&the_hub.runs_plainly, memory_order_relaxed))
		return enabled_running(env, argv);
	bool is_wanted = tag == atom_in           ? is_on(ERLP_PROCESS_SCHEDULED)
			 : tag == atom_out        ? is_on(ERLP_PROCESS_UNSCHEDULED)
			 : tag == atom_in_exiting ? is_on(ERLP_PROCESS_SCHEDULED)
						  : tag != atom_out_exiting || is_on(ERLP_PROCESS_UNSCHEDULED);
	if (!is_wanted || decide(env, argv[2], WANT(ES_RUNNING) | WANT_EXIT) == atom_discard)
		return atom_discard;
	bool told = tag == atom_in    ? fire_asked(env, argv, ERLP_PROCESS_SCHEDULED)
		    : tag == atom_out ? fire_asked(env, argv, ERLP_PROCESS_UNSCHEDULED)
				      : false;
	return told ? atom_discard : atom_trace;
}

/* -- for all callbacks -------------------------------------------------------------------------------------------- */

void
fire_trace_probe(struct event *ev, const struct sub *list, const ERL_NIF_TERM argv[])
{
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, argv[2]);
	ev_text(ev, 1, EV_TERM, argv[0]);
	ev_static(ev, 2, "", 0);
	ev_text(ev, 3, EV_TERM, argv[3]);
	ERL_NIF_TERM extra = option(ev->env, argv[4], atom_extra);
	if (extra)
		ev_text(ev, 4, EV_TERM, extra);
	else
		ev_static(ev, 4, "", 0);
	ev_fire(ev, list);
}

/* The sequential-trace token of a match specification's result: {Flags, Label, Serial, From, Last} or []. */
void
add_token(struct event *ev, unsigned n, ERL_NIF_TERM token)
{
	const ERL_NIF_TERM *e;
	int size, label = 0, previous = 0, current = 0;
	if (token && enif_get_tuple(ev->env, token, &size, &e) && size == 5) {
		enif_get_int(ev->env, e[1], &label);
		enif_get_int(ev->env, e[2], &current);
		enif_get_int(ev->env, e[4], &previous);
	}
	ev_num(ev, n, (uint64_t)(int64_t)label);
	ev_num(ev, n + 1, (uint64_t)(int64_t)previous);
	ev_num(ev, n + 2, (uint64_t)(int64_t)current);
}

uint64_t
words_if(struct event *ev, const struct sub *list, unsigned n, ERL_NIF_TERM t)
{
	return ev_looks(list) & 1u << n ? text_words(ev->env, &ev->look, t) : 0;
}

/* seq_trace, and what has no probe of its own. */
static ET_COLD ERL_NIF_TERM
trace_other(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	struct event ev;
	/* the "tracee" of seq_trace is a label: any term */
	if (!begin(&ev, env, argv[0] == atom_seq_trace ? 0 : argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	const struct sub *list = subs(ERLP_TRACE_SEQ);
	if (argv[0] == atom_seq_trace && list) {
		const ERL_NIF_TERM *e;
		int n;
		if (enif_get_tuple(env, argv[3], &n, &e) && n >= 1)
			ev_text(&ev, 0, EV_TERM, e[0]);
		ev_text(&ev, 1, EV_TERM, argv[2]);
		ev_text(&ev, 2, EV_TERM, argv[3]);
		ev_fire(&ev, list);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

ET_HOT ERL_NIF_TERM
tracer_trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	return argv[0] == atom_send ? trace_send(env, argv) : trace_other(env, argv);
}
