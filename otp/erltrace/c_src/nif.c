/*
 * The NIF library: what Erlang can call. The agent (erltrace_agent.erl) is the
 * only caller but for the user probes.
 *
 * A script is a resource. Its owner is monitored: when the owner dies the
 * script stops at once, before anybody has cleaned up the trace flags; the
 * tracer then tells the VM to remove itself.
 *
 * Nothing here waits for a dirty scheduler, and nothing on a normal one waits for what takes long: that is
 * the worker's (worker.h), whose answers come as messages.
 */
#include "guard.h"
#include "bits.h"
#include "counted.h"
#include "iolist.h"
#include "level.h"
#include "merge.h"
#include "outside.h"
#include "script.h"
#include "sites.h"
#include "tracer.h"
#include "user_trace.h"
#include "wants.h"
#include "worker.h"

#include "engine/user/image.h"
#include "node/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct handle {
	struct opened s;
	ErlNifMutex *lock; /* the agent, the worker and the destructor */
	ErlNifMonitor monitor;
};

static ErlNifResourceType *handle_type;

static ERL_NIF_TERM
ok(ErlNifEnv *env)
{
	return enif_make_atom(env, "ok");
}

static ERL_NIF_TERM
ok_with(ErlNifEnv *env, ERL_NIF_TERM t)
{
	return enif_make_tuple2(env, ok(env), t);
}

static ERL_NIF_TERM
binary(ErlNifEnv *env, const void *bytes, size_t len)
{
	ERL_NIF_TERM t;
	unsigned char *p = enif_make_new_binary(env, len, &t);
	if (len)
		memcpy(p, bytes, len);
	return t;
}

static ERL_NIF_TERM
error(ErlNifEnv *env, const char *why)
{
	return enif_make_tuple2(env, enif_make_atom(env, "error"), binary(env, why, strlen(why)));
}

static ERL_NIF_TERM
result(ErlNifEnv *env, const char *why)
{
	return why ? error(env, why) : ok(env);
}

static struct handle *
get_handle(ErlNifEnv *env, ERL_NIF_TERM t)
{
	void *p;
	return enif_get_resource(env, t, handle_type, &p) ? p : NULL;
}

static void
handle_gone(ErlNifEnv *env, void *p)
{
	struct handle *h = p;
	(void)env;
	if (h->lock) {
		script_close_patiently(&h->s); /* mostly it is closed */
		enif_mutex_destroy(h->lock);
	}
}

static bool
close_and_release(void *p)
{
	struct handle *h = p;
	enif_mutex_lock(h->lock);
	bool is_closed = script_close(&h->s);
	enif_mutex_unlock(h->lock);
	if (is_closed)
		enif_release_resource(h);
	return is_closed;
}

