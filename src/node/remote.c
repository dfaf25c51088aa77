/*
 * The engine inside a node, seen from outside: engine_ops over requests to the agent (protocol.h). The object, the
 * bindings and the commands go there. Records and aggregations come back as bytes (wire.h), both with each request
 * "work".
 *
 * If the connection is lost, the status says so (eng_status.lost), and everything else does nothing, except END, which
 * then runs here (orphan.h). On the same machine, what the node had gathered but not sent is read from its memory
 * (memory.h).
 */
#include "base/clock.h"
#include "node/remote.h"
#include "node/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_MS = 20, DYING_MS = 2000 };

struct keeping {
	struct remote_engine *e;
	struct sbuf out;
};

void
remote_destroy(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	if (!e)
		return;
	free(e->bindings);
	free(e->by_id);
	free(e->remote);
	free(e->epids);
	free(e->records);
	free(e->aggs);
	free(e->notes);
	free(e->fired);
	orphan_free(e->orphan);
	memory_close(&e->memory);
	free(e);
}

/* -- when the node is gone -------------------------------------------------------------------------------------------
 */

static void
keep_record(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len)
{
	struct remote_engine *e = ((struct keeping *)arg)->e;
	uint32_t size = r->epid >= 1 && r->epid <= e->nepids ? e->obj->groups[e->epids[r->epid - 1].group].recsize : 0;
	if (r->fault >= 0 || size <= len)
		wire_add_rec(&((struct keeping *)arg)->out, shard, r, size);
}

static void
keep_agg(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct keeping *k = arg;
	wire_add_agg(&k->out, agg, key, keylen, words, dobj_agg_words(&k->e->obj->aggs[ENG_AGG_OF(agg)]));
}

/* Adds to what has been received. */
static void
keep(struct keeping *k, char **at, size_t *n)
{
	char *grown = k->out.failed || !k->out.len ? NULL : realloc(*at, *n + k->out.len);
	if (grown) {
		memcpy(grown + *n, k->out.at, k->out.len);
		*at = grown;
		*n += k->out.len;
	}
	sb_free(&k->out);
	k->out = (struct sbuf){0};
}

static void
tell_loss(struct remote_engine *e)
{
	uint64_t torn = e->memory.image ? image_torn(e->memory.image) : 0;
	const char *end = e->end == IMAGE_END_BEGUN ? "; it was about to run END, which has done only a part" : "";
	if (!e->memory.image)
		snprintf(e->lost, sizeof e->lost,
		    "%.600s; what it gathered since it was last asked is lost with it: %.256s", e->cut, e->apart.text);
	else if (!torn)
		snprintf(e->lost, sizeof e->lost, "%.600s; its last state was read from its memory%s", e->cut, end);
	else
		snprintf(e->lost, sizeof e->lost,
		    "%.600s; its last state was read from its memory, without %llu entries that were half written%s",
		    e->cut, (unsigned long long)torn, end);
}

void
remote_hold_taken(struct nodelink *n, bool hold)
{
	if (n->taken.lock && hold)
		pthread_mutex_lock(n->taken.lock);
	else if (n->taken.lock)
		pthread_mutex_unlock(n->taken.lock);
}

/* From now on snapshots that come through another node are refused. Returns the number of the last that came. */
static uint64_t
close_taken(struct nodelink *n)
{
	remote_hold_taken(n, true);
	uint64_t snaps = n->taken.snaps;
	n->taken.closed = true;
	remote_hold_taken(n, false);
	return snaps;
}

void
remote_lose(struct remote_engine *e, const char *why)
{
	struct keeping k = {.e = e};
	if (e->lost[0])
		return;
	snprintf(e->cut, sizeof e->cut, "%s", why);
	uint64_t snaps = close_taken(e->node);
	if (e->memory.image && e->epids) {
		memory_wait(&e->memory, DYING_MS);
		e->end = image_end(e->memory.image);
		image_records(e->memory.image, e->drains, keep_record, &k);
		keep(&k, &e->records, &e->nrecords);
		image_aggs(e->memory.image, snaps, keep_agg, &k);
		keep(&k, &e->aggs, &e->naggs);
		image_status(e->memory.image, &e->status);
	}
	tell_loss(e);
}

