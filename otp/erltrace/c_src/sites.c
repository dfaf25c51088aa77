/* See sites.h. */
#include "sites.h"
#include "script.h"
#include "seen.h"
#include "tracer.h"
#include "wants.h"

#include <stdlib.h>
#include <string.h>

/* -- events -------------------------------------------------------------------------------------------------------- */

static uint64_t
text_at(struct event *ev, unsigned n)
{
	const void *mem;
	size_t len;
	struct eng_same same;
	return ev_arg_text(ev, n, &mem, &len, &same) ? 0 : (uint64_t)(uintptr_t)mem;
}

/* The arguments that somebody looks at: numbers, and addresses of text. */
static ET_HOT void
gather(struct event *ev, unsigned looks, uint64_t args[NODE_EVENT_ARGS])
{
	for (unsigned i = 0; i < NODE_EVENT_ARGS; i++) {
		args[i] = 0;
		if (!(ev->has & looks & 1u << i))
			continue;
		args[i] = ev->arg[i].how == EV_NUMBER ? ev->f.args[i] : text_at(ev, i);
	}
}

static uint64_t
process_at(struct event *ev)
{
	const void *mem;
	size_t len;
	return ev_process_text(ev, &mem, &len) ? 0 : (uint64_t)(uintptr_t)mem;
}

ET_HOT void
site_fire(struct event *ev, const struct script *s, const struct sub *sub)
{
	struct node_event e;
	if (s->way == RUN_SITES) {
		gather(ev, sub->args, e.args);
		et_sites[sub->probe].fire(e.args);
		return;
	}
	e.key = s->key;
	e.probe = sub->probe + 1;
	e.process = ev->tracee;
	e.eproc = ev->tracee ? process_at(ev) : 0;
	e.mfa = (uint64_t)(uintptr_t)ev_function(ev);
	if (sub->args & SUB_FUNCTION) {
		memset(e.args, 0, sizeof e.args);
		e.args[0] = e.eproc;
		e.args[1] = ev->mfa ? (uint64_t)(uintptr_t)mfa_at(ev->hub->mfas, ev->mfa)->text : 0;
		e.args[2] = ev->depth;
	} else
		gather(ev, sub->args, e.args);
	et_events[s->index](&e);
}

void
site_forget(const struct script *s, ERL_NIF_TERM process)
{
	if (!(s->wants & WANT_EXIT))
		return;
	struct node_event e = {.key = s->key, .probe = NODE_FORGET, .process = process};
	et_events[s->index](&e);
}

static ERL_NIF_TERM
with_address(ErlNifEnv *env, ERL_NIF_TERM map, const char *name, const volatile void *at)
{
	ERL_NIF_TERM grown;
	return enif_make_map_put(
		   env, map, enif_make_atom(env, name), enif_make_uint64(env, (ErlNifUInt64)(uintptr_t)at), &grown)
		   ? grown
		   : map;
}

ERL_NIF_TERM
site_places(ErlNifEnv *env, const struct script *s)
{
	ERL_NIF_TERM map = enif_make_new_map(env);
	if (!s || s->way != RUN_EVENTS)
		return map;
	map = with_address(env, map, "site", (const void *)(uintptr_t)et_events[s->index]);
	map = with_address(env, map, "key", &s->key);
	map = with_address(env, map, "threads", thread_rows);
	enif_mutex_lock(s->hub->manage);
	int fd = seen_offer(s);
	enif_mutex_unlock(s->hub->manage);
	map = with_address(env, map, "socket", (const void *)(uintptr_t)(unsigned)(fd + 1));
	return with_address(env, map, "name", s->hub->node);
}

/* -- USDT ---------------------------------------------------------------------------------------------------------- */

static ERL_NIF_TERM
name_of(ErlNifEnv *env, unsigned row)
{
	ERL_NIF_TERM t;
	size_t n = strlen(erl_rows[row].name);
	memcpy(enif_make_new_binary(env, n, &t), erl_rows[row].name, n);
	return t;
}

