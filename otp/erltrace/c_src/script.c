/*
 * Scripts: opened with a D object, bound to probes, subscribed to events,
 * started, stopped, closed. Opening and closing may come at any time, also
 * while callbacks of other scripts run; see hub.h for the locks. Nothing here
 * waits for a callback: stopping is done in two steps, and the second is tried
 * until the callbacks that ran at the first have ended.
 */
#include "script.h"
#include "counted.h"
#include "seen.h"
#include "sites.h"
#include "worker.h"

#include "memory.h"

#include "base/clock.h"
#include "object/aggval.h"
#include "engine/user/image.h"
#include "engine/user/touch.h"
#include "node/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Nobody needs more, and the memory that one client can make the VM use must have a limit. */
enum { MAX_PROBE_ID = 1 << 22, MAX_BINDINGS = 1 << 18, IDLE = 4 << 10 };
enum { CHEAPEN_AFTER = 2 }; /* snapshots */

static const char *
fail(struct opened *s, const char *why)
{
	if (why != s->why.text)
		why_set(&s->why, "%s", why);
	return s->why.text;
}

static bool
is_stack(unsigned kind)
{
	return kind == DK_STACK || kind == DK_USTACK || kind == DK_JSTACK;
}

static bool
reads(const struct dobj *o, enum dif_builtin id)
{
	for (uint32_t i = 0; i < o->ncode; i++)
		if (o->code[i].op == DIF_LDBI && o->code[i].imm == (int32_t)id)
			return true;
	return false;
}

/* Returns whether a clause itself looks at eproc, or a script with erlang probes shows flow: then lines of the kernel
 * belong to processes too. */
static bool
looks_at_process(const struct dobj *o)
{
	bool erlang = dobj_has_erlang(o);
	for (uint32_t i = 0; i < o->nclauses; i++) {
		const struct dobj_clause *c = &o->clauses[i];
		for (uint32_t pc = c->code; pc < c->code + c->ncode; pc++)
			if (o->code[pc].op == DIF_LDBI && o->code[pc].imm == DIF_BI_EPROC &&
			    (erlang || !dobj_is_flow(o, c, pc)))
				return true;
	}
	return false;
}

/* If its clauses run in the kernel, they know threads there; self-> and eproc need to know what runs on them. */
static unsigned
wants_of_kernel(const struct dobj *o)
{
	unsigned wants = 0;
	for (uint32_t i = 0; i < o->nvars; i++)
		if (o->vars[i].scope == DS_THREAD)
			wants |= WANT_EXIT | WANT_SLOT;
	return looks_at_process(o) ? wants | WANT_SLOT : wants;
}

/* What the object itself needs from the tracer, whatever its probes are. */
static unsigned
wants_of(const struct dobj *o, bool forward)
{
	unsigned wants = reads(o, DIF_BI_EMFA) ? WANT_SLOT | WANT_WHERE : 0;
	if (forward)
		return wants | wants_of_kernel(o);
	for (uint32_t i = 0; i < o->nvars; i++)
		if (o->vars[i].scope == DS_THREAD)
			wants |= WANT_EXIT;
	return reads(o, DIF_BI_VTIMESTAMP) ? wants | WANT_RUN | WANT_EXIT : wants;
}

/* Returns the frames of a stack, or 0 if it is not one. */
static unsigned
frames_in(unsigned kind, uint64_t arg, const struct dobj_sizes *sizes)
{
	unsigned frames = (unsigned)(arg & 0xffffffff);
	if (!is_stack(kind))
		return 0;
	return frames              ? frames
	       : kind == DK_STACK  ? sizes->stackframes
	       : kind == DK_USTACK ? sizes->ustackframes
				   : sizes->jstackframes;
}

