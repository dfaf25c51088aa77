/* Nodes that join while a script runs: see cluster.h. */
#include "base/clock.h"
#include "node/cluster.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	WATCHERS = 3,         /* traced nodes that are asked which nodes there are */
	LOOK_MS = 100,        /* between two looks at what they say */
	AT_ONCE = 8,          /* nodes that are attached to at the same time */
	MOST = 4096,          /* nodes in all: those that were lost keep their place */
	FIRST_PAUSE = 500,    /* ms until one that failed is tried again; the time doubles … */
	LONGEST_PAUSE = 30000 /* … up to this */
};

/* A node that is known, but was not traced at some time. */
struct wanted {
	char *name;
	struct peer *p; /* that it will be; NULL while it is not attached to */
	uint64_t next;  /* ms: not tried before this */
	unsigned pause;
	bool told; /* that it failed */
};

struct joining {
	struct wanted *all;
	unsigned n;
	uint64_t looked; /* ms */
	struct sbuf news;
	bool told_many;
};

struct joining *
join_new(void)
{
	return calloc(1, sizeof(struct joining));
}

void
join_free(struct joining *j)
{
	if (!j)
		return;
	for (unsigned i = 0; i < j->n; i++)
		free(j->all[i].name);
	free(j->all);
	sb_free(&j->news);
	free(j);
}

/* -- in a peer's thread ------------------------------------------------------------------------------------------- */

static bool
note_name(void *arg, const char *name)
{
	struct sbuf *b = arg;
	sb_add(b, name, strlen(name) + 1);
	return !b->failed;
}

void
join_ask(struct peer *p)
{
	struct why ignored;
	if (!p->watches || p->status.lost || p->status.nodes == p->watched)
		return;
	uint64_t nodes = p->watched == UINT64_MAX ? 0 : p->status.nodes; /* it begins to count now */
	sb_clear(&p->nodes);
	if (node_nodes(p->link, p->c->join == JOIN_HIDDEN, note_name, &p->nodes, &ignored) && !p->nodes.failed)
		p->watched = nodes;
}

static bool
start_one(struct peer *p)
{
	struct cluster *c = p->c;
	peer_create(p, c->obj, &c->conf);
	for (unsigned i = 0; p->ok && i < c->nbindings; i++)
		if (peer_bind(p, &c->bindings[i]) < 0) {
			why_set(&p->why, "out of memory");
			p->ok = false;
		}
	p->ok = p->ok && engine_node.start(p->e, &p->why) && peer_match_epids(p, &p->why);
	if (!p->ok)
		return false;
	if (c->begin >= 0)
		engine_node.fire(p->e, &(struct firing){.probe = (unsigned)c->begin, .thread = (uint64_t)gettid()});
	engine_node.status(p->e, &p->status);
	if (!p->status.exiting)
		p->ok = engine_node.go(p->e, &p->why);
	engine_node.status(p->e, &p->status);
	return p->ok;
}

/* Everything that the other nodes went through. */
static void
join_one(struct peer *p, void *arg)
{
	peer_connect(p, arg);
	if (p->ok)
		peer_attach(p, arg);
	if (p->ok && start_one(p))
		return;
	if (p->e)
		engine_node.destroy(p->e);
	p->e = NULL;
	peer_close(p, arg);
}

static void
leave_one(struct peer *p, void *arg)
{
	engine_node.destroy(p->e);
	p->e = NULL;
	peer_close(p, arg);
}

/* -- in the handle's thread --------------------------------------------------------------------------------------- */

/* The kind of news, then its text. */
static void
tell(struct joining *j, enum eng_news kind, const char *name, const char *what, const char *why)
{
	sb_addc(&j->news, (char)kind);
	sb_printf(&j->news, "node %s %s%s", name, what, why);
	sb_add(&j->news, "", 1);
}

void
join_news(struct cluster *c, void (*fn)(void *arg, enum eng_news kind, const char *text), void *arg)
{
	struct joining *j = c->joining;
	if (!j)
		return;
	for (size_t at = 0; !j->news.failed && at < j->news.len; at += strlen(j->news.at + at + 1) + 2)
		fn(arg, (enum eng_news)(unsigned char)j->news.at[at], j->news.at + at + 1);
	sb_free(&j->news);
	j->news = (struct sbuf){0};
}

static bool
is_traced(const struct cluster *c, const char *name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (!c->peers[i]->known.lost && strcmp(c->peers[i]->link->name, name) == 0)
			return true;
	return false;
}

