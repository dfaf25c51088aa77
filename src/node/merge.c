/*
 * Snapshots that are merged on the way: see cluster.h.
 *
 * Each time the nodes are put into a few trees. Whoever is at the top of one asks those below, which ask those below
 * them. A node merges what it gets with its own snapshot. Only nodes that are connected anyway talk to each other.
 *
 * Nothing depends on a node that merges for others: it keeps nothing. A node's snapshots have numbers, and it sends the
 * last one again until the command says that it has come (protocol.h). An answer counts as a whole or not at all: each
 * snapshot in it must be the next one of its node. So if an answer comes so late that another node has already brought
 * one of them, or a lost node's memory was read meanwhile, it is thrown away, and everything in it comes again. A node
 * that could not be reached through the others is asked directly the next time.
 *
 * At the end each node is asked directly.
 */
#include "base/clock.h"
#include "node/cluster.h"
#include "node/term.h"
#include "node/wire.h"
#include "object/aggval.h"

#include <stdlib.h>
#include <string.h>

enum {
	TOPS = 4,          /* trees, at most … */
	TREE = 8,          /* … and nodes of each, if there are so few that it matters */
	FAN = 8,           /* nodes directly below one */
	PARTS = 4,         /* of aggrate: how often, if nobody wants a snapshot sooner … */
	PAUSE_MS = 250,    /* … but not more often than this … */
	RAREST_MS = 15000, /* … nor less often than this */
	WAIT_MS = 1000,    /* how long the top of a tree waits for those below */
	CLAIM_MS = 3000,   /* after this, those below are put into another tree */
};

/* Snapshots that one request asks for: those of a tree, from its top down. */
struct merge_plan {
	unsigned n;
	struct {
		struct peer *p;
		uint64_t seen;
		int64_t no; /* what the answer says */
	} of[];
};

/* -- in the handle's thread --------------------------------------------------------------------------------------- */

static bool
is_frame(unsigned kind)
{
	return kind == DK_STACK || kind == DK_USTACK || kind == DK_JSTACK || kind == DK_SYM || kind == DK_MOD ||
	       kind == DK_USYM || kind == DK_UMOD || kind == DK_UADDR;
}

/* Each node has its own numbers of functions, and counts its own cuts (ENG_CUT_OF), which only the command can relate
 * to those of others. */
bool
merge_is_possible(const struct cluster *c)
{
	for (uint32_t i = 0; i < c->obj->nkeys; i++)
		if (is_frame(c->obj->keys[i].kind))
			return false;
	for (unsigned i = 0; i < c->nbindings; i++) {
		const struct cluster_binding *b = &c->bindings[i];
		enum eng_role role = eng_role_of(b->names[0], b->names[3]);
		if (role != ROLE_BEGIN && role != ROLE_END && dobj_cuts(c->obj, &c->obj->clauses[b->clause]))
			return false;
	}
	return c->obj->naggs > 0;
}

static bool
has_begun(struct cluster *c)
{
	unsigned live = 0;
	for (unsigned i = 0; !c->merges && c->may_merge && i < c->n; i++)
		live += !c->peers[i]->known.lost;
	c->merges |= live > c->conf.mergeabove;
	return c->merges;
}

/* Gives p a plan for n nodes, of which it is the first. Without memory it has none, and they are asked the next time.
 */
static void
plan(struct peer *const *peers, unsigned n)
{
	struct merge_plan *m = malloc(sizeof *m + n * sizeof m->of[0]);
	if (!m)
		return;
	m->n = n;
	for (unsigned i = 0; i < n; i++) {
		peers[i]->claimed = mono_ms() + CLAIM_MS;
		m->of[i].p = peers[i];
		m->of[i].seen = peers[i]->link->taken.snaps;
	}
	peers[0]->plan = m;
}

/* Whether its snapshot can be asked for. The cluster's lock is held. */
static bool
is_free(struct peer *p)
{
	if (p->job || p->known.lost || p->link->taken.closed)
		return false;
	p->merges = true;
	return p->claimed <= mono_ms();
}

