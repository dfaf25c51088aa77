/* Operators with two operands: arithmetic, comparison, assignment. */
#include "lang/check_priv.h"

#include <string.h>

/* A pointer held by a variable, whatever type it is used as. */
static bool
is_own_pointer(const struct node *n)
{
	while (n->kind == N_CAST || (n->kind == N_OP2 && n->u.op.op == OP_ADD))
		n = n->u.op.a;
	return ck_writable(n);
}

/*
 * Returns whether a store may go there: to variables of the program, to what is inside them, and to memory that a
 * variable points at (the engine checks that address when it stores). Built-in variables, probe arguments and results
 * of casts cannot be written.
 */
bool
ck_writable(const struct node *n)
{
	switch (n->kind) {
	case N_VAR:
		return true;
	case N_MEMBER:
		return n->u.member.arrow ? is_own_pointer(n->u.member.obj) : ck_writable(n->u.member.obj);
	case N_OP1:
		return n->u.op.op == OP_DEREF && is_own_pointer(n->u.op.a);
	default:
		return false;
	}
}

static _Noreturn void
incompatible(struct cc *cc, const struct node *n)
{
	const struct node *a = n->u.op.a, *b = n->u.op.b;
	const char *hint = NULL;
	if ((ck_is_ptr(a) && ck_is_int(b)) || (ck_is_int(a) && ck_is_ptr(b)))
		hint = "cast one of them: (uintptr_t)p";
	else if (ck_is_str(a) != ck_is_str(b) && (ck_is_int(a) || ck_is_int(b)))
		hint = "use stringof(), copyinstr() or lltostr() to make a string of a number";
	else if (ck_is_str(a) && ck_is_str(b) && n->u.op.op == OP_ADD)
		hint = "strjoin() joins two strings";
	else if (b->kind == N_CALL && b->u.call.fn >= 0)
		hint = "an aggregating function makes an aggregation: @name = function()";
	else if (a->kind == N_AGG || b->kind == N_AGG)
		hint = "the value of an aggregation can be shown by printa(), not computed with";
	else if (ck_is_name(a) || ck_is_name(b))
		hint = ck_name_hint;
	cc_error_hint(cc, n->pos, "D_OP_INCOMPAT", hint, "operands have incompatible types: '%s' %s '%s'",
	    ck_nname(cc, a), ck_opname(n->u.op.op), ck_nname(cc, b));
}

static void
read_both(struct cc *cc, struct node *n)
{
	ck_expr(cc, n->u.op.a, USE_READ);
	ck_expr(cc, n->u.op.b, USE_READ);
}

static void
need_ints(struct cc *cc, struct node *n, const char *tag)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	if (n->u.op.op < OP_ASSIGN)
		ck_term_int(cc, a);
	ck_term_int(cc, b);
	if (n->u.op.op < OP_ASSIGN)
		ck_no_address(cc, a, "computed with");
	ck_no_address(cc, b, "computed with");
	if (!ck_is_int(a) || !ck_is_int(b))
		cc_error(cc, n->pos, tag, "operator %s needs %s, not '%s'", ck_opname(n->u.op.op),
		    strcmp(tag, "D_OP_INT") == 0 ? "integers" : "numbers", ck_nname(cc, ck_is_int(a) ? b : a));
}

static void
arith(struct cc *cc, struct node *n)
{
	n->type = ck_usual(cc, n->u.op.a, n->u.op.b);
	ck_fold2(cc, n);
}

static void
shift(struct cc *cc, struct node *n)
{
	read_both(cc, n);
	need_ints(cc, n, "D_OP_INT");
	n->type = ck_promoted(cc, n->u.op.a);
	ck_fold2(cc, n);
}

