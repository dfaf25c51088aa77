/*
 * The engines of several nodes as one engine: what engine_node does for one node (remote.c), all peers do at the same
 * time. See cluster.h.
 *
 * Between start and stop, peers are asked in turns (gather). A turn does not wait for one that is late: what that has
 * comes with a later turn, because a node keeps it until it is asked. When tracing ends, each gets a last chance; then
 * it is given up. What a lost node sent before counts, and so does what can be read from its memory.
 */
#include "base/clock.h"
#include "node/cluster.h"
#include "node/wire.h"
#include "object/key.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TURN_MS = 200,      /* how long a turn waits */
	STATUS_MS = 20,     /* between two turns … */
	TURN_SHARE = 9,     /* … but at least as many times the processor time of the last one … */
	LONGEST_MS = 3000,  /* … and at most this; with so many nodes, drains are enough */
	RARE_MS = 2000,     /* between two turns of all, if there are no records and snapshots are merged on the way */
	SILENCE_MS = 3000,  /* after this it is said that a node does not answer */
	PEER_SHARDS = 4096, /* shards of a peer have numbers of their own */
};

/* What `struct engine` of engine.h is here. */
static inline struct cluster *
cluster_of(const struct engine *e)
{
	return (struct cluster *)(uintptr_t)e;
}

/* -- jobs: in the peers' threads -------------------------------------------------------------------------------- */

void
peer_create(struct peer *p, const struct dobj *o, const struct eng_conf *all)
{
	struct eng_conf conf = *all;
	conf.link = p->link;
	p->e = engine_node.create(o, &conf, &p->why);
	p->ok = p->e != NULL;
}

static void
create_one(struct peer *p, void *arg)
{
	(void)arg;
	peer_create(p, p->c->obj, &p->c->conf);
}

static void
start_one(struct peer *p, void *arg)
{
	(void)arg;
	p->ok = engine_node.start(p->e, &p->why);
}

static void
go_one(struct peer *p, void *arg)
{
	(void)arg;
	p->ok = engine_node.go(p->e, &p->why);
	engine_node.status(p->e, &p->status);
}

static void
fire_one(struct peer *p, void *arg)
{
	struct firing f = *(const struct firing *)arg;
	engine_node.fire(p->e, &f);
	engine_node.status(p->e, &p->status);
}

static void
stop_one(struct peer *p, void *arg)
{
	(void)arg;
	engine_node.stop(p->e);
	engine_node.status(p->e, &p->status);
}

static void
alive_one(struct peer *p, void *arg)
{
	struct why ignored;
	ei_x_buff reply;
	int index;
	(void)arg;
	if (p->e)
		engine_node.alive(p->e);
	else if (ei_x_new(&reply) == 0) { /* before tracing begins */
		node_command(p->link, "alive", &reply, &index, &ignored);
		ei_x_free(&reply);
	}
}

void
cluster_alive(struct cluster *c)
{
	cluster_try(c, alive_one, TURN_MS);
}

static void
fired_one(struct peer *p, void *arg)
{
	(void)arg;
	for (unsigned i = 0; p->fired && i < p->c->nprobes; i++)
		p->fired[i] = engine_node.fired(p->e, i);
}

static void
destroy_one(struct peer *p, void *arg)
{
	(void)arg;
	if (p->e)
		engine_node.destroy(p->e);
	p->e = NULL;
}

static bool
is_frames(unsigned kind)
{
	return kind == DK_STACK || kind == DK_USTACK || kind == DK_JSTACK;
}

static bool
is_frame(unsigned kind)
{
	return kind == DK_SYM || kind == DK_MOD || kind == DK_USYM || kind == DK_UMOD || kind == DK_UADDR;
}

/* Changes frames in place: a stack, or a single one. `at` is a field or the element of a key (object/key.h). */
static void
change_frames(struct peer *p, unsigned kind, char *at, size_t size)
{
	uint64_t *words = (uint64_t *)(void *)at, n = size / 8;
	if (is_frames(kind) && n >= 2) {
		words[0] = 0; /* the process: each node has another */
		n = words[1] < n - 2 ? words[1] : n - 2;
		for (uint64_t i = 0; i < n; i++)
			words[2 + i] = peer_frame(p, words[2 + i]);
	} else if (is_frame(kind) && n >= 2) {
		words[0] = 0;
		words[1] = peer_frame(p, words[1]);
	} else if (is_frame(kind) && n == 1)
		words[0] = peer_frame(p, words[0]);
}