/* Whether it is time. Many small trees would cost as much as none: rather wait until most of the last turn are back. */
static bool
is_due(const struct cluster *c, bool now, bool most)
{
	uint64_t since = mono_ms() - c->merged_at, pause = c->conf.aggrate / PARTS / 1000000;
	pause = pause < PAUSE_MS ? PAUSE_MS : pause < RAREST_MS ? pause : RAREST_MS;
	return (now || since >= pause) && (most || since >= CLAIM_MS);
}

void
merge_turn(struct cluster *c, bool now)
{
	struct peer **free_ones = has_begun(c) ? malloc((c->n + 1) * sizeof *free_ones) : NULL;
	unsigned n = 0, busy = 0;
	if (!free_ones)
		return;
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (is_free(p))
			free_ones[n++] = p;
		else
			busy += !p->known.lost;
	}
	if (is_due(c, now, n > busy))
		c->merged_at = mono_ms();
	else
		n = 0;
	unsigned kept = 0;
	for (unsigned i = 0; i < n; i++) {
		struct peer *p = free_ones[i];
		if (p->missed)
			plan(&p, 1);
		else
			free_ones[kept++] = p;
		p->missed = false;
	}
	n = kept;
	unsigned trees = n / TREE + 1 < TOPS ? n / TREE + 1 : TOPS;
	for (unsigned i = 0; n && i < trees; i++)
		plan(free_ones + i * n / trees, (i + 1) * n / trees - i * n / trees);
	pthread_mutex_unlock(&c->lock);
	free(free_ones);
}

/* -- in a peer's thread ------------------------------------------------------------------------------------------- */

/* [Below] of the nodes from..to of the plan. */
static void
encode_below(ei_x_buff *x, const struct merge_plan *m, unsigned from, unsigned to)
{
	unsigned n = to - from, parts = n < FAN ? n : FAN;
	if (parts)
		ei_x_encode_list_header(x, parts);
	for (unsigned i = 0; i < parts; i++) {
		unsigned at = from + i * n / parts, end = from + (i + 1) * n / parts;
		ei_x_encode_tuple_header(x, 3);
		ei_x_encode_pid(x, &m->of[at].p->link->agent);
		ei_x_encode_ulonglong(x, m->of[at].seen);
		encode_below(x, m, at + 1, end);
	}
	ei_x_encode_empty_list(x);
}

/* [Number]; small ones may come as a string. */
static bool
read_numbers(struct merge_plan *m, const ei_x_buff *x, int index)
{
	int type, size, n;
	long long no;
	if (ei_get_type(x->buff, &index, &type, &size))
		return false;
	if (type == ERL_STRING_EXT) {
		char *text = (unsigned)size == m->n ? calloc(1, (size_t)size + 1) : NULL;
		bool ok = text && !ei_decode_string(x->buff, &index, text);
		for (unsigned i = 0; ok && i < m->n; i++)
			m->of[i].no = (unsigned char)text[i];
		free(text);
		return ok;
	}
	bool ok = !ei_decode_list_header(x->buff, &index, &n) && n >= 0 && (unsigned)n == m->n;
	for (unsigned i = 0; ok && i < m->n; i++) {
		ok = !ei_decode_longlong(x->buff, &index, &no);
		m->of[i].no = no;
	}
	return ok;
}

/* {ok, #{of => [Number], aggregations => Bytes}}: *bytes is on the heap. */
static bool
read_answer(struct merge_plan *m, const ei_x_buff *x, int index, char **bytes, size_t *len)
{
	char tag[MAXATOMLEN];
	int arity, at, type, size;
	long n;
	if (ei_decode_tuple_header(x->buff, &index, &arity) || arity != 2 || ei_decode_atom(x->buff, &index, tag) ||
	    !term_field(x, index, "of", &at) || !read_numbers(m, x, at) || !term_field(x, index, "aggregations", &at) ||
	    ei_get_type(x->buff, &at, &type, &size) || type != ERL_BINARY_EXT || size < 8 || size % 8)
		return false;
	*bytes = malloc((size_t)size);
	*len = (size_t)size;
	return *bytes && !ei_decode_binary(x->buff, &at, *bytes, &n);
}

