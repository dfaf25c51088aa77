/*
 * The checker's front: top-level constructs, clauses and statements, and the
 * order in which actions may follow each other.
 */
#include "lang/check_priv.h"

/* What a group of statements has done so far. Each branch of an `if` begins a new group and has its own record. */
enum { DID_SPECULATE = 1, DID_COMMIT = 2, DID_RECORD = 4 };

static void
order_data(struct cc *cc, const struct node *n, const char *name, unsigned *did)
{
	if (*did & DID_COMMIT)
		cc_error(cc, n->pos, "D_DREC_COMM",
		    "%s( ) records data: it may not follow commit( ) in the same clause", name);
	*did |= DID_RECORD;
}

static void
order_action(struct cc *cc, const struct node *n, unsigned *did)
{
	const char *name = n->u.call.name;
	const struct action *a = action_find(name);
	if (!a)
		return;
	if (a->flags & AF_COMMIT) {
		if (*did & DID_COMMIT)
			cc_error(cc, n->pos, "D_COMM_COMM", "commit( ) may not follow commit( ) in the same clause");
		if (*did & DID_RECORD)
			cc_error(cc, n->pos, "D_COMM_DREC", "commit( ) may not follow an action that records data");
		*did |= DID_COMMIT;
	} else if (a->flags & AF_SPECULATE) {
		if (*did & DID_SPECULATE)
			cc_error(
			    cc, n->pos, "D_SPEC_SPEC", "speculate( ) may not follow speculate( ) in the same clause");
		if (*did & DID_COMMIT)
			cc_error(cc, n->pos, "D_SPEC_COMM", "speculate( ) may not follow commit( ) in the same clause");
		if (*did & DID_RECORD)
			cc_error(cc, n->pos, "D_SPEC_DREC", "speculate( ) may not follow an action that records data");
		*did |= DID_SPECULATE;
	} else if (!(a->flags & AF_DISCARD)) {
		if ((*did & DID_SPECULATE) && (a->flags & AF_DESTRUCTIVE))
			cc_error(
			    cc, n->pos, "D_ACT_SPEC", "%s( ) is destructive: it may not follow speculate( )", name);
		if ((*did & DID_SPECULATE) && (a->flags & AF_EXIT))
			cc_error(cc, n->pos, "D_EXIT_SPEC", "exit( ) may not follow speculate( )");
		if (a->flags & AF_DATA)
			order_data(cc, n, name, did);
	}
}

static void
order_agg(struct cc *cc, const struct node *n, const unsigned *did)
{
	if (*did & DID_COMMIT)
		cc_error(cc, n->pos, "D_AGG_COMM", "an aggregation may not follow commit( ) in the same clause");
	if (*did & DID_SPECULATE)
		cc_error(cc, n->pos, "D_AGG_SPEC",
		    "an aggregation may not follow speculate( ): aggregations are never speculative");
}

static void
expression(struct cc *cc, struct node *n, unsigned *did)
{
	struct node *e = n->u.op.a;
	if (e->kind == N_CALL) {
		/* For actions that are refused anyway, DTrace reports the wrong place first. */
		const struct action *a = action_find(e->u.call.name);
		if (a && (a->flags & AF_REFUSED))
			order_action(cc, e, did);
		ck_call(cc, e, true);
		if (e->kind == N_CALL)
			order_action(cc, e, did);
		return;
	}
	ck_expr(cc, e, USE_READ);
	if (e->kind == N_AGG)
		cc_error_hint(cc, e->pos, "D_AGG_NULL", "use printa() to show it", "the expression has no effect: @%s",
		    e->u.agg.name);
	if (e->kind == N_XLATE)
		cc_error(cc, e->pos, "D_CG_DYN", "a translation without a member has no value");
}

static void statements(struct cc *cc, struct node *list);

static void
condition(struct cc *cc, struct node *n, const char *what)
{
	ck_expr(cc, n, USE_READ);
	if (ck_is_dyn(n) || !ck_is_scalar(n))
		cc_error_hint(cc, n->pos, "D_PRED_SCALAR",
		    ck_is_str(n) ? "compare it: execname == \"beam.smp\"" : ck_term_hint(n),
		    "%s must be a number or a pointer, not '%s'", what, ck_nname(cc, n));
}