static void
keep_record(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct peer *p = arg;
	const struct dobj *o = p->c->obj;
	const struct eng_epid *ep = engine_node.epid(p->e, r->epid);
	if (!ep || r->epid > p->nepids)
		return;
	const struct dobj_group *g = &o->groups[ep->group];
	struct eng_rec mine = *r;
	size_t at = p->records.len + sizeof(struct wire_rec);
	mine.epid = p->epids[r->epid - 1];
	mine.time = (uint64_t)((int64_t)r->time - p->ahead);
	wire_add_rec(&p->records, shard % PEER_SHARDS, &mine, g->recsize);
	for (uint32_t i = 0; p->c->has_frames && r->fault < 0 && !p->records.failed && i < g->nfields; i++) {
		const struct dobj_field *f = &o->fields[g->field + i];
		if (is_frames(f->kind) || is_frame(f->kind))
			change_frames(p, f->kind, p->records.at + at + f->offset, f->size);
	}
}

static void
keep_value(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words)
{
	struct peer *p = arg;
	const struct dobj *o = p->c->obj;
	const struct dobj_agg *a = &o->aggs[ENG_AGG_OF(agg)];
	struct key_elem elems[DOBJ_MAXKEYS];
	size_t at = p->aggs.len + sizeof(struct wire_agg);
	wire_add_agg(&p->aggs, agg, key, keylen, words, dobj_agg_words(a));
	if (!p->c->has_frames || p->aggs.failed || a->nkeys > DOBJ_MAXKEYS ||
	    !key_unpack(o->keys + a->key, a->nkeys, p->aggs.at + at, keylen, elems))
		return;
	for (unsigned i = 0; i < a->nkeys; i++)
		change_frames(p, elems[i].kind, p->aggs.at + ((const char *)elems[i].at - p->aggs.at), elems[i].len);
}

static void
gather_with(struct peer *p, void (*snapshots)(struct peer *p), bool wants)
{
	uint64_t now = mono_ns();
	node_wants_snap(p->e, wants);
	engine_node.drain(p->e, keep_record, p);
	if (engine_node.is_whole(p->e, true))
		p->asked = now;
	p->part[false] = false;
	if (p->merges)
		snapshots(p);
	engine_node.snap(p->e, keep_value, p);
	wire_fold(&p->aggs, &p->folded, p->c->obj);
	p->part[true] = !engine_node.is_whole(p->e, true);
	p->part[false] |= !engine_node.is_whole(p->e, false);
	engine_node.status(p->e, &p->status);
	join_ask(p);
	clock_again(p);
}

static void
gather_one(struct peer *p, void *arg)
{
	(void)arg;
	gather_with(p, merge_do, p->wants);
}

static void
gather_rest(struct peer *p, void *arg)
{
	(void)arg;
	gather_with(p, merge_rest, true);
}

/* -- the engine: in the handle's thread --------------------------------------------------------------------------- */

static uint64_t
cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Turns between two snapshots are there so that nodes have room and exit() is noticed soon. With many nodes they must
 * not take a whole processor. */
static bool
is_time(const struct cluster *c)
{
	return c->going && mono_ms() - c->gathered >= c->pause;
}

/* A turn of those that bring snapshots, if those are merged on the way. Returns false if they are not. */
static bool
gather_merged(struct cluster *c)
{
	if (!c->merges)
		return false;
	for (unsigned i = 0; i < c->n; i++)
		c->peers[i]->rests = peer_is_idle(c->peers[i]) && !c->peers[i]->plan;
	cluster_try(c, gather_one, TURN_MS);
	for (unsigned i = 0; i < c->n; i++)
		c->peers[i]->rests = false;
	return true;
}

/* While tracing is on, nobody is waited for. After that everything must be here. */
static void
gather(struct cluster *c, bool snapshots)
{
	uint64_t before = cpu_ms(), before_ms = mono_ms();
	for (unsigned i = 0; i < c->n; i++)
		if (peer_is_idle(c->peers[i]))
			c->peers[i]->wants = snapshots;
	if (c->going)
		merge_turn(c, snapshots);
	bool few = snapshots || (c->quiet && before_ms - c->gathered < RARE_MS);
	if (c->going && few && gather_merged(c))
		return;
	if (c->going)
		cluster_try(c, gather_one, TURN_MS);
	else
		cluster_run(c, gather_rest, NULL, CLUSTER_END_MS);
	c->gathered = mono_ms();
	uint64_t pause = (cpu_ms() - before) * TURN_SHARE;
	c->pause = pause < STATUS_MS ? STATUS_MS : pause < LONGEST_MS ? pause : LONGEST_MS;
}

