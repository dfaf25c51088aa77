/*
 * Prints aggregations: printa() in both forms, and what is left at the end.
 *
 * The default form is one line per element: the key's columns, then the values. With agghist, counts and sums become
 * bars under one header. With aggpack, distributions become one line each.
 */
#include "consume/consume.h"

#include "object/aggval.h"

#include <stdlib.h>
#include <string.h>

struct aggorder
cs_aggorder(const struct consumer *c)
{
	const int64_t *num = c->opts->num;
	struct aggorder o = {.by = num[OPT_AGGSORTKEY] ? BY_KEY : BY_VALUE, .reverse = num[OPT_AGGSORTREV] != 0};
	if (num[OPT_AGGSORTKEYPOS] > 0 && num[OPT_AGGSORTKEYPOS] < DOBJ_MAXKEYS)
		o.keypos = (unsigned)num[OPT_AGGSORTKEYPOS];
	return o;
}

struct et_aggdata
cs_aggdata(const struct consumer *c, const struct aggent *e, uint32_t agg, struct et_value keys[DOBJ_MAXKEYS])
{
	const struct dobj_agg *a = &c->o->aggs[agg];
	struct val vals[DOBJ_MAXKEYS];
	struct et_aggdata d = {
	    .h = c->h,
	    .name = dobj_str(c->o, a->name),
	    .id = agg,
	    .fn = (enum et_aggfn)a->fn,
	    .keys = keys,
	    .normal = 1,
	    .nbuckets = aggval_nbuckets(a),
	};
	memcpy(d.par, a->par, sizeof d.par);
	if (!e)
		return d;
	d.nkeys = aggent_vals(&c->aggs, e, vals);
	for (unsigned i = 0; i < d.nkeys; i++)
		keys[i] = val_public(&vals[i]);
	d.count = e->words[0];
	d.normal = e->normal;
	d.raw = aggval_shown(a, e->words, 1);
	d.value = aggval_shown(a, e->words, e->normal);
	d.priv = e;
	return d;
}

/* What the lines of one aggregation have in common: the scale of agghist, the buckets of aggpack. */
struct common {
	struct hist_scale scale;
	struct hist_range range;
	bool hist, pack;
};

static struct common
common_of(const struct consumer *c, const struct show *s, uint32_t agg)
{
	const struct dobj_agg *a = &c->o->aggs[agg];
	struct common k = {
	    .scale.full = true,
	    .hist = s->agghist && aggfn_is(a->fn, AT_TOTAL),
	    .pack = s->aggpack && aggfn_is(a->fn, AT_PACK) && aggval_nbuckets(a),
	};
	for (size_t i = 0; (k.hist || k.pack) && i < c->aggs.n; i++) {
		const struct aggent *e = c->aggs.all[i];
		if (e->agg != agg)
			continue;
		if (k.hist)
			hist_scale_add(&k.scale, s, aggval_shown(a, e->words, 1));
		else
			hist_range_add(&k.range, a, e->words);
	}
	return k;
}

static void
header(struct sbuf *b, const struct common *k, const struct dobj_agg *a, const struct val *vals, unsigned n)
{
	unsigned width = 0;
	for (unsigned i = 0; i < n; i++)
		width += text_key_width(&vals[i]);
	if (k->pack)
		text_pack_header(b, a, &k->range, width);
	else
		sb_printf(b, "\n%*s %41s %-9s\n", (int)(width ? width : 16), width ? "key" : "value",
		    "------------- Distribution -------------", "count");
}

static void
value_text(struct sbuf *b, const struct show *s, const struct dobj_agg *a, const struct aggent *e)
{
	uint64_t none[AGGVAL_FIXEDWORDS] = {0}, *empty = NULL;
	const uint64_t *words = e ? e->words : none;
	uint64_t normal = e ? e->normal : 1;
	if (!aggfn_is(a->fn, AT_DIST)) {
		sb_addc(b, ' ');
		text_dec(b, (uint64_t)aggval_shown(a, words, normal), true, 16);
		return;
	}
	if (!e) {
		words = empty = calloc(aggval_words(a) + 1, sizeof *empty);
		if (!empty) {
			b->failed = true;
			return;
		}
	}
	text_hist(b, s, a, words, normal);
	free(empty);
}

