/*
 * User probes, by dyntrace's rules: a tag, four integers and four io-lists. A value of the wrong type arrives as 0 or
 * NULL, and so does text longer than 1024 bytes. If the probe is disabled, a call is one load and a comparison.
 */
#include "user_trace.h"

#include "event.h"
#include "iolist.h"

static ERL_NIF_TERM atom_true, atom_false, atom_badarg;

void
user_trace_load(ErlNifEnv *env)
{
	atom_true = enif_make_atom(env, "true");
	atom_false = enif_make_atom(env, "false");
	atom_badarg = enif_make_atom(env, "badarg");
}

enum { MESSAGE = 1024 };

/* Adds an io-list as text in the shard's room. Returns false if it is not one or too long. */
static bool
add_iolist(struct event *ev, unsigned n, ERL_NIF_TERM t)
{
	size_t room, len;
	char *at = ev_room(ev, &room);
	if (room <= MESSAGE || !iolist_copy(ev->env, &ev->look, t, at, MESSAGE + 1, &len))
		return false;
	ev_use_room(ev, len + 1);
	ev_static(ev, n, at, len);
	return true;
}

static void
add_text(struct event *ev, unsigned n, ERL_NIF_TERM t)
{
	if (!add_iolist(ev, n, t))
		ev_num(ev, n, 0);
}

static bool
begin(struct event *ev, ErlNifEnv *env, ErlNifPid *self)
{
	unsigned index;
	struct hub_shard *s = hub_enter(&the_hub, &index);
	if (!the_hub.nrunning) {
		hub_leave(s);
		return false;
	}
	ev_init(ev, &the_hub, s, index, env, enif_self(env, self) ? self->pid : 0);
	return true;
}

static ERL_NIF_TERM
fire_s1(struct event *ev, const struct sub *list, ERL_NIF_TERM message)
{
	if (!list)
		return atom_false;
	if (!add_iolist(ev, 0, message))
		return atom_badarg;
	ev_fire(ev, list);
	return atom_true;
}

/* proc, tag, i1 … i4, s1 … s4. argv[0 … 3] are integers; argv[4 … 7] strings. */
static ERL_NIF_TERM
fire(struct event *ev, const struct sub *list, const ERL_NIF_TERM argv[], ERL_NIF_TERM tag)
{
	if (!list)
		return atom_false;
	if (ev->tracee)
		ev_text(ev, 0, EV_TERM, ev->tracee);
	else
		ev_static(ev, 0, "", 0);
	add_text(ev, 1, tag);
	for (unsigned i = 0; i < 4; i++) {
		ErlNifSInt64 v;
		ev_num(ev, 2 + i, enif_get_int64(ev->env, argv[i], &v) ? (uint64_t)v : 0);
		add_text(ev, 6 + i, argv[4 + i]);
	}
	ev_fire(ev, list);
	return atom_true;
}

static bool
is_off(void)
{
	return !atomic_load_explicit(&the_hub.user_on, memory_order_acquire);
}

ERL_NIF_TERM
user_trace_s1(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	(void)argc;
	if (is_off() || !begin(&ev, env, &self))
		return atom_false;
	ERL_NIF_TERM result = fire_s1(&ev, the_hub.subs[ERLP_USER_TRACE_S1], argv[0]);
	ev_end(&ev);
	return result;
}

ERL_NIF_TERM
user_trace_i4s4(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	(void)argc;
	if (is_off() || !begin(&ev, env, &self))
		return atom_false;
	ERL_NIF_TERM result = fire(&ev, the_hub.subs[ERLP_USER_TRACE_I4S4], argv, argv[8]);
	ev_end(&ev);
	return result;
}

ERL_NIF_TERM
user_trace_n(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	unsigned n;
	(void)argc;
	if (!enif_get_uint(env, argv[0], &n) || n >= ERL_USER_TRACES)
		return atom_badarg;
	if (is_off() || !begin(&ev, env, &self))
		return atom_false;
	ERL_NIF_TERM result = fire(&ev, the_hub.user[n], argv + 1, argv[9]);
	ev_end(&ev);
	return result;
}

void
user_trace_called(struct event *ev, ERL_NIF_TERM args)
{
	ERL_NIF_TERM argv[10];
	unsigned n = 0, label;
	while (n < 10 && enif_get_list_cell(ev->env, args, &argv[n], &args))
		n++;
	ev_again(ev);
	if (n == 1)
		fire_s1(ev, the_hub.subs[ERLP_USER_TRACE_S1], argv[0]);
	else if (n == 9)
		fire(ev, the_hub.subs[ERLP_USER_TRACE_I4S4], argv + 1, argv[0]);
	else if (n == 10 && enif_get_uint(ev->env, argv[0], &label) && label < ERL_USER_TRACES)
		fire(ev, the_hub.user[label], argv + 2, argv[1]);
}