static void
destroy(struct engine *engine)
{
	struct cluster *c = cluster_of(engine);
	join_end(c);
	cluster_run(c, destroy_one, NULL, CLUSTER_END_MS);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		sb_free(&p->records);
		sb_free(&p->aggs);
		free(p->epids);
		free(p->fired);
		p->epids = NULL;
		p->fired = NULL;
		p->merges = false;
		p->nepids = 0;
	}
	sb_free(&c->notes);
	free(c->bindings);
	c->bindings = NULL;
	c->nbindings = 0;
	c->begin = -1;
	c->obj = NULL;
	c->nprobes = 0;
	c->going = c->merges = c->may_merge = false;
}

static struct engine *
create(const struct dobj *o, const struct eng_conf *conf, struct why *why)
{
	struct cluster *c = conf->link;
	c->obj = o;
	c->conf = *conf;
	/* they are for what happens in this process */
	c->conf.over = c->conf.cut = NULL;
	c->has_frames = false;
	for (uint32_t i = 0; i < o->nkeys; i++)
		c->has_frames |= is_frames(o->keys[i].kind) || is_frame(o->keys[i].kind);
	for (uint32_t i = 0; i < o->nfields; i++)
		c->has_frames |= is_frames(o->fields[i].kind) || is_frame(o->fields[i].kind);
	cluster_run(c, create_one, NULL, CLUSTER_START_MS);
	if (!cluster_failed(c, why))
		return (struct engine *)c;
	destroy((struct engine *)c);
	return NULL;
}

/* Probes of the provider erlang are called erlang<pid> in a node. */
int
peer_bind(struct peer *p, const struct cluster_binding *b)
{
	bool erlang = strcmp(b->names[0], "erlang") == 0;
	const char *const there[4] = {erlang ? p->provider : b->names[0], b->names[1], b->names[2], b->names[3]};
	return engine_node.bind(p->e, b->id, there, b->clause);
}

/* The index is the same for all, because all get the same calls. */
static int
bind_probe(struct engine *engine, uint32_t id, const char *const names[4], unsigned clause)
{
	struct cluster *c = cluster_of(engine);
	const struct cluster_binding b = {id, {names[0], names[1], names[2], names[3]}, clause};
	int index = -1;
	struct cluster_binding *grown = realloc(c->bindings, (c->nbindings + 1) * sizeof *grown);
	if (!grown)
		return -1;
	c->bindings = grown;
	c->bindings[c->nbindings++] = b;
	for (unsigned i = 0; i < c->n; i++) {
		index = peer_bind(c->peers[i], &b);
		if (index < 0)
			return -1;
	}
	if ((unsigned)index >= c->nprobes)
		c->nprobes = (unsigned)index + 1;
	if (eng_role_of(names[0], names[3]) == ROLE_BEGIN)
		c->begin = index;
	return index;
}

/* Each node numbers what is enabled. Records get the number of the first one. */
bool
peer_match_epids(struct peer *p, struct why *why)
{
	const struct peer *one = p->c->peers[0];
	const struct eng_epid *ep, *first;
	while (engine_node.epid(p->e, p->nepids + 1))
		p->nepids++;
	p->epids = calloc(p->nepids + 1, sizeof *p->epids);
	if (!p->epids) {
		why_set(why, "out of memory");
		return false;
	}
	for (uint32_t k = 0; k < p->nepids; k++) {
		uint32_t id = 1;
		ep = engine_node.epid(p->e, k + 1);
		while ((first = engine_node.epid(one->e, id)) &&
		       (first->probe != ep->probe || first->clause != ep->clause || first->group != ep->group))
			id++;
		if (!first) {
			why_set(why, "node %s enables other clauses than node %s", p->link->name, one->link->name);
			return false;
		}
		p->epids[k] = id;
	}
	return true;
}

