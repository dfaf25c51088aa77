/* See hub.h. */
#include "hub.h"

#include "level.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool
sub_add(sub_list *list, unsigned script, unsigned probe, unsigned args)
{
	struct sub *s = calloc(1, sizeof *s);
	if (!s)
		return false;
	s->script = script;
	s->probe = probe;
	s->args = args;
	while (*list)
		list = &(*list)->next;
	*list = s;
	return true;
}

/* Whoever looks at one that is removed goes on to those after it. */
void
sub_remove(sub_list *list, unsigned script, struct sub **removed)
{
	while (*list) {
		struct sub *s = *list;
		if (s->script != script) {
			list = &s->next;
			continue;
		}
		*list = s->next;
		s->removed = *removed;
		*removed = s;
	}
}

void
sub_free_removed(struct sub **removed)
{
	while (*removed) {
		struct sub *s = *removed;
		*removed = s->removed;
		free(s);
	}
}

void
sub_free_all(sub_list *list)
{
	while (*list) {
		struct sub *s = *list;
		*list = s->next;
		free(s);
	}
}

bool
hub_init(struct hub *h, unsigned nshards)
{
	memset(h, 0, sizeof *h);
	h->manage = enif_mutex_create("erltrace hub");
	h->shards = aligned_alloc(64, nshards * sizeof *h->shards);
	if (!h->manage || !h->shards) {
		hub_destroy(h);
		return false;
	}
	for (unsigned i = 0; i < nshards; i++) {
		memset(&h->shards[i], 0, offsetof(struct hub_shard, text));
		h->shards[i].turns.until = 1;
	}
	h->nshards = nshards;
	h->node = "";
	return true;
}

bool
hub_set_node(struct hub *h, const char *name)
{
	struct hub_name *n = h->names;
	while (n && strcmp(n->text, name) != 0)
		n = n->next;
	if (!n) {
		size_t size = strlen(name) + 1;
		n = malloc(sizeof *n + size);
		if (!n)
			return false;
		memcpy(n->text, name, size);
		n->next = h->names;
		h->names = n;
	}
	atomic_store_explicit(&h->node, n->text, memory_order_release);
	return true;
}

/* Except the one that it has. Nobody looks at them. */
static void
drop_names(struct hub *h)
{
	const char *kept = atomic_load_explicit(&h->node, memory_order_relaxed);
	for (struct hub_name **at = &h->names, *n; (n = *at);)
		if (n->text == kept)
			at = &n->next;
		else {
			*at = n->next;
			free(n);
		}
}

static void
drop_tables(struct hub *h)
{
	mfas_free(h->mfas);
	procs_free(h->procs);
	ports_free(h->ports);
	h->mfas = NULL;
	h->procs = NULL;
	h->ports = NULL;
}

void
hub_destroy(struct hub *h)
{
	for (unsigned i = 0; i < ERL_NPROBES; i++)
		sub_free_all(&h->subs[i]);
	for (unsigned i = 0; i < ERL_USER_TRACES; i++)
		sub_free_all(&h->user[i]);
	drop_tables(h);
	h->node = "";
	drop_names(h);
	if (h->memory)
		enif_free_env(h->memory);
	if (h->manage)
		enif_mutex_destroy(h->manage);
	free(h->shards);
	memset(h, 0, sizeof *h);
}

void
hub_quiet(struct hub *h)
{
	gates_shut(&h->shards->gate, h->nshards, sizeof *h->shards);
}

void
hub_loud(struct hub *h)
{
	for (unsigned i = h->nshards; i--;)
		gate_open(&h->shards[i].gate);
}

enum { PASSED = 0 }; /* instead of a number of events, which counts from 1 here */

void
hub_note(struct hub *h, uint64_t *events)
{
	gates_fence();
	for (unsigned i = 0; i < h->nshards; i++)
		events[i] = 1 + atomic_load(&h->shards[i].events);
}

/* An event that was under way may not have been counted yet. So it has surely ended when the second one after it
 * began. */
bool
hub_passed(struct hub *h, uint64_t *events)
{
	bool all = true;
	for (unsigned i = 0; i < h->nshards; i++) {
		struct hub_shard *s = &h->shards[i];
		if (events[i] == PASSED)
			continue;
		if (atomic_load(&s->events) + 1 - events[i] >= 2 || gate_is_empty(&s->gate))
			events[i] = PASSED;
		else
			all = false;
	}
	return all;
}

static void
lock_shard(void *arg, unsigned i)
{
	struct hub *h = arg;
	gate_shut(&h->shards[i].gate);
}

static bool
try_shard(void *arg, unsigned i)
{
	struct hub *h = arg;
	return gate_try_shut(&h->shards[i].gate);
}

static void
unlock_shard(void *arg, unsigned i)
{
	struct hub *h = arg;
	gate_open(&h->shards[i].gate);
}

static bool
barrier(void *arg)
{
	(void)arg;
	return gates_barrier();
}

struct eng_locks
hub_locks(struct hub *h)
{
	return (struct eng_locks){.n = h->nshards,
	    .lock = lock_shard,
	    .trylock = try_shard,
	    .unlock = unlock_shard,
	    .barrier = barrier,
	    .arg = h};
}

bool
hub_tables(struct hub *h)
{
	if (!h->mfas)
		h->mfas = mfas_new();
	if (!h->procs)
		h->procs = procs_new();
	if (!h->ports)
		h->ports = ports_new();
	return h->mfas && h->procs && h->ports;
}