/* Runs on a scheduler: from here on no clause runs. The rest takes longer. */
static void
owner_down(ErlNifEnv *env, void *p, ErlNifPid *pid, ErlNifMonitor *mon)
{
	struct handle *h = p;
	(void)env;
	(void)pid;
	(void)mon;
	script_halt(&h->s);
	enif_keep_resource(h);
	if (!worker_do(close_and_release, h))
		while (!close_and_release(h)) /* the module is gone, and the worker with it */
			nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* A field of the map NODE_CONF. */
static bool
get_field(ErlNifEnv *env, ERL_NIF_TERM map, const char *name, uint64_t least, uint64_t most, uint64_t *v)
{
	ERL_NIF_TERM t;
	ErlNifUInt64 n;
	if (!enif_get_map_value(env, map, enif_make_atom(env, name), &t) || !enif_get_uint64(env, t, &n) || n < least ||
	    n > most)
		return false;
	*v = n;
	return true;
}

static bool
get_conf(ErlNifEnv *env, ERL_NIF_TERM map, struct eng_conf *c)
{
	uint64_t v;
	*c = (struct eng_conf){0};
#define X(name, field, least, most) \
	if (!get_field(env, map, #name, least, most, &v)) \
		return false; \
	c->field = (__typeof__(c->field))v;
	NODE_CONF(X)
#undef X
	return true;
}

/* open(Object, Conf, Owner, Nonce) -> {ok, Handle} | {error, Text}
 * Nonce: 16 bytes, for memory that another process can read when this one has died (engine/user/image.h); or none. */
static ERL_NIF_TERM
do_open(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ErlNifBinary object, nonce;
	struct eng_conf conf;
	ErlNifPid owner;
	(void)argc;
	if (!enif_inspect_binary(env, argv[0], &object) || !get_conf(env, argv[1], &conf) ||
	    !enif_get_local_pid(env, argv[2], &owner) || !enif_inspect_binary(env, argv[3], &nonce))
		return 0;
	if ((conf.outlives = nonce.size == sizeof conf.nonce))
		memcpy(conf.nonce, nonce.data, sizeof conf.nonce);
	struct handle *h = enif_alloc_resource(handle_type, sizeof *h);
	if (!h)
		return error(env, "out of memory");
	memset(h, 0, sizeof *h);
	h->lock = enif_mutex_create("erltrace script");
	const char *why = h->lock ? script_open(&h->s, &the_hub, object.data, object.size, conf) : "out of memory";
	ERL_NIF_TERM t = why ? error(env, why) : ok_with(env, enif_make_resource(env, h));
	if (!why && enif_monitor_process(NULL, h, &owner, &h->monitor) != 0) {
		script_close_patiently(&h->s);
		t = error(env, "the owner is not alive");
	}
	enif_release_resource(h);
	return t;
}

/* memory(Handle) -> integer(): a descriptor of this process, by which another can map the engine's memory; -1 if
 * there is none */
static ERL_NIF_TERM
nif_memory(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	int fd = h->s.row ? image_fd(h->s.row->engine) : -1;
	enif_mutex_unlock(h->lock);
	return enif_make_int(env, fd);
}

/* places(Handle) -> map(): Places of node/protocol.h */
static ERL_NIF_TERM
nif_places(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	ERL_NIF_TERM places = site_places(env, h->s.row);
	enif_mutex_unlock(h->lock);
	return places;
}

/* Copies an io-list with a NUL. Returns false if it is not one or longer than a name may be. */
static bool
get_name(ErlNifEnv *env, ERL_NIF_TERM t, char *buf, size_t size)
{
	size_t len;
	struct look look;
	look_init(&look, ENG_TERMPARTS_LEAST, ENG_TERMBYTES_MOST); /* a name has few parts */
	return iolist_copy(env, &look, t, buf, size, &len);
}

/* bind(Handle, Id, {Provider, Module, Function, Name}, Clause) -> {ok, Index} | {error, Text} */
static ERL_NIF_TERM
nif_bind(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	const ERL_NIF_TERM *e;
	char text[4][1200];
	unsigned id, clause, index = 0;
	int n;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[1], &id) || !enif_get_tuple(env, argv[2], &n, &e) || n != 4 ||
	    !enif_get_uint(env, argv[3], &clause))
		return enif_make_badarg(env);
	for (int i = 0; i < 4; i++)
		if (!get_name(env, e[i], text[i], sizeof text[i]))
			return enif_make_badarg(env);
	const char *const names[4] = {text[0], text[1], text[2], text[3]};
	enif_mutex_lock(h->lock);
	const char *why = script_bind(&h->s, id, names, clause, &index);
	ERL_NIF_TERM t = why ? error(env, why) : ok_with(env, enif_make_uint(env, index));
	enif_mutex_unlock(h->lock);
	return t;
}

/* subscribe(Handle, Index, Name) or subscribe(Handle, Index, {Sort, M, F, A, Native}) */
static ERL_NIF_TERM
nif_subscribe(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	const ERL_NIF_TERM *e;
	char name[128];
	unsigned index, sort, arity, native;
	const char *why;
	int n;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[1], &index))
		return enif_make_badarg(env);
	if (get_name(env, argv[2], name, sizeof name)) {
		enif_mutex_lock(h->lock);
		why = script_subscribe(&h->s, index, name);
	} else if (enif_get_tuple(env, argv[2], &n, &e) && n == 5 && enif_get_uint(env, e[0], &sort) &&
		   sort < MFA_NSORTS && enif_is_atom(env, e[1]) && enif_is_atom(env, e[2]) &&
		   enif_get_uint(env, e[3], &arity) && arity < 256 && enif_get_uint(env, e[4], &native) &&
		   native <= MFA_NIF) {
		enif_mutex_lock(h->lock);
		why = script_subscribe_mfa(
		    &h->s, index, (enum mfa_sort)sort, env, e[1], e[2], arity, (enum mfa_native)native);
	} else
		return enif_make_badarg(env);
	ERL_NIF_TERM t = result(env, why);
	enif_mutex_unlock(h->lock);
	return t;
}