static void
logic(struct cc *cc, struct node *n)
{
	read_both(cc, n);
	const struct node *a = n->u.op.a, *b = n->u.op.b;
	if (!ck_is_scalar(a) || !ck_is_scalar(b)) {
		const struct node *bad = ck_is_scalar(a) ? b : a;
		cc_error_hint(cc, bad->pos, "D_OP_SCALAR", ck_is_str(bad) ? "compare it with \"\"" : ck_term_hint(bad),
		    "operator %s needs numbers or pointers, not '%s'", ck_opname(n->u.op.op), ck_nname(cc, bad));
	}
	n->type = ck_type_int(cc);
	ck_fold2(cc, n);
}

/* The right-hand side of a comparison with an enumeration may name one of its enumerators. */
static void
enumerator(struct cc *cc, const struct node *n, const struct node *a, struct node *b)
{
	struct type *e = type_base(a->type);
	if (e->kind != T_ENUM || b->kind != N_IDENT || b->u.ident.scope != SCOPE_GLOBAL)
		return;
	for (struct enumerator *v = e->enums; v; v = v->next) {
		if (strcmp(v->name, b->u.ident.name) != 0)
			continue;
		if (sm_gets(&cc->lang->globals, v->name) || sm_gets(&cc->lang->inlines, v->name) ||
		    bi_var(v->name) >= 0)
			cc_error(cc, b->pos, "D_IDENT_AMBIG",
			    "'%s' is both an enumerator of '%s' and a variable; operator %s cannot "
			    "know which is meant",
			    v->name, ck_tname(cc, a->type), ck_opname(n->u.op.op));
		ck_make_int(b, a->type, v->value);
		return;
	}
}

/* A number other than the constant 0, which may stand for NULL. */
static bool
is_some_number(const struct node *n)
{
	return n->kind == N_INT && ck_is_int(n) && n->u.num != 0;
}

static void
compare(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	ck_expr(cc, a, USE_READ);
	enumerator(cc, n, a, b);
	ck_expr(cc, b, USE_READ);
	ck_terms_meet(cc, a, b);
	if (is_some_number(b))
		ck_no_address(cc, a, "compared with a number");
	if (is_some_number(a))
		ck_no_address(cc, b, "compared with a number");
	struct type *common;
	n->type = ck_type_int(cc);
	if (ck_is_int(a) && ck_is_int(b)) {
		ck_fold2(cc, n);
	} else if ((ck_is_str(a) && (type_is_strcompat(b->type) || ck_is_zero(b))) ||
		   (ck_is_str(b) && (type_is_strcompat(a->type) || ck_is_zero(a)))) {
		ck_to_string(cc, a);
		ck_to_string(cc, b);
	} else if (ck_ptrcompat(cc, a, b, &common)) {
		if (ck_is_int(a))
			ck_make_int(a, common, 0);
		if (ck_is_int(b))
			ck_make_int(b, common, 0);
		ck_fold2(cc, n);
	} else {
		incompatible(cc, n);
	}
}

/* Strings act as pointers to char in additions. */
static void
string_as_ptr(struct cc *cc, struct node *n)
{
	if (ck_is_str(n))
		ck_wrap(cc, n, N_CAST, OP_POS, type_ptr(cc->lang->types, type_char(cc->lang->types)));
}

static void
check_bounds(struct cc *cc, const struct node *array, const struct node *index)
{
	struct type *t = type_base(array->type);
	if (array->kind == N_VAR && array->u.var.var->is_assoc)
		return; /* an element that is an array: left to the engine, as in DTrace */
	if (t->kind == T_ARRAY && t->nelems && index->kind == N_INT && (uint64_t)index->u.num >= t->nelems)
		cc_error(cc, index->pos, "D_ARR_BOUNDS", "index %lld is outside of '%s'", (long long)index->u.num,
		    ck_tname(cc, array->type));
}

static bool
is_addable(const struct node *n)
{
	if (!ck_is_ptr(n) || ck_is_vfptr(n))
		return false;
	return type_base(ck_elem(n->type))->size != 0;
}

