/*
 * Events that reach the hub's process as messages: from nodes, the system monitor and the code server. The hub's
 * process calls these to run the clauses.
 */
#include "outside.h"

#include "event.h"
#include "tracer.h"

#include <string.h>

/* about: the process that the event is about, or undefined, or 0. */
static bool
begin(struct event *ev, ErlNifEnv *env, ERL_NIF_TERM about)
{
	unsigned index;
	ErlNifPid pid;
	struct hub_shard *s = hub_enter(&the_hub, &index);
	if (!the_hub.nrunning) {
		hub_leave(s);
		return false;
	}
	ev_init(ev, &the_hub, s, index, env, about && enif_get_local_pid(env, about, &pid) ? about : 0);
	return true;
}

/* Binaries are text as they are, integers are numbers; everything else is shown as in Erlang. */
static void
add_argument(struct event *ev, unsigned n, ERL_NIF_TERM t)
{
	ErlNifSInt64 v;
	ErlNifBinary b;
	if (enif_get_int64(ev->env, t, &v))
		ev_num(ev, n, (uint64_t)v);
	else if (!enif_inspect_binary(ev->env, t, &b))
		ev_text(ev, n, EV_TERM, t);
	else {
		size_t room = HUB_TEXT - ev->shard->text_used;
		size_t len = b.size < 256 ? b.size : 255;
		if (room < 256)
			len = 0;
		char *at = ev->shard->text + ev->shard->text_used;
		memcpy(at, b.data, len);
		at[len] = '\0';
		ev->shard->text_used += len + 1;
		ev_static(ev, n, at, len);
	}
}

static int
probe_of(ErlNifEnv *env, ERL_NIF_TERM name)
{
	ErlNifBinary b;
	if (!enif_inspect_binary(env, name, &b))
		return -1;
	for (unsigned i = 0; i < ERL_NROWS; i++)
		if (strlen(erl_rows[i].name) == b.size && memcmp(erl_rows[i].name, b.data, b.size) == 0)
			return (int)i;
	return -1;
}

ERL_NIF_TERM
outside_event(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	int probe = probe_of(env, argv[0]);
	ERL_NIF_TERM list = argv[2], head;
	(void)argc;
	if (probe < 0 || !enif_is_list(env, list))
		return enif_make_badarg(env);
	if (begin(&ev, env, argv[1])) {
		for (unsigned n = 0; n < 10 && enif_get_list_cell(env, list, &head, &list); n++)
			add_argument(&ev, n, head);
		ev_fire(&ev, the_hub.subs[probe]);
		ev_end(&ev);
	}
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
outside_waits(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid pid;
	ErlNifPort port;
	char text[8];
	(void)argc;
	if (!enif_get_local_pid(env, argv[0], &pid) || !enif_get_local_port(env, argv[1], &port) ||
	    !enif_is_atom(env, argv[2]))
		return enif_make_badarg(env);
	bool none = enif_get_atom(env, argv[2], text, sizeof text, ERL_NIF_LATIN1) > 0 && strcmp(text, "none") == 0;
	if (begin(&ev, env, argv[0])) {
		ports_wait(the_hub.ports, (struct port_wait){argv[0], argv[1], none ? 0 : argv[2]});
		ev_end(&ev);
	}
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
outside_ports(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM list = argv[0], head;
	(void)argc;
	if (begin(&ev, env, 0)) {
		while (enif_get_list_cell(env, list, &head, &list)) {
			const ERL_NIF_TERM *e;
			ErlNifPort port;
			ErlNifPid owner;
			char name[PORT_NAME] = "";
			int n;
			if (!enif_get_tuple(env, head, &n, &e) || n != 3 || !enif_get_local_port(env, e[0], &port))
				continue;
			enif_get_string(env, e[2], name, sizeof name, ERL_NIF_LATIN1);
			ports_add(the_hub.ports, e[0], enif_get_local_pid(env, e[1], &owner) ? e[1] : 0, name);
		}
		ev_end(&ev);
	}
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
outside_natives(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ERL_NIF_TERM list = argv[0], head;
	(void)argc;
	if (begin(&ev, env, 0)) {
		while (enif_get_list_cell(env, list, &head, &list)) {
			const ERL_NIF_TERM *e;
			unsigned arity, native;
			int n;
			if (!enif_get_tuple(env, head, &n, &e) || n != 4 || !enif_get_uint(env, e[2], &arity) ||
			    !enif_get_uint(env, e[3], &native) || native > MFA_NIF)
				continue;
			struct mfa *m = mfa_get(the_hub.mfas, env, e[0], e[1], arity);
			if (m)
				m->is_native = (uint8_t)native;
		}
		ev_end(&ev);
	}
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
outside_symbol(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	unsigned index;
	ERL_NIF_TERM text = enif_make_atom(env, "undefined");
	(void)argc;
	if (!enif_get_uint(env, argv[0], &index))
		return enif_make_badarg(env);
	enif_mutex_lock(the_hub.manage);
	const struct mfa *m =
	    the_hub.mfas && index < mfas_count(the_hub.mfas) && index ? mfa_at(the_hub.mfas, index) : NULL;
	if (m)
		memcpy(enif_make_new_binary(env, m->len, &text), m->text, m->len);
	enif_mutex_unlock(the_hub.manage);
	return text;
}
