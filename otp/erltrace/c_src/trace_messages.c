/* Messages that are sent and that arrive. */
#include "callback.h"
#include "requests.h"
#include "special.h"
#include "text.h"

#include <string.h>

/* Result of the send pattern: [Node, Token]. */
static void
node_and_token(struct event *ev, ERL_NIF_TERM result, ERL_NIF_TERM *node, ERL_NIF_TERM *token)
{
	ERL_NIF_TERM tail;
	*node = *token = 0;
	if (result && enif_get_list_cell(ev->env, result, node, &tail))
		enif_get_list_cell(ev->env, tail, token, &tail);
}

/* Returns whether a reference is another node's. The VM writes its own as #Ref<0.…>. */
static bool
is_foreign_ref(ERL_NIF_TERM ref)
{
	char text[16];
	return enif_snprintf(text, sizeof text, "%T", ref) > 0 && strncmp(text, "#Ref<0.", 7) != 0;
}

/* Returns whether a receiver is on another node, with its name there. An alias is a reference: servers answer calls
 * by it. */
static bool
is_remote(struct event *ev, ERL_NIF_TERM to, ERL_NIF_TERM *node, ERL_NIF_TERM *receiver)
{
	const ERL_NIF_TERM *e;
	ErlNifPid pid;
	int n;
	*receiver = to;
	if (ET_LIKELY(enif_get_local_pid(ev->env, to, &pid)))
		return false;
	if (enif_is_pid(ev->env, to))
		return true;
	if (enif_is_ref(ev->env, to))
		return is_foreign_ref(to);
	if (enif_get_tuple(ev->env, to, &n, &e) && n == 2) {
		char name[256];
		*receiver = e[0];
		*node = e[1];
		return enif_get_atom(ev->env, e[1], name, sizeof name, ERL_NIF_LATIN1) <= 0 ||
		       strcmp(name, the_hub.node) != 0;
	}
	return false;
}

ET_HOT ERL_NIF_TERM
trace_send(ErlNifEnv *env, const ERL_NIF_TERM argv[])
{
	struct event ev;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	is_running(&ev);
	ev.tag = argv[0];
	ERL_NIF_TERM to = option(env, argv[4], atom_extra), node, token, receiver;
	if (to) {
		node_and_token(
		    &ev, wants() & WANT_TOKEN ? option(env, argv[4], atom_match_spec_result) : 0, &node, &token);
		bool remote = is_remote(&ev, to, &node, &receiver);
		const struct sub *list = subs(remote ? ERLP_MESSAGE_SEND_REMOTE : ERLP_MESSAGE_SEND);
		if (list) {
			unsigned n = 0, looks = ev_looks(list);
			ev_text(&ev, n++, EV_TERM, argv[2]);
			if (remote && node)
				ev_text(&ev, n++, EV_TERM, node);
			else if (remote)
				ev_static(&ev, n++, "", 0);
			ev_text(&ev, n++, EV_TERM, receiver);
			ev_num(&ev, n, looks & 1u << n ? text_words(env, &ev.look, argv[3]) : 0);
			if (looks >> (n + 1) & 7)
				add_token(&ev, n + 1, token);
			if (looks & 1u << (n + 4))
				ev_term(&ev, n + 4, argv[3]);
			ev_fire(&ev, list);
		}
		if (wants() & WANT(ES_REQUEST))
			request_sent(&ev, receiver, argv[3]);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}

ET_HOT ERL_NIF_TERM
tracer_trace_receive(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	(void)argc;
	if (!begin(&ev, env, argv[2]))
		return atom_ok;
	ev.tag = argv[0];
	if (enif_is_port(env, argv[2]))
		fire_port_receive(&ev, argv);
	else if (argv[3] != atom_timeout) {
		const struct sub *list = subs(ERLP_MESSAGE_QUEUED);
		if (list) {
			ev_text(&ev, 0, EV_TERM, argv[2]);
			ev_num(&ev, 1, words_if(&ev, list, 1, argv[3]));
			ev_num(&ev, 2, TEXT_UNKNOWN_SIZE);
			add_token(&ev, 3, 0); /* the VM does not tell the tracer */
			if (ev_looks(list) & 1u << 6)
				ev_term(&ev, 6, argv[3]);
			ev_fire(&ev, list);
		}
		if (wants() & WANT_SIGNAL)
			special_received(&ev, argv[3]);
		if (wants() & WANT(ES_REQUEST))
			request_answered(&ev, argv[3]);
	}
	fire_trace(&ev, argv);
	return end(&ev);
}
