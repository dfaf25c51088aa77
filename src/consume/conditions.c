/* Alerts over aggregations: their text, and who is told. consume/watch.h decides when. What alert() shows of the minute
 * before. */
#include "consume/consume.h"

#include "base/clock.h"
#include "object/aggval.h"
#include "object/cond.h"
#include "object/key.h"

#include <stdlib.h>
#include <string.h>

#define PICTURE_AGE_NS 1000000000ull /* for so long what alert() shows is not made again */

struct alert_telling {
	struct consumer *c;
	const struct cs_to *to;
};

/* An element of a key in a line: frames of a stack have a semicolon between them. */
static void
add_key(struct sbuf *b, const struct show *s, const struct val *v)
{
	struct et_value is = val_public(v);
	if (is.kind == ET_K_STACK || is.kind == ET_K_SYMBOL)
		text_value(b, s, &is);
	else
		text_trace(b, s, v);
}

/* "p99(@wait) > 50ms for 30s: pay: 62 ms" */
static void
default_text(struct sbuf *b, const struct show *s, const struct consumer *c, const struct watch_news *n,
    const struct val *keys, unsigned nkeys)
{
	const char *unit = dobj_str(c->o, n->cond->unit);
	sb_printf(b, "%s: ", dobj_str(c->o, n->cond->text));
	for (unsigned i = 0; i < nkeys; i++) {
		if (i)
			sb_adds(b, ", ");
		add_key(b, s, &keys[i]);
	}
	sb_printf(b, "%s%lld%s%s", nkeys ? ": " : "", (long long)n->value, *unit ? " " : "", unit);
}

static void
written(struct sbuf *b, const struct show *s, const struct consumer *c, const struct watch_news *n,
    const struct val *keys, unsigned nkeys)
{
	const struct dobj_agg number = {.fn = AGG_SUM};
	const uint64_t words[2] = {1, (uint64_t)n->value};
	const struct aggval av = {&number, words, 1};
	text_format(b, s, c->o, dobj_str(c->o, n->cond->fmt), keys, nkeys, &av, 1);
	while (b->len && b->at[b->len - 1] == '\n')
		b->at[--b->len] = '\0';
}

void
cs_before_free(struct cs_before *m)
{
	for (unsigned i = 0; i < WATCH_TOP; i++)
		free(m->top[i]);
	free(m->cells);
	free(m->low);
	free(m->high);
	*m = (struct cs_before){0};
}

static void
take_top(const struct consumer *c, const struct watch_news *n, struct cs_before *m)
{
	const struct watch_cond *w = &n->w->conds[n->number];
	const struct dobj_agg *a = &c->o->aggs[n->cond->agg];
	const char *unit = dobj_str(c->o, n->cond->unit);
	struct show s = cs_show(c);
	s.safe = true;
	watch_top(n);
	for (unsigned i = 0; i < w->ntop; i++) {
		struct key_elem elems[DOBJ_MAXKEYS];
		struct sbuf b = {0};
		const struct watched *x = w->top[i].at;
		const struct dobj_key *keys = c->o->keys + a->key;
		unsigned nkeys = key_unpack(keys, a->nkeys, watch_key(w, x), x->keylen, elems) ? a->nkeys : 0;
		for (unsigned k = 0; k < nkeys; k++) {
			struct val v = val_of_key(&keys[k], &elems[k]);
			sb_adds(&b, k ? ", " : "");
			add_key(&b, &s, &v);
		}
		sb_printf(&b, "%s%lld%s%s", nkeys ? ": " : "", (long long)w->top[i].value, *unit ? " " : "", unit);
		m->top[i] = sb_take(&b);
		if (!m->top[i])
			return;
		m->ntop = i + 1;
	}
}

/* Without memory there is no picture. */
static void
take_minute(const struct consumer *c, const struct watch_news *n, struct cs_before *m)
{
	const struct dobj_agg *a = &c->o->aggs[n->cond->agg];
	uint32_t nb = n->w->conds[n->number].minute ? aggval_nbuckets(a) : 0;
	if (!nb)
		return;
	m->cells = calloc((size_t)nb * WATCH_MINUTE, sizeof *m->cells);
	m->low = calloc(nb, sizeof *m->low);
	m->high = calloc(nb, sizeof *m->high);
	if (!m->cells || !m->low || !m->high)
		return;
	for (uint32_t i = 0; i < nb; i++) {
		struct aggval_range r = aggval_bucket(a, i);
		m->low[i] = r.lo;
		m->high[i] = r.hi;
	}
	for (unsigned s = 0; s < WATCH_MINUTE; s++) {
		const uint64_t *words = watch_second(n, s);
		for (uint32_t i = 0; words && i < nb; i++)
			m->cells[(size_t)s * nb + i] = (int64_t)words[1 + i] > 0 ? words[1 + i] : 0;
	}
	m->nseconds = WATCH_MINUTE;
	m->nbuckets = nb;
}

