/*
 * Translators: translator T < S p > { member = expression; ... }, and their uses: xlate < T > (e).member and xlate < T
 * * > (e)->member. A member is replaced by its expression with e in place of p, so only the members that are used cost
 * anything.
 */
#include "lang/check_priv.h"

static struct xlator *
lookup(struct cc *cc, struct type *to, const struct node *from, bool exact)
{
	for (unsigned i = cc->lang->xlators.n; i-- > 0;) {
		struct xlator *x = cc->lang->xlators.at[i];
		if (type_same(x->to, to) &&
		    (type_same(x->from, from->type) || (!exact && ck_argcompat(cc, x->from, from))))
			return x;
	}
	return NULL;
}

static struct xlator *
find(struct cc *cc, struct type *to, const struct node *from)
{
	struct xlator *x = lookup(cc, to, from, true);
	return x ? x : lookup(cc, to, from, false);
}

/* One member of a translator and the expression that it is defined by. */
static struct member *
check_member(struct cc *cc, struct type *to, struct node *m)
{
	uint64_t offset;
	struct member *info = type_member(to, m->u.member.name, &offset);
	if (!info)
		cc_error(
		    cc, m->pos, "D_XLATE_MEMB", "'%s' is not a member of '%s'", m->u.member.name, ck_tname(cc, to));
	struct node *e = m->u.member.obj;
	ck_expr(cc, e, USE_READ);
	if (!ck_argcompat(cc, info->type, e))
		cc_error(cc, e->pos, "D_XLATE_INCOMPAT",
		    "member '%s' is defined by a value of an incompatible type: '%s' = '%s'", m->u.member.name,
		    ck_tname(cc, info->type), ck_nname(cc, e));
	/* A char array member that is given a string reads as a string. */
	if (type_base(info->type)->kind != T_ARRAY)
		ck_convert(cc, e, info->type);
	return info;
}

/* Returns NULL if the member does not compile here. Running out of memory is not a reason to leave it out. */
static struct member *
try_member(struct cc *cc, struct type *to, struct node *m)
{
	jmp_buf *outer = cc->fail, here;
	cc->fail = &here;
	if (setjmp(here) == 0) {
		struct member *info = check_member(cc, to, m);
		cc->fail = outer;
		return info;
	}
	cc->fail = outer;
	if (!cc->diag->tag)
		longjmp(*outer, 1);
	diag_free(cc->diag);
	*cc->diag = (struct diag){0};
	return NULL;
}

static const struct node *
xlator_member(const struct xlator *x, const char *name)
{
	for (const struct node *m = x->members; m; m = m->next) {
		if (strcmp(m->u.member.name, name) == 0)
			return m;
	}
	return NULL;
}

void
ck_xlator_define(struct cc *cc, struct node *n)
{
	struct lang *l = cc->lang;
	struct type *to = n->u.xlator.to, *from = n->u.xlator.from;
	struct node like = {.kind = N_TYPE, .type = from, .pos = n->pos};
	if (!type_is_sou(to) || type_base(to)->size == 0)
		cc_error(cc, n->pos, "D_XLATE_SOU", "a translator must make a complete struct or union, not '%s'",
		    ck_tname(cc, to));
	if (lookup(cc, to, &like, true))
		cc_error(cc, n->pos, "D_XLATE_REDECL", "a translator from '%s' to '%s' was declared before",
		    ck_tname(cc, from), ck_tname(cc, to));
	const char *param = n->u.xlator.param;
	struct scope sc = {.n = 1, .names = &param, .types = &from};
	const struct scope *outer = cc->scope;
	struct xlator *x = AR_NEW(&l->ar, struct xlator);
	struct node **tail = &x->members;
	x->to = to;
	x->from = from;
	x->pos = n->pos;
	x->pos.file = NULL;
	cc->scope = &sc;
	for (struct node *m = n->u.xlator.members; m; m = m->next) {
		if (cc->lenient && xlator_member(x, m->u.member.name))
			continue;
		struct member *info = cc->lenient ? try_member(cc, to, m) : check_member(cc, to, m);
		if (!info)
			continue;
		struct node *e = m->u.member.obj, *kept = AR_NEW(&l->ar, struct node);
		*kept = (struct node){.kind = N_MEMBER, .pos = x->pos};
		kept->u.member.name = ar_strdup(&l->ar, m->u.member.name);
		kept->u.member.m = info;
		kept->u.member.obj = ck_clone(cc, &l->ar, e, NULL);
		*tail = kept;
		tail = &kept->next;
	}
	cc->scope = outer;
	VEC_PUSH(&l->ar, &l->xlators, x);
}

