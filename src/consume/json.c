/* Records and aggregations as JSON, one object per line: docs/json.md. */
#include "consume/consume.h"

#include "object/aggval.h"

#include <stdlib.h>
#include <string.h>

static void
json_text(struct sbuf *b, const char *s)
{
	json_quote(b, s, strlen(s));
}

static void
record_begin(struct consumer *c, struct sbuf *b, const struct et_probedata *d)
{
	(void)c;
	sb_printf(b, "{\"type\":\"record\",\"time\":%llu,", (unsigned long long)d->timestamp);
	if (d->node) {
		sb_adds(b, "\"node\":");
		json_text(b, d->node);
		sb_addc(b, ',');
	}
	sb_printf(b, "\"cpu\":%u,\"epid\":%u,\"probe\":{\"id\":%u,\"provider\":", d->cpu, d->epid, d->probe->id);
	json_text(b, d->probe->provider);
	sb_adds(b, ",\"module\":");
	json_text(b, d->probe->module);
	sb_adds(b, ",\"function\":");
	json_text(b, d->probe->function);
	sb_adds(b, ",\"name\":");
	json_text(b, d->probe->name);
	sb_adds(b, "},\"actions\":[");
}

static void
action(struct consumer *c, struct sbuf *b, const struct output_act *a)
{
	struct show s = cs_show(c);
	sb_adds(b, a->first ? "{\"action\":" : ",{\"action\":");
	json_text(b, a->action);
	if (a->format) {
		sb_adds(b, ",\"format\":");
		json_text(b, a->format);
	}
	sb_adds(b, ",\"values\":[");
	for (unsigned i = 0; i < a->nvals; i++) {
		if (i)
			sb_addc(b, ',');
		json_value(b, &s, &a->vals[i]);
	}
	sb_addc(b, ']');
	if (a->textlen) {
		sb_adds(b, ",\"text\":");
		json_quote(b, a->text, a->textlen);
	}
	sb_addc(b, '}');
}

static void
record_end(struct consumer *c, struct sbuf *b)
{
	(void)c;
	sb_adds(b, "]}\n");
}

/* Adds the names of keys that are pids, at the places of the keys; nothing if there are none. */
static void
json_names(struct sbuf *b, const struct show *s, const struct val *vals, unsigned n)
{
	const char *names[DOBJ_MAXKEYS];
	bool any = false;
	for (unsigned i = 0; i < n; i++) {
		bool is_text = vals[i].kind == DK_STRING || vals[i].kind == DK_TERM;
		names[i] = s->pids && is_text ? pids_name(s->pids, vals[i].at, vals[i].len) : NULL;
		any |= names[i] != NULL;
	}
	for (unsigned i = 0; any && i < n; i++) {
		sb_adds(b, i ? "," : ",\"names\":[");
		if (names[i])
			json_text(b, names[i]);
		else
			sb_adds(b, "null");
	}
	sb_adds(b, any ? "]" : "");
}

static void
json_keys(struct consumer *c, struct sbuf *b, const struct aggent *e)
{
	struct val vals[DOBJ_MAXKEYS];
	struct show s = cs_show(c);
	unsigned n = aggent_vals(&c->aggs, e, vals);
	sb_adds(b, "\"keys\":[");
	for (unsigned i = 0; i < n; i++) {
		if (i)
			sb_addc(b, ',');
		json_value(b, &s, &vals[i]);
	}
	sb_addc(b, ']');
	json_names(b, &s, vals, n);
}

static void
json_end(struct sbuf *b, const char *name, int64_t v, int64_t open)
{
	if (v == open)
		sb_printf(b, "\"%s\":null,", name);
	else
		sb_printf(b, "\"%s\":%lld,", name, (long long)v);
}