static void
take_before(const struct consumer *c, const struct watch_news *n, struct cs_before *m)
{
	cs_before_free(m);
	m->at = n->now;
	take_top(c, n, m);
	take_minute(c, n, m);
}

static void
put_before(const struct cs_before *m, struct et_alertdata *out)
{
	out->ntop = m->ntop;
	out->top = (const char *const *)m->top;
	out->nseconds = m->nseconds;
	out->nbuckets = m->nbuckets;
	out->cells = m->cells;
	out->low = m->low;
	out->high = m->high;
}

void
cs_put_picture(struct consumer *c, struct et_alertdata *out)
{
	struct watch_news n;
	uint64_t now = mono_ns();
	if (!watch_picture(&c->watch, &n, now))
		return;
	/* it may alert thousands of times a second */
	if (!c->before.at || now - c->before.at >= PICTURE_AGE_NS)
		take_before(c, &n, &c->before);
	put_before(&c->before, out);
	out->aggregation = dobj_str(c->o, c->o->aggs[n.cond->agg].name);
}

static int
show(struct consumer *c, const struct cs_to *to, const struct et_alertdata *a)
{
	const struct output *as = cs_output(c);
	if (to->pcb || to->rcb)
		return 0;
	if (as && as->alert)
		as->alert(c, &c->out, a);
	else if (!as)
		sb_printf(&c->out, "%s%s\n", a->over ? "over: " : "", a->text);
	return cs_flush_all(c, to);
}

static int
tell(void *arg, const struct watch_news *n)
{
	const struct alert_telling *t = arg;
	struct consumer *c = t->c;
	const struct dobj_cond *d = n->cond;
	const struct dobj_agg *a = &c->o->aggs[d->agg];
	const struct dobj_key *keys = c->o->keys + a->key;
	struct key_elem elems[DOBJ_MAXKEYS];
	struct val vals[DOBJ_MAXKEYS];
	struct et_value pub[DOBJ_MAXKEYS];
	struct sbuf text = {0};
	struct show s = cs_show(c);
	unsigned nkeys = key_unpack(keys, a->nkeys, n->key, n->keylen, elems) ? a->nkeys : 0;
	for (unsigned i = 0; i < nkeys; i++) {
		vals[i] = val_of_key(&keys[i], &elems[i]);
		pub[i] = val_public(&vals[i]);
	}
	s.safe = true;
	if (d->fmt == DOBJ_NONE)
		default_text(&text, &s, c, n, vals, nkeys);
	else
		written(&text, &s, c, n, vals, nkeys);
	struct et_alertdata out = {
	    .text = text.at ? text.at : "",
	    .format = d->fmt == DOBJ_NONE ? NULL : dobj_str(c->o, d->fmt),
	    .file = dobj_str(c->o, d->file),
	    .line = d->line,
	    .nvalues = nkeys,
	    .values = pub,
	    .condition = dobj_str(c->o, d->text),
	    .aggregation = dobj_str(c->o, a->name),
	    .value = n->value,
	    .limit = (int64_t)((__int128)d->limit * (__int128)d->mul / (__int128)d->div),
	    .unit = dobj_str(c->o, d->unit),
	    .over = n->over,
	    .again = n->again,
	};
	struct et_probedata p = {.h = c->h, .timestamp = mono_ns(), .prefix = ""};
	struct cs_before before = {0};
	if (!out.again && !out.over && c->on->alert) {
		take_before(c, n, &before);
		put_before(&before, &out);
	}
	int rc = text.failed ? cs_fail(c, ET_ENOMEM, "out of memory for the text of an alert") : 0;
	if (rc == 0 && !out.again)
		rc = show(c, t->to, &out);
	if (rc == 0 && c->on->alert && c->on->alert(&p, &out, c->on->alertarg) != ET_HANDLE_OK)
		rc = cs_fail(c, ET_EABORT, "the handler of alerts asked to stop");
	sb_free(&text);
	cs_before_free(&before);
	return rc;
}

int
cs_conditions(struct consumer *c, const struct cs_to *to)
{
	struct alert_telling t = {c, to};
	return c->watch.n ? watch_look(&c->watch, mono_ns(), tell, &t) : 0;
}