/* Of the longest stack that a clause records. */
static unsigned
longest_stack(const struct dobj *o, const struct dobj_sizes *sizes)
{
	unsigned most = 0, n;
	for (uint32_t i = 0; i < o->nfields; i++)
		if ((n = frames_in(o->fields[i].kind, o->fields[i].arg, sizes)) > most)
			most = n;
	for (uint32_t i = 0; i < o->nkeys; i++)
		if ((n = frames_in(o->keys[i].kind, o->keys[i].arg, sizes)) > most)
			most = n;
	return most;
}

/* All memory is touched when tracing starts. So a script that records nothing, or aggregates nothing, gets no large
 * tables for it. */
static void
trim(const struct dobj *o, struct eng_conf *c)
{
	enum { SMALL = 64 << 10 }; /* for records of errors */
	bool records = false;
	for (uint32_t i = 0; i < o->ngroups; i++)
		records |= o->groups[i].records != 0;
	if (!records && c->bufsize > SMALL)
		c->bufsize = SMALL;
	if (!o->naggs && c->aggsize > SMALL)
		c->aggsize = SMALL;
}

static const char *
load_object(struct opened *s, struct script *row, const void *object, size_t len, struct eng_conf *conf)
{
	if (!dobj_read(&row->obj, object, len, &s->why) || !dobj_verify(&row->obj, &s->why) ||
	    !dobj_layout(&row->obj, &conf->sizes, &s->why))
		return s->why.text;
	conf->nshards = s->hub->nshards + 1; /* the last one is the timers' */
	counted_conf(s, conf);
	conf->node = &s->hub->node;
	conf->locks = hub_locks(s->hub);
	const char *by;
	conf->memory = memory_allowed(&by);
	struct why large;
	why_set(&large,
	    " in the node, more than half of the memory that is free %s (%llu MiB): use a smaller bufsize, aggsize, "
	    "dynvarsize, specsize or nspec",
	    by, (unsigned long long)(conf->memory >> 19));
	conf->too_large = large.text;
	trim(&row->obj, conf);
	if (conf->forward) /* it runs nothing: it only knows the probes */
		conf->bufsize = conf->aggsize = conf->dynvarsize = conf->specsize = IDLE;
	row->engine = engine_user.create(&row->obj, conf, &s->why);
	conf->too_large = NULL;
	return row->engine ? NULL : s->why.text;
}

/* A row was given back: frees the tables with the last one. Unlocks hub.manage. */
static void
release(struct hub *h)
{
	bool used = false;
	hub_count(h);
	hub_free_tables(h);
	for (unsigned i = 0; i <= HUB_SCRIPTS; i++)
		used |= h->scripts[i].used;
	bool last = h->unloaded && !used;
	enif_mutex_unlock(h->manage);
	if (last)
		hub_destroy(h);
}

/* Returns a free row, or NULL if there is none. From here on it counts as used. */
static struct script *
take_row(struct hub *h)
{
	struct script *row = NULL;
	for (unsigned i = 0; i < HUB_SCRIPTS && !row; i++)
		if (!h->scripts[i].used)
			row = &h->scripts[i];
	if (row) {
		memset(row, 0, sizeof *row);
		row->index = (unsigned)(row - h->scripts);
		row->used = true;
	}
	return row;
}

static void
free_row(struct hub *h, struct script *row)
{
	dobj_free(&row->obj);
	free(row->meters);
	row->meters = NULL;
	enif_mutex_lock(h->manage);
	row->used = false;
	release(h);
}

