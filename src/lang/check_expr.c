/* Expressions by kind: one operand, members, casts, conditions. check_op.c has the operators with two operands. */
#include "lang/check_priv.h"

#include "object/procinfo.h"

const char *
ck_opname(enum op op)
{
	static const char *const names[] = {
	    [OP_NEG] = "-",
	    [OP_POS] = "+",
	    [OP_NOT] = "!",
	    [OP_BITNOT] = "~",
	    [OP_DEREF] = "*",
	    [OP_ADDR] = "&",
	    [OP_PREINC] = "++",
	    [OP_PREDEC] = "--",
	    [OP_POSTINC] = "++",
	    [OP_POSTDEC] = "--",
	    [OP_SIZEOF] = "sizeof",
	    [OP_STRINGOF] = "stringof",
	    [OP_MUL] = "*",
	    [OP_DIV] = "/",
	    [OP_MOD] = "%",
	    [OP_ADD] = "+",
	    [OP_SUB] = "-",
	    [OP_SHL] = "<<",
	    [OP_SHR] = ">>",
	    [OP_LT] = "<",
	    [OP_LE] = "<=",
	    [OP_GT] = ">",
	    [OP_GE] = ">=",
	    [OP_EQ] = "==",
	    [OP_NE] = "!=",
	    [OP_BITAND] = "&",
	    [OP_XOR] = "^",
	    [OP_BITOR] = "|",
	    [OP_LOGAND] = "&&",
	    [OP_LOGXOR] = "^^",
	    [OP_LOGOR] = "||",
	    [OP_COMMA] = ",",
	    [OP_ASSIGN] = "=",
	    [OP_MULEQ] = "*=",
	    [OP_DIVEQ] = "/=",
	    [OP_MODEQ] = "%=",
	    [OP_ADDEQ] = "+=",
	    [OP_SUBEQ] = "-=",
	    [OP_SHLEQ] = "<<=",
	    [OP_SHREQ] = ">>=",
	    [OP_ANDEQ] = "&=",
	    [OP_XOREQ] = "^=",
	    [OP_OREQ] = "|=",
	};
	return names[op];
}

static void
deref(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	ck_expr(cc, a, USE_READ);
	if (a->kind == N_XLATE && a->u.xlate.to_ptr) {
		struct node x = *a;
		x.u.xlate.to_ptr = false;
		x.type = type_dyn(cc->lang->types);
		ck_become(n, &x);
		return;
	}
	if (a->kind == N_OP1 && a->u.op.op == OP_STRINGOF && ck_is_ptr(a->u.op.a))
		ck_become(a, a->u.op.a); /* one byte of a string's tail, s[n] */
	if (ck_is_str(a))
		ck_wrap(cc, a, N_CAST, OP_POS, type_ptr(cc->lang->types, type_char(cc->lang->types)));
	struct type *e = ck_elem(a->type);
	if (!e)
		cc_error_hint(cc, n->pos, "D_DEREF_NONPTR",
		    ck_is_term(a) ? "element(), hd(), tl() and map_get() take terms apart" : NULL,
		    "cannot dereference a value of type '%s': it is not a pointer", ck_nname(cc, a));
	enum type_kind k = type_base(e)->kind;
	if (k == T_VOID)
		cc_error_hint(
		    cc, n->pos, "D_DEREF_VOID", "cast it first: *(int *)p", "cannot dereference a pointer to void");
	if (k == T_FUNC)
		cc_error(cc, n->pos, "D_DEREF_FUNC", "cannot dereference a pointer to a function");
	n->type = e;
	n->is_lvalue = k != T_ARRAY;
}

static void
address_of(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	if (a->kind == N_SYMBOL)
		ck_symbol(cc, a, true);
	else
		ck_expr(cc, a, USE_READ);
	if (a->kind == N_VAR || a->kind == N_AGG || a->kind == N_BUILTIN || a->kind == N_ARG || ck_is_dyn(a))
		cc_error(cc, n->pos, "D_ADDROF_VAR", "cannot take the address of a D variable");
	if (!a->is_lvalue)
		cc_error(cc, n->pos, "D_ADDROF_LVAL", "cannot take the address of a value that is not in memory");
	if (ck_is_bitfield(a))
		cc_error(
		    cc, n->pos, "D_ADDROF_BITFIELD", "cannot take the address of bit-field '%s'", a->u.member.name);
	n->type = type_ptr(cc->lang->types, a->type);
}