/* A number, or the buckets that are not empty. e is NULL if the aggregation has no such key. */
static void
json_aggvalue(struct sbuf *b, const struct dobj_agg *a, const struct aggent *e)
{
	if (!aggfn_is(a->fn, AT_DIST)) {
		sb_printf(b, "%lld", e ? (long long)aggval_shown(a, e->words, e->normal) : 0);
		return;
	}
	uint32_t n = e ? aggval_nbuckets(a) : 0;
	bool first = true;
	sb_addc(b, '[');
	for (uint32_t i = 0; i < n; i++) {
		int64_t count = (int64_t)e->words[1 + i];
		if (count == 0)
			continue;
		struct aggval_range r = aggval_bucket(a, i);
		sb_adds(b, first ? "{" : ",{");
		json_end(b, "low", r.lo, INT64_MIN);
		json_end(b, "high", r.hi, INT64_MAX);
		sb_printf(b, "\"count\":%lld}", (long long)aggval_normalized(count, e->normal));
		first = false;
	}
	sb_addc(b, ']');
}

static void
aggregation(struct consumer *c, struct sbuf *b, const struct aggent *e)
{
	const struct dobj_agg *a = &c->o->aggs[e->agg];
	sb_adds(b, "{\"type\":\"aggregation\",\"name\":");
	json_text(b, dobj_str(c->o, a->name));
	sb_printf(b, ",\"function\":\"%s\",", aggval_name(a->fn));
	json_keys(c, b, e);
	sb_adds(b, aggfn_is(a->fn, AT_DIST) ? ",\"buckets\":" : ",\"value\":");
	json_aggvalue(b, a, e);
	sb_adds(b, "}\n");
}

static int
printa(struct consumer *c, struct sbuf *b, bool first, const uint32_t *aggs, unsigned naggs)
{
	struct aggorder order = cs_aggorder(c);
	int64_t pos = c->opts->num[OPT_AGGSORTPOS];
	struct aggjoin *rows = NULL;
	size_t n = 0;
	for (unsigned i = 0; i < naggs; i++)
		if (aggs[i] >= c->o->naggs)
			naggs = 0;
	if (naggs)
		cs_names_of(c, aggs, naggs);
	if (naggs &&
	    !aggset_joined(&c->aggs, aggs, naggs, pos > 0 && pos < naggs ? (unsigned)pos : 0, &order, &rows, &n))
		return cs_fail(c, ET_ENOMEM, "out of memory for sorting");
	sb_adds(b, first ? "" : ",");
	sb_adds(b, "{\"action\":\"printa\",\"aggregations\":[");
	for (unsigned i = 0; i < naggs; i++) {
		if (i)
			sb_addc(b, ',');
		json_text(b, dobj_str(c->o, c->o->aggs[aggs[i]].name));
	}
	sb_adds(b, "],\"rows\":[");
	for (size_t i = 0; i < n; i++) {
		sb_adds(b, i ? ",{" : "{");
		json_keys(c, b, rows[i].rep);
		sb_adds(b, ",\"values\":[");
		for (unsigned k = 0; k < naggs; k++) {
			if (k)
				sb_addc(b, ',');
			json_aggvalue(b, &c->o->aggs[aggs[k]], rows[i].ent[k]);
			c->aggs.printed[aggs[k]] = true;
		}
		sb_adds(b, "]}");
	}
	sb_adds(b, "]}");
	aggjoin_free(rows, n);
	return 0;
}

static void
alert(struct consumer *c, struct sbuf *b, const struct et_alertdata *a)
{
	sb_printf(b, "{\"type\":\"alert\",\"status\":\"%s\",\"text\":", a->over ? "resolved" : "firing");
	json_text(b, a->text);
	sb_adds(b, ",\"condition\":");
	json_text(b, a->condition);
	sb_adds(b, ",\"aggregation\":");
	json_text(b, a->aggregation);
	sb_adds(b, ",\"keys\":[");
	for (unsigned i = 0; i < a->nvalues; i++) {
		char *text = et_value_text(c->h, &a->values[i]);
		sb_adds(b, i ? "," : "");
		if (a->values[i].kind == ET_K_INT && text)
			sb_adds(b, text);
		else
			json_text(b, text ? text : "");
		free(text);
	}
	sb_printf(b, "],\"value\":%lld,\"limit\":%lld,\"unit\":", (long long)a->value, (long long)a->limit);
	json_text(b, a->unit);
	sb_adds(b, ",\"file\":");
	json_text(b, a->file);
	sb_printf(b, ",\"line\":%u}\n", a->line);
}

const struct output output_json = {record_begin, action, printa, record_end, aggregation, alert};
