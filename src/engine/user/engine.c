/*
 * The user engine's life: create, bind, start, stop, status, destroy. All
 * memory comes from store.c in create and bind, and goes back in destroy.
 */
#include "engine/user/user.h"

#include "base/clock.h"
#include "object/aggval.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are loaded and stored by their low bytes");
_Static_assert(DIF_NBUILTINS <= 64, "struct bi_cache counts built-ins in 64 bits");

/* ---- memory ---- */

/* Grows an array of n rows by one. The old array stays until destroy, so that a failure harms nothing. */
static bool
make_room(struct user_engine *e, void **array, uint32_t n, uint32_t *cap, size_t row)
{
	if (n < *cap)
		return true;
	uint32_t bigger = *cap ? *cap * 2 : 4;
	void *p = eng_alloc(e, (size_t)bigger * row);
	if (!p)
		return false;
	if (*array)
		memcpy(p, *array, (size_t)n * row);
	*array = p;
	*cap = bigger;
	return true;
}

/* ---- create ---- */

size_t
keybuf_size(const struct user_engine *e)
{
	size_t most = 0, n;
	for (uint32_t i = 0; i < e->o->naggs; i++)
		if ((n = key_max(e, e->aggs[i].key, e->aggs[i].nkeys)) > most)
			most = n;
	for (uint32_t i = 0; i < e->o->nvars; i++)
		if ((n = key_max(e, e->vars[i].key, e->vars[i].nkeys)) > most)
			most = n;
	return most + 16;
}

static uint64_t
random_word(void)
{
	uint64_t w = 0;
	if (getrandom(&w, sizeof w, GRND_NONBLOCK) != (ssize_t)sizeof w)
		w = mono_ns() * 0x9e3779b97f4a7c15u;
	return w;
}

static void
eng_destroy(struct engine *engine)
{
	struct user_engine *e = user_of(engine);
	if (!e)
		return;
	store_close(e);
	free(e);
}

static bool
check_conf(const struct eng_conf *c, struct why *why)
{
	const uint64_t most = 1ULL << 40;
	if (c->nshards == 0 || c->sizes.strsize < 1 || c->sizes.strsize > (1u << 24) + 1)
		why_set(why, c->nshards ? "strsize must be between 1 and 16m" : "an engine needs at least one shard");
	else if (c->bufsize > most || c->aggsize > most || c->dynvarsize > most || c->specsize > most ||
		 c->scratchsize > most)
		why_set(why, "a buffer of more than 1t is not possible");
	else if (c->locks.n > c->nshards)
		why_set(why, "there are more locks than shards");
	else if (c->nspec > 1u << 20)
		why_set(why, "nspec must be at most 1m");
	else
		return true;
	return false;
}

static struct engine *
eng_create(const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	if (!check_conf(c, why))
		return NULL;
	struct user_engine *e = calloc(1, sizeof *e);
	why_set(why, "out of memory");
	if (!e)
		return NULL;
	e->o = o;
	e->conf = *c;
	e->conf.scratchsize &= ~(uint64_t)7;
	if (!c->maxfire)
		e->conf.maxfire = ENG_MAXFIRE;
	e->strsize = c->sizes.strsize;
	e->error_probe = -1;
	e->nepids = 1; /* ids start at 1, as DTrace's */
	e->pid = getpid();
	e->confined = c->confined;
	e->seed = random_word();
	if (!vars_layout(e, why) || !decode_program(e) || !store_open(e)) {
		if (c->memory && e->store.size + e->blocks_size > c->memory)
			why_set(why, "the buffers would need %llu MiB%s",
			    (unsigned long long)((e->store.size + e->blocks_size) >> 20) + 1,
			    c->too_large ? c->too_large : "");
		goto fail;
	}
	dyn_init(e);
	for (unsigned i = 0; i < c->nshards; i++) {
		e->shards[i].rng = random_word() | 1;
		buf_init(e, &e->shards[i]);
	}
	spec_init(e);
	turn_init(e);
	why->text[0] = '\0';
	return (struct engine *)e;
fail:
	eng_destroy((struct engine *)e);
	return NULL;
}

/* ---- bind ---- */

/* Probe ids are dense, so a table indexed by id finds them. */
static bool
id_room(struct user_engine *e, uint32_t id)
{
	uint32_t cap = e->nids ? e->nids : 64;
	if (id < e->nids)
		return true;
	if (id >= 1u << 28)
		return false;
	while (cap <= id)
		cap *= 2;
	uint32_t *bigger = eng_alloc(e, cap * sizeof *bigger);
	if (!bigger)
		return false;
	if (e->by_id)
		memcpy(bigger, e->by_id, e->nids * sizeof *bigger);
	e->by_id = bigger;
	e->nids = cap;
	return true;
}