/* Verifying and allocating take long; meanwhile nobody waits for the hub. */
const char *
script_open(struct opened *s, struct hub *h, const void *object, size_t len, struct eng_conf conf)
{
	const char *why = NULL;
	memset(s, 0, sizeof *s);
	s->hub = h;
	if (conf.forward && !et_events[0])
		return fail(s, "the library has no places for events on this processor");
	enif_mutex_lock(h->manage);
	struct script *row = take_row(h);
	if (row && !hub_tables(h)) {
		row->used = false;
		release(h); /* those that were made for it */
		return fail(s, "out of memory");
	}
	enif_mutex_unlock(h->manage);
	if (!row)
		return fail(s, "16 scripts are running on this node already; end one of them first");
	meter_calibrate();
	row->maxoverhead = conf.maxoverhead;
	row->one_of = (unsigned)conf.sample;
	row->termparts = (unsigned)conf.termparts;
	row->termbytes = (unsigned)conf.termbytes;
	row->hub = h;
	row->meters = aligned_alloc(_Alignof(struct meter), (h->nshards + METER_OTHERS) * sizeof *row->meters);
	if (row->meters)
		memset(row->meters, 0, (h->nshards + METER_OTHERS) * sizeof *row->meters);
	s->under_way = calloc(h->nshards, sizeof *s->under_way);
	why = row->meters && s->under_way ? load_object(s, row, object, len, &conf) : fail(s, "out of memory");
	if (why) {
		free(s->under_way);
		s->under_way = NULL;
		free_row(h, row);
		return why;
	}
	row->wants = wants_of(&row->obj, conf.forward);
	row->stacks = conf.forward ? 0 : longest_stack(&row->obj, &conf.sizes);
	row->depths = !conf.forward && reads(&row->obj, DIF_BI_STACKDEPTH);
	row->way = conf.forward ? RUN_EVENTS : RUN_ENGINE;
	row->key = conf.forward;
	enif_mutex_lock(h->manage);
	__atomic_store_n(&s->row, row, __ATOMIC_RELEASE);
	enif_mutex_unlock(h->manage);
	worker_hold(1);
	return NULL;
}

static bool
is_timer(const char *const names[4])
{
	return strcmp(names[0], "profile") == 0;
}

/* Remembers a timer probe with its rate. */
static const char *
add_timer(struct opened *s, const char *const names[4], unsigned index)
{
	for (unsigned i = 0; i < s->nbound; i++)
		if (s->bound[i].index == index)
			return NULL;
	if (!s->probes && !(s->probes = probes_new()))
		return fail(s, "out of memory");
	struct pdesc d = {0, {names[0], names[1], names[2], names[3]}};
	const struct probe *found = NULL;
	int n = probes_match(s->probes, &d, NULL, NULL, &s->why);
	if (n < 0)
		return s->why.text;
	for (uint32_t id = 1; id <= probes_count(s->probes) && !found; id++) {
		const struct probe *p = probe_by_id(s->probes, id);
		if (p && strcmp(p->names[0], names[0]) == 0 && strcmp(p->names[3], names[3]) == 0)
			found = p;
	}
	struct pv_bound *grown = found ? realloc(s->bound, (s->nbound + 1) * sizeof *grown) : NULL;
	if (!grown)
		return fail(s, found ? "out of memory" : "no such timer probe");
	s->bound = grown;
	s->bound[s->nbound++] = (struct pv_bound){found, index};
	if (found->param < 0)
		s->row->wants |= WANT_SAMPLE | (s->row->stacks ? WANT_READ : 0);
	return NULL;
}

/* The arguments that a clause looks at. */
static unsigned
looks_of(const struct dobj *o, const struct dobj_clause *c)
{
	unsigned args = 0;
	for (uint32_t i = c->code; i < c->code + c->ncode; i++) {
		if (o->code[i].op == DIF_LDARG)
			args |= 1u << o->code[i].imm;
		else if (o->code[i].op == DIF_LDARGX)
			args |= 0x3ff;
	}
	return args;
}

static bool
add_looks(struct opened *s, unsigned index, unsigned clause)
{
	if (index >= s->nlooks) {
		unsigned *grown = realloc(s->looks, (index + 1) * sizeof *grown);
		if (!grown)
			return false;
		memset(grown + s->nlooks, 0, (index + 1 - s->nlooks) * sizeof *grown);
		s->looks = grown;
		s->nlooks = index + 1;
	}
	s->looks[index] |= looks_of(&s->row->obj, &s->row->obj.clauses[clause]);
	return true;
}

