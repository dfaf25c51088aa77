/* See requests.h. */
#include "requests.h"

#include "callback.h"

static ERL_NIF_TERM atom_gen_call, atom_alias;

void
requests_load(ErlNifEnv *env)
{
	atom_gen_call = enif_make_atom(env, "$gen_call");
	atom_alias = enif_make_atom(env, "alias");
}

/* The reference of a tag: Ref, [alias | Ref] or [[alias | Ref] | More]. Returns 0 if the tag is something else. */
static ERL_NIF_TERM
ref_of(ErlNifEnv *env, ERL_NIF_TERM tag)
{
	ERL_NIF_TERM head, tail;
	for (int i = 0; i < 3 && !enif_is_ref(env, tag); i++) {
		if (!enif_get_list_cell(env, tag, &head, &tail))
			return 0;
		tag = head == atom_alias ? tail : head;
	}
	return enif_is_ref(env, tag) ? tag : 0;
}

/* process, [other,] ref, text, term */
static void
fire(struct event *ev, enum erl_probe probe, ERL_NIF_TERM other, ERL_NIF_TERM ref, ERL_NIF_TERM what)
{
	const struct sub *list = subs(probe);
	unsigned n = 0;
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, n++, EV_TERM, ev->tracee);
	if (other)
		ev_text(ev, n++, EV_TERM, other);
	ev_text(ev, n++, EV_TERM, ref);
	ev_text(ev, n++, EV_TERM, what);
	if (ev_looks(list) & 1u << n)
		ev_term(ev, n, what);
	ev_fire(ev, list);
}

void
request_sent(struct event *ev, ERL_NIF_TERM to, ERL_NIF_TERM message)
{
	const ERL_NIF_TERM *e, *from;
	ERL_NIF_TERM ref;
	int n, nfrom;
	if (!enif_get_tuple(ev->env, message, &n, &e))
		return;
	if (n == 3 && e[0] == atom_gen_call && enif_get_tuple(ev->env, e[1], &nfrom, &from) && nfrom == 2) {
		ref = ref_of(ev->env, from[1]);
		fire(ev, ERLP_REQUEST_SEND, to, ref ? ref : from[1], e[2]);
	} else if (n == 2 && (ref = ref_of(ev->env, e[0])))
		fire(ev, ERLP_REQUEST_REPLY, to, ref, e[1]);
}

void
request_answered(struct event *ev, ERL_NIF_TERM message)
{
	const ERL_NIF_TERM *e;
	ERL_NIF_TERM ref;
	int n;
	if (enif_get_tuple(ev->env, message, &n, &e) && n == 2 && (ref = ref_of(ev->env, e[0])))
		fire(ev, ERLP_REQUEST_DONE, 0, ref, e[1]);
}

void
request_started(struct event *ev, ERL_NIF_TERM client, ERL_NIF_TERM tag, ERL_NIF_TERM request)
{
	ERL_NIF_TERM ref = ref_of(ev->env, tag);
	fire(ev, ERLP_REQUEST_START, client, ref ? ref : tag, request);
}

void
request_stopped(struct event *ev)
{
	const struct sub *list = subs(ERLP_REQUEST_STOP);
	if (!list)
		return;
	ev_again(ev);
	ev_text(ev, 0, EV_TERM, ev->tracee);
	ev_fire(ev, list);
}