static bool
match_epids(struct cluster *c, struct why *why)
{
	bool ok = true;
	for (unsigned i = 0; ok && i < c->n; i++)
		ok = peer_match_epids(c->peers[i], why);
	return ok;
}

/* Whether there may be records between BEGIN and END. */
static bool
leaves_records(const struct cluster *c)
{
	for (unsigned i = 0; i < c->nbindings; i++) {
		const struct cluster_binding *b = &c->bindings[i];
		const struct dobj_clause *clause = &c->obj->clauses[b->clause];
		enum eng_role role = eng_role_of(b->names[0], b->names[3]);
		for (uint32_t k = 0; role != ROLE_BEGIN && role != ROLE_END && k < clause->ngroups; k++)
			if (c->obj->groups[clause->group + k].records)
				return true;
	}
	return false;
}

static bool
start(struct engine *engine, struct why *why)
{
	struct cluster *c = cluster_of(engine);
	cluster_run(c, start_one, NULL, CLUSTER_START_MS);
	c->may_merge = merge_is_possible(c);
	c->quiet = !leaves_records(c);
	return !cluster_failed(c, why) && match_epids(c, why);
}

/* Adds a line about one node, with its name unless the text has it. */
static void
add_note(struct cluster *c, const char *name, const char *text)
{
	bool named = strstr(text, name) != NULL;
	sb_printf(&c->notes, "%s%s%s%s%s", c->notes.len ? "\n" : "", named ? "" : "node ", named ? "" : name,
	    named ? "" : ": ", text);
}

/* What the nodes say, and with -v how far their clocks are from ours. */
static void
collect_notes(struct cluster *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		const struct peer *p = c->peers[i];
		char clock[128];
		if (p->status.notes)
			add_note(c, p->link->name, p->status.notes);
		if (!c->conf.verbose || !p->within)
			continue;
		snprintf(clock, sizeof clock, "its clock is %lld us ahead of ours, give or take %llu us",
		    (long long)(p->ahead / 1000), (unsigned long long)(p->within + 999) / 1000);
		add_note(c, p->link->name, clock);
	}
}

static bool
go(struct engine *engine, struct why *why)
{
	struct cluster *c = cluster_of(engine);
	cluster_run(c, go_one, NULL, CLUSTER_START_MS);
	if (cluster_failed(c, why))
		return false;
	collect_notes(c);
	c->going = true;
	return true;
}

static void
fire(struct engine *engine, struct firing *f)
{
	cluster_run(cluster_of(engine), fire_one, f, CLUSTER_END_MS);
}

static void
stop(struct engine *engine)
{
	struct cluster *c = cluster_of(engine);
	c->going = false;
	join_end(c);
	cluster_run(c, stop_one, NULL, CLUSTER_END_MS);
}

static void
fetch(struct engine *engine)
{
	struct cluster *c = cluster_of(engine);
	if (is_time(c))
		gather(c, false);
}

static void
drain(struct engine *engine, void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	struct cluster *c = cluster_of(engine);
	gather(c, false);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!peer_is_idle(p))
			continue;
		struct wire_in in = {.at = p->records.at, .left = p->records.len};
		struct eng_rec r;
		uint32_t len;
		unsigned shard;
		c->source = i;
		while (wire_next_rec(&in, &shard, &r, &len))
			fn(arg, i * PEER_SHARDS + shard, &r);
		p->complete = p->asked;
		if (!p->records.failed)
			sb_clear(&p->records);
	}
}

static void
snap(struct engine *engine, void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words),
    void *arg)
{
	struct cluster *c = cluster_of(engine);
	gather(c, true);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!peer_is_idle(p))
			continue;
		struct wire_in in = {.at = p->aggs.at, .left = p->aggs.len};
		struct wire_agg a;
		const void *key;
		const uint64_t *words;
		c->source = i;
		while (wire_next_agg(&in, &a, &key, &words))
			fn(arg, a.agg, key, a.keylen, words);
		wire_done(&in);
		p->folded = 0;
		if (!p->aggs.failed)
			sb_clear(&p->aggs);
	}
}

static bool
is_whole(struct engine *engine, bool records)
{
	const struct cluster *c = cluster_of(engine);
	for (unsigned i = 0; i < c->n; i++)
		if (peer_is_idle(c->peers[i]) && c->peers[i]->part[records])
			return false;
	return true;
}

