/*
 * The erl_tracer: what the VM calls, in the process that triggered the event.
 *
 * `enabled` comes first and decides; it is called twice for each traced
 * function call, so it does next to nothing. `trace` makes an event and runs the
 * clauses. The callbacks come on normal and dirty schedulers and, for messages, processes
 * and ports, without a process of their own (enif_self is not available).
 */
#include "tracer.h"

#include "event.h"
#include "frames.h"
#include "iolist.h"
#include "special.h"
#include "text.h"

#include <string.h>

struct hub the_hub;

#define ATOMS(X) \
	X(trace) X(trace_status) \
	X(discard) X(remove) X(ok) X(extra) X(match_spec_result) X(undefined) X(call) X(return_to) X(return_from) \
	    X(exception_from) X(send) X(receive) X(timeout) X(spawned) X(spawn) X(exit) X(link) X(unlink) \
		X(getting_linked) X(getting_unlinked) X(in) X(out) X(in_exiting) X(out_exiting) X(out_exited) \
		    X(gc_minor_start) X(gc_minor_end) X(gc_major_start) X(gc_major_end) X(wordsize) X(heap_block_size) \
			X(open) X(closed) X(command) X(close) X(connect) X(control) X(flush) X(erlang) X(kill) \
			    X(seq_trace) X(print) X(true) X(false) X(error)
#define X(a) static ERL_NIF_TERM atom_##a;
ATOMS(X)
#undef X
static ERL_NIF_TERM atom_register_, atom_unregister_;

void
tracer_load(ErlNifEnv *env)
{
#define X(a) atom_##a = enif_make_atom(env, #a);
	ATOMS(X)
#undef X
	special_load(env);
	atom_register_ = enif_make_atom(env, "register");
	atom_unregister_ = enif_make_atom(env, "unregister");
}

static inline unsigned
wants(void)
{
	return atomic_load_explicit(&the_hub.wants, memory_order_acquire);
}

/* -- enabled ------------------------------------------------------------------------------------------------------ */

static ERL_NIF_TERM
decide(ERL_NIF_TERM tracee, unsigned sources)
{
	if (!(wants() & sources) || hub_is_own(&the_hub, tracee))
		return atom_discard;
	return atom_trace;
}

/*
 * Tags without a callback of their own. trace_status asks whether the tracer is still there at all: when nothing runs it is not, and
 * the VM takes it from the process. That is the only tag that may be answered so.
 */
ERL_NIF_TERM
tracer_enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	if (argv[0] == atom_trace_status)
		return wants() ? atom_trace : atom_remove;
	return decide(argv[2], WANT(ES_SEQ) | WANT(ES_ALL));
}

#define ENABLED(name, sources) \
	ERL_NIF_TERM \
	tracer_enabled_##name(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{ \
		(void)env; \
		(void)argc; \
		return decide(argv[2], (sources) | WANT(ES_ALL)); \
	}
ENABLED(call, WANT(ES_CALL) | WANT(ES_RETURN) | WANT(ES_CODE) | WANT(ES_USER) | WANT_SIGNAL | WANT_SLEEP)
ENABLED(receive, WANT(ES_RECEIVE) | WANT(ES_PORTRECV) | WANT_SIGNAL)
ENABLED(ports, WANT(ES_PORTS) | WANT(ES_PORTRECV))
ENABLED(running_ports, 0)
ENABLED(garbage_collection, WANT(ES_GC))

static inline bool
is_on(enum erl_probe id)
{
	return atomic_load_explicit(&the_hub.on[id], memory_order_relaxed);
}

/* A flag brings several tags. What nobody asks for is discarded here, before the VM makes an event of it. */
ERL_NIF_TERM
tracer_enabled_send(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	return decide(argv[2], argv[0] == atom_send ? WANT(ES_SEND) | WANT(ES_ALL) : WANT(ES_ALL));
}

ERL_NIF_TERM
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
	return decide(argv[2], sources);
}

