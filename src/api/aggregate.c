/* Aggregations for users of the library: snapshots, walks, printing. */
#include "api/handle.h"

#include "object/aggval.h"

#include <stdlib.h>
#include <string.h>

static int
check(struct et *h)
{
	return h->has_cs ? 0 : api_fail(h, ET_EORDER, "tracing was not started");
}

int
et_aggregate_snap(struct et *h)
{
	if (check(h) != 0)
		return -1;
	return cs_snap_whole(&h->cs, CS_A_FIRING) == 0 ? 0 : api_fail_cs(h);
}

#define X(id, name, words, arguments, traits, since, fold, help) \
	_Static_assert((int)ET_AGG_##id == (int)AGG_##id, name "() has the same number for users of the library");
AGG_FNS(X)
#undef X

const char *
et_agg_name(enum et_aggfn fn)
{
	return aggval_name(fn);
}

enum et_aggkind
et_agg_kind(enum et_aggfn fn)
{
	return aggfn_is(fn, AT_DIST)    ? ET_AGGKIND_DISTRIBUTION
	       : aggfn_is(fn, AT_TOTAL) ? ET_AGGKIND_TOTAL
					: ET_AGGKIND_NUMBER;
}

int64_t
et_agg_bucket(const struct et_aggdata *a, unsigned i, int64_t *low, int64_t *high)
{
	const struct aggent *e = a->priv;
	const struct dobj_agg *desc = &a->h->obj.aggs[a->id];
	if (i >= a->nbuckets)
		return 0;
	struct aggval_range r = aggval_bucket(desc, i);
	if (low)
		*low = r.lo;
	if (high)
		*high = r.hi;
	return e ? (int64_t)e->words[1 + i] : 0;
}

static struct aggorder
order_of(const struct et *h, enum et_aggsort sort)
{
	switch (sort) {
	case ET_AGGSORT_KEY:
		return (struct aggorder){.by = BY_KEY};
	case ET_AGGSORT_VAL:
		return (struct aggorder){.by = BY_VALUE};
	case ET_AGGSORT_KEYREV:
		return (struct aggorder){.by = BY_KEY, .reverse = true};
	case ET_AGGSORT_VALREV:
		return (struct aggorder){.by = BY_VALUE, .reverse = true};
	case ET_AGGSORT_KEYVAR:
		return (struct aggorder){.by = BY_KEY, .across = true};
	case ET_AGGSORT_VALVAR:
		return (struct aggorder){.by = BY_VALUE, .across = true};
	case ET_AGGSORT_KEYVARREV:
		return (struct aggorder){.by = BY_KEY, .across = true, .reverse = true};
	case ET_AGGSORT_VALVARREV:
		return (struct aggorder){.by = BY_VALUE, .across = true, .reverse = true};
	case ET_AGGSORT_OPTION:
		return cs_aggorder(&h->cs);
	default:
		return (struct aggorder){.by = BY_NONE};
	}
}

/* Does what the callback asked for. Elements are removed later, by aggset_sweep. Returns 0 to go on, 1 to end, -1 if
 * it failed. */
static int
obey(struct et *h, enum et_aggwalk what, const struct et_aggdata *d, struct aggent *e)
{
	switch (what) {
	case ET_AGGWALK_ABORT:
		return 1;
	case ET_AGGWALK_ERROR:
		return api_fail(h, ET_EABORT, "the callback for aggregations asked to stop");
	case ET_AGGWALK_CLEAR:
		if (e)
			aggent_clear(&h->cs.aggs, e);
		return 0;
	case ET_AGGWALK_REMOVE:
		if (e)
			e->agg = DOBJ_NONE;
		return 0;
	case ET_AGGWALK_NORMALIZE:
		if (e)
			e->normal = d->normal ? d->normal : 1;
		return 0;
	case ET_AGGWALK_DENORMALIZE:
		if (e)
			e->normal = 1;
		return 0;
	default:
		return 0;
	}
}

int
et_aggregate_walk(struct et *h, enum et_aggsort sort, et_agg_f *fn, void *arg)
{
	if (check(h) != 0)
		return -1;
	struct aggorder order = order_of(h, sort);
	struct aggent **ents;
	size_t n;
	int rc = 0;
	if (!aggset_sorted(&h->cs.aggs, AGG_ALL, &order, &ents, &n))
		return api_fail(h, ET_ENOMEM, "out of memory");
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct et_value keys[DOBJ_MAXKEYS];
		struct et_aggdata d = cs_aggdata(&h->cs, ents[i], ents[i]->agg, keys);
		enum et_aggwalk what = fn(&d, arg);
		rc = obey(h, what, &d, ents[i]);
	}
	free(ents);
	aggset_sweep(&h->cs.aggs);
	return rc < 0 ? -1 : 0;
}