static void
size_of(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	uint64_t size;
	if (a->kind == N_TYPE) {
		size = type_base(a->type)->size;
	} else {
		ck_expr(cc, a, USE_READ);
		if (ck_is_bitfield(a))
			cc_error(
			    cc, n->pos, "D_SIZEOF_BITFIELD", "cannot apply sizeof to bit-field '%s'", a->u.member.name);
		size = a->kind == N_STR ? a->u.str.len + 1ull : type_base(a->type)->size;
	}
	if (size == 0)
		cc_error(cc, n->pos, "D_SIZEOF_TYPE", "the size of '%s' is not known", ck_nname(cc, a));
	ck_make_int(n, ck_type_named(cc, "size_t"), (int64_t)size);
}

static void
string_of(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	ck_expr(cc, a, USE_READ);
	ck_term_text(cc, a);
	if (ck_is_str(a)) {
		ck_become(n, a);
		n->is_lvalue = false;
		return;
	}
	if (!ck_is_scalar(a) && !ck_is_ptr(a))
		cc_error(
		    cc, n->pos, "D_STRINGOF_TYPE", "cannot make a string of a value of type '%s'", ck_nname(cc, a));
	n->type = type_string(cc->lang->types);
}

static void
step(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	const char *op = ck_opname(n->u.op.op);
	ck_expr(cc, a, USE_STEP);
	if (!ck_is_scalar(a))
		cc_error(cc, n->pos, "D_OP_SCALAR", "operator %s needs a number or a pointer, not '%s'", op,
		    ck_nname(cc, a));
	if (ck_is_vfptr(a))
		cc_error(cc, n->pos, "D_OP_VFPTR", "operator %s needs a pointer to something of known size, not '%s'",
		    op, ck_nname(cc, a));
	if (!a->is_lvalue)
		cc_error(cc, n->pos, "D_OP_LVAL", "operator %s needs a variable as operand", op);
	if (!ck_writable(a))
		cc_error(cc, n->pos, "D_OP_WRITE", "operator %s can only be applied to a variable of the program", op);
	n->type = a->type;
}

static void
op1(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	switch (n->u.op.op) {
	case OP_DEREF:
		deref(cc, n);
		return;
	case OP_ADDR:
		address_of(cc, n);
		return;
	case OP_SIZEOF:
		size_of(cc, n);
		return;
	case OP_STRINGOF:
		string_of(cc, n);
		return;
	case OP_PREINC:
	case OP_PREDEC:
	case OP_POSTINC:
	case OP_POSTDEC:
		step(cc, n);
		return;
	default:
		break;
	}
	const char *op = ck_opname(n->u.op.op);
	ck_expr(cc, a, USE_READ);
	switch (n->u.op.op) {
	case OP_NOT:
		if (!ck_is_scalar(a))
			cc_error_hint(cc, n->pos, "D_OP_SCALAR",
			    ck_is_str(a) ? "compare it with \"\"" : ck_term_hint(a),
			    "operator ! needs a number or a pointer, not '%s'", ck_nname(cc, a));
		n->type = ck_type_int(cc);
		break;
	case OP_BITNOT:
		ck_term_int(cc, a);
		if (!ck_is_int(a))
			cc_error(cc, n->pos, "D_OP_INT", "operator ~ needs an integer, not '%s'", ck_nname(cc, a));
		n->type = ck_promoted(cc, a);
		break;
	default:
		ck_term_int(cc, a);
		if (!ck_is_int(a))
			cc_error(cc, n->pos, "D_OP_ARITH", "operator %s needs a number, not '%s'", op, ck_nname(cc, a));
		n->type = ck_promoted(cc, a);
	}
	ck_fold1(n);
}