/* Which probes can fire while the VM asks whether the event is wanted. */
static void
count_brief(struct hub *h, unsigned wants)
{
	static const enum erl_probe of_running[] = {ERLP_PROCESS_SCHEDULED, ERLP_PROCESS_UNSCHEDULED},
				    of_gc[] = {
					ERLP_GC_MAJOR_START, ERLP_GC_MINOR_START, ERLP_GC_MAJOR_END, ERLP_GC_MINOR_END};
	bool gc = !(wants & WANT(ES_ALL)) &&
		  !atomic_load_explicit(&h->on[ERLP_PROCESS_HEAP_GROW], memory_order_relaxed) &&
		  !atomic_load_explicit(&h->on[ERLP_PROCESS_HEAP_SHRINK], memory_order_relaxed);
	for (unsigned i = 0; i < sizeof of_running / sizeof *of_running; i++)
		atomic_store_explicit(&h->brief[of_running[i]],
		    atomic_load_explicit(&h->runs_plainly, memory_order_relaxed) &&
			sub_is_brief(h->subs[of_running[i]]),
		    memory_order_relaxed);
	for (unsigned i = 0; i < sizeof of_gc / sizeof *of_gc; i++)
		atomic_store_explicit(&h->brief[of_gc[i]], gc && sub_is_brief(h->subs[of_gc[i]]), memory_order_relaxed);
}

void
hub_count(struct hub *h)
{
	unsigned wants = 0, running = 0, parts = 0, bytes = 0, one_of = UINT_MAX;
	for (unsigned i = 0; i <= HUB_SCRIPTS; i++) {
		const struct script *s = &h->scripts[i];
		if (s->running) {
			wants |= s->wants;
			parts = s->termparts > parts ? s->termparts : parts;
			bytes = s->termbytes > bytes ? s->termbytes : bytes;
			unsigned of = chosen_only(s->wants) ? s->one_of : 1;
			one_of = of < one_of ? of : one_of;
			running++;
		}
	}
	for (unsigned p = 0; p < ERL_NPROBES; p++) {
		bool on = false;
		for (unsigned i = 0; i <= HUB_SCRIPTS; i++)
			on |= h->scripts[i].running && h->scripts[i].probes[p];
		atomic_store_explicit(&h->on[p], on, memory_order_relaxed);
	}
	/* what the callbacks would otherwise have to find out for each event */
	static const enum erl_probe of_calls[] = {ERLP_FUNCTION_ENTRY, ERLP_LOCAL_FUNCTION_ENTRY,
	    ERLP_GLOBAL_FUNCTION_ENTRY, ERLP_BIF_ENTRY, ERLP_NIF_ENTRY, ERLP_FUNCTION_RETURN, ERLP_BIF_RETURN,
	    ERLP_NIF_RETURN, ERLP_TRACE};
	bool calls_only =
	    !(wants & (WANT_CALLERS | WANT_SPECIAL | WANT_SLOT)) && (!(wants & WANT_SHADOW) || levels_known());
	for (unsigned i = 0; i < sizeof of_calls / sizeof *of_calls; i++)
		calls_only &= !atomic_load_explicit(&h->on[of_calls[i]], memory_order_relaxed);
	atomic_store_explicit(&h->calls_only, calls_only, memory_order_release);
	atomic_store_explicit(&h->runs_plainly,
	    !(wants & (WANT_SLOT | WANT_SAMPLE | WANT_RUN | WANT_WHERE | WANT_UNBLOCK | WANT(ES_ALL))),
	    memory_order_relaxed);
	count_brief(h, wants);
	atomic_store_explicit(&h->termparts, parts, memory_order_relaxed);
	atomic_store_explicit(&h->termbytes, bytes, memory_order_relaxed);
	atomic_store_explicit(&h->one_of, running ? one_of : 1, memory_order_relaxed);
	atomic_store_explicit(&h->nrunning, running, memory_order_relaxed);
	atomic_store_explicit(&h->wants, wants, memory_order_release);
	atomic_store_explicit(&h->user_on, wants & WANT(ES_USER), memory_order_release);
}

void
hub_forget_threads(struct hub *h)
{
	if (!(atomic_load_explicit(&h->wants, memory_order_relaxed) & WANT_SLOT))
		threads_forget();
}

/* No clause can run, so nobody is inside for long. */
void
hub_free_tables(struct hub *h)
{
	for (unsigned i = 0; i <= HUB_SCRIPTS; i++)
		if (h->scripts[i].used)
			return;
	hub_quiet(h);
	drop_tables(h);
	drop_names(h);
	hub_loud(h);
}

/* Each normal scheduler has its own shard. Dirty schedulers are many and have few events, so they share some shards
 * with all other threads. */
unsigned
hub_new_index(const struct hub *h)
{
	static atomic_uint normal, others;
	unsigned own = hub_owned(h), few = h->nshards - own;
	struct thread *t = thread_own();
	unsigned mine = atomic_load_explicit(&t->shard, memory_order_relaxed);
	if (!mine) {
		bool is_normal = enif_thread_type() == ERL_NIF_THR_NORMAL_SCHEDULER || !few;
		mine = is_normal ? 1 + atomic_fetch_add_explicit(&normal, 1, memory_order_relaxed) % own
				 : 1 + own + atomic_fetch_add_explicit(&others, 1, memory_order_relaxed) % few;
		atomic_store_explicit(&t->shard, mine, memory_order_relaxed);
	}
	return (mine - 1) % h->nshards;
}
