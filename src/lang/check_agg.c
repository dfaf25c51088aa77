/* Aggregations: @name[keys] = function(value, parameters, increment). */
#include "lang/check_priv.h"

#include "object/aggval.h"

int
aggfn_find(const char *name)
{
	for (int i = 0; i < AGG_NFNS; i++) {
		if (strcmp(aggval_name((unsigned)i), name) == 0)
			return i;
	}
	return -1;
}

/* An aggregation that is mentioned but not assigned, as in printa(@a). */
void
ck_agg(struct cc *cc, struct node *n)
{
	const char *name = n->u.agg.name;
	n->type = type_dyn(cc->lang->types);
	n->u.agg.agg = sm_gets(&cc->lang->aggs, name);
	if (!n->u.agg.agg && !n->u.agg.has_keys) {
		struct strmap *m = &cc->lang->aggs;
		VEC(const char *) names = {0};
		for (unsigned i = 0; i < m->n; i++)
			VEC_PUSH(cc->ar, &names, m->entries[i].key);
		const char *near = near_miss(name, names.at, names.n);
		cc_error_hint(cc, n->pos, "D_IDENT_UNDEF",
		    near ? ar_printf(cc->ar, "did you mean '@%s'?", near)
			 : ar_printf(cc->ar, "aggregations are made so: @%s = count()", name),
		    "failed to resolve '@%s': no aggregation of this name was assigned before", name);
	}
}

void
ck_agg_arg(struct cc *cc, struct node *call, struct node *n, unsigned argno, const char *prefix)
{
	if (n->kind != N_AGG)
		cc_error(cc, n->pos, ar_printf(cc->ar, "D_%s_AGGARG", prefix),
		    "%s( ) argument #%u must be an aggregation, not '%s'", call->u.call.name, argno, ck_nname(cc, n));
	if (!n->u.agg.agg || n->u.agg.agg->fn < 0)
		cc_error(
		    cc, n->pos, ar_printf(cc->ar, "D_%s_AGGBAD", prefix), "undefined aggregation: @%s", n->u.agg.name);
	if (n->u.agg.has_keys)
		cc_error_hint(cc, n->pos, ar_printf(cc->ar, "D_%s_AGGARG", prefix), "name it without its keys",
		    "%s( ) applies to a whole aggregation, not to one of its keys", call->u.call.name);
}

static _Noreturn void
bad_par(struct cc *cc, const struct node *call, const struct node *arg, const char *tag, const char *what)
{
	cc_error(cc, arg ? arg->pos : call->pos, tag, "%s( ) %s", call->u.call.name, what);
}

static int64_t
const_par(struct cc *cc, const struct node *call, const struct node *arg, const char *tag, const char *what)
{
	if (!arg || arg->kind != N_INT || !ck_is_int(arg))
		bad_par(cc, call, arg, tag, ar_printf(cc->ar, "%s must be an integer constant", what));
	return arg->u.num;
}

static uint64_t
word_par(struct cc *cc, const struct node *call, const struct node *arg, const char *type_tag, const char *val_tag,
    const char *what)
{
	int64_t v = const_par(cc, call, arg, type_tag, what);
	if (v < 0 || v > UINT16_MAX)
		bad_par(cc, call, arg, val_tag, ar_printf(cc->ar, "%s must be from 0 to 65535", what));
	return (uint64_t)v;
}