bool
remote_ask(struct remote_engine *e, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why)
{
	bool ok = node_request(e->node, request, reply, index, why);
	if (!ok && e->node->fd < 0)
		remote_lose(e, why->text);
	return ok;
}

unsigned
remote_more_time(struct remote_engine *e)
{
	enum { BINDING_MS = 4, MOST_MS = 120000 };
	unsigned before = e->node->timeout;
	e->node->timeout += e->nbindings < MOST_MS / BINDING_MS ? e->nbindings * BINDING_MS : MOST_MS;
	return before;
}

static bool
command(struct remote_engine *e, const char *atom, struct why *why)
{
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_atom(&request, atom);
	bool ok = remote_ask(e, &request, &reply, &index, why);
	ei_x_free(&request);
	ei_x_free(&reply);
	return ok;
}

bool
node_places(const struct engine *engine, struct node_places *p)
{
	*p = remote_of(engine)->places;
	return p->site != 0;
}

void
node_merges(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	e->merges = true;
	e->part[false] = false;
}

void
node_wants_snap(struct engine *engine, bool wants)
{
	remote_of(engine)->unwanted = !wants;
}

bool
node_ask_engine(struct engine *engine, const ei_x_buff *request, ei_x_buff *reply, int *index, struct why *why)
{
	return remote_ask(remote_of(engine), request, reply, index, why);
}

uint32_t
node_number(const struct engine *engine, unsigned probe)
{
	const struct remote_engine *e = remote_of(engine);
	return probe < e->nprobes ? e->remote[probe] : UINT32_MAX - 1;
}

static bool
is_end(const struct remote_engine *e, unsigned probe)
{
	for (unsigned i = 0; i < e->nbindings; i++)
		if (e->bindings[i].probe == probe)
			return eng_role_of(e->bindings[i].names[0], e->bindings[i].names[3]) == ROLE_END;
	return false;
}

static void
fire_here(struct remote_engine *e, unsigned probe)
{
	struct orphan *p = orphan_new(e->obj, &e->conf, e->node->name);
	bool ok = p != NULL;
	for (unsigned i = 0; ok && i < e->nbindings; i++)
		ok = orphan_bind(p, e->bindings[i].id, e->bindings[i].names, e->bindings[i].clause);
	if (ok && e->memory.image) {
		orphan_inherit(p, e->memory.image);
		tell_loss(e);
	}
	if (ok && orphan_fire(p, probe))
		e->orphan = p;
	else
		orphan_free(p);
}

static void
fire(struct engine *engine, struct firing *f)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	ei_x_buff request, reply;
	int index;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 2);
	ei_x_encode_atom(&request, "fire");
	ei_x_encode_ulong(&request, e->remote[f->probe]);
	bool ok = remote_ask(e, &request, &reply, &index, &why);
	ei_x_free(&request);
	ei_x_free(&reply);
	/* It may have run there before the node died: then its results were read with the rest. */
	if (!ok && e->lost[0] && !e->orphan && e->end == IMAGE_END_NOT && is_end(e, f->probe))
		fire_here(e, f->probe);
}

static void
stop(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	e->going = false;
	unsigned timeout = remote_more_time(e);
	command(e, "stop", &why);
	e->node->timeout = timeout;
}

/* The node's buffers are smaller than the memory here, so what waits there is fetched between two drains. */
static void
fetch(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	if (e->going && mono_ms() - e->last_work >= STATUS_MS)
		remote_work(e, false);
}

static void
drain(struct engine *engine, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	struct remote_engine *e = remote_of(engine);
	struct eng_rec r;
	uint32_t len;
	unsigned shard;
	remote_work(e, false);
	struct wire_in in = {.at = e->records, .left = e->nrecords};
	while (wire_next_rec(&in, &shard, &r, &len))
		if (r.epid >= 1 && r.epid <= e->nepids &&
		    (r.fault >= 0 || len == e->obj->groups[e->epids[r.epid - 1].group].recsize))
			fn(arg, shard, &r);
	e->nrecords = 0;
	if (e->orphan)
		orphan_drain(e->orphan, e->epids, e->nepids, fn, arg);
}