ERL_NIF_TERM
tracer_enabled_running_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	unsigned sources = WANT(ES_ALL) | WANT_RUN;
	ERL_NIF_TERM tag = argv[0];
	(void)env;
	(void)argc;
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
	return decide(argv[2], sources);
}

/* -- helpers ------------------------------------------------------------------------------------------------------ */

/* A callback: the shard is locked, and the event for it begun. False: nobody is there any more. */
static bool
begin(struct event *ev, ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	unsigned index;
	struct shard *s = hub_enter(&the_hub, &index);
	if (!the_hub.nrunning) {
		hub_leave(s);
		return false;
	}
	ev_init(ev, &the_hub, s, index, env, tracee);
	return true;
}

static ERL_NIF_TERM
end(struct event *ev)
{
	hub_leave(ev->shard);
	return atom_ok;
}

static ERL_NIF_TERM
option(ErlNifEnv *env, ERL_NIF_TERM opts, ERL_NIF_TERM key)
{
	ERL_NIF_TERM v;
	return enif_get_map_value(env, opts, key, &v) ? v : 0;
}

static const struct sub *
subs(enum erl_probe id)
{
	return the_hub.subs[id];
}

/* trace: every tag as it comes, for probe `trace` (p, event, state, arg1, arg2). */
static void
fire_trace(struct event *ev, const ERL_NIF_TERM argv[])
{
	const struct sub *list = subs(ERLP_TRACE);
	if (!list)
		return;
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
static void
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

static uint64_t
words_if(struct event *ev, const struct sub *list, unsigned n, ERL_NIF_TERM t)
{
	return ev_looks(list) & 1u << n ? text_words(ev->env, t) : 0;
}

/* -- messages ------------------------------------------------------------------------------------------------------ */

/* Result of the send pattern: [Node, Token]. */
static void
node_and_token(struct event *ev, ERL_NIF_TERM result, ERL_NIF_TERM *node, ERL_NIF_TERM *token)
{
	ERL_NIF_TERM tail;
	*node = *token = 0;
	if (result && enif_get_list_cell(ev->env, result, node, &tail))
		enif_get_list_cell(ev->env, tail, token, &tail);
}

/* Whether a receiver is on another node, and what it is called there. */
static bool
is_remote(struct event *ev, ERL_NIF_TERM to, ERL_NIF_TERM *node, ERL_NIF_TERM *receiver)
{
	const ERL_NIF_TERM *e;
	ErlNifPid pid;
	int n;
	*receiver = to;
	if (enif_is_pid(ev->env, to))
		return !enif_get_local_pid(ev->env, to, &pid);
	if (enif_get_tuple(ev->env, to, &n, &e) && n == 2) {
		char name[256];
		*receiver = e[0];
		*node = e[1];
		return enif_get_atom(ev->env, e[1], name, sizeof name, ERL_NIF_LATIN1) <= 0 ||
		       strcmp(name, the_hub.node) != 0;
	}
	return false;
}

ERL_NIF_TERM
tracer_trace_send(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ERL_NIF_TERM to = option(env, argv[4], atom_extra), node, token, receiver;
	if (argv[0] == atom_send && to) {
		node_and_token(
		    &ev, wants() & WANT_TOKEN ? option(env, argv[4], atom_match_spec_result) : 0, &node, &token);
		bool remote = is_remote(&ev, to, &node, &receiver);
		const struct sub *list = subs(remote ? ERLP_MESSAGE_SEND_REMOTE : ERLP_MESSAGE_SEND);
		if (list) {
			unsigned n = 0;
			ev_text(&ev, n++, EV_TERM, argv[2]);
			if (remote && node)
				ev_text(&ev, n++, EV_TERM, node);
			else if (remote)
				ev_static(&ev, n++, "", 0);
			ev_text(&ev, n++, EV_TERM, receiver);
			ev_num(&ev, n, words_if(&ev, list, n, argv[3]));
			add_token(&ev, n + 1, token);
			if (ev_looks(list) & 1u << (n + 4))
				ev_term(&ev, n + 4, argv[3]);
			ev_fire(&ev, list);
		}
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

static void fire_port_receive(struct event *ev, const ERL_NIF_TERM argv[]);

ERL_NIF_TERM
tracer_trace_receive(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	if (enif_is_port(env, argv[2]))
		fire_port_receive(&ev, argv);
	else if (argv[3] != atom_timeout) {
		const struct sub *list = subs(ERLP_MESSAGE_QUEUED);
		if (list) {
			ev_text(&ev, 0, EV_TERM, argv[2]);
			ev_num(&ev, 1, words_if(&ev, list, 1, argv[3]));
			ev_num(&ev, 2, TEXT_UNKNOWN_SIZE);
			add_token(&ev, 3, 0); /* the tracer is not told */
			if (ev_looks(list) & 1u << 6)
				ev_term(&ev, 6, argv[3]);
			ev_fire(&ev, list);
		}
		if (wants() & WANT_SIGNAL)
			special_received(&ev, argv[3]);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

/* -- functions ------------------------------------------------------------------------------------------------------
 */

static struct mfa *
mfa_of(ErlNifEnv *env, ERL_NIF_TERM t)
{
	const ERL_NIF_TERM *e;
	unsigned arity;
	int n;
	if (!enif_get_tuple(env, t, &n, &e) || n != 3 || !mfa_arity(env, e[2], &arity))
		return NULL;
	return mfa_get(the_hub.mfas, env, e[0], e[1], arity);
}

/* A function by name: its arguments as terms. */
static void
fire_entry(struct event *ev, const struct sub *list, ERL_NIF_TERM mfa, unsigned depth)
{
	const ERL_NIF_TERM *e;
	ERL_NIF_TERM head, tail;
	int n;
	if (!list)
		return;
	ev_again(ev);
	ev->depth = depth;
	if (ev_looks(list) && enif_get_tuple(ev->env, mfa, &n, &e) && n == 3) {
		tail = e[2];
		for (unsigned i = 0; i < 10 && enif_get_list_cell(ev->env, tail, &head, &tail); i++)
			ev_term(ev, i, head);
	}
	ev_fire(ev, list);
}

/* A function by name has returned or ended: up to two terms say how; 0: none. */
static void
fire_end(struct event *ev, const struct sub *list, unsigned depth, ERL_NIF_TERM a, ERL_NIF_TERM b)
{
	if (!list)
		return;
	ev_again(ev);
	ev->depth = depth;
	if (a)
		ev_term(ev, 0, a);
	if (b)
		ev_term(ev, 1, b);
	ev_fire(ev, list);
}

/* p, mfa, depth: of the probes that are not of one function. */
static void
fire_function(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_static(ev, 1, m->text, m->len);
	ev_num(ev, 2, depth);
	ev->depth = depth;
	ev_fire(ev, list);
}

static void
fire_left(struct event *ev, struct frame_left left)
{
	struct mfa *m = mfa_at(the_hub.mfas, left.mfa);
	fire_end(ev, m->subs[MFA_RETURN], left.depth, 0, 0);
	if (m->is_native == MFA_ERLANG)
		fire_function(ev, subs(ERLP_FUNCTION_RETURN), m, left.depth);
	else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_RETURN : ERLP_NIF_RETURN), m, left.depth);
}

/* Whether anybody needs what the match specification tells of a call: looking it up costs. */
static inline bool
wants_result(void)
{
	return wants() & (WANT_SHADOW | WANT_SIGNAL | WANT_SLEEP | WANT(ES_CODE) | WANT(ES_USER)) ||
	       subs(ERLP_LOCAL_FUNCTION_ENTRY) || subs(ERLP_GLOBAL_FUNCTION_ENTRY);
}

/* Who called, of {M, F, A}, or of {{M, F, A}, Stacktrace} from OTP 26 on: then the stack of the call is in *frames, which
 * must live as long as the event. */
static struct mfa *
caller_of(struct event *ev, const struct mfa *called, ERL_NIF_TERM result, uint64_t frames[FRAMES_MOST])
{
	const ERL_NIF_TERM *e;
	int n;
	if (!enif_get_tuple(ev->env, result, &n, &e) || n != 2)
		return mfa_of(ev->env, result);
	frames[0] = DIF_ADDR(DIF_R_MFA, DIF_MFA(mfa_index(the_hub.mfas, called), 0));
	ev->frames = frames;
	ev->nframes = 1 + frames_of(&the_hub, ev->env, e[1], frames + 1, FRAMES_MOST - 1);
	return mfa_of(ev->env, e[0]);
}

static void
on_call(struct event *ev, const ERL_NIF_TERM argv[], struct news *news)
{
	struct mfa *m = mfa_of(ev->env, argv[3]);
	if (!m)
		return;
	unsigned depth = 0;
	ERL_NIF_TERM result = wants_result() ? option(ev->env, argv[4], atom_match_spec_result) : 0;
	if (result && wants() & (WANT_SIGNAL | WANT_SLEEP | WANT(ES_CODE) | WANT(ES_USER)))
		result = special_call(ev, result, news);
	uint64_t frames[FRAMES_MOST];
	struct mfa *caller = result ? caller_of(ev, m, result, frames) : NULL;
	if (wants() & WANT_SHADOW) {
		struct frame_left left;
		depth = procs_call(the_hub.procs, ev->tracee, mfa_index(the_hub.mfas, m),
		    caller ? mfa_index(the_hub.mfas, caller) : 0, &left);
		if (left.mfa) {
			unsigned nframes = ev->nframes; /* of the call that replaced it */
			ev->nframes = 0;
			fire_left(ev, left);
			ev->nframes = nframes;
		}
	}
	fire_entry(ev, m->subs[MFA_ENTRY], argv[3], depth);
	if (m->is_native == MFA_ERLANG) {
		bool local = caller && caller->m == m->m;
		fire_function(ev, subs(ERLP_FUNCTION_ENTRY), m, depth);
		fire_function(ev, subs(local ? ERLP_LOCAL_FUNCTION_ENTRY : ERLP_GLOBAL_FUNCTION_ENTRY), m, depth);
	} else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_ENTRY : ERLP_NIF_ENTRY), m, depth);
	ev->nframes = 0;
}

static void
on_return_to(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct frame_left left[32];
	struct mfa *to = argv[3] == atom_undefined ? NULL : mfa_of(ev->env, argv[3]);
	uint32_t index = to ? mfa_index(the_hub.mfas, to) : 0;
	bool more = true;
	while (more) {
		unsigned n = procs_return_to(the_hub.procs, ev->tracee, index, left, 32, &more);
		for (unsigned i = 0; i < n; i++)
			fire_left(ev, left[i]);
	}
}

/* Only for those who look at the value; the others hear of the frame by return_to. */
static void
on_return_from(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(ev->env, argv[3]);
	if (m)
		fire_end(ev, m->subs[MFA_VALUE], 0, option(ev->env, argv[4], atom_extra), 0);
}

/* Class, reason. The frame itself is closed by the return_to that follows. */
static void
on_exception(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(ev->env, argv[3]);
	const ERL_NIF_TERM *e;
	int n;
	if (m && enif_get_tuple(ev->env, option(ev->env, argv[4], atom_extra), &n, &e) && n == 2)
		fire_end(ev, m->subs[MFA_EXCEPTION], 0, e[0], e[1]);
}

ERL_NIF_TERM
tracer_trace_call(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct news news = {0};
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	if (argv[0] == atom_call)
		on_call(&ev, argv, &news);
	else if (argv[0] == atom_return_to)
		on_return_to(&ev, argv);
	else if (argv[0] == atom_return_from)
		on_return_from(&ev, argv);
	else if (argv[0] == atom_exception_from)
		on_exception(&ev, argv);
	if (argv[0] == atom_return_from)
		special_returned(&ev, argv[3], option(env, argv[4], atom_extra), &news);
	fire_trace(&ev, argv);
	end(&ev);
	if (news.what)
		special_tell(env, &news);
	return atom_ok;
}

/* -- processes ------------------------------------------------------------------------------------------------------
 */

static void
fire_two(struct event *ev, enum erl_probe id, ERL_NIF_TERM a, enum ev_how how, ERL_NIF_TERM b)
{
	const struct sub *list = subs(id);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, a);
	if (b)
		ev_text(ev, 1, how, b);
	else
		ev_static(ev, 1, "", 0);
	ev_fire(ev, list);
}