static void
add(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	read_both(cc, n);
	ck_term_int(cc, a);
	ck_term_int(cc, b);
	if (ck_is_int(a) && ck_is_int(b)) {
		arith(cc, n);
		return;
	}
	bool is_tail = (ck_is_str(a) && ck_is_int(b)) || (ck_is_str(b) && ck_is_int(a) && n->u.op.op == OP_ADD);
	if (is_tail) {
		string_as_ptr(cc, a);
		string_as_ptr(cc, b);
	}
	if (is_addable(a) && ck_is_int(b)) {
		if (n->u.op.op == OP_ADD)
			check_bounds(cc, a, b);
	} else if (ck_is_int(a) && is_addable(b) && n->u.op.op == OP_ADD) {
		n->u.op.a = b;
		n->u.op.b = a;
		a = n->u.op.a;
		b = n->u.op.b;
	} else if (n->u.op.op == OP_SUB && is_addable(a) && is_addable(b) && ck_ptrcompat(cc, a, b, NULL)) {
		n->type = ck_type_named(cc, "ptrdiff_t");
		return;
	} else {
		incompatible(cc, n);
	}
	ck_convert(cc, b, ck_type_int64(cc));
	n->type = type_base(a->type)->kind == T_ARRAY ? type_ptr(cc->lang->types, ck_elem(a->type)) : a->type;
	if (is_tail)
		ck_wrap(cc, n, N_OP1, OP_STRINGOF, type_string(cc->lang->types));
}

static void
comma(struct cc *cc, struct node *n)
{
	read_both(cc, n);
	const struct node *a = n->u.op.a, *b = n->u.op.b;
	if (ck_is_dyn(a) || ck_is_dyn(b))
		cc_error(cc, n->pos, "D_OP_DYN", "an operand of ',' has no type of its own");
	if (ck_is_action(a) || ck_is_action(b))
		cc_error_hint(
		    cc, n->pos, "D_OP_ACT", "separate actions by ';'", "an action cannot be an operand of ','");
	n->type = b->type;
}

static void
check_target(struct cc *cc, const struct node *n)
{
	const struct node *a = n->u.op.a;
	const char *op = ck_opname(n->u.op.op);
	if (!a->is_lvalue)
		cc_error(cc, n->pos, "D_OP_LVAL", "operator %s needs a variable on its left", op);
	if (!ck_writable(a))
		cc_error_hint(cc, n->pos, "D_OP_WRITE", n->u.op.op == OP_ASSIGN ? "== compares" : NULL,
		    "operator %s can only be applied to a variable of the program%s", op,
		    a->kind == N_BUILTIN || a->kind == N_ARG ? ": built-in variables cannot be changed" : "");
}

static void
compound(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	enum op op = n->u.op.op;
	ck_expr(cc, a, USE_CHANGE);
	ck_expr(cc, b, USE_READ);
	ck_term_int(cc, b);
	if (op == OP_ADDEQ || op == OP_SUBEQ) {
		if (ck_is_str(a) || ck_is_str(b))
			incompatible(cc, n);
		if (!ck_is_int(a) || !ck_is_int(b)) {
			if (!is_addable(a) || type_base(a->type)->kind != T_PTR)
				cc_error(cc, n->pos, "D_OP_VFPTR",
				    "operator %s needs a number or a pointer to something of known size "
				    "on its left, not '%s'",
				    ck_opname(op), ck_nname(cc, a));
			if (!ck_is_int(b))
				incompatible(cc, n);
		}
	} else {
		need_ints(cc, n, op == OP_MULEQ || op == OP_DIVEQ ? "D_OP_ARITH" : "D_OP_INT");
	}
	check_target(cc, n);
	n->type = a->type;
	if (!ck_is_int(a))
		ck_convert(cc, b, ck_type_int64(cc));
}

/* Names of fds[], which are strings in DTrace and arrays of fixed size here. */
static bool
is_file_name(const struct node *n)
{
	if (n->kind != N_MEMBER || !type_is_strcompat(type_base(n->type)))
		return false;
	struct type *t = type_base(n->u.member.obj->type);
	if (n->u.member.arrow && t->kind == T_PTR)
		t = type_base(t->ref);
	return type_is_sou(t) && t->name && strcmp(t->name, "fileinfo") == 0;
}