static void
snap(struct engine *engine, void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words),
    void *arg)
{
	struct remote_engine *e = remote_of(engine);
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	if (!e->merges && !e->unwanted)
		remote_work(e, true);
	struct wire_in in = {.at = e->aggs, .left = e->naggs};
	while (wire_next_agg(&in, &a, &key, &words))
		if (ENG_AGG_OF(a.agg) < e->obj->naggs && a.nwords == dobj_agg_words(&e->obj->aggs[ENG_AGG_OF(a.agg)]))
			fn(arg, a.agg, key, a.keylen, words);
	wire_done(&in);
	e->naggs = e->folded = 0;
	if (e->orphan)
		orphan_snap(e->orphan, fn, arg);
}

static bool
is_whole(struct engine *engine, bool records)
{
	const struct remote_engine *e = remote_of(engine);
	return e->lost[0] || !e->part[records];
}

/* Asked for often, so that exit() is noticed soon. The node is asked only if what is known is old. */
static void
status(struct engine *engine, struct eng_status *s)
{
	struct remote_engine *e = remote_of(engine);
	if (e->going && mono_ms() - e->last_status >= STATUS_MS)
		remote_ask_status(e);
	*s = e->status;
	if (e->lost[0])
		s->lost = e->lost;
	if (e->ended[0])
		s->ended = e->ended;
	s->notes = e->notes;
}

static void
nothing_for_thread(struct engine *engine, uint64_t thread)
{
	(void)engine; /* the tracer in the node sees its processes end */
	(void)thread;
}

static void
nothing_to_clean(struct engine *engine)
{
	(void)engine; /* the node does it with each "work" */
}

static const struct eng_epid *
epid(struct engine *engine, uint32_t id)
{
	struct remote_engine *e = remote_of(engine);
	return id >= 1 && id <= e->nepids ? &e->epids[id - 1] : NULL;
}

static void
names(struct engine *engine, unsigned source, const char *const *pids, unsigned n,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	struct remote_engine *e = remote_of(engine);
	(void)source;
	if (!e->lost[0])
		node_names(e->node, pids, n, fn, arg);
}

/* One byte for each probe. A probe that the node does not report counts as fired, so that nothing is said about it. */
static bool
fired(struct engine *engine, unsigned probe)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	ei_x_buff reply;
	int index, type, size;
	long len;
	if (!e->fired && !e->lost[0] && ei_x_new(&reply) == 0) {
		bool ok = node_command(e->node, "fired", &reply, &index, &why) &&
			  !ei_get_type(reply.buff, &index, &type, &size) && type == ERL_BINARY_EXT && size >= 0 &&
			  (e->fired = calloc(1, (size_t)size + 1)) &&
			  !ei_decode_binary(reply.buff, &index, e->fired, &len);
		e->nfired = ok ? (size_t)len : 0;
		ei_x_free(&reply);
	}
	return probe >= e->nprobes || e->remote[probe] >= e->nfired || e->fired[e->remote[probe]];
}

static void
alive(struct engine *engine)
{
	struct remote_engine *e = remote_of(engine);
	struct why why;
	if (!e->lost[0])
		command(e, "alive", &why);
}

const struct engine_ops engine_node = {
    .name = "node",
    .create = remote_create,
    .bind = remote_bind,
    .start = remote_start,
    .go = remote_go,
    .fire = fire,
    .stop = stop,
    .drain = drain,
    .snap = snap,
    .is_whole = is_whole,
    .fetch = fetch,
    .status = status,
    .thread_exit = nothing_for_thread,
    .clean = nothing_to_clean,
    .epid = epid,
    .names = names,
    .fired = fired,
    .alive = alive,
    .destroy = remote_destroy,
};