static bool
was_traced(const struct cluster *c, const char *name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (strcmp(c->peers[i]->link->name, name) == 0)
			return true;
	return false;
}

static struct wanted *
find(struct joining *j, const char *name)
{
	for (unsigned i = 0; i < j->n; i++)
		if (strcmp(j->all[i].name, name) == 0)
			return &j->all[i];
	struct wanted *grown = j->n < MOST ? realloc(j->all, (j->n + 1) * sizeof *grown) : NULL;
	char *copy = grown ? strdup(name) : NULL;
	if (grown)
		j->all = grown;
	if (!copy)
		return NULL;
	j->all[j->n] = (struct wanted){.name = copy};
	return &j->all[j->n++];
}

static void
try_later(struct wanted *w)
{
	w->pause = !w->pause ? FIRST_PAUSE : 2 * w->pause < LONGEST_PAUSE ? 2 * w->pause : LONGEST_PAUSE;
	w->next = mono_ms() + w->pause;
}

/* It traces now. */
static void
take(struct cluster *c, struct wanted *w)
{
	struct joining *j = c->joining;
	struct peer *p = w->p;
	const char *name = p->link->name;
	if (is_traced(c, name)) { /* under another name */
		peer_give(p, leave_one);
		return;
	}
	bool again = was_traced(c, name);
	if (!cluster_add(c, p)) {
		peer_give(p, leave_one);
		return;
	}
	tell(j, NEWS_NODE, name, again ? "is back and is traced again" : "has joined and is traced", "");
	if (p->status.notes)
		tell(j, NEWS_NODE, name, "says: ", p->status.notes);
	p->known = p->status;
	w->p = NULL;
	w->pause = 0;
	w->told = false;
	/* if it is lost soon, somebody should not see it come and go all the time */
	w->next = mono_ms() + FIRST_PAUSE;
}

static void
see_one(struct cluster *c, struct wanted *w)
{
	struct peer *p = w->p;
	if (!p || !peer_is_idle(p))
		return;
	if (p->ok && p->e) {
		take(c, w);
		return;
	}
	/* the first time it may just be starting, or have ended and the others do not know that yet */
	if (!p->ok && w->pause && !w->told && !atomic_load(&p->given_up)) {
		w->told = true;
		tell(c->joining, NEWS_NODE, w->name, "is there, but cannot be traced: ", p->why.text);
	}
	peer_free(p);
	w->p = NULL;
	try_later(w);
}

static void
try_one(struct cluster *c, const char *name, unsigned *busy)
{
	struct joining *j = c->joining;
	struct wanted *w = is_traced(c, name) ? NULL : find(j, name);
	if (!w || w->p || *busy >= AT_ONCE || mono_ms() < w->next)
		return;
	if (c->n >= MOST) {
		if (!j->told_many)
			tell(j, NEWS_NODE, name, "is not traced: there have been too many nodes", "");
		j->told_many = true;
		return;
	}
	w->p = peer_new(c, name);
	if (!w->p) {
		try_later(w);
		return;
	}
	peer_give(w->p, join_one);
	++*busy;
}

static void
choose_watchers(struct cluster *c)
{
	unsigned chosen = 0;
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!peer_is_idle(p))
			continue;
		p->watches = chosen < WATCHERS && !p->known.lost;
		chosen += p->watches;
	}
}

void
join_turn(struct cluster *c)
{
	struct joining *j = c->joining;
	unsigned busy = 0;
	if (!j)
		return;
	for (unsigned i = 0; i < j->n; i++) {
		see_one(c, &j->all[i]);
		busy += j->all[i].p != NULL;
	}
	if (mono_ms() - j->looked < LOOK_MS)
		return;
	j->looked = mono_ms();
	choose_watchers(c);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!p->watches || !peer_is_idle(p) || p->nodes.failed)
			continue;
		for (size_t at = 0; at < p->nodes.len; at += strlen(p->nodes.at + at) + 1)
			try_one(c, p->nodes.at + at, &busy);
	}
}

void
join_end(struct cluster *c)
{
	struct joining *j = c->joining;
	for (unsigned i = 0; j && i < j->n; i++)
		if (j->all[i].p && !peer_is_idle(j->all[i].p))
			atomic_store(&j->all[i].p->given_up, true);
	for (unsigned i = 0; j && i < j->n; i++)
		while (j->all[i].p) {
			see_one(c, &j->all[i]);
			if (j->all[i].p)
				usleep(1000);
		}
}