static bool
fits32(int64_t v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

/* lquantize(value, base, limit[, step[, increment]]). Returns the increment, or NULL. */
static struct node *
lquantize(struct cc *cc, const struct node *call, int64_t par[4])
{
	struct node *base = call->u.call.args->next, *limit = base ? base->next : NULL,
		    *step = limit ? limit->next : NULL;
	int64_t lo = const_par(cc, call, base, "D_LQUANT_BASETYPE", "argument #2 (base)");
	if (!fits32(lo))
		bad_par(cc, call, base, "D_LQUANT_BASEVAL", "argument #2 (base) must fit in 32 bits");
	int64_t hi = const_par(cc, call, limit, "D_LQUANT_LIMTYPE", "argument #3 (limit)");
	if (!fits32(hi))
		bad_par(cc, call, limit, "D_LQUANT_LIMVAL", "argument #3 (limit) must fit in 32 bits");
	if (hi < lo)
		bad_par(
		    cc, call, limit, "D_LQUANT_MISMATCH", "base (argument #2) must be less than limit (argument #3)");
	int64_t by = 1;
	if (step) {
		if (step->kind != N_INT || !ck_is_int(step) || step->u.num <= 0)
			bad_par(cc, call, step, "D_LQUANT_STEPTYPE",
			    "argument #4 (step) must be a positive integer constant");
		by = step->u.num;
		if (by > UINT16_MAX)
			bad_par(cc, call, step, "D_LQUANT_STEPVAL", "argument #4 (step) must be at most 65535");
	}
	int64_t levels = (hi - lo) / by;
	if (levels == 0)
		bad_par(
		    cc, call, step, "D_LQUANT_STEPLARGE", "step (argument #4) is too large: there is not one level");
	par[0] = lo;
	par[1] = lo + levels * by;
	par[2] = by;
	struct dobj_agg d = {.fn = AGG_LQUANTIZE, .par = {par[0], par[1], par[2], 0}};
	uint32_t words = levels > UINT16_MAX ? 0 : aggval_words(&d);
	if (words == 0 || words > AGGVAL_MAXWORDS)
		bad_par(
		    cc, call, step, "D_LQUANT_STEPSMALL", "step (argument #4) is too small: there are too many levels");
	return step ? step->next : NULL;
}

/* Returns factor to the power of n, or 0 if it does not fit. */
static uint64_t
power(uint64_t factor, uint64_t n)
{
	uint64_t v = 1;
	for (; n; n--) {
		if (v > UINT64_MAX / factor)
			return 0;
		v *= factor;
	}
	return v;
}

/* llquantize(value, factor, low magnitude, high magnitude, steps[, increment]) */
static struct node *
llquantize(struct cc *cc, const struct node *call, int64_t par[4])
{
	struct node *nf = call->u.call.args->next, *nl = nf ? nf->next : NULL, *nh = nl ? nl->next : NULL,
		    *ns = nh ? nh->next : NULL;
	uint64_t factor = word_par(cc, call, nf, "D_LLQUANT_FACTORTYPE", "D_LLQUANT_FACTORVAL", "argument #2 (factor)");
	if (factor < 2)
		bad_par(cc, call, nf, "D_LLQUANT_FACTORVAL", "argument #2 (factor) must be at least 2");
	uint64_t low = word_par(cc, call, nl, "D_LLQUANT_LMAGTYPE", "D_LLQUANT_LMAGVAL", "argument #3 (low magnitude)");
	uint64_t high =
	    word_par(cc, call, nh, "D_LLQUANT_HMAGTYPE", "D_LLQUANT_HMAGVAL", "argument #4 (high magnitude)");
	if (high < low)
		bad_par(cc, call, nh, "D_LLQUANT_HMAGVAL",
		    "argument #4 (high magnitude) must be at least argument #3 (low magnitude)");
	if (power(factor, high + 1) == 0)
		bad_par(
		    cc, call, nh, "D_LLQUANT_HMAGVAL", "argument #4 (high magnitude) is too large: 64 bits overflow");
	int64_t given = const_par(cc, call, ns, "D_LLQUANT_STEPTYPE", "argument #5 (steps)");
	if (given <= 0)
		bad_par(cc, call, ns, "D_LLQUANT_STEPTYPE", "argument #5 (steps) must be a positive integer constant");
	if (given > UINT16_MAX)
		bad_par(cc, call, ns, "D_LLQUANT_STEPVAL", "argument #5 (steps) must be at most 65535");
	uint64_t steps = (uint64_t)given;
	if (steps < factor)
		bad_par(cc, call, ns, "D_LLQUANT_STEPVAL",
		    "argument #5 (steps) must be at least argument #2 (factor): there are fewer steps than the factor");
	if (steps > factor) {
		if (steps % factor != 0)
			bad_par(cc, call, ns, "D_LLQUANT_STEPVAL",
			    "argument #5 (steps) must be a multiple of argument #2 (factor)");
		if (power(factor, low == 0 ? 2 : low + 1) % steps != 0)
			bad_par(cc, call, ns, "D_LLQUANT_STEPVAL",
			    "argument #5 (steps) must divide the first magnitude evenly");
	}
	par[0] = (int64_t)factor;
	par[1] = (int64_t)low;
	par[2] = (int64_t)high;
	par[3] = (int64_t)steps;
	struct dobj_agg d = {.fn = AGG_LLQUANTIZE, .par = {par[0], par[1], par[2], par[3]}};
	uint32_t words = aggval_words(&d);
	if (words == 0 || words > AGGVAL_MAXWORDS)
		bad_par(cc, call, ns, "D_LLQUANT_STEPVAL", "magnitudes and steps make too many buckets");
	return ns->next;
}

/* The functions with parameters: how these are read, and what is said when two uses of an aggregation differ in one. */
static const struct {
	struct node *(*read)(
	    struct cc *cc, const struct node *call, int64_t par[4]); /* returns the increment, or NULL */
	struct {
		const char *tag, *what;
	} par[4];
} params[AGG_NFNS] = {
    [AGG_LQUANTIZE] = {lquantize,
	{{"D_LQUANT_MATCHBASE", "base (argument #2)"}, {"D_LQUANT_MATCHLIM", "limit (argument #3)"},
	    {"D_LQUANT_MATCHSTEP", "step (argument #4)"}}},
    [AGG_LLQUANTIZE] = {llquantize,
	{{"D_LLQUANT_MATCHFACTOR", "factor (argument #2)"}, {"D_LLQUANT_MATCHLMAG", "low magnitude (argument #3)"},
	    {"D_LLQUANT_MATCHHMAG", "high magnitude (argument #4)"}, {"D_LLQUANT_MATCHSTEPS", "steps (argument #5)"}}},
};

const char *
aggfn_examples(struct cc *cc)
{
	const char *all = "such as ";
	for (int i = 0; i < AGG_NFNS; i++)
		all = ar_printf(cc->ar, "%s%s%s(%s)", all, i ? ", " : "", aggfns[i].name,
		    params[i].read        ? "..."
		    : aggfns[i].arguments ? "x"
					  : "");
	return all;
}

/* All uses of an aggregation must have the same parameters. */
static void
match_pars(struct cc *cc, const struct node *call, const struct dagg *a, const int64_t par[4])
{
	for (int i = 0; i < 4; i++) {
		if (par[i] == a->par[i])
			continue;
		const char *tag = params[a->fn].par[i].tag, *what = params[a->fn].par[i].what;
		cc_error(cc, call->pos, tag, "%s( ) %s differs from the first use of @%s: %lld, now %lld",
		    call->u.call.name, what, a->name, (long long)a->par[i], (long long)par[i]);
	}
}

/* Checks the call and reduces its arguments to value and increment. */
static void
function(struct cc *cc, struct node *call, int64_t par[4])
{
	struct node *value = call->u.call.args, *incr = NULL;
	int fn = call->u.call.fn;
	unsigned have = ck_len(value), most = aggfns[fn].arguments;
	ck_list(cc, value);
	if (!value && most)
		cc_error(cc, call->pos, "D_PROTO_LEN",
		    "%s( ) prototype mismatch: 0 arguments passed, at least 1 expected", call->u.call.name);
	if (have > most)
		cc_error(cc, call->pos, "D_PROTO_LEN",
		    "%s( ) prototype mismatch: %u arguments passed, at most %u expected", call->u.call.name, have,
		    most);
	if (!value)
		return;
	ck_term_int(cc, value);
	ck_no_address(cc, value, "aggregated");
	if (ck_is_dyn(value) || !ck_is_scalar(value))
		cc_error(cc, value->pos, "D_AGG_SCALAR", "%s( ) argument #1 must be a number, not '%s'",
		    call->u.call.name, ck_nname(cc, value));
	if (params[fn].read)
		incr = params[fn].read(cc, call, par);
	else if (aggfn_is((uint32_t)fn, AT_INCR))
		incr = value->next;
	if (incr)
		ck_term_int(cc, incr);
	if (incr && !ck_is_int(incr))
		cc_error(cc, incr->pos, "D_PROTO_ARG", "%s( ) increment (argument #%u) must be a number, not '%s'",
		    call->u.call.name, have, ck_nname(cc, incr));
	value->next = incr;
	if (incr)
		ck_convert(cc, incr, ck_type_int64(cc));
}

void
ck_aggstmt(struct cc *cc, struct node *n)
{
	struct lang *l = cc->lang;
	struct node *na = n->u.aggstmt.agg, *call = n->u.aggstmt.call;
	const char *name = na->u.agg.name;
	if (call->kind != N_CALL || (aggfn_find(call->u.call.name) < 0 && action_find(call->u.call.name)))
		cc_error(cc, call->pos, "D_AGG_FUNC",
		    "@%s must be assigned the result of an aggregating function: count(), sum(x) ...", name);
	call->u.call.subr = call->u.call.action = -1;
	call->u.call.fn = aggfn_find(call->u.call.name);
	if (call->u.call.fn < 0) {
		ck_call(cc, call, false);
		cc_error(cc, call->pos, "D_AGG_FUNC",
		    "@%s must be assigned the result of an aggregating function, not of %s( )", name,
		    call->u.call.name);
	}
	call->type = type_dyn(l->types);
	struct dagg *a = sm_gets(&l->aggs, name);
	int64_t par[4] = {0};
	function(cc, call, par);
	if (!a) {
		a = AR_NEW(&l->ar, struct dagg);
		a->name = ar_strdup(&l->ar, name);
		a->fn = -1;
		a->pos = na->pos;
		a->pos.file = NULL;
	}
	if (a->fn >= 0 && a->fn != call->u.call.fn)
		cc_error(cc, n->pos, "D_AGG_REDEF",
		    "@%s is an aggregation of %s( ) since line %u: it cannot take %s( )", name,
		    aggval_name((unsigned)a->fn), a->pos.line, call->u.call.name);
	if (a->fn >= 0)
		match_pars(cc, call, a, par);
	bool is_new = !a->keys;
	ck_keys(cc, ar_printf(cc->ar, "@%s[ ]", name), na->u.agg.keys, &a->keys, &a->nkeys, true, na->pos);
	if (is_new) {
		unsigned i = 0;
		a->key_nodes = AR_NEWN(&l->ar, struct node *, a->nkeys ? a->nkeys : 1);
		for (struct node *k = na->u.agg.keys; k; k = k->next)
			a->key_nodes[i++] = ck_clone(cc, &l->ar, k, NULL);
		a->fn = call->u.call.fn;
		memcpy(a->par, par, sizeof par);
		sm_puts(&l->aggs, a->name, a);
	}
	na->u.agg.agg = a;
	na->type = type_dyn(l->types);
}