static void
forget_process(ERL_NIF_TERM pid)
{
	for (unsigned i = 0; i < HUB_SESSIONS; i++)
		if (the_hub.sessions[i].running)
			engine_user.thread_exit(the_hub.sessions[i].engine, pid);
	procs_exit(the_hub.procs, pid);
}

ERL_NIF_TERM
tracer_trace_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	if (tag == atom_spawned)
		fire_two(&ev, ERLP_PROCESS_SPAWN, argv[2], EV_MFA, option(env, argv[4], atom_extra));
	else if (tag == atom_exit)
		fire_two(&ev, ERLP_PROCESS_EXIT, argv[2], EV_REASON, argv[3]);
	else if (tag == atom_getting_unlinked && wants() & WANT_SIGNAL)
		special_unlinked(&ev, argv[3]);
	else if (tag == atom_register_)
		fire_two(&ev, ERLP_PROCESS_REGISTER, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_unregister_)
		fire_two(&ev, ERLP_PROCESS_UNREGISTER, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_link)
		fire_two(&ev, ERLP_PROCESS_LINK, argv[2], EV_TERM, argv[3]);
	else if (tag == atom_unlink)
		fire_two(&ev, ERLP_PROCESS_UNLINK, argv[2], EV_TERM, argv[3]);
	fire_trace(&ev, argv);
	if (tag == atom_exit)
		forget_process(argv[2]);
	return end(&ev);
}

