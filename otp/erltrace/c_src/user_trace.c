/*
 * User probes. The caller passes its tag, four integers and four io-lists;
 * wrong types are the caller's error and give `error`, as dyntrace does.
 * Disabled, a call is one load and a comparison.
 */
#include "user_trace.h"

#include "event.h"

#include <string.h>

static ERL_NIF_TERM
answer(ErlNifEnv *env, const char *atom)
{
	return enif_make_atom(env, atom);
}

/* An io-list as text in the shard's room; false: it is none. */
static bool
add_iolist(struct event *ev, unsigned n, ERL_NIF_TERM t)
{
	ErlNifBinary b;
	size_t room = HUB_TEXT - ev->shard->text_used;
	if (!enif_inspect_iolist_as_binary(ev->env, t, &b))
		return false;
	if (room > HUB_ARGTEXT)
		room = HUB_ARGTEXT;
	size_t len = b.size < room ? b.size : room - 1;
	char *at = ev->shard->text + ev->shard->text_used;
	memcpy(at, b.data, len);
	at[len] = '\0';
	ev->shard->text_used += len + 1;
	ev_static(ev, n, at, len);
	return true;
}

static bool
begin(struct event *ev, ErlNifEnv *env, ErlNifPid *self)
{
	unsigned index;
	struct shard *s = hub_enter(&the_hub, &index);
	if (!the_hub.nrunning) {
		hub_leave(s);
		return false;
	}
	ev_init(ev, &the_hub, s, index, env, enif_self(env, self) ? self->pid : 0);
	return true;
}

ERL_NIF_TERM
user_trace_s1(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	(void)argc;
	if (!atomic_load_explicit(&the_hub.user_on, memory_order_acquire) || !begin(&ev, env, &self))
		return answer(env, "false");
	const struct sub *list = the_hub.subs[ERLP_USER_TRACE_S1];
	const char *result = list ? "true" : "false";
	if (list && !add_iolist(&ev, 0, argv[0]))
		result = "error";
	else
		ev_fire(&ev, list);
	hub_leave(ev.shard);
	return answer(env, result);
}

/* proc, tag, i1 … i4, s1 … s4. argv[0] is the tag; argv[1 … 4] integers; argv[5 … 8] strings. */
static const char *
fire(struct event *ev, const struct sub *list, const ERL_NIF_TERM argv[])
{
	if (!list)
		return "false";
	ev_text(ev, 0, EV_TERM, ev->tracee);
	if (!add_iolist(ev, 1, argv[0]))
		ev_static(ev, 1, "", 0);
	for (unsigned i = 0; i < 4; i++) {
		ErlNifSInt64 v;
		if (!enif_get_int64(ev->env, argv[1 + i], &v) || !add_iolist(ev, 6 + i, argv[5 + i]))
			return "error";
		ev_num(ev, 2 + i, (uint64_t)v);
	}
	ev_fire(ev, list);
	return "true";
}

ERL_NIF_TERM
user_trace_i4s4(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	(void)argc;
	if (!atomic_load_explicit(&the_hub.user_on, memory_order_acquire) || !begin(&ev, env, &self))
		return answer(env, "false");
	const char *result = fire(&ev, the_hub.subs[ERLP_USER_TRACE_I4S4], argv);
	hub_leave(ev.shard);
	return answer(env, result);
}

ERL_NIF_TERM
user_trace_n(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct event ev;
	ErlNifPid self;
	unsigned n;
	(void)argc;
	if (!enif_get_uint(env, argv[0], &n) || n >= ERL_USER_TRACES)
		return answer(env, "error");
	if (!atomic_load_explicit(&the_hub.user_on, memory_order_acquire) || !begin(&ev, env, &self))
		return answer(env, "false");
	const char *result = fire(&ev, the_hub.user[n], argv + 1);
	hub_leave(ev.shard);
	return answer(env, result);
}
