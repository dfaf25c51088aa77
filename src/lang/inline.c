/*
 * Inlines: inline T name = expression, and inlines with parameters. The expression is checked once, where it is
 * defined. Each use is a copy with the arguments put in, converted to the parameters' types. An argument that is used
 * twice is evaluated twice.
 */
#include "lang/check_priv.h"

/*
 * The most nodes of one stored inline or translator member, the most nodes that one clause may get from them, and the
 * greatest depth. Programs written by hand need far less. The limits stop inlines that double each other thirty times.
 */
enum { MAX_STORED = 10000, MAX_EXPANDED = 100000, MAX_DEPTH = 4 * NODE_MAXDEPTH };

static unsigned
measure(const struct node *n, unsigned *count)
{
	if (!n)
		return 0;
	++*count;
	unsigned deep = 0;
	const struct node *kids[3] = {NULL, NULL, NULL};
	const struct node *list = NULL;
	switch (n->kind) {
	case N_OP1:
	case N_CAST:
		kids[0] = n->u.op.a;
		break;
	case N_OP2:
		kids[0] = n->u.op.a;
		kids[1] = n->u.op.b;
		break;
	case N_COND:
		kids[0] = n->u.cond.a;
		kids[1] = n->u.cond.b;
		kids[2] = n->u.cond.c;
		break;
	case N_MEMBER:
		kids[0] = n->u.member.obj;
		break;
	case N_BUILTIN:
		kids[0] = n->u.bi.index;
		break;
	case N_XLATE:
		kids[0] = n->u.xlate.expr;
		break;
	case N_VAR:
		list = n->u.var.keys;
		break;
	case N_CALL:
		list = n->u.call.args;
		break;
	case N_AGG:
		list = n->u.agg.keys;
		break;
	default:
		break;
	}
	for (int i = 0; i < 3; i++) {
		unsigned d = measure(kids[i], count);
		deep = d > deep ? d : deep;
	}
	for (; list; list = list->next) {
		unsigned d = measure(list, count);
		deep = d > deep ? d : deep;
	}
	return deep + 1;
}

void
ck_expanded(struct cc *cc, struct node *n)
{
	unsigned count = 0, deep = measure(n, &count);
	cc->nexpanded += count;
	if (deep > MAX_DEPTH || count > MAX_STORED || cc->nexpanded > MAX_EXPANDED)
		cc_error(cc, n->pos, "D_UNKNOWN", "inlines or translators in use of each other grow too large here");
	n->depth = (uint16_t)deep;
}

void
ck_inline_define(struct cc *cc, struct node *n)
{
	struct lang *l = cc->lang;
	const char *name = n->u.inl.name;
	struct type *t = n->u.inl.type;
	bool of_d = bi_var(name) >= 0 || action_find(name) || aggfn_find(name) >= 0 || strcmp(name, "args") == 0 ||
		    subr_is_of_d(name);
	if (sm_gets(&l->inlines, name) || sm_gets(&l->globals, name) || (of_d && !bi_is_later(cc, name)))
		cc_error(cc, n->pos, "D_DECL_IDRED", "cannot define inline '%s': the name is taken", name);
	if (type_base(t)->kind == T_VOID)
		cc_error(cc, n->pos, "D_DECL_VOIDOBJ", "cannot define inline '%s' of type void", name);
	if (type_is_sou(t) && type_base(t)->size == 0)
		cc_error(cc, n->pos, "D_DECL_INCOMPLETE", "cannot define inline '%s': the type '%s' is incomplete",
		    name, ck_tname(cc, t));
	unsigned np = ck_len(n->u.inl.params), i = 0;
	struct scope sc = {.n = np};
	sc.names = AR_NEWN(cc->ar, const char *, np ? np : 1);
	sc.types = AR_NEWN(cc->ar, struct type *, np ? np : 1);
	for (const struct node *p = n->u.inl.params; p; p = p->next, i++) {
		sc.names[i] = p->u.decl.name;
		sc.types[i] = p->u.decl.type;
	}
	const struct scope *outer = cc->scope;
	cc->scope = &sc;
	struct node *e = n->u.inl.expr;
	ck_expr(cc, e, USE_READ);
	cc->scope = outer;
	bool is_xlate = false;
	if (e->kind == N_XLATE) {
		struct type *b = type_base(t);
		is_xlate =
		    type_same(b->kind == T_PTR ? b->ref : b, e->u.xlate.to) && (b->kind == T_PTR) == e->u.xlate.to_ptr;
	}
	if (!is_xlate && !ck_argcompat(cc, t, e))
		cc_error(cc, n->pos, "D_OP_INCOMPAT",
		    "inline '%s' is defined by a value of an incompatible type: '%s' = '%s'", name, ck_tname(cc, t),
		    ck_nname(cc, e));
	/* A constant keeps its own type, as in DTrace: inline void *NULL = 0 is still the integer 0. */
	if (!is_xlate && !(e->kind == N_INT && type_base(t)->kind == T_PTR))
		ck_convert(cc, e, t);
	struct node *kept = AR_NEW(&l->ar, struct node);
	*kept = *n;
	kept->next = NULL;
	kept->pos.file = NULL;
	kept->u.inl.name = ar_strdup(&l->ar, name);
	kept->u.inl.params = ck_clone_list(cc, &l->ar, n->u.inl.params, NULL);
	kept->u.inl.expr = ck_clone(cc, &l->ar, e, NULL);
	sm_puts(&l->inlines, kept->u.inl.name, kept);
}

void
ck_inline_expand(struct cc *cc, struct node *n, const struct node *inl, struct node *args)
{
	unsigned np = ck_len(inl->u.inl.params), na = ck_len(args), i = 0;
	const char *name = inl->u.inl.name;
	if (np != na)
		cc_error(cc, n->pos, "D_PROTO_LEN", "%s[ ] prototype mismatch: %u argument%s passed, %u expected", name,
		    na, na == 1 ? "" : "s", np);
	struct node **vals = AR_NEWN(cc->ar, struct node *, np ? np : 1);
	const struct node *p = inl->u.inl.params;
	for (struct node *a = args; a; a = a->next, p = p->next, i++) {
		ck_expr(cc, a, USE_READ);
		if (!ck_argcompat(cc, p->u.decl.type, a))
			cc_error(cc, a->pos, "D_PROTO_ARG",
			    "argument #%u of '%s' is incompatible: '%s' expected, '%s' given", i + 1, name,
			    ck_tname(cc, p->u.decl.type), ck_nname(cc, a));
		ck_convert(cc, a, p->u.decl.type);
		vals[i] = a;
	}
	struct pos pos = n->pos;
	struct node *copy = ck_clone(cc, cc->ar, inl->u.inl.expr, vals);
	ck_become(n, copy);
	n->pos = pos;
	n->is_lvalue = false;
	ck_expanded(cc, n);
}