static void
statements(struct cc *cc, struct node *list)
{
	unsigned did = 0;
	for (struct node *n = list; n; n = n->next) {
		switch (n->kind) {
		case N_AGGSTMT:
			order_agg(cc, n, &did);
			ck_aggstmt(cc, n);
			break;
		case N_IF:
			condition(cc, n->u.cond.a, "the condition of if");
			statements(cc, n->u.cond.b);
			statements(cc, n->u.cond.c);
			did = 0;
			break;
		default:
			expression(cc, n, &did);
		}
	}
}

/* Whether the predicate gives variables their first value, so that the body may depend on it. */
static bool
assigns(const struct node *n)
{
	if (!n)
		return false;
	switch (n->kind) {
	case N_OP1:
		if (n->u.op.op >= OP_PREINC && n->u.op.op <= OP_POSTDEC)
			return true;
		return assigns(n->u.op.a);
	case N_OP2:
		return n->u.op.op >= OP_ASSIGN || assigns(n->u.op.a) || assigns(n->u.op.b);
	case N_COND:
		return assigns(n->u.cond.a) || assigns(n->u.cond.b) || assigns(n->u.cond.c);
	case N_CAST:
		return assigns(n->u.op.a);
	case N_MEMBER:
		return assigns(n->u.member.obj);
	case N_CALL:
		for (const struct node *a = n->u.call.args; a; a = a->next) {
			if (assigns(a))
				return true;
		}
		return false;
	default:
		return false;
	}
}

/*
 * Checks a copy of the body. Returns false if it needs names that only the predicate can give; that error is forgotten.
 * Other errors go on to the caller's jump.
 */
static bool
body_stands_alone(struct cc *cc, struct node *body)
{
	jmp_buf here, *outer = cc->fail;
	bool failed = setjmp(here) != 0;
	if (!failed) {
		cc->fail = &here;
		statements(cc, body);
	}
	cc->fail = outer;
	if (!failed)
		return true;
	const char *tag = cc->diag->tag;
	if (!tag || (strcmp(tag, "D_IDENT_UNDEF") != 0 && strcmp(tag, "D_VAR_UNDEF") != 0))
		longjmp(*outer, 1);
	cc->scope = NULL;
	diag_free(cc->diag);
	*cc->diag = (struct diag){0};
	return false;
}

static void
body_and_predicate(struct cc *cc, struct node *n)
{
	struct node *pred = n->u.clause.pred;
	/* Bodies give names to predicates more often than the other way round, so they are checked first. */
	if (pred && assigns(pred)) {
		struct node *copy = ck_clone_list(cc, cc->ar, n->u.clause.body, NULL);
		bool alone = body_stands_alone(cc, copy);
		condition(cc, pred, "a predicate");
		if (alone)
			n->u.clause.body = copy;
		else
			statements(cc, n->u.clause.body);
		return;
	}
	statements(cc, n->u.clause.body);
	if (pred)
		condition(cc, pred, "a predicate");
}

struct matches {
	const struct probe *first;
	unsigned n;
	bool differ;
	unsigned texts, terms; /* as in struct cc */
};

static bool
same_args(const char *const *a, const char *const *b)
{
	if (a == b)
		return true;
	if (!a || !b)
		return false;
	for (; *a && *b; a++, b++) {
		if (strcmp(*a, *b) != 0)
			return false;
	}
	return !*a && !*b;
}

static bool
has_more(const struct probe *a, const struct probe *b)
{
	unsigned i = 0, k = 0;
	while (a->argtypes && a->argtypes[i])
		i++;
	while (b->argtypes && b->argtypes[k])
		k++;
	return i > k;
}

static void
on_match(void *arg, const struct probe *p)
{
	struct matches *m = arg;
	if (!m->first)
		m->first = p;
	else if (probe_has_terms(m->first) && probe_has_terms(p))
		m->first = has_more(p, m->first) ? p : m->first; /* all are terms: the longest list has them all */
	else if (!same_args(m->first->argtypes, p->argtypes))
		m->differ = true;
	ck_addresses(p, m->n == 0, &m->texts, &m->terms);
	m->n++;
}

/* A field as somebody would write it: without the backslashes that keep its characters from being globs. */
static const char *
field(struct cc *cc, const char *s)
{
	char *plain = ar_alloc(cc->ar, s ? strlen(s) + 1 : 1), *at = plain;
	for (; s && *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		*at++ = *s;
	}
	*at = '\0';
	return plain;
}