static void
cond(struct cc *cc, struct node *n)
{
	struct node *a = n->u.cond.a, *b = n->u.cond.b, *c = n->u.cond.c;
	ck_expr(cc, a, USE_READ);
	ck_expr(cc, b, USE_READ);
	ck_expr(cc, c, USE_READ);
	if (!ck_is_scalar(a))
		cc_error_hint(cc, a->pos, "D_OP_SCALAR", ck_is_str(a) ? "compare it with \"\"" : ck_term_hint(a),
		    "the condition of ?: must be a number or a pointer, not '%s'", ck_nname(cc, a));
	if (ck_is_dyn(b) || ck_is_dyn(c))
		cc_error(cc, n->pos, "D_OP_DYN", "an operand of ?: has no type of its own: '%s'",
		    ck_nname(cc, ck_is_dyn(b) ? b : c));
	if (ck_is_action(b) || ck_is_action(c))
		cc_error_hint(cc, n->pos, "D_OP_ACT", "use if (...) { } else { }, or a predicate",
		    "an action cannot be an operand of ?:");
	if (ck_is_term(b) != ck_is_term(c))
		ck_terms_meet(cc, b, c);
	if (ck_is_int(b) && ck_is_int(c))
		n->type = ck_usual(cc, b, c);
	else if (type_same(b->type, c->type))
		n->type = b->type;
	else if (type_is_strcompat(b->type) && type_is_strcompat(c->type) && (ck_is_str(b) || ck_is_str(c)))
		n->type = type_string(cc->lang->types);
	else if (!ck_ptrcompat(cc, b, c, &n->type))
		cc_error(cc, n->pos, "D_OP_INCOMPAT",
		    "the operands of ?: have types that do not go together: '%s' and '%s'", ck_nname(cc, b),
		    ck_nname(cc, c));
	if (!ck_is_int(b) || !ck_is_int(c)) {
		ck_convert(cc, b, n->type);
		ck_convert(cc, c, n->type);
	}
	ck_fold_cond(n);
}

static void
cast(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a;
	ck_expr(cc, a, USE_READ);
	struct type *to = type_base(n->type);
	bool to_scalar = type_is_int(to) || to->kind == T_PTR;
	if (type_is_int(to))
		ck_term_int(cc, a);
	else if (type_is_strcompat(to))
		ck_term_text(cc, a);
	if (to->kind == T_TERM && ck_is_scalar(a))
		return; /* (term)arg0: its kind is known only where it is used */
	if (to->kind == T_VOID) {
		if (ck_is_action(a))
			cc_error(cc, a->pos, "D_CG_EXPR", "%s() is an action: it must be a statement of its own",
			    a->u.call.name);
		return;
	}
	if (to_scalar && (ck_is_scalar(a) || (to->kind == T_PTR && ck_is_ptr(a)))) {
		/* A cast to a wider type extends the sign from the narrower type's sign bit, as in DTrace. */
		if (ck_is_int(a) && type_base(a->type)->is_signed && type_base(a->type)->size < to->size)
			ck_cut_node(cc, a);
		if (a->kind == N_INT)
			ck_make_int(n, n->type, to->kind == T_PTR ? a->u.num : ck_cut(to, a->u.num));
		return;
	}
	if (to->kind == T_STRING && (ck_is_scalar(a) || ck_is_ptr(a) || ck_is_str(a))) {
		if (ck_is_str(a)) {
			ck_become(n, a);
			n->is_lvalue = false;
		} else {
			n->kind = N_OP1;
			n->u.op.op = OP_STRINGOF;
		}
		return;
	}
	if (to->kind != T_DYN && to->kind != T_ARRAY && type_same(to, a->type)) {
		struct type *t = n->type;
		ck_become(n, a);
		n->type = t;
		n->is_lvalue = false;
		return;
	}
	cc_error(cc, n->pos, "D_CAST_INVAL", "cannot cast '%s' to '%s'", ck_nname(cc, a), ck_tname(cc, n->type));
}

static const char *
near_member(struct cc *cc, struct type *t, const char *name)
{
	VEC(const char *) names = {0};
	for (struct member *m = type_base(t)->members; m; m = m->next) {
		if (m->name)
			VEC_PUSH(cc->ar, &names, m->name);
	}
	return near_miss(name, names.at, names.n);
}

