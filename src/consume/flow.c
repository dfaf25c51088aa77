/*
 * Flow indentation: entries indent what follows, returns undo that.
 *
 * What follows in the same process, that is, or in the same thread if no Erlang process is known: calls of others come
 * in between. The generator puts into each record whose it is (DA_FLOW), if the option was set when the program was
 * compiled. Without that, all records of a source are one flow. So are those of BEGIN, END and ticks, which are
 * nobody's.
 *
 * Only those who are inside a function are remembered.
 */
#include "consume/consume.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FLOW_WIDTH = 2, MOST_INDENT = 1000 }; /* columns; who only ever enters is not moved further than that */

void
cs_flows_free(struct cs_flows *f)
{
	free(f->all);
	free(f->chains);
	*f = (struct cs_flows){0};
}

static bool
make(struct cs_flows *f)
{
	if (!f->all)
		f->all = calloc(CS_FLOWS + 1, sizeof *f->all);
	if (!f->chains)
		f->chains = calloc(CS_FLOWS, sizeof *f->chains);
	return f->all && f->chains;
}

static unsigned
hash_of(const struct cs_whose *w)
{
	return (unsigned)hash_bytes(w, sizeof *w) % CS_FLOWS;
}

/* Takes a row out of the order of use. */
static void
take_out(struct cs_flows *f, unsigned row)
{
	struct cs_flow *x = &f->all[row];
	*(x->newer ? &f->all[x->newer].older : &f->newest) = x->older;
	*(x->older ? &f->all[x->older].newer : &f->oldest) = x->newer;
}

static void
put_first(struct cs_flows *f, unsigned row)
{
	struct cs_flow *x = &f->all[row];
	x->newer = 0;
	x->older = f->newest;
	*(f->newest ? &f->all[f->newest].newer : &f->oldest) = row;
	f->newest = row;
}

static struct cs_flow *
find(struct cs_flows *f, const struct cs_whose *w)
{
	unsigned row = f->chains ? f->chains[hash_of(w)] : 0;
	while (row && memcmp(&f->all[row].whose, w, sizeof *w) != 0)
		row = f->all[row].next;
	if (!row)
		return NULL;
	take_out(f, row);
	put_first(f, row);
	return &f->all[row];
}

static void
forget(struct cs_flows *f, unsigned row)
{
	struct cs_flow *x = &f->all[row];
	unsigned *at = &f->chains[x->hash];
	while (*at != row)
		at = &f->all[*at].next;
	*at = x->next;
	take_out(f, row);
	x->depth = 0;
	x->next = f->free;
	f->free = row;
}

/* Returns NULL if there is no memory. */
static struct cs_flow *
add(struct cs_flows *f, const struct cs_whose *w)
{
	if (!make(f))
		return NULL;
	if (!f->free && f->n == CS_FLOWS)
		forget(f, f->oldest);
	unsigned row = f->free ? f->free : ++f->n;
	struct cs_flow *x = &f->all[row];
	if (row == f->free)
		f->free = x->next;
	unsigned hash = hash_of(w);
	*x = (struct cs_flow){.whose = *w, .hash = hash, .next = f->chains[hash]};
	f->chains[hash] = row;
	put_first(f, row);
	return x;
}

static bool
is_nobodys(const struct et_probe *p)
{
	enum eng_role role = eng_role_of(p->provider, p->name);
	return role == ROLE_BEGIN || role == ROLE_END || role == ROLE_TICK;
}

static void
find_whose(const struct consumer *c, const struct cs_rec *r, struct cs_whose *w)
{
	memset(w, 0, sizeof *w);
	w->source = r->source;
	const struct eng_epid *ep = c->ops->epid(c->e, r->r.epid);
	const struct et_probe *p = cs_probe_of(c, r->r.epid);
	if (!p || ep->group >= c->o->ngroups || r->r.fault >= 0 || is_nobodys(p))
		return;
	const struct dobj_group *g = &c->o->groups[ep->group];
	const struct dobj_act *a = g->nacts ? &c->o->acts[g->act + g->nacts - 1] : NULL;
	if (!a || a->kind != DA_FLOW)
		return;
	const struct dobj_field *f = &c->o->fields[a->field];
	const char *data = c->store.bytes + r->off;
	memcpy(w->process, data + f[0].offset, strnlen(data + f[0].offset, sizeof w->process - 1));
	if (!w->process[0] && a->nfields > 1)
		memcpy(&w->tid, data + f[1].offset, sizeof w->tid);
}

/* Returns whether the name is `word` or ends in "-word". */
static bool
ends_in(const char *name, const char *word)
{
	size_t n = strlen(name), w = strlen(word);
	return n >= w && strcmp(name + n - w, word) == 0 && (n == w || name[n - w - 1] == '-');
}

/* Returns whether a record is of the same firing's probe as another enabled probe id: of another clause for it. */
static bool
is_again(const struct consumer *c, const struct et_probedata *d, uint32_t other)
{
	const struct et_probe *p = cs_probe_of(c, other);
	return p && other != d->epid && p->id == d->probe->id;
}

static bool
is_next_again(
    const struct consumer *c, const struct et_probedata *d, const struct cs_rec *next, const struct cs_whose *whose)
{
	struct cs_whose w;
	if (!next || !is_again(c, d, next->r.epid))
		return false;
	find_whose(c, next, &w);
	return memcmp(&w, whose, sizeof w) == 0;
}

/* The second clause of the same firing does not indent or unindent again: for entries the previous record tells that,
 * for returns the next one. */
static enum et_flow
way(const struct consumer *c, const struct et_probedata *d, const struct cs_flow *f, const struct cs_rec *next,
    const struct cs_whose *whose)
{
	if (ends_in(d->probe->name, "entry"))
		return f && is_again(c, d, f->last_epid) ? ET_FLOW_NONE : ET_FLOW_ENTRY;
	if (ends_in(d->probe->name, "return"))
		return is_next_again(c, d, next, whose) ? ET_FLOW_NONE : ET_FLOW_RETURN;
	return ET_FLOW_NONE;
}

static const char *
arrow(const struct et_probedata *d)
{
	bool syscall = strcmp(d->probe->provider, "syscall") == 0;
	switch (d->flow) {
	case ET_FLOW_ENTRY:
		return syscall ? " => " : " -> ";
	case ET_FLOW_RETURN:
		return syscall ? " <= " : " <- ";
	default:
		return "| ";
	}
}

int
cs_flow(struct consumer *c, struct et_probedata *d, const struct cs_rec *r, const struct cs_rec *next,
    struct cs_whose *whose)
{
	find_whose(c, r, whose);
	struct cs_flow *f = find(&c->flows, whose);
	d->process = whose->process;
	d->flow = way(c, d, f, next, whose);
	d->prefix = arrow(d);
	if (d->flow == ET_FLOW_RETURN && f)
		f->depth--;
	uint64_t indent = f ? (uint64_t)f->depth * FLOW_WIDTH : 0;
	d->indent = indent < MOST_INDENT ? (unsigned)indent : MOST_INDENT;
	if (d->flow == ET_FLOW_ENTRY) {
		if (!f && !(f = add(&c->flows, whose)))
			return cs_fail(c, ET_ENOMEM, "out of memory for flow indentation");
		f->depth++;
	}
	if (f)
		f->last_epid = d->epid;
	if (f && f->depth == 0)
		forget(&c->flows, (unsigned)(f - c->flows.all));
	return 0;
}
