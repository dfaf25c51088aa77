/* See special.h. */
#include "special.h"

#include "requests.h"
#include "tracer.h"
#include "user_trace.h"

#define ATOMS(X) \
	X(erltrace) \
	X(exit) \
	X(hibernate) \
	X(code) \
	X(load) \
	X(erlang) \
	X(load_module) \
	X(finish_loading) \
	X(module) \
	X(undefined) \
	X(erltrace_code) \
	X(user) \
	X(request) \
	X(gen_server) \
	X(try_handle_call)
#define X(a) static ERL_NIF_TERM atom_##a;
ATOMS(X)
#undef X
static ERL_NIF_TERM atom_EXIT;

void
special_load(ErlNifEnv *env)
{
#define X(a) atom_##a = enif_make_atom(env, #a);
	ATOMS(X)
#undef X
	atom_EXIT = enif_make_atom(env, "EXIT");
}

void
special_tell(ErlNifEnv *env, const struct news *n)
{
	ErlNifPid hub;
	ErlNifEnv *msg = enif_alloc_env();
	if (!msg)
		return;
	/* the hub's process comes first among our own */
	hub.pid = atomic_load_explicit(&the_hub.own[0], memory_order_relaxed);
	if (atomic_load_explicit(&the_hub.nown, memory_order_acquire))
		enif_send(env, &hub, msg, enif_make_tuple4(msg, atom_erltrace_code, n->what, n->module, n->process));
	enif_free_env(msg);
}

static const struct sub *
subs(const struct event *ev, enum erl_probe id)
{
	return ev->hub->subs[id];
}

static bool
is_local(struct event *ev, ERL_NIF_TERM to)
{
	ErlNifPid pid;
	ErlNifPort port;
	return enif_get_local_pid(ev->env, to, &pid) || enif_get_local_port(ev->env, to, &port);
}

/* sender, [node,] receiver, reason[, token: unknown] */
static void
fire_signal(struct event *ev, ERL_NIF_TERM from, ERL_NIF_TERM node, ERL_NIF_TERM to, ERL_NIF_TERM reason)
{
	const struct sub *list = subs(ev, node ? ERLP_PROCESS_EXIT_SIGNAL_REMOTE : ERLP_PROCESS_EXIT_SIGNAL);
	unsigned n = 0;
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, n++, EV_TERM, from);
	if (node)
		ev_text(ev, n++, EV_TERM, node);
	ev_text(ev, n++, EV_TERM, to);
	ev_text(ev, n++, EV_REASON, reason);
	for (unsigned i = 0; node && i < 3; i++)
		ev_num(ev, n++, 0);
	ev_fire(ev, list);
}

ERL_NIF_TERM
special_call(struct event *ev, ERL_NIF_TERM result, struct news *news)
{
	const ERL_NIF_TERM *e, *what;
	int n, size;
	if (!enif_get_tuple(ev->env, result, &n, &e) || n != 3 || e[0] != atom_erltrace ||
	    !enif_get_tuple(ev->env, e[1], &size, &what))
		return result;
	if (size == 4 && what[0] == atom_exit) {
		if (is_local(ev, what[1]))
			fire_signal(ev, ev->tracee, 0, what[1], what[3]);
		else if (enif_is_pid(ev->env, what[1]))
			fire_signal(ev, ev->tracee, what[2], what[1], what[3]);
	} else if (size == 2 && what[0] == atom_hibernate && subs(ev, ERLP_PROCESS_HIBERNATE)) {
		ev_again(ev);
		ev_text(ev, 0, EV_TERM, ev->tracee);
		ev_text(ev, 1, EV_MFA, what[1]);
		ev_fire(ev, subs(ev, ERLP_PROCESS_HIBERNATE));
	} else if (size == 2 && what[0] == atom_user)
		user_trace_called(ev, what[1]);
	else if (size == 4 && what[0] == atom_request)
		request_started(ev, what[1], what[2], what[3]);
	else if (size == 1 && what[0] == atom_request)
		request_stopped(ev);
	else if (size == 3 && what[0] == atom_code && enif_is_atom(ev->env, what[2])) /* others get badarg */
		*news = (struct news){what[1], what[2], ev->tracee};
	ev_again(ev);
	return e[2];
}

void
special_returned(struct event *ev, ERL_NIF_TERM mfa, ERL_NIF_TERM value, struct news *news)
{
	const ERL_NIF_TERM *e, *r;
	int n;
	if (!enif_get_tuple(ev->env, mfa, &n, &e) || n != 3)
		return;
	if (e[0] == atom_gen_server && e[1] == atom_try_handle_call)
		request_stopped(ev);
	if (e[0] != atom_erlang)
		return;
	if (e[1] == atom_finish_loading)
		*news = (struct news){atom_load, atom_undefined, ev->tracee};
	else if (e[1] == atom_load_module && value && enif_get_tuple(ev->env, value, &n, &r) && n == 2 &&
		 r[0] == atom_module && enif_is_atom(ev->env, r[1]))
		*news = (struct news){atom_load, r[1], ev->tracee};
}

void
special_unlinked(struct event *ev, ERL_NIF_TERM from)
{
	struct broken *b = &ev->hub->broken;
	ErlNifPid pid;
	if (!enif_get_local_pid(ev->env, from, &pid))
		return; /* others are not words and cannot be kept */
	spin_lock(&b->lock);
	unsigned i = b->nlinks++ % HUB_BROKEN;
	b->links[i].process = ev->tracee;
	b->links[i].from = from;
	spin_unlock(&b->lock);
}

void
special_received(struct event *ev, ERL_NIF_TERM message)
{
	struct broken *b = &ev->hub->broken;
	const ERL_NIF_TERM *e;
	int n;
	if (!enif_get_tuple(ev->env, message, &n, &e) || n != 3 || e[0] != atom_EXIT)
		return;
	/* those that exit/2 sent from here were reported when it was called */
	bool linked = false;
	spin_lock(&b->lock);
	for (unsigned i = 0; i < HUB_BROKEN && !linked; i++) {
		linked = b->links[i].process == ev->tracee && b->links[i].from == e[1];
		if (linked)
			b->links[i].process = 0;
	}
	spin_unlock(&b->lock);
	if (linked || (enif_is_pid(ev->env, e[1]) && !is_local(ev, e[1])))
		fire_signal(ev, e[1], 0, ev->tracee, e[2]);
}