/* Members of processes and threads that Solaris has and DTrace's translators leave out. */
bool
ck_is_unconverted(const struct type *t, const char *name)
{
	static const char *const names[] = {
#define X(n) n,
	    PROCINFO_NOCONV(X)
#undef X
	};
	t = type_base((struct type *)t);
	if (!t->name || (strcmp(t->name, "psinfo") != 0 && strcmp(t->name, "lwpsinfo") != 0))
		return false;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static struct member *
find_member(struct cc *cc, struct node *n, struct type *t, uint64_t *offset)
{
	struct member *m = type_member(t, n->u.member.name, offset);
	if (!m && ck_is_unconverted(t, n->u.member.name))
		cc_error(cc, n->pos, "D_XLATE_NOCONV", "the translator to '%s' does not define member '%s'",
		    ck_tname(cc, t), n->u.member.name);
	if (!m)
		cc_error_hint(cc, n->pos, "D_TYPE_MEMBER", ck_hint(cc, near_member(cc, t, n->u.member.name)),
		    "'%s' is not a member of '%s'", n->u.member.name, ck_tname(cc, t));
	return m;
}

static void
member(struct cc *cc, struct node *n)
{
	struct node *obj = n->u.member.obj;
	ck_expr(cc, obj, USE_READ);
	if (obj->kind == N_XLATE) {
		ck_xlate_member(cc, n);
		return;
	}
	struct type *t = type_base(obj->type);
	const char *op = n->u.member.arrow ? "->" : ".";
	if (n->u.member.arrow) {
		if (t->kind != T_PTR)
			cc_error_hint(cc, n->pos, "D_OP_PTR", type_is_sou(t) ? "use '.'" : NULL,
			    "operator -> needs a pointer to a struct or union, not '%s'", ck_nname(cc, obj));
		t = type_base(t->ref);
	}
	if (type_is_sou(t) && !t->is_complete && t->size == 0)
		cc_error(cc, n->pos, "D_OP_INCOMPLETE",
		    "operator %s cannot be applied to '%s': its members are not known", op, ck_tname(cc, t));
	if (!type_is_sou(t))
		cc_error_hint(cc, n->pos, "D_OP_SOU",
		    !n->u.member.arrow && t->kind == T_PTR && type_is_sou(t->ref) ? "use '->'" : NULL,
		    "operator %s needs a struct or union, not '%s'", op, ck_nname(cc, obj));
	uint64_t offset;
	struct member *m = find_member(cc, n, t, &offset);
	n->u.member.m = m;
	n->u.member.offset = offset;
	n->type = m->type;
	n->is_lvalue = (n->u.member.arrow || obj->is_lvalue) && type_base(m->type)->kind != T_ARRAY;
}

void
ck_expr(struct cc *cc, struct node *n, enum use use)
{
	switch (n->kind) {
	case N_INT:
		n->is_const = true;
		return;
	case N_STR:
		n->type = type_string(cc->lang->types);
		return;
	case N_IDENT:
		ck_ident(cc, n, use);
		return;
	case N_INDEX:
		ck_index(cc, n, use);
		return;
	case N_SYMBOL:
		ck_symbol(cc, n, false);
		return;
	case N_OP1:
		op1(cc, n);
		return;
	case N_OP2:
		ck_op2(cc, n);
		return;
	case N_COND:
		cond(cc, n);
		return;
	case N_MEMBER:
		member(cc, n);
		return;
	case N_CAST:
		cast(cc, n);
		return;
	case N_CALL:
		ck_call(cc, n, false);
		return;
	case N_XLATE:
		ck_xlate(cc, n);
		return;
	case N_AGG:
		ck_agg(cc, n);
		return;
	case N_VAR:
	case N_BUILTIN:
	case N_ARG:
	case N_PARAM:
		return;
	default:
		cc_error(cc, n->pos, "D_SYNTAX", "a type stands where a value is expected");
	}
}

void
ck_list(struct cc *cc, struct node *list)
{
	for (; list; list = list->next)
		ck_expr(cc, list, USE_READ);
}