/* Returns whether all snapshots of an answer are the next ones of their nodes; then they have come. */
static bool
have_come(struct cluster *c, struct merge_plan *m, bool *again)
{
	bool ok = true;
	unsigned n = 0;
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < m->n; i++) {
		const struct node_taken *t = &m->of[i].p->link->taken;
		*again |= m->of[i].no < 0;
		m->of[i].no = m->of[i].no < 0 ? -m->of[i].no : m->of[i].no;
		n += m->of[i].no != 0;
		bool is_next = (uint64_t)m->of[i].no == t->snaps + 1;
		m->of[i].p->missed |= !is_next; /* one that lies is asked alone */
		ok &= !m->of[i].no || (is_next && !t->closed);
	}
	for (unsigned i = 0; ok && i < m->n; i++)
		if (m->of[i].no)
			m->of[i].p->link->taken.snaps = (uint64_t)m->of[i].no;
	c->merged += ok && n > 1 ? n : 0;
	c->answers += ok && n > 1;
	pthread_mutex_unlock(&c->lock);
	return ok;
}

static void
keep_values(struct peer *p, const char *bytes, size_t len)
{
	const struct dobj *o = p->c->obj;
	struct wire_in in = {.at = bytes, .left = len};
	struct wire_agg a;
	const void *key;
	const uint64_t *words;
	while (wire_next_agg(&in, &a, &key, &words))
		if (ENG_AGG_OF(a.agg) < o->naggs && a.nwords == aggval_words(&o->aggs[ENG_AGG_OF(a.agg)]))
			wire_add_agg(&p->aggs, a.agg, key, a.keylen, words, a.nwords);
	wire_done(&in);
}

/* They may be asked for again; directly, if it is not known what became of them. */
static void
let_go(struct cluster *c, const struct merge_plan *m, bool missed)
{
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < m->n; i++) {
		m->of[i].p->claimed = 0;
		m->of[i].p->missed |= missed;
	}
	pthread_mutex_unlock(&c->lock);
}

static void
ask(struct peer *p, struct merge_plan *m)
{
	struct why why;
	ei_x_buff request, reply;
	int index;
	char *bytes = NULL;
	size_t len;
	bool again = false;
	uint64_t first = 0;
	ei_x_new(&request);
	ei_x_new(&reply);
	ei_x_encode_tuple_header(&request, 4);
	ei_x_encode_atom(&request, "merge");
	ei_x_encode_ulonglong(&request, m->of[0].seen);
	ei_x_encode_long(&request, WAIT_MS);
	encode_below(&request, m, 1, m->n);
	bool told =
	    node_ask_engine(p->e, &request, &reply, &index, &why) && read_answer(m, &reply, index, &bytes, &len);
	if (told && have_come(p->c, m, &again)) {
		memcpy(&first, bytes, sizeof first);
		p->part[false] |= again || first & WIRE_PART;
		keep_values(p, bytes + sizeof first, len - sizeof first);
	}
	let_go(p->c, m, !told);
	free(bytes);
	ei_x_free(&request);
	ei_x_free(&reply);
}

void
merge_do(struct peer *p)
{
	struct merge_plan *m = p->plan;
	node_merges(p->e);
	p->plan = NULL;
	if (m && !p->status.lost)
		ask(p, m);
	free(m);
}

/* The first answer may be one that was sent before. */
void
merge_rest(struct peer *p)
{
	node_merges(p->e);
	free(p->plan);
	p->plan = NULL;
	for (int i = 0; i < 2 && !p->status.lost; i++) {
		struct merge_plan *m = malloc(sizeof *m + sizeof m->of[0]);
		if (!m)
			return;
		m->n = 1;
		m->of[0].p = p;
		pthread_mutex_lock(&p->c->lock);
		m->of[0].seen = p->link->taken.snaps;
		pthread_mutex_unlock(&p->c->lock);
		p->part[false] = false;
		ask(p, m);
		free(m);
		engine_node.status(p->e, &p->status);
	}
}
