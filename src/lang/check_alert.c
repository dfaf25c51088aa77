/* Alert declarations, checked at the end of a program: the clause that fills the aggregation may stand behind them. */
#include "lang/check.h"
#include "lang/check_priv.h"

#include "object/aggval.h"
#include "object/cond.h"

#include <string.h>

/* "p50 … p999, count, rate": what can be asked of an aggregation. */
static const char *
fitting(struct cc *cc, const struct dagg *a)
{
	static const char *const names[COND_NFNS] = {
#define X(id, name, on, empty) [COND_##id] = COND_##id == COND_PERCENTILE ? "p50, p90, p99, p999 ..." : (name),
	    COND_FNS(X)
#undef X
	};
	const char *all = "";
	for (unsigned i = 0; i < COND_NFNS; i++)
		if (cond_takes(i, (uint32_t)a->fn))
			all = ar_printf(cc->ar, "%s%s%s", all, *all ? ", " : "", names[i]);
	return ar_printf(cc->ar, "of %s() there are: %s", aggval_name((unsigned)a->fn), all);
}

/* Whether it is a number of something, not a value in the unit of the values. */
static bool
is_number_of(const struct alert_decl *d)
{
	return d->row.fn == COND_COUNT || (d->row.fn == COND_RATE && d->agg->fn != AGG_SUM);
}

static void
check(struct cc *cc, struct alert_decl *d)
{
	d->agg = sm_gets(&cc->lang->aggs, d->agg_name);
	if (!d->agg || !d->agg->has_id)
		cc_error_hint(cc, d->agg_pos, "D_ALERT_AGG", "some clause must fill it: @... = quantize(...);",
		    "undefined aggregation: @%s", d->agg_name);
	int fn = cond_find(d->fn_name, &d->row.percent);
	if (fn < 0)
		cc_error_hint(
		    cc, d->fn_pos, "D_ALERT_FUNC", fitting(cc, d->agg), "an alert has no function '%s'", d->fn_name);
	d->row.fn = (uint32_t)fn;
	if (!cond_takes((uint32_t)fn, (uint32_t)d->agg->fn))
		cc_error_hint(cc, d->fn_pos, "D_ALERT_FUNC", fitting(cc, d->agg),
		    "%s( ) cannot be told from @%s, which is %s( )", d->fn_name, d->agg_name,
		    aggval_name((unsigned)d->agg->fn));
	if (is_number_of(d) && (d->unit || d->agg_unit))
		cc_error_hint(cc, d->limit_pos, "D_ALERT_LIMIT", "leave the unit out",
		    "%s( ) of @%s is how many there are: it is no time", d->fn_name, d->agg_name);
	int64_t of = d->agg_unit ? d->agg_unit : 1;
	d->row.mul = d->unit && of > d->unit ? (uint64_t)(of / d->unit) : 1;
	d->row.div = d->unit && d->unit > of ? (uint64_t)(d->unit / of) : 1;
	if (d->fmt) {
		struct node call = {.kind = N_CALL, .pos = d->pos};
		call.u.call.name = "alert";
		ck_format(cc, &call, d->fmt, NULL, d->agg);
	}
}

void
check_alerts(struct cc *cc)
{
	unsigned n = 0;
	for (struct alert_decl *d = cc->alerts; d; d = d->next) {
		if (++n > COND_MOST)
			cc_error(cc, d->pos, "D_ALERT_LIMIT", "more than %d alerts over aggregations", COND_MOST);
		check(cc, d);
		if (cc->add_alert)
			cc->add_alert(cc, d);
	}
}