#define SIMPLE(function, bad, call) \
	static ERL_NIF_TERM function(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{ \
		struct handle *h = get_handle(env, argv[0]); \
		(void)argc; \
		if (!h) \
			return bad; \
		enif_mutex_lock(h->lock); \
		ERL_NIF_TERM t = result(env, call); \
		enif_mutex_unlock(h->lock); \
		return t; \
	}
SIMPLE(nif_start, enif_make_badarg(env), script_start(&h->s))
SIMPLE(do_go, 0, script_go(&h->s))
SIMPLE(do_timers, 0, script_timers(&h->s))

/* These do not wait for events that are under way, but are called again. */
#define PATIENT(function, call) \
	static ERL_NIF_TERM function(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{ \
		struct handle *h = get_handle(env, argv[0]); \
		(void)argc; \
		if (!h) \
			return 0; \
		enif_mutex_lock(h->lock); \
		bool is_done = call(&h->s); \
		enif_mutex_unlock(h->lock); \
		return is_done ? ok(env) : WORKER_AGAIN; \
	}
PATIENT(do_stop, script_stop)
PATIENT(do_close, script_close)

/* halt(Handle): no event fires any more, whatever else is going on. It never waits. */
static ERL_NIF_TERM
nif_halt(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	script_halt(&h->s);
	return ok(env);
}

/* fire(Handle, Index) */
static ERL_NIF_TERM
do_fire(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	unsigned index;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[1], &index))
		return 0;
	enif_mutex_lock(h->lock);
	script_fire(&h->s, index);
	enif_mutex_unlock(h->lock);
	return ok(env);
}

static ERL_NIF_TERM
take(ErlNifEnv *env, ERL_NIF_TERM t, void (*fn)(struct opened *s, struct sbuf *out))
{
	struct handle *h = get_handle(env, t);
	struct sbuf out = {0};
	if (!h)
		return 0;
	enif_mutex_lock(h->lock);
	fn(&h->s, &out);
	enif_mutex_unlock(h->lock);
	ERL_NIF_TERM bytes = out.failed ? error(env, "out of memory") : binary(env, out.at, out.len);
	sb_free(&out);
	return bytes;
}

/* drain(Handle) -> Bytes, snap(Handle) -> Bytes: node/wire.h */
static ERL_NIF_TERM
do_drain(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	return take(env, argv[0], script_drain);
}

static ERL_NIF_TERM
do_snap(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	return take(env, argv[0], script_snap);
}

/* merge(Handle, [Bytes]) -> Bytes: snapshots of this script, of several nodes, as one */
static ERL_NIF_TERM
do_merge(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	struct sbuf out = {0};
	(void)argc;
	if (!h)
		return 0;
	enif_mutex_lock(h->lock);
	bool ok = merge_snapshots(env, &h->s, argv[1], &out);
	enif_mutex_unlock(h->lock);
	ERL_NIF_TERM bytes = ok ? binary(env, out.at, out.len) : error(env, "these snapshots cannot be merged");
	sb_free(&out);
	return bytes;
}

/* fold(Handle, [{Index, MFA, Calls}], Ticket): so many calls were counted. Ticket: of the tick that waits for it; 0 if
 * none does */
static ERL_NIF_TERM
do_fold(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	ERL_NIF_TERM list = argv[1], head;
	const ERL_NIF_TERM *e;
	ErlNifUInt64 calls;
	unsigned index, ticket;
	int n;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[2], &ticket))
		return 0;
	enif_mutex_lock(h->lock);
	while (enif_get_list_cell(env, list, &head, &list))
		if (enif_get_tuple(env, head, &n, &e) && n == 3 && enif_get_uint(env, e[0], &index) &&
		    enif_get_uint64(env, e[2], &calls))
			counted_fold(&h->s, index, env, e[1], calls);
	if (ticket)
		counted_folded(&h->s, ticket);
	enif_mutex_unlock(h->lock);
	return ok(env);
}

/* What the worker does: each of these returns a reference, and the result comes in a message with it. */
#define WORKER(X) \
	X(open, 4) X(go, 1) X(timers, 1) X(fire, 2) X(stop, 1) X(close, 1) X(drain, 1) X(snap, 1) X(merge, 2) X(fold, 3)
#define X(name, n) \
	static ERL_NIF_TERM ask_##name(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{ \
		return worker_ask(env, do_##name, argc, argv); \
	}
WORKER(X)
#undef X

static ERL_NIF_TERM
flag(ErlNifEnv *env, bool is)
{
	return enif_make_atom(env, is ? "true" : "false");
}