unsigned
script_looks(const struct opened *s, unsigned index)
{
	return index < s->nlooks ? s->looks[index] : 0;
}

const char *
script_bind(struct opened *s, uint32_t id, const char *const names[4], unsigned clause, unsigned *index)
{
	const char *kept[4];
	if (!s->row || s->started || s->stopped)
		return fail(s, "the script is not open for binding");
	if (id > MAX_PROBE_ID || s->nnames / 4 >= MAX_BINDINGS)
		return fail(s, "too many probes: use a narrower probe description");
	if (clause >= s->row->obj.nclauses)
		return fail(s, "no such clause");
	char **grown = realloc(s->names, (s->nnames + 4) * sizeof *grown);
	if (!grown)
		return fail(s, "out of memory");
	s->names = grown;
	for (int i = 0; i < 4; i++) {
		kept[i] = s->names[s->nnames] = strdup(names[i]);
		if (!kept[i])
			return fail(s, "out of memory");
		s->nnames++;
	}
	int at = engine_user.bind(s->row->engine, id, kept, clause);
	if (at < 0)
		return fail(s, "out of memory");
	*index = (unsigned)at;
	if (!add_looks(s, *index, clause) || !counted_bind(s, *index, kept, clause))
		return fail(s, "out of memory");
	return is_timer(kept) ? add_timer(s, kept, *index) : NULL;
}

static const char *
subscribe(struct opened *s, sub_list *list, unsigned index, unsigned wants)
{
	struct hub *h = s->hub;
	enif_mutex_lock(h->manage);
	unsigned whole = s->row->stacks || s->row->way != RUN_ENGINE ? SUB_WHOLE : 0;
	bool ok = sub_add(list, s->row->index, index, script_looks(s, index) | whole);
	if (ok)
		s->row->wants |= wants;
	enif_mutex_unlock(h->manage);
	return ok ? NULL : fail(s, "out of memory");
}

/* Stacks show traced calls: see procs.h. */
unsigned
script_wants(const struct script *row, enum erl_source source)
{
	bool calls = source == ES_CALL || source == ES_RETURN;
	return WANT(source) | (source == ES_RETURN ? WANT_SHADOW | WANT_EXIT : 0) |
	       (calls && (row->stacks || row->depths) ? WANT_DEPTH : 0);
}

/* What a probe needs in addition to its source. */
static unsigned
wants_besides(const struct erl_needs *n, unsigned looks)
{
	return !n->looks || n->looks & looks ? n->wants : 0;
}

const char *
script_subscribe(struct opened *s, unsigned index, const char *name)
{
	unsigned n;
	int end = 0;
	if (!s->row || s->started || s->stopped)
		return fail(s, "the script is not open for subscribing");
	const struct erl_row *r = erl_row_named(name);
	if (r && r->needs.source == ES_KERNEL) {
		why_set(&s->why, "erlang*:::%s needs the kernel engine: the tracer of a stock OTP does not tell of it",
		    name);
		return s->why.text;
	}
	if (r) {
		s->row->probes[r - erl_rows] = true;
		return subscribe(s, &s->hub->subs[r - erl_rows], index,
		    script_wants(s->row, r->needs.source) | wants_besides(&r->needs, script_looks(s, index)));
	}
	if (sscanf(name, "user_trace-n%u%n", &n, &end) == 1 && !name[end] && n < ERL_USER_TRACES)
		return subscribe(s, &s->hub->user[n], index, WANT(ES_USER));
	why_set(&s->why, "the erlang provider has no probe '%.100s'", name);
	return s->why.text;
}

