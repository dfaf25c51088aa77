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
#include "text.h"

#include <string.h>

struct hub the_hub;

#define ATOMS(X)                                                                                                       \
	X(trace) X(discard) X(remove) X(ok) X(extra) X(match_spec_result) X(undefined) X(call) X(return_to)           \
	X(return_from) X(exception_from) X(send) X(receive) X(timeout) X(spawned) X(spawn) X(exit) X(link) X(unlink)  \
	X(getting_linked) X(getting_unlinked) X(in) X(out) X(in_exiting) X(out_exiting) X(out_exited)                 \
	X(gc_minor_start) X(gc_minor_end) X(gc_major_start) X(gc_major_end) X(wordsize) X(heap_block_size) X(open)    \
	X(closed) X(command) X(close) X(connect) X(control) X(hibernate) X(erlang) X(kill) X(seq_trace) X(print)      \
	X(true) X(false) X(error)
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

/* Tags without a callback of their own; trace_status asks whether the tracer is still there at all. */
ERL_NIF_TERM
tracer_enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	if (!wants())
		return atom_remove;
	return hub_is_own(&the_hub, argv[2]) ? atom_discard : atom_trace;
}

#define ENABLED(name, sources)                                                     \
	ERL_NIF_TERM                                                               \
	tracer_enabled_##name(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{                                                                          \
		(void)env;                                                         \
		(void)argc;                                                        \
		return decide(argv[2], (sources) | WANT(ES_ALL));                  \
	}
ENABLED(call, WANT(ES_CALL) | WANT(ES_RETURN) | WANT(ES_CODE))
ENABLED(send, WANT(ES_SEND))
ENABLED(receive, WANT(ES_RECEIVE) | WANT(ES_PORTRECV))
ENABLED(procs, WANT(ES_PROCS) | WANT_EXIT)
ENABLED(ports, WANT(ES_PORTS))
ENABLED(running_procs, WANT(ES_RUNNING) | WANT_RUN)
ENABLED(running_ports, 0)
ENABLED(garbage_collection, WANT(ES_GC))

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
	if (argv[0] == atom_send) {
		ERL_NIF_TERM to = option(env, argv[4], atom_extra), node, token, receiver;
		node_and_token(&ev, option(env, argv[4], atom_match_spec_result), &node, &token);
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
			add_token(&ev, 3, option(env, argv[4], atom_match_spec_result));
			ev_fire(&ev, list);
		}
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

/* -- functions ------------------------------------------------------------------------------------------------------ */

static struct mfa *
mfa_of(ErlNifEnv *env, ERL_NIF_TERM t)
{
	const ERL_NIF_TERM *e;
	unsigned arity;
	int n;
	if (!enif_get_tuple(env, t, &n, &e) || n != 3)
		return NULL;
	if (!enif_get_uint(env, e[2], &arity) && !enif_get_list_length(env, e[2], &arity))
		return NULL;
	return mfa_get(the_hub.mfas, env, e[0], e[1], arity);
}

/* p, mfa, depth: of entry and return probes, by name or not. */
static void
fire_function(struct event *ev, const struct sub *list, const struct mfa *m, unsigned depth)
{
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_static(ev, 1, m->text, m->len);
	ev_num(ev, 2, depth);
	ev_fire(ev, list);
}

static void
fire_left(struct event *ev, struct frame_left left)
{
	struct mfa *m = mfa_at(the_hub.mfas, left.mfa);
	fire_function(ev, m->subs[MFA_RETURN], m, left.depth);
	if (m->is_native == MFA_ERLANG)
		fire_function(ev, subs(ERLP_FUNCTION_RETURN), m, left.depth);
	else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_RETURN : ERLP_NIF_RETURN), m, left.depth);
}