/* Adds one peer's status to that of all. */
static void
add_status(struct cluster *c, unsigned i, struct eng_status *s)
{
	const struct eng_status *one = &c->peers[i]->known;
	for (unsigned k = 0; k < ENG_NDROPS; k++)
		s->drops[k] += one->drops[k];
	s->errors += one->errors;
	s->filled |= one->filled;
	s->metered |= one->metered;
	s->spent += one->spent;
	if (one->exiting && c->first == UINT_MAX)
		c->first = i;
	if (c->first == i) {
		s->exiting = true;
		s->exit_status = one->exit_status;
	}
}

/* One that is lost or has ended is news (below); only if it was the last one everything ends. */
static void
status(struct engine *engine, struct eng_status *s)
{
	struct cluster *c = cluster_of(engine);
	unsigned lost = 0, ended = 0;
	if (is_time(c))
		gather(c, false);
	if (c->going)
		join_turn(c);
	*s = (struct eng_status){.notes = c->notes.at};
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (peer_is_idle(p)) {
			p->known = p->status;
			if (p->records.failed || p->aggs.failed)
				s->lost = "out of memory for what the nodes have sent";
		}
		add_status(c, i, s);
		lost += p->known.lost != NULL;
		ended += !p->known.lost && p->known.ended;
	}
	if (lost == c->n)
		s->lost = "all nodes are lost";
	else if (lost + ended == c->n)
		s->ended = "no node is traced any more";
}

static void
nothing_for_thread(struct engine *engine, uint64_t thread)
{
	(void)engine; /* as in remote.c */
	(void)thread;
}

static void
nothing_to_clean(struct engine *engine)
{
	(void)engine;
}

static const struct eng_epid *
epid(struct engine *engine, uint32_t id)
{
	return engine_node.epid(cluster_of(engine)->peers[0]->e, id);
}

static void
alive(struct engine *engine)
{
	cluster_alive(cluster_of(engine));
}

/* Asked for at the end. A node that does not tell counts as one where everything fired, so that nothing is said. */
static bool
fired(struct engine *engine, unsigned probe)
{
	struct cluster *c = cluster_of(engine);
	if (!c->peers[0]->fired) {
		for (unsigned i = 0; i < c->n; i++)
			c->peers[i]->fired = calloc(c->nprobes + 1, sizeof(bool));
		cluster_run(c, fired_one, NULL, CLUSTER_END_MS);
	}
	bool any = probe >= c->nprobes;
	for (unsigned i = 0; !any && i < c->n; i++)
		any = !c->peers[i]->fired || c->peers[i]->fired[probe];
	return any;
}

static void
note_name(void *arg, unsigned i, const char *text)
{
	struct sbuf *b = arg;
	sb_add(b, &i, sizeof i);
	sb_add(b, text, strlen(text) + 1);
}

static void
names_one(struct peer *p, void *arg)
{
	size_t n = 0;
	(void)arg;
	sb_clear(&p->text);
	for (size_t at = 0; at < p->pids.len; at++)
		n += !p->pids.at[at];
	const char **pids = calloc(n + 1, sizeof *pids);
	size_t at = 0;
	for (size_t i = 0; pids && i < n; i++) {
		pids[i] = p->pids.at + at;
		at += strlen(pids[i]) + 1;
	}
	if (pids)
		engine_node.names(p->e, 0, pids, (unsigned)n, note_name, &p->text);
	free(pids);
}

/* If the node is late, its processes have no names for now. */
static void
names(struct engine *engine, unsigned source, const char *const *pids, unsigned n,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	struct cluster *c = cluster_of(engine);
	struct peer *p = c->peers[source];
	if (!peer_is_idle(p))
		return;
	sb_clear(&p->pids);
	for (unsigned i = 0; i < n; i++)
		sb_add(&p->pids, pids[i], strlen(pids[i]) + 1);
	if (p->pids.failed || !peer_try(p, names_one, TURN_MS) || p->text.failed)
		return;
	for (size_t at = 0; at < p->text.len;) {
		unsigned i;
		memcpy(&i, p->text.at + at, sizeof i);
		fn(arg, i, p->text.at + at + sizeof i);
		at += sizeof i + strlen(p->text.at + at + sizeof i) + 1;
	}
}

/* -- the nodes ----------------------------------------------------------------------------------------------------- */