/* One line of the default form. */
static void
line(struct consumer *c, struct sbuf *b, const struct show *s, const struct common *k, const struct aggent *e)
{
	struct val vals[DOBJ_MAXKEYS];
	const struct dobj_agg *a = &c->o->aggs[e->agg];
	unsigned n = aggent_vals(&c->aggs, e, vals);
	if ((k->hist || k->pack) && c->histhdr != e->agg) {
		header(b, k, a, vals, n);
		c->histhdr = e->agg;
	}
	for (unsigned i = 0; i < n; i++)
		text_key(b, s, &vals[i], k->hist || k->pack);
	if (k->hist) {
		sb_addc(b, ' ');
		text_bar(b, s, aggval_shown(a, e->words, 1), e->normal, &k->scale);
	} else if (k->pack)
		text_pack(b, s, a, e->words, &k->range);
	else {
		value_text(b, s, a, e);
		sb_addc(b, '\n');
	}
}

/* Writes out what there is, so that a million lines do not pile up. */
static int
drain(struct consumer *c, const struct cs_to *to, const char *agg)
{
	return to ? cs_flush_some(c, to, NULL, agg) : 0;
}

static int
print_one(struct consumer *c, struct sbuf *b, uint32_t agg, const char *fmt, const struct cs_to *to)
{
	cs_names_of(c, &agg, 1);
	struct show s = cs_show(c);
	struct aggorder order = cs_aggorder(c);
	struct common k = common_of(c, &s, agg);
	struct aggent **ents;
	size_t n;
	int rc = 0;
	if (!aggset_sorted(&c->aggs, (int)agg, &order, &ents, &n))
		return cs_fail(c, ET_ENOMEM, "out of memory for sorting");
	c->histhdr = DOBJ_NONE;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct aggent *e = ents[i];
		if (fmt) {
			struct val vals[DOBJ_MAXKEYS];
			struct aggval av = {&c->o->aggs[agg], e->words, e->normal};
			text_format(b, &s, c->o, fmt, vals, aggent_vals(&c->aggs, e, vals), &av, 1);
		} else
			line(c, b, &s, &k, e);
		c->aggs.printed[agg] = true;
		rc = drain(c, to, dobj_str(c->o, c->o->aggs[agg].name));
	}
	free(ents);
	return rc;
}

static void
joined_line(struct consumer *c, struct sbuf *b, const struct show *s, const struct aggjoin *j, const uint32_t *aggs,
    unsigned naggs, const char *fmt, struct aggval *avs)
{
	struct val vals[DOBJ_MAXKEYS];
	unsigned n = aggent_vals(&c->aggs, j->rep, vals);
	if (fmt) {
		for (unsigned i = 0; i < naggs; i++)
			if (j->ent[i]) {
				avs[i].words = j->ent[i]->words;
				avs[i].normal = j->ent[i]->normal;
			}
		text_format(b, s, c->o, fmt, vals, n, avs, naggs);
	} else {
		for (unsigned i = 0; i < n; i++)
			text_key(b, s, &vals[i], false);
		for (unsigned i = 0; i < naggs; i++)
			value_text(b, s, &c->o->aggs[aggs[i]], j->ent[i]);
		sb_addc(b, '\n');
	}
	for (unsigned i = 0; i < naggs; i++)
		c->aggs.printed[aggs[i]] = true;
}