/* A process that waited for a busy port runs again. */
static void
fire_unblocked(struct event *ev, const struct port_wait *w)
{
	const struct sub *list = subs(w->node ? ERLP_DIST_PORT_NOT_BUSY : ERLP_PROCESS_PORT_UNBLOCKED);
	if (!list)
		return;
	ev_again(ev);
	if (w->node) {
		ev_static(ev, 0, the_hub.node, the_hub.nodelen);
		ev_text(ev, 1, EV_TERM, w->port);
		ev_text(ev, 2, EV_TERM, w->node);
	} else {
		ev_text(ev, 0, EV_TERM, w->process);
		ev_text(ev, 1, EV_TERM, w->port);
	}
	ev_fire(ev, list);
}

ERL_NIF_TERM
tracer_trace_running_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	struct sample_news news = {0};
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	bool in = argv[0] == atom_in || argv[0] == atom_in_exiting;
	if (in && wants() & WANT_RUN)
		procs_in(the_hub.procs, argv[2], ev_clock());
	if (in) {
		struct port_wait w;
		if (wants() & WANT_UNBLOCK && ports_resumed(the_hub.ports, argv[2], &w))
			fire_unblocked(&ev, &w);
		fire_two(&ev, ERLP_PROCESS_SCHEDULED, argv[2], EV_MFA, argv[3]);
	} else {
		const struct sub *list = subs(ERLP_PROCESS_UNSCHEDULED);
		if (list) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[2]);
			ev_fire(&ev, list);
		}
	}
	if (!in && wants() & WANT_SAMPLE)
		sample_out(&ev, argv[3], &news);
	fire_trace(&ev, argv);
	if (argv[0] == atom_out_exited)
		forget_process(argv[2]); /* again: events that come after `exit` may have left something */
	else if (!in && wants() & WANT_RUN)
		procs_out(the_hub.procs, argv[2], ev_clock());
	end(&ev);
	if (news.n)
		sample_tell(env, argv[2], argv[3], &news);
	return atom_ok;
}