void
ck_xlate(struct cc *cc, struct node *n)
{
	struct node *e = n->u.xlate.expr;
	struct type *to = type_base(n->u.xlate.to);
	ck_expr(cc, e, USE_READ);
	if (to->kind == T_PTR && !n->u.xlate.to_ptr) {
		n->u.xlate.to_ptr = true;
		n->u.xlate.to = to->ref;
	}
	n->u.xlate.x = find(cc, n->u.xlate.to, e);
	if (!n->u.xlate.x && front_kernel(cc))
		n->u.xlate.x = find(cc, n->u.xlate.to, e);
	if (!n->u.xlate.x)
		cc_error(cc, n->pos, "D_XLATE_NONE", "there is no translator from '%s' to '%s'", ck_nname(cc, e),
		    ck_tname(cc, n->u.xlate.to));
	ck_convert(cc, e, n->u.xlate.x->from);
	n->type = type_dyn(cc->lang->types);
}

void
ck_xlate_member(struct cc *cc, struct node *n)
{
	struct node *x = n->u.member.obj;
	const char *name = n->u.member.name;
	if (n->u.member.arrow != x->u.xlate.to_ptr)
		cc_error(cc, n->pos, n->u.member.arrow ? "D_OP_PTR" : "D_OP_SOU", "use '%s' on this translation",
		    x->u.xlate.to_ptr ? "->" : ".");
	const struct node *m = xlator_member(x->u.xlate.x, name);
	if (!m) {
		uint64_t offset;
		if (!type_member(x->u.xlate.to, name, &offset) && !ck_is_unconverted(x->u.xlate.to, name))
			cc_error(cc, n->pos, "D_TYPE_MEMBER", "'%s' is not a member of '%s'", name,
			    ck_tname(cc, x->u.xlate.to));
		cc_error(cc, n->pos, "D_XLATE_NOCONV", "the translator to '%s' does not define member '%s'",
		    ck_tname(cc, x->u.xlate.to), name);
	}
	struct node *arg = x->u.xlate.expr;
	struct pos pos = n->pos;
	ck_become(n, ck_clone(cc, cc->ar, m->u.member.obj, &arg));
	n->pos = pos;
	n->is_lvalue = false;
	ck_expanded(cc, n);
}

/* Makes var.m = value, an expression that is checked already. */
static struct node *
set_member(struct cc *cc, const struct node *var, struct member *m, const char *name, uint64_t offset,
    struct node *value, struct pos pos)
{
	struct node *to = node_new(cc, N_MEMBER, pos);
	to->u.member.obj = ck_clone(cc, cc->ar, var, NULL);
	to->u.member.name = name;
	to->u.member.m = m;
	to->u.member.offset = offset;
	to->type = m->type;
	to->is_lvalue = true;
	return ck_op(cc, pos, OP_ASSIGN, to, value, to->type);
}

void
ck_xlate_assign(struct cc *cc, struct node *n)
{
	struct node *var = n->u.op.a, *x = n->u.op.b;
	if (var->kind != N_VAR)
		cc_error(cc, n->pos, "D_OP_INCOMPAT", "a translation can only be kept in a variable of its own");
	struct node *all = NULL;
	for (const struct node *m = x->u.xlate.x->members; m; m = m->next) {
		uint64_t offset;
		struct member *info = type_member(var->type, m->u.member.name, &offset);
		if (type_base(info->type)->kind == T_ARRAY)
			cc_error(cc, n->pos, "D_OP_ARRFUN",
			    "member '%s' is an array: the translation cannot be kept; use its members",
			    m->u.member.name);
		struct node *arg = x->u.xlate.expr;
		struct node *value = ck_clone(cc, cc->ar, m->u.member.obj, &arg);
		struct node *set = set_member(cc, var, info, m->u.member.name, offset, value, n->pos);
		all = all ? ck_op(cc, n->pos, OP_COMMA, all, set, set->type) : set;
	}
	/* Members that the translator does not define become 0. This comes last, because the translation may read
	 * the variable that it is assigned to. */
	struct type *t = type_base(var->type);
	for (struct member *m = t->kind == T_STRUCT ? t->members : NULL; m; m = m->next) {
		if (!m->name || xlator_member(x->u.xlate.x, m->name))
			continue;
		struct node *zero = node_new(cc, N_INT, n->pos);
		zero->type = m->type;
		struct node *set = set_member(cc, var, m, m->name, m->offset, zero, n->pos);
		all = all ? ck_op(cc, n->pos, OP_COMMA, all, set, set->type) : set;
	}
	struct node *result = ck_clone(cc, cc->ar, var, NULL);
	all = all ? ck_op(cc, n->pos, OP_COMMA, all, result, var->type) : result;
	ck_become(n, all);
	ck_expanded(cc, n);
}

void
ck_xlate_value(struct cc *cc, struct node *n)
{
	if (n->kind != N_XLATE || n->u.xlate.to_ptr)
		return;
	struct type *t = n->u.xlate.to;
	struct node *x = ck_copy(cc, n),
		    *var = ck_hidden_var(cc, ar_printf(cc->ar, "xlate <%s>", ck_tname(cc, t)), n->pos, t);
	ck_become(n, ck_op(cc, n->pos, OP_ASSIGN, var, x, t));
	ck_xlate_assign(cc, n);
}
