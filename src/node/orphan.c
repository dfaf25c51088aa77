/* See orphan.h. */
#include "node/orphan.h"

#include <stdlib.h>

struct orphan {
	struct engine *e;
	_Atomic(const char *) node;
	bool started;
};

struct orphan *
orphan_new(const struct dobj *o, const struct eng_conf *c, const char *node)
{
	struct why why;
	struct orphan *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	struct eng_conf own = *c;
	own.nshards = 1;
	own.link = NULL;
	p->node = node;
	own.node = &p->node;
	p->e = engine_user.create(o, &own, &why);
	if (!p->e) {
		free(p);
		return NULL;
	}
	return p;
}

void
orphan_free(struct orphan *p)
{
	if (!p)
		return;
	engine_user.destroy(p->e);
	free(p);
}

bool
orphan_bind(struct orphan *p, uint32_t id, const char *const names[4], unsigned clause)
{
	return engine_user.bind(p->e, id, names, clause) >= 0;
}

void
orphan_inherit(struct orphan *p, struct image *from)
{
	image_variables(from, p->e);
}

bool
orphan_fire(struct orphan *p, unsigned probe)
{
	struct why why;
	struct firing f = {.probe = probe, .thread = UINT64_MAX};
	if (!p->started && !(p->started = engine_user.start(p->e, &why)))
		return false;
	engine_user.stop(p->e); /* but END may run */
	engine_user.fire(p->e, &f);
	return true;
}

struct passing {
	struct orphan *p;
	const struct eng_epid *epids;
	unsigned nepids;
	void (*fn)(void *arg, unsigned shard, const struct eng_rec *r);
	void *arg;
};

static void
pass(void *arg, unsigned shard, const struct eng_rec *r)
{
	struct passing *to = arg;
	const struct eng_epid *mine = engine_user.epid(to->p->e, r->epid);
	for (unsigned i = 0; mine && i < to->nepids; i++) {
		const struct eng_epid *e = &to->epids[i];
		if (e->probe != mine->probe || e->clause != mine->clause || e->group != mine->group)
			continue;
		struct eng_rec copy = *r;
		copy.epid = i + 1;
		to->fn(to->arg, shard, &copy);
		return;
	}
}

void
orphan_drain(struct orphan *p, const struct eng_epid *epids, unsigned nepids,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg)
{
	struct passing to = {p, epids, nepids, fn, arg};
	if (p->started)
		engine_user.drain(p->e, pass, &to);
}

void
orphan_snap(struct orphan *p,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg)
{
	if (p->started)
		engine_user.snap(p->e, fn, arg);
}