/* A variable that is assigned for the first time takes the type of the value. */
static void
first_type(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	if (is_file_name(b))
		ck_to_string(cc, b);
	if (a->u.var.var->scope != DS_LOCAL)
		ck_term_text(cc, b); /* the term does not outlive the firing, its text does */
	struct type *t = b->kind == N_XLATE && !b->u.xlate.to_ptr ? b->u.xlate.to : b->type;
	struct type *base = type_base(t);
	switch (base->kind) {
	case T_VOID:
	case T_DYN:
	case T_STACK:
	case T_SYM:
	case T_NAME:
		incompatible(cc, n);
	case T_ARRAY:
	case T_FUNC:
		cc_error_hint(cc, n->pos, "D_OP_ARRFUN",
		    type_is_strcompat(base) ? "use stringof() to keep it as a string"
					    : "declare an array and copy its elements",
		    "operator = cannot be applied to a value of type '%s'", ck_tname(cc, t));
	default:
		break;
	}
	if (type_is_sou(base) && base->size == 0)
		cc_error(cc, n->pos, "D_OP_INCOMPLETE", "cannot keep a value of incomplete type '%s'", ck_tname(cc, t));
	ck_var_typed(a, t);
}

/* Thread-local variables and elements of associative arrays exist only while they are not 0. */
static bool
is_dynamic(const struct node *n)
{
	return n->kind == N_VAR && (n->u.var.var->is_assoc || n->u.var.var->scope == DS_THREAD);
}

static void
assign(struct cc *cc, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	if (a->kind == N_AGG)
		cc_error(cc, n->pos, "D_AGG_FUNC",
		    "an aggregation is assigned by a statement of its own: @%s = count();", a->u.agg.name);
	ck_expr(cc, a, USE_ASSIGN);
	ck_expr(cc, b, USE_READ);
	if (a->kind == N_VAR && ck_is_dyn(a))
		first_type(cc, n);
	struct type *t = type_base(a->type);
	if (t->kind == T_ARRAY || t->kind == T_FUNC)
		cc_error(cc, n->pos, "D_OP_ARRFUN", "operator = cannot be applied to an operand of type '%s'",
		    ck_nname(cc, a));
	bool is_xlate = b->kind == N_XLATE && !b->u.xlate.to_ptr && type_same(a->type, b->u.xlate.to);
	bool frees = (t->kind == T_STRING || type_is_sou(t)) && ck_is_zero(b) && is_dynamic(a);
	if (!is_xlate && !frees && !ck_argcompat(cc, a->type, b))
		incompatible(cc, n);
	check_target(cc, n);
	n->type = a->type;
	if (is_xlate) {
		ck_xlate_assign(cc, n);
	} else if (frees) {
		ck_make_int(b, a->type, 0);
	} else {
		ck_convert(cc, b, a->type);
	}
}

void
ck_op2(struct cc *cc, struct node *n)
{
	switch (n->u.op.op) {
	case OP_BITAND:
	case OP_XOR:
	case OP_BITOR:
	case OP_MOD:
		read_both(cc, n);
		need_ints(cc, n, "D_OP_INT");
		arith(cc, n);
		return;
	case OP_MUL:
	case OP_DIV:
		read_both(cc, n);
		need_ints(cc, n, "D_OP_ARITH");
		arith(cc, n);
		return;
	case OP_SHL:
	case OP_SHR:
		shift(cc, n);
		return;
	case OP_LOGAND:
	case OP_LOGXOR:
	case OP_LOGOR:
		logic(cc, n);
		return;
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:
	case OP_EQ:
	case OP_NE:
		compare(cc, n);
		return;
	case OP_ADD:
	case OP_SUB:
		add(cc, n);
		return;
	case OP_COMMA:
		comma(cc, n);
		return;
	case OP_ASSIGN:
		assign(cc, n);
		return;
	default:
		compound(cc, n);
	}
}