static int
find_probe(struct user_engine *e, uint32_t id, const char *const names[4])
{
	if (!id_room(e, id))
		return -1;
	if (e->by_id[id])
		return (int)e->by_id[id] - 1;
	if (!make_room(e, (void **)&e->probes, e->nprobes, &e->capprobes, sizeof *e->probes))
		return -1;
	struct probe_ent *p = &e->probes[e->nprobes];
	*p = (struct probe_ent){
	    .id = id, .role = eng_role_of(names[0], names[3]), .names = {names[0], names[1], names[2], names[3]}};
	for (int i = 0; i < 4; i++)
		p->lens[i] = (uint32_t)strlen(names[i]);
	if (p->role == ROLE_ERROR)
		e->error_probe = (int)e->nprobes;
	e->by_id[id] = ++e->nprobes;
	return (int)e->nprobes - 1;
}

static int
eng_bind(struct engine *engine, uint32_t probe_id, const char *const names[4], unsigned clause)
{
	struct user_engine *e = user_of(engine);
	if (clause >= e->o->nclauses || atomic_load_explicit(&e->state, memory_order_relaxed) != ENG_SETUP)
		return -1;
	int index = find_probe(e, probe_id, names);
	if (index < 0)
		return -1;
	struct probe_ent *p = &e->probes[index];
	const struct dobj_clause *c = &e->o->clauses[clause];
	if (!make_room(e, (void **)&p->bound, p->nbound, &p->cap, sizeof *p->bound))
		return -1;
	uint32_t first = e->nepids;
	for (uint32_t i = 0; i < c->ngroups; i++) {
		if (!make_room(e, (void **)&e->epids, e->nepids, &e->capepids, sizeof *e->epids)) {
			e->nepids = first;
			return -1;
		}
		const struct dobj_group *g = &e->o->groups[c->group + i];
		e->epids[e->nepids++] =
		    (struct eng_epid){.probe = (unsigned)index, .clause = clause, .group = c->group + i};
		if (p->role == ROLE_END && g->records)
			e->end_reserve += sizeof(struct rec_hdr) + up8(g->recsize);
	}
	p->bound[p->nbound++] = (struct bound){.clause = clause, .epid = first};
	p->counts = p->nbound == 1 ? e->clauses[clause].counts : NULL;
	p->count_by = e->clauses[clause].count_by;
	p->locals |= e->clauses[clause].locals;
	return index;
}

/* ---- run ---- */

static bool
eng_start(struct engine *engine, struct why *why)
{
	struct user_engine *e = user_of(engine);
	int setup = ENG_SETUP;
	if (atomic_compare_exchange_strong(&e->state, &setup, ENG_RUNNING))
		return true;
	why_set(why, "the engine has been started before");
	return false;
}

static void
eng_stop(struct engine *engine)
{
	struct user_engine *e = user_of(engine);
	atomic_store(&e->state, ENG_STOPPED);
	turn_wait_for_last(e);
	e->still = true;
}

static void
eng_clean(struct engine *engine)
{
	struct user_engine *e = user_of(engine);
	spec_clean(e);
	dyn_clean(e);
}

static void
eng_status(struct engine *engine, struct eng_status *s)
{
	struct user_engine *e = user_of(engine);
	*s = (struct eng_status){0};
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		for (unsigned d = 0; d < ENG_NDROPS; d++)
			s->drops[d] += atomic_load_explicit(&sh->drops[d], memory_order_relaxed);
		s->errors += atomic_load_explicit(&sh->errors, memory_order_relaxed);
	}
	s->exiting = atomic_load_explicit(&e->exited, memory_order_acquire);
	s->exit_status = atomic_load_explicit(&e->exit_status, memory_order_relaxed);
	s->filled = atomic_load_explicit(&e->filled, memory_order_relaxed);
	if (atomic_load_explicit(&e->too_late, memory_order_acquire))
		s->ended = e->why.text;
}

static uint64_t
eng_shard_drops(struct engine *engine, unsigned shard, enum eng_drop why)
{
	struct user_engine *e = user_of(engine);
	return atomic_load_explicit(&e->shards[shard].drops[why], memory_order_relaxed);
}

static const struct eng_epid *
eng_epid(struct engine *engine, uint32_t epid)
{
	struct user_engine *e = user_of(engine);
	return epid > 0 && epid < e->nepids ? &e->epids[epid] : NULL;
}

static bool
eng_fired(struct engine *engine, unsigned probe)
{
	struct user_engine *e = user_of(engine);
	return probe < e->nprobes && atomic_load_explicit(&e->probes[probe].fired, memory_order_relaxed);
}

static const char *const *
eng_probe_names(struct engine *engine, unsigned probe)
{
	struct user_engine *e = user_of(engine);
	return probe < e->nprobes ? e->probes[probe].names : NULL;
}

const struct engine_ops engine_user = {
    .name = "user",
    .create = eng_create,
    .bind = eng_bind,
    .start = eng_start,
    .fire = eng_fire,
    .stop = eng_stop,
    .drain = buf_drain,
    .snap = agg_snap,
    .is_whole = turn_is_whole,
    .status = eng_status,
    .shard_drops = eng_shard_drops,
    .thread_exit = dyn_thread_exit,
    .clean = eng_clean,
    .epid = eng_epid,
    .fired = eng_fired,
    .probe_names = eng_probe_names,
    .destroy = eng_destroy,
};