/* Clauses in the kernel cannot take terms apart. They get what function-entry and the like have. */
static const char *
subscribe_forward(struct opened *s, unsigned index, enum mfa_sort sort, struct mfa *e, unsigned looks)
{
	struct hub *h = s->hub;
	enif_mutex_lock(h->manage);
	bool ok = sub_add(&e->subs[sort], s->row->index, index, (looks & 7) | SUB_FUNCTION);
	if (ok)
		s->row->wants |=
		    script_wants(s->row, sort == MFA_RETURN ? ES_RETURN : ES_CALL) | (looks & 1 << 2 ? WANT_DEPTH : 0);
	enif_mutex_unlock(h->manage);
	return ok ? NULL : fail(s, "out of memory");
}

const char *
script_subscribe_mfa(struct opened *s, unsigned index, enum mfa_sort sort, ErlNifEnv *env, ERL_NIF_TERM m,
    ERL_NIF_TERM f, unsigned arity, enum mfa_native native)
{
	if (!s->row || s->started || s->stopped)
		return fail(s, "the script is not open for subscribing");
	struct mfa *e = mfa_get(s->hub->mfas, env, m, f, arity);
	if (!e)
		return fail(s, "too many functions are being traced");
	e->is_native = (uint8_t)native;
	unsigned looks = script_looks(s, index);
	if (s->row->way == RUN_EVENTS)
		return subscribe_forward(s, index, sort, e, looks);
	bool terms = looks & EV_TERM_LOOKS;
	if (sort == MFA_RETURN && terms)
		sort = MFA_VALUE;
	unsigned wants =
	    script_wants(s->row, sort == MFA_RETURN ? ES_RETURN : ES_CALL) | (looks & 1 << 2 ? WANT_DEPTH : 0);
	return subscribe(s, &e->subs[sort], index, wants | (sort == MFA_ENTRY && terms ? WANT_ARGS : 0));
}

const char *
script_start(struct opened *s)
{
	if (!s->row || s->started || s->stopped)
		return fail(s, "the script was started before, or has ended");
	if (!engine_user.start(s->row->engine, &s->why))
		return s->why.text;
	s->started = true;
	return NULL;
}

/* profile-N fires for processes that run, so its clock only counts: see sample.h. The bound probes get ordered,
 * ticks first. Called with hub.manage held. */
static const char *
take_samples(struct opened *s)
{
	unsigned nticks = 0, n = 0;
	for (unsigned i = 0; i < s->nbound; i++) {
		if (s->bound[i].probe->param < 0)
			continue;
		struct pv_bound tick = s->bound[i];
		s->bound[i] = s->bound[nticks];
		s->bound[nticks++] = tick;
	}
	s->nticks = nticks;
	if (nticks == s->nbound)
		return NULL;
	if (!(s->rates = calloc(s->nbound - nticks, sizeof *s->rates)))
		return fail(s, "out of memory");
	for (unsigned i = nticks; i < s->nbound; i++) {
		int row = sample_take(&s->hub->samples, s->row->index, s->bound[i].index, s->row->stacks > 0);
		if (row < 0)
			return fail(s, "too many profile probes: 32 can run on a node at once");
		/* one thread counts for all schedulers, as for a tick */
		s->rates[n] = *s->bound[i].probe;
		s->rates[n].param = -s->rates[n].param;
		s->bound[i] = (struct pv_bound){&s->rates[n++], (unsigned)row};
	}
	return NULL;
}