static int
agg_by_name(const struct et *h, const char *name, uint32_t *agg)
{
	if (*name == '@')
		name++;
	for (uint32_t i = 0; i < h->obj.naggs; i++)
		if (strcmp(dobj_str(&h->obj, h->obj.aggs[i].name), name) == 0) {
			*agg = i;
			return 0;
		}
	return -1;
}

static int
walk_rows(struct et *h, const struct aggjoin *rows, size_t nrows, const uint32_t *aggs, unsigned n,
    struct et_aggdata *data, et_aggjoin_f *fn, void *arg)
{
	struct et_value keys[DOBJ_MAXKEYS];
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < nrows; i++) {
		struct et_aggdata rep = cs_aggdata(&h->cs, rows[i].rep, rows[i].rep->agg, keys);
		struct et_value unused[DOBJ_MAXKEYS];
		for (unsigned k = 0; k < n; k++) {
			data[k] = cs_aggdata(&h->cs, rows[i].ent[k], aggs[k], unused);
			data[k].keys = keys;
			data[k].nkeys = rep.nkeys;
		}
		enum et_aggwalk what = fn(data, n, arg);
		for (unsigned k = 0; rc == 0 && k < n; k++)
			rc = obey(h, what, &data[k], rows[i].ent[k]);
	}
	return rc;
}

int
et_aggregate_walk_joined(struct et *h, const char *const *names, unsigned n, et_aggjoin_f *fn, void *arg)
{
	if (check(h) != 0)
		return -1;
	uint32_t *aggs = calloc((size_t)n + 1, sizeof *aggs);
	struct et_aggdata *data = calloc((size_t)n + 1, sizeof *data);
	struct aggjoin *rows = NULL;
	size_t nrows = 0;
	int rc = 0;
	if (!aggs || !data) {
		free(aggs);
		free(data);
		return api_fail(h, ET_ENOMEM, "out of memory");
	}
	for (unsigned i = 0; rc == 0 && i < n; i++)
		if (agg_by_name(h, names[i], &aggs[i]) != 0)
			rc = api_fail(h, ET_EINVAL, "there is no aggregation '@%s'", names[i]);
	struct aggorder order = cs_aggorder(&h->cs);
	int64_t pos = h->opts.num[OPT_AGGSORTPOS];
	if (rc == 0 &&
	    !aggset_joined(&h->cs.aggs, aggs, n, pos > 0 && pos < n ? (unsigned)pos : 0, &order, &rows, &nrows))
		rc = api_fail(h, ET_ENOMEM, "out of memory");
	if (rc == 0)
		rc = walk_rows(h, rows, nrows, aggs, n, data, fn, arg);
	aggjoin_free(rows, nrows);
	aggset_sweep(&h->cs.aggs);
	free(aggs);
	free(data);
	return rc < 0 ? -1 : 0;
}

int
et_aggregate_clear(struct et *h)
{
	if (check(h) != 0)
		return -1;
	for (size_t i = 0; i < h->cs.aggs.n; i++)
		aggent_clear(&h->cs.aggs, h->cs.aggs.all[i]);
	return 0;
}

int
et_aggregate_print(struct et *h, FILE *fp, et_agg_f *fn, void *arg)
{
	struct cs_to to = {.fp = fp};
	if (check(h) != 0)
		return -1;
	if (!fp && !h->on.buffered)
		return api_fail(h, ET_EINVAL, "there is neither a stream nor a handler for buffered output");
	return cs_print_all(&h->cs, &to, fn, arg) == 0 ? 0 : api_fail_cs(h);
}