ERL_NIF_TERM
sites_raised(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ERL_NIF_TERM list = enif_make_list(env, 0);
	(void)argc;
	(void)argv;
	for (unsigned i = ERL_NROWS; i--;)
		if (et_sites[i].semaphore && *et_sites[i].semaphore)
			list = enif_make_list_cell(env, name_of(env, i), list);
	bool over = atomic_load_explicit(&the_hub.scripts[HUB_SCRIPTS].over, memory_order_relaxed) != 0;
	return enif_make_tuple2(env, list, enif_make_atom(env, over ? "true" : "false"));
}

/* The arguments that a site has. The depth of calls would need all returns too, so nobody gets it here. */
static unsigned
arguments_of(unsigned row)
{
	unsigned n = 0, left_out = 0;
	for (const char *at = erl_rows[row].types; *at; n++, at += strcspn(at, ","), at += *at == ',')
		if (strncmp(at, "term", 4) == 0)
			left_out |= 1u << n;
	if (erl_rows[row].needs.functions != EF_NONE)
		left_out |= 1u << 2;
	return ((1u << n) - 1) & ~left_out;
}

static bool
add_site(struct hub *h, struct script *row, unsigned probe)
{
	unsigned args = arguments_of(probe);
	const struct erl_needs *n = &erl_rows[probe].needs;
	if (!sub_add(&h->subs[probe], HUB_SCRIPTS, probe, args | SUB_WHOLE))
		return false;
	row->probes[probe] = true;
	row->wants |= script_wants(row, n->source) | (!n->looks || n->looks & args ? n->wants : 0);
	return true;
}

/* Nothing of it is left. */
static void
remove_sites(struct hub *h, struct script *row)
{
	struct sub *removed = NULL;
	for (unsigned i = 0; i < ERL_NROWS; i++)
		sub_remove(&h->subs[i], HUB_SCRIPTS, &removed);
	sub_free_removed(&removed);
	free(row->meters);
	memset(row, 0, sizeof *row);
}

static bool
begin_sites(struct hub *h, struct script *row)
{
	size_t size = (h->nshards + METER_OTHERS) * sizeof *row->meters;
	*row = (struct script){.index = HUB_SCRIPTS, .way = RUN_SITES, .maxoverhead = 25, .hub = h};
	row->termparts = ENG_TERMPARTS_MOST / 16;
	row->termbytes = ENG_TERMBYTES_MOST / 16;
	row->meters = aligned_alloc(_Alignof(struct meter), size);
	if (!row->meters || !hub_tables(h))
		return false;
	memset(row->meters, 0, size);
	row->used = true;
	return true;
}

/* With hub.manage held, and quiet. A set that is not empty replaces the one before it. */
static bool
change_sites(struct hub *h, ErlNifEnv *env, ERL_NIF_TERM names)
{
	struct script *row = &h->scripts[HUB_SCRIPTS];
	ERL_NIF_TERM name;
	ErlNifBinary b;
	remove_sites(h, row);
	bool ok = enif_is_empty_list(env, names) || begin_sites(h, row);
	while (ok && enif_get_list_cell(env, names, &name, &names)) {
		ok = enif_inspect_binary(env, name, &b);
		for (unsigned i = 0; ok && i < ERL_NROWS; i++)
			if (et_sites[i].fire && strlen(erl_rows[i].name) == b.size &&
			    memcmp(erl_rows[i].name, b.data, b.size) == 0)
				ok = add_site(h, row, i);
	}
	row->running = ok && row->used;
	if (!ok)
		remove_sites(h, row);
	return ok;
}

ERL_NIF_TERM
sites_set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct hub *h = &the_hub;
	(void)argc;
	if (!enif_is_list(env, argv[0]))
		return enif_make_badarg(env);
	enif_mutex_lock(h->manage);
	hub_quiet(h);
	bool ok = change_sites(h, env, argv[0]);
	hub_count(h);
	hub_forget_threads(h);
	ERL_NIF_TERM wants = wants_list(env, ok ? &h->scripts[HUB_SCRIPTS] : NULL);
	hub_loud(h);
	hub_free_tables(h);
	enif_mutex_unlock(h->manage);
	return enif_make_tuple2(env, enif_make_atom(env, ok ? "ok" : "error"), wants);
}

void
sites_unload(struct hub *h)
{
	hub_quiet(h);
	remove_sites(h, &h->scripts[HUB_SCRIPTS]);
	hub_loud(h);
}