static int
print_joined(
    struct consumer *c, struct sbuf *b, const uint32_t *aggs, unsigned naggs, const char *fmt, const struct cs_to *to)
{
	cs_names_of(c, aggs, naggs);
	struct show s = cs_show(c);
	struct aggorder order = cs_aggorder(c);
	struct aggjoin *rows = NULL;
	size_t n = 0, most = 1;
	int64_t pos = c->opts->num[OPT_AGGSORTPOS];
	for (unsigned i = 0; i < naggs; i++)
		if (c->aggs.nwords[aggs[i]] > most)
			most = c->aggs.nwords[aggs[i]];
	uint64_t *empty = calloc(most, sizeof *empty);
	struct aggval *avs = calloc(naggs, sizeof *avs);
	int rc = 0;
	if (!empty || !avs ||
	    !aggset_joined(&c->aggs, aggs, naggs, pos > 0 && pos < naggs ? (unsigned)pos : 0, &order, &rows, &n))
		rc = cs_fail(c, ET_ENOMEM, "out of memory for sorting");
	for (size_t i = 0; rc == 0 && i < n; i++) {
		for (unsigned k = 0; k < naggs; k++)
			avs[k] = (struct aggval){&c->o->aggs[aggs[k]], empty, 1};
		joined_line(c, b, &s, &rows[i], aggs, naggs, fmt, avs);
		rc = drain(c, to, dobj_str(c->o, c->o->aggs[aggs[0]].name));
	}
	aggjoin_free(rows, n);
	free(avs);
	free(empty);
	return rc;
}

int
cs_printa(
    struct consumer *c, struct sbuf *b, const uint32_t *aggs, unsigned naggs, const char *fmt, const struct cs_to *to)
{
	for (unsigned i = 0; i < naggs; i++)
		if (aggs[i] >= c->o->naggs)
			return 0;
	if (!fmt)
		sb_addc(b, '\n');
	if (naggs == 1)
		return print_one(c, b, aggs[0], fmt, to);
	return naggs ? print_joined(c, b, aggs, naggs, fmt, to) : 0;
}

int
cs_print_all(struct consumer *c, const struct cs_to *to, et_agg_f *fn, void *arg)
{
	cs_names_of(c, NULL, 0);
	const struct output *as = cs_output(c);
	struct show s = cs_show(c);
	struct aggorder order = cs_aggorder(c);
	struct common k = {0};
	uint32_t agg = DOBJ_NONE;
	struct aggent **ents;
	size_t n;
	int rc = 0;
	if (!aggset_sorted(&c->aggs, AGG_UNPRINTED, &order, &ents, &n))
		return cs_fail(c, ET_ENOMEM, "out of memory for sorting");
	c->histhdr = DOBJ_NONE;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct et_value keys[DOBJ_MAXKEYS];
		struct et_aggdata d;
		if (fn) {
			d = cs_aggdata(c, ents[i], ents[i]->agg, keys);
			enum et_aggwalk what = fn(&d, arg);
			if (what == ET_AGGWALK_ABORT)
				break;
			if (what == ET_AGGWALK_ERROR)
				rc = cs_fail(c, ET_EABORT, "the callback for aggregations asked to stop");
			if (what != ET_AGGWALK_NEXT)
				continue;
		}
		if (ents[i]->agg != agg) {
			agg = ents[i]->agg;
			k = common_of(c, &s, agg);
		}
		if (as)
			as->aggregation(c, &c->out, ents[i]);
		else
			line(c, &c->out, &s, &k, ents[i]);
		rc = cs_flush_some(c, to, NULL, dobj_str(c->o, c->o->aggs[agg].name));
	}
	free(ents);
	if (rc == 0)
		rc = cs_flush_all(c, to);
	return rc;
}

void
cs_trunc(struct consumer *c, uint32_t agg, int64_t keep)
{
	struct aggorder order = {.by = BY_VALUE, .reverse = keep >= 0};
	uint64_t stay = keep < 0 ? -(uint64_t)keep : (uint64_t)keep;
	struct aggent **ents = NULL;
	size_t n = 0;
	if (keep == 0) {
		for (size_t i = 0; i < c->aggs.n; i++)
			if (c->aggs.all[i]->agg == agg)
				c->aggs.all[i]->agg = DOBJ_NONE;
		aggset_sweep(&c->aggs);
		return;
	}
	/* Without memory for sorting nothing is removed, so nothing is lost. */
	if (!aggset_sorted(&c->aggs, (int)agg, &order, &ents, &n))
		return;
	for (size_t i = 0; i < n; i++)
		if (i >= stay)
			ents[i]->agg = DOBJ_NONE;
	free(ents);
	aggset_sweep(&c->aggs);
}