/* -- garbage collection ----------------------------------------------------------------------------------------------
 */

static int64_t
property(ErlNifEnv *env, ERL_NIF_TERM list, ERL_NIF_TERM key)
{
	ERL_NIF_TERM head;
	const ERL_NIF_TERM *e;
	ErlNifSInt64 v;
	int n;
	while (enif_get_list_cell(env, list, &head, &list))
		if (enif_get_tuple(env, head, &n, &e) && n == 2 && e[0] == key && enif_get_int64(env, e[1], &v))
			return v;
	return 0;
}

static void
fire_gc(struct event *ev, enum erl_probe id, const ERL_NIF_TERM argv[])
{
	const struct sub *list = subs(id);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, argv[2]);
	ev_num(ev, 1, (uint64_t)property(ev->env, argv[3], atom_wordsize));
	ev_fire(ev, list);
}

/* The heap's size before the collection against after it. */
static void
fire_heap_change(struct event *ev, ERL_NIF_TERM pid, uint64_t after)
{
	uint64_t before = ev->shard->gc_heap;
	if (ev->shard->gc_pid != pid || before == after)
		return;
	const struct sub *list = subs(after > before ? ERLP_PROCESS_HEAP_GROW : ERLP_PROCESS_HEAP_SHRINK);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, pid);
	ev_num(ev, 1, before);
	ev_num(ev, 2, after);
	ev_fire(ev, list);
}