static ERL_NIF_TERM
number(ErlNifEnv *env, int n)
{
	return enif_make_int(env, n);
}

static ERL_NIF_TERM
count(ErlNifEnv *env, uint64_t n)
{
	return enif_make_uint64(env, n);
}

static void
put(ErlNifEnv *env, ERL_NIF_TERM *map, const char *name, ERL_NIF_TERM value)
{
	enif_make_map_put(env, *map, enif_make_atom(env, name), value, map);
}

static ERL_NIF_TERM
drops_of(ErlNifEnv *env, const struct eng_status *st)
{
	ERL_NIF_TERM map = enif_make_new_map(env);
#define X(id, text) \
	if (st->drops[ENG_DROP_##id]) \
		put(env, &map, #id, count(env, st->drops[ENG_DROP_##id]));
	ENG_DROPS(X)
#undef X
	return map;
}

/* status(Handle) -> Status | closed; see node/protocol.h. Takes no lock that a callback holds: an event may take its
 * time. */
static ERL_NIF_TERM
nif_status(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	struct eng_status st = {0};
	char ended[1024] = "";
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	const struct script *row = h->s.row;
	if (row) {
		engine_user.status(row->engine, &st);
		st.spent = 0;
		for (unsigned i = 0; i < the_hub.nshards + METER_OTHERS && row->meters; i++)
			st.spent += atomic_load_explicit(&row->meters[i].total, memory_order_relaxed);
		st.drops[ENG_DROP_TERM] += atomic_load_explicit(&row->terms, memory_order_relaxed);
		if (atomic_load_explicit(&row->over, memory_order_acquire))
			snprintf(ended, sizeof ended, "%s", row->why.text);
		else if (st.ended)
			snprintf(ended, sizeof ended, "%s", st.ended);
	}
	enif_mutex_unlock(h->lock);
	if (!row)
		return enif_make_atom(env, "closed");
	ERL_NIF_TERM map = enif_make_new_map(env);
#define X(name, kind) put(env, &map, #name, kind(env, st.name));
	NODE_STATUS(X)
#undef X
	put(env, &map, "drops", drops_of(env, &st));
	put(env, &map, "ended", binary(env, ended, strlen(ended)));
	return map;
}

/* epids(Handle) -> [Epid]; see node/protocol.h */
static ERL_NIF_TERM
nif_epids(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	ERL_NIF_TERM list = enif_make_list(env, 0);
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	const struct eng_epid *e;
	for (uint32_t i = 1; h->s.row && (e = engine_user.epid(h->s.row->engine, i)); i++) {
		ERL_NIF_TERM map = enif_make_new_map(env);
		put(env, &map, "epid", count(env, i));
		put(env, &map, "probe", count(env, e->probe));
		put(env, &map, "clause", count(env, e->clause));
		put(env, &map, "group", count(env, e->group));
		list = enif_make_list_cell(env, map, list);
	}
	enif_mutex_unlock(h->lock);
	return list;
}

/* fired(Handle) -> a byte for each probe, by its index: 1 when it has fired */
static ERL_NIF_TERM
nif_fired(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	ERL_NIF_TERM bytes;
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	unsigned n = h->s.row ? h->s.nlooks : 0;
	unsigned char *at = enif_make_new_binary(env, n, &bytes);
	for (unsigned i = 0; i < n; i++)
		at[i] = engine_user.fired(h->s.row->engine, i);
	enif_mutex_unlock(h->lock);
	return bytes;
}

/* probe(Name) -> #{self, functions, caller} | undefined: what the agent must know of an erlang probe, see struct
 * erl_needs */
static ERL_NIF_TERM
nif_probe(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	static const char *const functions[] = {
	    [EF_NONE] = "none", [EF_ALL] = "all", [EF_BIFS] = "bifs", [EF_NIFS] = "nifs"};
	char name[128];
	(void)argc;
	if (!get_name(env, argv[0], name, sizeof name))
		return enif_make_badarg(env);
	const struct erl_row *r = erl_row_named(name);
	if (!r)
		return enif_make_atom(env, "undefined");
	ERL_NIF_TERM map = enif_make_new_map(env);
	put(env, &map, "self", flag(env, r->needs.self));
	put(env, &map, "functions", enif_make_atom(env, functions[r->needs.functions]));
	ERL_NIF_TERM want = enif_make_atom(env, r->needs.source == ES_RETURN ? "level" : "caller");
	put(env, &map, "caller", r->needs.caller ? enif_make_list1(env, want) : enif_make_list(env, 0));
	return map;
}

/* wants(Handle) -> [atom() | {frames, N}]: see wants_list */
static ERL_NIF_TERM
nif_wants(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	(void)argc;
	if (!h)
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	ERL_NIF_TERM list = wants_list(env, h->s.row);
	enif_mutex_unlock(h->lock);
	return list;
}

/* looks(Handle, Index) -> integer(): bit n is set when a clause of the probe, a function by name, looks at its term n
 */
static ERL_NIF_TERM
nif_looks(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	unsigned index;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[1], &index))
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	unsigned looks = h->s.row && h->s.row->way == RUN_EVENTS ? 0 : script_looks(&h->s, index) >> DIF_TERM_ARGS;
	enif_mutex_unlock(h->lock);
	return enif_make_uint(env, looks);
}

/* may_count(Handle, Index) -> true | acts | Why: see counted_may */
static ERL_NIF_TERM
nif_may_count(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	unsigned index;
	(void)argc;
	if (!h || !enif_get_uint(env, argv[1], &index))
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	const char *why = counted_acts(&h->s, index) ? NULL : h->s.uncounted;
	ERL_NIF_TERM may = why                         ? binary(env, why, strlen(why))
			   : counted_may(&h->s, index) ? flag(env, true)
						       : enif_make_atom(env, "acts");
	enif_mutex_unlock(h->lock);
	return may;
}

/* count(Handle, Agent): see counted_begin */
static ERL_NIF_TERM
nif_count(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct handle *h = get_handle(env, argv[0]);
	ErlNifPid agent;
	(void)argc;
	if (!h || !enif_get_local_pid(env, argv[1], &agent))
		return enif_make_badarg(env);
	enif_mutex_lock(h->lock);
	const char *why = counted_begin(&h->s, agent);
	enif_mutex_unlock(h->lock);
	return result(env, why);
}

/* remember(Term): kept until the library goes, whoever dies; recall() -> the last one, or undefined */
static ERL_NIF_TERM
nif_remember(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	enif_mutex_lock(the_hub.manage);
	if (!the_hub.memory)
		the_hub.memory = enif_alloc_env();
	if (the_hub.memory) {
		enif_clear_env(the_hub.memory);
		the_hub.memo = enif_make_copy(the_hub.memory, argv[0]);
	}
	enif_mutex_unlock(the_hub.manage);
	return ok(env);
}

static ERL_NIF_TERM
nif_recall(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	(void)argv;
	enif_mutex_lock(the_hub.manage);
	ERL_NIF_TERM t = the_hub.memory ? enif_make_copy(env, the_hub.memo) : enif_make_atom(env, "undefined");
	enif_mutex_unlock(the_hub.manage);
	return t;
}

/* own([Pid]): the processes of erltrace itself */
static ERL_NIF_TERM
nif_own(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ERL_NIF_TERM list = argv[0], head;
	ErlNifPid pid;
	ErlNifPort port;
	unsigned n = 0;
	(void)argc;
	enif_mutex_lock(the_hub.manage);
	/* A reader may see old and new ones meanwhile, and then needs the bits of both. Only words can be kept. */
	uint64_t bits = 0;
	while (n < HUB_OWN && enif_get_list_cell(env, list, &head, &list))
		if (enif_get_local_pid(env, head, &pid) || enif_get_local_port(env, head, &port)) {
			bits |= hub_own_bit(head);
			atomic_fetch_or(&the_hub.own_bits, bits);
			atomic_store_explicit(&the_hub.own[n++], head, memory_order_relaxed);
		}
	atomic_store_explicit(&the_hub.nown, n, memory_order_release);
	atomic_store_explicit(&the_hub.own_bits, bits, memory_order_release);
	enif_mutex_unlock(the_hub.manage);
	return ok(env);
}

/* state() -> {Scripts, Running, Processes, Frames, Lost}: what is kept now, for tests and status */
static ERL_NIF_TERM
nif_state(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct procs_stats st = {0};
	unsigned used = 0, running = 0;
	(void)argc;
	(void)argv;
	enif_mutex_lock(the_hub.manage);
	for (unsigned i = 0; i < HUB_SCRIPTS; i++) {
		used += the_hub.scripts[i].used;
		running += the_hub.scripts[i].running;
	}
	if (the_hub.procs)
		procs_stats(the_hub.procs, &st);
	enif_mutex_unlock(the_hub.manage);
	return enif_make_tuple5(env, enif_make_uint(env, used), enif_make_uint(env, running),
	    enif_make_uint(env, st.processes), enif_make_uint(env, st.frames), enif_make_uint64(env, st.lost));
}

/* node(Name): the node's name, for the built-in variable */
static ERL_NIF_TERM
nif_node(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	char name[256];
	if (!get_name(env, argv[0], name, sizeof name))
		return enif_make_badarg(env);
	enif_mutex_lock(the_hub.manage);
	bool is_set = hub_set_node(&the_hub, name);
	enif_mutex_unlock(the_hub.manage);
	return is_set ? ok(env) : error(env, "out of memory");
}

/* Copies of the module that use the library: the current code and the old one. */
static unsigned ninstances;

static bool
open_types(ErlNifEnv *env)
{
	static const ErlNifResourceTypeInit init = {.dtor = handle_gone, .down = owner_down};
	handle_type =
	    enif_open_resource_type_x(env, "erltrace_script", &init, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
	return handle_type && guard_load(env);
}

/* Scripts of a previous copy may still be there: then this one takes over, with all that is remembered. */
static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
	unsigned threads;
	(void)priv;
	if (!open_types(env) || !enif_get_uint(env, info, &threads))
		return -1;
	if (!ninstances && !script_load(&the_hub, threads))
		return -1;
	if (!ninstances++)
		worker_load();
	bits_load(env);
	tracer_load(env);
	user_trace_load(env);
	return 0;
}

/* The module was loaded again while it is in use. */
static int
upgrade(ErlNifEnv *env, void **priv, void **old, ERL_NIF_TERM info)
{
	(void)old;
	return load(env, priv, info);
}

static void
unload(ErlNifEnv *env, void *priv)
{
	(void)env;
	(void)priv;
	if (--ninstances)
		return;
	worker_unload();
	script_unload(&the_hub);
}

static ErlNifFunc functions[] = {
    {"enabled", 3, tracer_enabled, 0},
    {"enabled_running_ports", 3, tracer_enabled_running_ports, 0},
    {"enabled_send", 3, tracer_enabled_send, 0},
    {"trace", 5, tracer_trace, 0},
#define X(g) {"enabled_" #g, 3, tracer_enabled_##g, 0}, {"trace_" #g, 5, tracer_trace_##g, 0},
    TRACER_GROUPS(X)
#undef X
#define X(name, n) {"ask_" #name, n, ask_##name, 0},
	WORKER(X)
#undef X
	    {"halt", 1, nif_halt, 0},
    {"guard", 2, guard_set, 0},
    {"memory", 1, nif_memory, 0},
    {"places", 1, nif_places, 0},
    {"raised", 0, sites_raised, 0},
    {"sites", 1, sites_set, 0},
    {"bind", 4, nif_bind, 0},
    {"subscribe", 3, nif_subscribe, 0},
    {"start", 1, nif_start, 0},
    {"status", 1, nif_status, 0},
    {"epids", 1, nif_epids, 0},
    {"fired", 1, nif_fired, 0},
    {"wants", 1, nif_wants, 0},
    {"looks", 2, nif_looks, 0},
    {"may_count", 2, nif_may_count, 0},
    {"count", 2, nif_count, 0},
    {"probe", 1, nif_probe, 0},
    {"own", 1, nif_own, 0},
    {"loader", 1, chosen_loader, 0},
    {"chosen", 2, chosen_nif, 0},
    {"strays", 0, chosen_strays, 0},
    {"remember", 1, nif_remember, 0},
    {"recall", 0, nif_recall, 0},
    {"state", 0, nif_state, 0},
    {"node", 1, nif_node, 0},
    {"event", 3, outside_event, 0},
    {"level", 1, level_nif, 0},
    {"waits", 3, outside_waits, 0},
    {"ports", 1, outside_ports, 0},
    {"symbol", 1, outside_symbol, 0},
    {"natives", 1, outside_natives, 0},
    {"sampler", 1, sample_reader, 0},
    {"sampled", 7, sample_read, 0},
    {"user_trace_s1", 1, user_trace_s1, 0},
    {"user_trace_i4s4", 9, user_trace_i4s4, 0},
    {"user_trace_n", 10, user_trace_n, 0},
};

/* The interface of OTP 24 is enough, whatever the header file's is: the VM refuses libraries for a newer one. */
#undef ERL_NIF_MINOR_VERSION
#define ERL_NIF_MINOR_VERSION 16

ERL_NIF_INIT(erltrace_tracer, functions, load, NULL, upgrade, unload)