/* The timers' thread has its own shard and meter, so that a tick and a scheduler do not wait for each other. */
static void
fire_tick(struct engine *e, struct firing *f)
{
	struct script *row = (struct script *)(void *)e;
	if (atomic_load_explicit(&row->over, memory_order_relaxed) || !counted_before_tick(row, f->probe))
		return;
	f->shard = row->hub->nshards;
	uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	engine_user.fire(row->engine, f);
	meter_tick(row, f->shard, f->probe, clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
}

static const struct engine_ops ticks = {.name = "ticks", .fire = fire_tick};

const char *
script_timers(struct opened *s)
{
	if (!s->row || !s->running || s->stopped || s->timers || s->strikes)
		return fail(s, "the script does not run, or its timers run already");
	unsigned nsamples = s->nbound - s->nticks;
	if (s->nticks) {
		struct pv_start p = {
		    &provider_profile, (struct engine *)(void *)s->row, &ticks, 1, s->bound, s->nticks, NULL};
		if (!provider_profile.start(&p, &s->why))
			return s->why.text;
		s->timers = p.run;
	}
	if (nsamples) {
		struct pv_start p = {&provider_profile, (struct engine *)(void *)&s->hub->samples, &sample_strikes,
		    s->hub->nshards, s->bound + s->nticks, nsamples, NULL};
		if (!provider_profile.start(&p, &s->why))
			return s->why.text;
		s->strikes = p.run;
	}
	return NULL;
}

/* Returns whether nobody waits for the script any more, or the library is about to go. */
static bool
is_given_up(void *arg)
{
	struct opened *s = arg;
	return worker_hurries() || atomic_load_explicit(&s->halted, memory_order_relaxed);
}

const char *
script_go(struct opened *s)
{
	struct hub *h = s->hub;
	if (!s->row || !s->started || s->stopped || s->running)
		return fail(s, "the script was not started, runs already, or has ended");
	if (!eng_touch(s->row->engine, is_given_up, s))
		return fail(
		    s, "the memory for the buffers cannot be had: use a smaller bufsize, aggsize or dynvarsize");
	s->running = true;
	meter_begin_counted(s->row);
	enif_mutex_lock(h->manage);
	const char *why = take_samples(s);
	seen_take(s->row);
	s->row->running = !why;
	hub_count(h);
	enif_mutex_unlock(h->manage);
	if (why)
		script_stop(s);
	return why;
}

void
script_fire(struct opened *s, unsigned index)
{
	/* the timers' shard: a scheduler's may be inside a firing of another script */
	struct firing f = {.probe = index, .shard = s->hub->nshards, .thread = UINT64_MAX};
	if (s->row && s->started)
		engine_user.fire(s->row->engine, &f);
}

static void
unsubscribe(struct opened *s)
{
	struct hub *h = s->hub;
	for (unsigned i = 0; i < ERL_NPROBES; i++)
		sub_remove(&h->subs[i], s->row->index, &s->removed);
	for (unsigned i = 0; i < ERL_USER_TRACES; i++)
		sub_remove(&h->user[i], s->row->index, &s->removed);
	if (h->mfas)
		mfas_forget(h->mfas, s->row->index, &s->removed);
}

void
script_halt(struct opened *s)
{
	struct hub *h = s->hub;
	if (!__atomic_load_n(&s->row, __ATOMIC_ACQUIRE))
		return; /* the hub itself may be gone */
	enif_mutex_lock(h->manage);
	if (s->row) {
		atomic_store_explicit(&s->halted, true, memory_order_relaxed);
		atomic_store_explicit(&s->row->running, false, memory_order_release);
		hub_count(h);
	}
	enif_mutex_unlock(h->manage);
}

/* Ends a timer. Returns false if it is inside a firing. */
static bool
end_timer(struct pv_run **run)
{
	if (*run && !provider_profile.ends(*run))
		return false;
	if (*run)
		provider_profile.stop(*run);
	*run = NULL;
	return true;
}

/* The first step: no event begins any more in which clauses of the script run. */
static void
begin_stop(struct opened *s)
{
	struct hub *h = s->hub;
	s->stopped = true;
	enif_mutex_lock(h->manage);
	atomic_store_explicit(&s->row->running, false, memory_order_release); /* a tick waits for nothing any more */
	sample_end(&h->samples, s->row->index);
	unsubscribe(s);
	hub_count(h);
	enif_mutex_unlock(h->manage);
	hub_note(h, s->under_way);
}

bool
script_stop(struct opened *s)
{
	struct hub *h = s->hub;
	if (!s->row || s->settled)
		return true;
	if (!s->stopped)
		begin_stop(s);
	bool ended = end_timer(&s->timers);
	ended &= end_timer(&s->strikes);
	if (!hub_passed(h, s->under_way) || !ended)
		return false;
	sub_free_removed(&s->removed);
	enif_mutex_lock(h->manage);
	sample_give(&h->samples, s->row->index);
	hub_forget_threads(h);
	enif_mutex_unlock(h->manage);
	if (s->started)
		engine_user.stop(s->row->engine);
	s->settled = true;
	return true;
}

bool
script_load(struct hub *h, unsigned nshards)
{
	if (!h->manage)
		return hub_init(h, nshards);
	enif_mutex_lock(h->manage);
	h->unloaded = false;
	enif_mutex_unlock(h->manage);
	return true;
}

void
script_unload(struct hub *h)
{
	enif_mutex_lock(h->manage);
	h->unloaded = true;
	sites_unload(h);
	release(h);
}

bool
script_close(struct opened *s)
{
	struct hub *h = s->hub;
	if (!s->row)
		return true;
	if (!script_stop(s))
		return false;
	struct script *row = s->row;
	enif_mutex_lock(h->manage);
	seen_drop(row);
	__atomic_store_n(&s->row, NULL, __ATOMIC_RELEASE);
	enif_mutex_unlock(h->manage);
	engine_user.destroy(row->engine);
	free_row(h, row);
	worker_hold(-1);
	probes_free(s->probes);
	free(s->bound);
	for (unsigned i = 0; i < s->nnames; i++)
		free(s->names[i]);
	free(s->names);
	free(s->looks);
	free(s->traits);
	free(s->rates);
	free(s->under_way);
	s->under_way = NULL;
	s->rates = NULL;
	s->probes = NULL;
	s->looks = NULL;
	s->nlooks = 0;
	s->traits = NULL;
	s->ntraits = 0;
	s->bound = NULL;
	s->names = NULL;
	return true;
}

void
script_close_patiently(struct opened *s)
{
	while (!script_close(s))
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

struct taking {
	struct opened *s;
	struct sbuf *out;
};

static void
take_rec(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct taking *t = arg;
	const struct eng_epid *e = engine_user.epid(t->s->row->engine, r->epid);
	wire_add_rec(t->out, shard, r, e ? t->s->row->obj.groups[e->group].recsize : 0);
}

/* The first word of what travels says whether it is all. */
static void
tell_part(struct sbuf *out, uint64_t no, bool is_whole)
{
	no |= is_whole ? 0 : WIRE_PART;
	if (!out->failed)
		memcpy(out->at, &no, sizeof no);
}

void
script_drain(struct opened *s, struct sbuf *out)
{
	struct taking t = {s, out};
	if (s->row && s->started) {
		uint64_t no = image_drains(s->row->engine) + 1;
		engine_user.clean(s->row->engine);
		sb_add(out, &no, sizeof no);
		engine_user.drain(s->row->engine, take_rec, &t);
		tell_part(out, no, engine_user.is_whole(s->row->engine, true));
	}
}

static void
take_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct taking *t = arg;
	wire_add_agg(t->out, agg, key, keylen, words, aggval_words(&t->s->row->obj.aggs[ENG_AGG_OF(agg)]));
}

void
script_snap(struct opened *s, struct sbuf *out)
{
	struct taking t = {s, out};
	if (s->row && s->started) {
		uint64_t no = image_snaps(s->row->engine) + 1;
		sb_add(out, &no, sizeof no);
		engine_user.snap(s->row->engine, take_agg, &t);
		tell_part(out, no, engine_user.is_whole(s->row->engine, false));
		/* it takes a while, so a script must have lived long enough to gain from it */
		if (no >= CHEAPEN_AFTER && s->running && !s->stopped)
			gates_cheapen(&s->hub->shards->gate, s->hub->nshards, sizeof *s->hub->shards);
	}
}