ERL_NIF_TERM
tracer_trace_garbage_collection(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM tag = argv[0];
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	bool starts = tag == atom_gc_minor_start || tag == atom_gc_major_start;
	bool major = tag == atom_gc_major_start || tag == atom_gc_major_end;
	if (starts)
		fire_gc(&ev, major ? ERLP_GC_MAJOR_START : ERLP_GC_MINOR_START, argv);
	else
		fire_gc(&ev, major ? ERLP_GC_MAJOR_END : ERLP_GC_MINOR_END, argv);
	if (subs(ERLP_PROCESS_HEAP_GROW) || subs(ERLP_PROCESS_HEAP_SHRINK)) {
		uint64_t heap = (uint64_t)property(env, argv[3], atom_heap_block_size);
		if (!starts)
			fire_heap_change(&ev, argv[2], heap);
		ev.shard->gc_pid = starts ? argv[2] : 0;
		ev.shard->gc_heap = heap;
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

/* -- ports ----------------------------------------------------------------------------------------------------------
 */

/* process, port, port name. process 0: the owner as far as it is known. */
static void
add_ppn(struct event *ev, ERL_NIF_TERM process, ERL_NIF_TERM port)
{
	char *name = ev->shard->port_name;
	ERL_NIF_TERM owner = ports_find(the_hub.ports, port, name);
	ev_again(ev);
	if (process || owner)
		ev_text(ev, 0, EV_TERM, process ? process : owner);
	else
		ev_static(ev, 0, "", 0);
	ev_text(ev, 1, EV_TERM, port);
	ev_static(ev, 2, name, strlen(name));
}

/* The driver's or the command's name as told by `open`: an atom, or text. */
static void
name_of(ErlNifEnv *env, ERL_NIF_TERM t, char name[PORT_NAME])
{
	if (!t || (enif_get_atom(env, t, name, PORT_NAME, ERL_NIF_LATIN1) <= 0 &&
		      enif_get_string(env, t, name, PORT_NAME, ERL_NIF_LATIN1) == 0))
		name[0] = '\0';
}

ERL_NIF_TERM
tracer_trace_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	if (argv[0] == atom_open) {
		static const enum erl_probe opened[] = {ERLP_PORT_OPEN, ERLP_DRIVER_START};
		char name[PORT_NAME];
		name_of(env, option(env, argv[4], atom_extra), name);
		ports_add(the_hub.ports, argv[2], argv[3], name);
		for (int i = 0; i < 2; i++) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[3]);
			ev_static(&ev, 1, name, strlen(name));
			ev_text(&ev, 2, EV_TERM, argv[2]);
			ev_fire(&ev, subs(opened[i]));
		}
	} else if (argv[0] == atom_closed) {
		add_ppn(&ev, 0, argv[2]);
		ev_text(&ev, 3, EV_REASON, argv[3]);
		ev_fire(&ev, subs(ERLP_PORT_EXIT));
		if (subs(ERLP_DRIVER_STOP)) {
			ERL_NIF_TERM owner = ports_find(the_hub.ports, argv[2], ev.shard->port_name);
			ev_again(&ev);
			if (owner)
				ev_text(&ev, 0, EV_TERM, owner);
			else
				ev_static(&ev, 0, "", 0);
			ev_static(&ev, 1, ev.shard->port_name, strlen(ev.shard->port_name));
			ev_text(&ev, 2, EV_TERM, argv[2]);
			ev_fire(&ev, subs(ERLP_DRIVER_STOP));
		}
		ports_remove(the_hub.ports, argv[2]);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

/* What a driver is called for without anybody having sent something. */
static void
fire_driver(struct event *ev, ERL_NIF_TERM tag, ERL_NIF_TERM port)
{
	const struct sub *list = tag == atom_timeout ? subs(ERLP_DRIVER_TIMEOUT)
				 : tag == atom_flush ? subs(ERLP_DRIVER_FLUSH)
						     : NULL;
	if (!list)
		return;
	add_ppn(ev, 0, port);
	ev_fire(ev, list);
}

/* {Process, {command, Io}}, {Process, close}, {Process, {connect, New}}, {Process, {control, {Command, Data}}} */
static void
fire_port_receive(struct event *ev, const ERL_NIF_TERM argv[])
{
	ErlNifEnv *env = ev->env;
	const ERL_NIF_TERM *msg, *what, *control;
	int n, m, k, command = 0;
	if (enif_is_atom(env, argv[3])) {
		fire_driver(ev, argv[3], argv[2]);
		return;
	}
	if (!enif_get_tuple(env, argv[3], &n, &msg) || n != 2)
		return;
	bool tagged = enif_get_tuple(env, msg[1], &m, &what) && m == 2;
	ERL_NIF_TERM tag = tagged ? what[0] : msg[1];
	if (tag == atom_command || tag == atom_close || tag == atom_connect) {
		add_ppn(ev, msg[0], argv[2]);
		ev_text(ev, 3, EV_TERM, tag);
		ev_fire(ev, subs(ERLP_PORT_COMMAND));
	}
	if (tag == atom_command && tagged) {
		const struct sub *lists[] = {subs(ERLP_DRIVER_OUTPUT), subs(ERLP_DRIVER_OUTPUTV)};
		for (int i = 0; i < 2; i++) {
			if (!lists[i])
				continue;
			add_ppn(ev, msg[0], argv[2]);
			ev_num(ev, 3, iolist_size(env, what[1]));
			ev_fire(ev, lists[i]);
		}
	} else if (tag == atom_connect && tagged) {
		add_ppn(ev, msg[0], argv[2]);
		ev_text(ev, 3, EV_TERM, what[1]);
		ev_fire(ev, subs(ERLP_PORT_CONNECT));
		ErlNifPid owner;
		if (enif_get_local_pid(env, what[1], &owner))
			ports_add(the_hub.ports, argv[2], what[1], NULL);
	} else if ((tag == atom_control || tag == atom_call) && tagged && enif_get_tuple(env, what[1], &k, &control) &&
		   k == 2) {
		enif_get_int(env, control[0], &command);
		if (tag == atom_control) {
			add_ppn(ev, msg[0], argv[2]);
			ev_num(ev, 3, (uint64_t)(int64_t)command);
			ev_fire(ev, subs(ERLP_PORT_CONTROL));
		}
		add_ppn(ev, msg[0], argv[2]);
		ev_num(ev, 3, (uint64_t)(int64_t)command);
		ev_num(ev, 4, iolist_size(env, control[1]));
		ev_fire(ev, subs(tag == atom_control ? ERLP_DRIVER_CONTROL : ERLP_DRIVER_CALL));
	}
}

/* Tags without a callback of their own: seq_trace. */
ERL_NIF_TERM
tracer_trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	/* the "tracee" of seq_trace is a label: any term */
	if (!begin(&ev, env, argv[0] == atom_seq_trace ? 0 : argv[2]))
		return atom_ok;
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
