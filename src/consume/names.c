/*
 * Names of Erlang processes in the output: behind pids in keys (option pidnames), and where a script says name().
 *
 * A process may be gone when its pid is shown. So names are asked for when a pid first appears in a snapshot, and again
 * when it is shown, for those that have none yet. Keys with name() become the name right away: all processes of one
 * name are one key.
 */
#include "consume/consume.h"

#include "base/clock.h"
#include "object/key.h"

#include <stdlib.h>
#include <string.h>

static bool
is_name(uint8_t kind, uint64_t arg)
{
	return kind == DK_STRING && arg == DOBJ_PID;
}

bool
cs_names_keys(const struct consumer *c)
{
	/* the same pid is another process on another node */
	return c->ops->names && !c->ops->sources && c->opts->num[OPT_PIDNAMES] && !c->opts->num[OPT_NORESOLVE];
}

bool
cs_has_names(const struct consumer *c, uint32_t agg)
{
	const struct dobj_agg *a = &c->o->aggs[agg];
	for (uint32_t i = 0; c->ops->names && i < a->nkeys; i++)
		if (is_name(c->o->keys[a->key + i].kind, c->o->keys[a->key + i].arg))
			return true;
	return false;
}

static void
note(struct consumer *c, unsigned source, const struct dobj_agg *a, const void *key, size_t keylen, uint64_t now)
{
	struct key_elem elems[DOBJ_MAXKEYS];
	const struct dobj_key *keys = c->o->keys + a->key;
	bool any = false;
	for (unsigned i = 0; i < a->nkeys; i++)
		any |= keys[i].kind == DK_STRING || keys[i].kind == DK_TERM;
	if (!any || a->nkeys > DOBJ_MAXKEYS || !key_unpack(keys, a->nkeys, key, keylen, elems))
		return;
	for (unsigned i = 0; i < a->nkeys; i++)
		if (elems[i].kind == DK_STRING || elems[i].kind == DK_TERM)
			pids_note(&c->pids[source], elems[i].at, elems[i].len, now);
}

void
cs_note_key(struct consumer *c, const struct dobj_agg *a, const void *key, size_t keylen)
{
	note(c, cs_source(c), a, key, keylen, 0);
}

struct names_source {
	struct consumer *c;
	unsigned source;
};

static void
ask_engine(
    void *arg, const char *const *pids, unsigned n, void (*fn)(void *fnarg, unsigned i, const char *name), void *fnarg)
{
	const struct names_source *a = arg;
	a->c->ops->names(a->c->e, a->source, pids, n, fn, fnarg);
}

void
cs_ask_names(struct consumer *c)
{
	for (unsigned i = 0; c->ops->names && i < c->nsources; i++) {
		struct names_source a = {c, i};
		pids_ask(&c->pids[i], ask_engine, &a, mono_ns());
	}
}

void
cs_names_of(struct consumer *c, const uint32_t *aggs, unsigned naggs)
{
	uint64_t now = mono_ns();
	if (!cs_names_keys(c))
		return;
	for (size_t i = 0; i < c->aggs.n; i++) {
		const struct aggent *e = c->aggs.all[i];
		bool wanted = naggs == 0;
		for (unsigned k = 0; k < naggs; k++)
			wanted |= aggs[k] == e->agg;
		if (wanted)
			note(c, 0, &c->o->aggs[e->agg], aggent_key(&c->aggs, e), e->keylen, now);
	}
	cs_ask_names(c);
}

void
cs_names_of_records(struct consumer *c, size_t n)
{
	for (size_t i = 0; c->names_fields && c->ops->names && i < n; i++) {
		const struct cs_rec *r = &c->store.recs[i];
		const struct eng_epid *ep = r->r.fault < 0 ? c->ops->epid(c->e, r->r.epid) : NULL;
		if (!ep || ep->group >= c->o->ngroups)
			continue;
		const struct dobj_group *g = &c->o->groups[ep->group];
		for (uint32_t k = 0; k < g->nfields; k++) {
			const struct dobj_field *f = &c->o->fields[g->field + k];
			if (!is_name(f->kind, f->arg))
				continue;
			struct val v = val_of_field(f, c->store.bytes + r->off);
			pids_note(&c->pids[r->source], v.at, v.len, 0);
		}
	}
	if (c->names_fields)
		cs_ask_names(c);
}

void *
cs_named_key(struct consumer *c, unsigned source, const struct dobj_agg *a, const void *key, size_t *keylen)
{
	struct key_elem elems[DOBJ_MAXKEYS];
	const struct dobj_key *keys = c->o->keys + a->key;
	struct sbuf b = {0};
	if (a->nkeys > DOBJ_MAXKEYS || !key_unpack(keys, a->nkeys, key, *keylen, elems)) {
		sb_add(&b, key, *keylen);
		return b.at;
	}
	for (unsigned i = 0; i < a->nkeys; i++) {
		const char *from = elems[i].at;
		const char *to = i + 1 < a->nkeys ? (const char *)elems[i + 1].at : (const char *)key + *keylen;
		const char *name =
		    is_name(keys[i].kind, keys[i].arg) ? pids_name(&c->pids[source], from, elems[i].len) : NULL;
		if (!name) {
			sb_add(&b, from, (size_t)(to - from));
			continue;
		}
		size_t len = strlen(name);
		sb_add(&b, name, len);
		sb_fill(&b, '\0', 8 - len % 8);
	}
	if (b.failed) {
		sb_free(&b);
		return NULL;
	}
	*keylen = b.len;
	return b.at;
}