static unsigned
count(struct engine *engine)
{
	return cluster_of(engine)->n;
}

static const char *
name(struct engine *engine, unsigned source)
{
	return cluster_of(engine)->peers[source]->link->name;
}

static unsigned
current(struct engine *engine)
{
	return cluster_of(engine)->source;
}

static bool
is_lost(struct engine *engine, unsigned source)
{
	return cluster_of(engine)->peers[source]->told_lost;
}

static unsigned
leader(struct engine *engine)
{
	struct cluster *c = cluster_of(engine);
	for (unsigned i = 0; i < c->n; i++)
		if (!is_lost(engine, i))
			return i;
	return 0;
}

static uint64_t
complete(struct engine *engine)
{
	struct cluster *c = cluster_of(engine);
	uint64_t until = UINT64_MAX;
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!p->known.lost && peer_is_late(p) < SILENCE_MS && p->complete < until)
			until = p->complete;
	}
	return until;
}

static uint64_t
drops(struct engine *engine, unsigned source, enum eng_drop why)
{
	return cluster_of(engine)->peers[source]->known.drops[why];
}

typedef void news_f(void *arg, enum eng_news kind, const char *text);

static void
tell(const struct peer *p, news_f *fn, void *arg, enum eng_news kind, const char *before, const char *after,
    const char *why)
{
	struct sbuf b = {0};
	sb_printf(&b, "%s %s %s%s", before, p->link->name, after, why);
	fn(arg, kind, b.failed ? after : b.at);
	sb_free(&b);
}

static void
news_of(struct peer *p, news_f *fn, void *arg)
{
	uint64_t late = peer_is_late(p);
	if (late) {
		if (late >= SILENCE_MS && !p->told_silent) {
			p->told_silent = true;
			tell(p, fn, arg, NEWS_NODE, "node", "does not answer; the others go on", "");
		}
		return;
	}
	p->known = p->status;
	if (p->known.lost && !p->told_lost) {
		p->told_lost = true;
		bool others = !is_lost((struct engine *)p->c, leader((struct engine *)p->c));
		tell(
		    p, fn, arg, NEWS_LOST, "node", others ? "is lost, the others go on: " : "is lost: ", p->known.lost);
	} else if (p->told_silent && !p->known.lost) {
		p->told_silent = false;
		tell(p, fn, arg, NEWS_NODE, "node", "answers again", "");
	}
	if (p->known.ended && !p->told_ended) {
		p->told_ended = true;
		fn(arg, NEWS_ENDED, p->known.ended);
	}
}

/* One that comes and goes is several peers of the same name. */
static bool
was_lost(const struct cluster *c, unsigned peer)
{
	for (unsigned i = 0; i < peer; i++)
		if (c->peers[i]->told_lost && strcmp(c->peers[i]->link->name, c->peers[peer]->link->name) == 0)
			return true;
	return false;
}

static void
news(struct engine *engine, bool last, news_f *fn, void *arg)
{
	struct cluster *c = cluster_of(engine);
	for (unsigned i = 0; i < c->n; i++)
		news_of(c->peers[i], fn, arg);
	join_news(c, fn, arg);
	if (last && c->conf.verbose && c->answers) {
		char text[128];
		snprintf(text, sizeof text, "%llu snapshots of nodes were merged on the way, and came as %llu",
		    (unsigned long long)c->merged, (unsigned long long)c->answers);
		fn(arg, NEWS_NODE, text);
	}
	for (unsigned i = 0; last && i < c->n; i++)
		if (c->peers[i]->told_lost && !was_lost(c, i))
			tell(c->peers[i], fn, arg, NEWS_LOST, "of node",
			    "the result has only what came before it was lost", "");
}

static void
clock_of(struct engine *engine, unsigned source, int64_t *ahead, uint64_t *within)
{
	struct cluster *c = cluster_of(engine);
	pthread_mutex_lock(&c->lock);
	*ahead = c->peers[source]->ahead;
	*within = c->peers[source]->within;
	pthread_mutex_unlock(&c->lock);
}

static const struct engine_sources sources = {count, name, current, is_lost, leader, complete, drops, news, clock_of};

const struct engine_ops engine_cluster = {
    .name = "nodes",
    .create = create,
    .bind = bind_probe,
    .start = start,
    .go = go,
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
    .destroy = destroy,
    .sources = &sources,
};