static void
on_call(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(ev->env, argv[3]);
	if (!m)
		return;
	unsigned depth = 0;
	ERL_NIF_TERM result = option(ev->env, argv[4], atom_match_spec_result);
	struct mfa *caller = result ? mfa_of(ev->env, result) : NULL;
	if (wants() & WANT_SHADOW) {
		struct frame_left left;
		depth = procs_call(the_hub.procs, ev->tracee, mfa_index(the_hub.mfas, m),
		    caller ? mfa_index(the_hub.mfas, caller) : 0, &left);
		if (left.mfa)
			fire_left(ev, left);
	}
	fire_function(ev, m->subs[MFA_ENTRY], m, depth);
	if (m->is_native == MFA_ERLANG) {
		bool local = caller && caller->m == m->m;
		fire_function(ev, subs(ERLP_FUNCTION_ENTRY), m, depth);
		fire_function(ev, subs(local ? ERLP_LOCAL_FUNCTION_ENTRY : ERLP_GLOBAL_FUNCTION_ENTRY), m, depth);
	} else
		fire_function(ev, subs(m->is_native == MFA_BIF ? ERLP_BIF_ENTRY : ERLP_NIF_ENTRY), m, depth);
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

/* p, mfa, class, reason. The frame itself is closed by the return_to that follows. */
static void
on_exception(struct event *ev, const ERL_NIF_TERM argv[])
{
	struct mfa *m = mfa_of(ev->env, argv[3]);
	const ERL_NIF_TERM *e;
	int n;
	if (!m || !m->subs[MFA_EXCEPTION])
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_static(ev, 1, m->text, m->len);
	if (enif_get_tuple(ev->env, option(ev->env, argv[4], atom_extra), &n, &e) && n == 2) {
		ev_text(ev, 2, EV_TERM, e[0]);
		ev_text(ev, 3, EV_TERM, e[1]);
	}
	ev_fire(ev, m->subs[MFA_EXCEPTION]);
}

ERL_NIF_TERM
tracer_trace_call(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	if (argv[0] == atom_call)
		on_call(&ev, argv);
	else if (argv[0] == atom_return_to)
		on_return_to(&ev, argv);
	else if (argv[0] == atom_exception_from)
		on_exception(&ev, argv);
	fire_trace(&ev, argv);
	return end(&ev);
}

/* -- processes ------------------------------------------------------------------------------------------------------ */

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

static bool
is_hibernate(ErlNifEnv *env, ERL_NIF_TERM mfa)
{
	const ERL_NIF_TERM *e;
	int n;
	return enif_get_tuple(env, mfa, &n, &e) && n == 3 && e[0] == atom_erlang && e[1] == atom_hibernate;
}

ERL_NIF_TERM
tracer_trace_running_procs(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	bool in = argv[0] == atom_in || argv[0] == atom_in_exiting;
	if (in && wants() & WANT_RUN)
		procs_in(the_hub.procs, argv[2], ev_clock());
	if (in)
		fire_two(&ev, ERLP_PROCESS_SCHEDULED, argv[2], EV_MFA, argv[3]);
	else {
		if (is_hibernate(env, argv[3]))
			fire_two(&ev, ERLP_PROCESS_HIBERNATE, argv[2], EV_MFA, argv[3]);
		const struct sub *list = subs(ERLP_PROCESS_UNSCHEDULED);
		if (list) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[2]);
			ev_fire(&ev, list);
		}
	}
	fire_trace(&ev, argv);
	if (!in && wants() & WANT_RUN)
		procs_out(the_hub.procs, argv[2], ev_clock());
	return end(&ev);
}

/* -- garbage collection ---------------------------------------------------------------------------------------------- */

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

/* -- ports ---------------------------------------------------------------------------------------------------------- */

/* process, port, port name: the name is not told by the tracer; the port's own text stands for it. */
static void
add_ppn(struct event *ev, ERL_NIF_TERM process, ERL_NIF_TERM port)
{
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, process);
	ev_text(ev, 1, EV_TERM, port);
	ev_text(ev, 2, EV_TERM, port);
}

ERL_NIF_TERM
tracer_trace_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ERL_NIF_TERM extra = option(env, argv[4], atom_extra);
	if (argv[0] == atom_open) {
		static const enum erl_probe opened[] = {ERLP_PORT_OPEN, ERLP_DRIVER_START};
		for (int i = 0; i < 2; i++) {
			ev_again(&ev);
			ev_text(&ev, 0, EV_TERM, argv[3]);
			ev_text(&ev, 1, EV_TERM, extra ? extra : argv[2]);
			ev_text(&ev, 2, EV_TERM, argv[2]);
			ev_fire(&ev, subs(opened[i]));
		}
	} else if (argv[0] == atom_closed) {
		add_ppn(&ev, argv[2], argv[2]);
		ev_text(&ev, 3, EV_REASON, argv[3]);
		ev_fire(&ev, subs(ERLP_PORT_EXIT));
		add_ppn(&ev, argv[2], argv[2]);
		ev_fire(&ev, subs(ERLP_DRIVER_STOP));
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

static uint64_t
io_bytes(ErlNifEnv *env, ERL_NIF_TERM t)
{
	ErlNifBinary b;
	return enif_is_binary(env, t) && enif_inspect_binary(env, t, &b) ? b.size
	    : enif_inspect_iolist_as_binary(env, t, &b)               ? b.size
	                                                              : 0;
}

/* {Process, {command, Io}}, {Process, close}, {Process, {connect, New}}, {Process, {control, {Command, Data}}} */
static void
fire_port_receive(struct event *ev, const ERL_NIF_TERM argv[])
{
	ErlNifEnv *env = ev->env;
	const ERL_NIF_TERM *msg, *what, *control;
	int n, m, k, command = 0;
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
			ev_num(ev, 3, io_bytes(env, what[1]));
			ev_fire(ev, lists[i]);
		}
	} else if (tag == atom_connect && tagged) {
		add_ppn(ev, msg[0], argv[2]);
		ev_text(ev, 3, EV_TERM, what[1]);
		ev_fire(ev, subs(ERLP_PORT_CONNECT));
	} else if (tag == atom_control && tagged && enif_get_tuple(env, what[1], &k, &control) && k == 2) {
		enif_get_int(env, control[0], &command);
		add_ppn(ev, msg[0], argv[2]);
		ev_num(ev, 3, (uint64_t)(int64_t)command);
		ev_fire(ev, subs(ERLP_PORT_CONTROL));
		add_ppn(ev, msg[0], argv[2]);
		ev_num(ev, 3, (uint64_t)(int64_t)command);
		ev_num(ev, 4, io_bytes(env, control[1]));
		ev_fire(ev, subs(ERLP_DRIVER_CONTROL));
	}
}

/* Tags without a callback of their own: seq_trace. */
ERL_NIF_TERM
tracer_trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
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