/* Returns the number of the first macro argument in the source at pos that is not given or empty, or 0. */
static int
missing_argument(const struct cc *cc, const struct pos *pos)
{
	if (pos->off > cc->len || pos->len > cc->len - pos->off)
		return 0;
	const char *end = cc->text + pos->off + pos->len;
	for (const char *s = cc->text + pos->off; s + 1 < end; s++) {
		int n = s[0] == '$' ? s[1] - '0' : 0;
		if (n >= 1 && n <= 9 && (n >= cc->argc || !*cc->argv[n]))
			return n;
	}
	return 0;
}

/* The hint when no name is near: lists what there is instead. */
static const char *
what_there_is(struct cc *cc, const struct pos *pos, const struct pdesc *p)
{
	char names[200];
	int missing = p->names[1] && p->names[1][0] ? 0 : missing_argument(cc, pos);
	if (missing)
		return ar_printf(
		    cc->ar, "$%d is an argument of the script, and empty: give it, or write the module there", missing);
	if (probes_erlang(cc->probes) && (!p->names[0] || !p->names[0][0]) && (!p->names[1] || !p->names[1][0]) &&
	    p->names[2] && strchr(p->names[2], '/'))
		return "a function is named with its module: lists:seq/2";
	if (p->names[0] && strncmp(p->names[0], "erlang", 6) == 0) {
		if (!probes_erlang(cc->probes))
			return "-l lists the probes; those of an Erlang node are there with -N";
		if (!p->names[0][6])
			return "the provider's name ends with the node's process id: write erlang*";
		return "-l lists the node's probes";
	}
	if (probes_siblings(cc->probes, p, names, sizeof names))
		return ar_printf(cc->ar, "%s", names);
	return NULL;
}

static void
no_probe(struct cc *cc, const struct node *d)
{
	const struct pdesc *p = &d->u.pdesc;
	if (p->id)
		cc_error_hint(cc, d->pos, "D_PDESC_INVAL", "-l lists the probes with their numbers",
		    "there is no probe %u", p->id);
	const char *hint = probes_hint(cc->probes);
	if (!hint)
		hint = ck_hint(cc, probes_near(cc->probes, p));
	if (!hint)
		hint = what_there_is(cc, &d->pos, p);
	cc_error_hint(cc, d->pos, probes_tag(cc->probes), hint,
	    "probe description %s:%s:%s:%s does not match any probes", field(cc, p->names[0]), field(cc, p->names[1]),
	    field(cc, p->names[2]), field(cc, p->names[3]));
}

static void
match_probes(struct cc *cc, struct node *clause)
{
	struct matches m = {0};
	cc->pdesc = clause->u.clause.pdescs;
	if (cc->probes)
		probes_set_later(cc->probes, cc->opts->num[OPT_ZDEFS] == 1);
	for (struct node *d = clause->u.clause.pdescs; d && cc->probes; d = d->next) {
		struct why why = {""};
		int n = probes_match(cc->probes, &d->u.pdesc, on_match, &m, &why);
		/* To DTrace, a probe that its provider cannot make does not exist. */
		if (n < 0)
			cc_error(cc, d->pos, probes_tag(cc->probes), "invalid probe description: %s",
			    why.text[0] ? why.text : "no memory");
		if (n == 0 && !cc->opts->num[OPT_ZDEFS])
			no_probe(cc, d);
	}
	cc->probe = m.first;
	cc->nmatches = m.n;
	cc->args_differ = m.differ;
	cc->probe_is_one = m.n == 1;
	cc->texts = m.texts;
	cc->terms = m.terms;
}

static void
clause(struct cc *cc, struct node *n)
{
	match_probes(cc, n);
	body_and_predicate(cc, n);
}

void
check_top(struct cc *cc, struct node *n)
{
	cc->nexpanded = 0;
	switch (n->kind) {
	case N_CLAUSE:
		clause(cc, n);
		break;
	case N_DECL:
		ck_declare(cc, n);
		break;
	case N_INLINE:
		cc->pdesc = NULL;
		ck_inline_define(cc, n);
		break;
	case N_XLATOR:
		cc->pdesc = NULL;
		ck_xlator_define(cc, n);
		break;
	default:
		break;
	}
}

int64_t
check_const(struct cc *cc, struct node *n)
{
	ck_expr(cc, n, USE_READ);
	if (n->kind != N_INT || !ck_is_int(n))
		cc_error(cc, n->pos, "D_DECL_ARRSUB",
		    "an integer constant is needed here, not an expression of type '%s'", ck_nname(cc, n));
	return n->u.num;
}
