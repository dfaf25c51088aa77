/* Expressions that are not places, conditions or assignments; calls of subroutines; windows of operands. */
#include "gen/gen_priv.h"

static const struct {
	const char *operands;
	unsigned flags;
} subrs[] = {
#define X(id, name, proto, operands, flags) {operands, flags},
    DIF_SUBRS(X)
#undef X
};

/* Returns whether it costs nothing to compute later: constants, and what a clause cannot change. */
static bool
can_wait(const struct node *n)
{
	return n->kind == N_INT || (n->kind == N_ARG && !n->u.arg.index) || (n->kind == N_BUILTIN && !n->u.bi.index);
}

/* Generates both operands, the left one in *a. The deeper side goes first if the order makes no difference. */
static int
both(struct gen *g, struct node *na, struct node *nb, int *a)
{
	struct gen_val v;
	if (can_wait(na) && !can_wait(nb)) {
		g_hold(g, &v, gen_expr(g, nb));
		*a = gen_expr(g, na);
		return g_take(g, &v);
	}
	g_hold(g, &v, gen_expr(g, na));
	int r = gen_expr(g, nb);
	*a = g_take(g, &v);
	return r;
}

/* The type that a pointer or array points at, or NULL. */
static struct type *
pointed(struct type *t)
{
	struct type *b = type_base(t);
	return b->kind == T_PTR || b->kind == T_ARRAY ? b->ref : NULL;
}

static int
pointer_sum(struct gen *g, struct node *n)
{
	struct num word = {8, false};
	struct node *a = n->u.op.a, *b = n->u.op.b;
	uint64_t size = pointed_size(a->type);
	if (is_small_const(b) && size <= INT32_MAX) {
		int r = gen_expr(g, a);
		g_arith_const(g, n->u.op.op, r, (int64_t)((uint64_t)b->u.num * size), word);
		return r;
	}
	struct gen_val v;
	g_hold(g, &v, gen_expr(g, a));
	int other = gen_expr(g, b);
	g_scale(g, other, size);
	int r = g_take(g, &v);
	g_arith(g, n->u.op.op, r, other, word);
	g_free(g, other);
	return r;
}

static int
pointer_difference(struct gen *g, struct node *n)
{
	struct num word = {8, true};
	uint64_t size = pointed_size(n->u.op.a->type);
	int r, other = both(g, n->u.op.a, n->u.op.b, &r);
	g_arith(g, OP_SUB, r, other, word);
	g_free(g, other);
	if (size > 1)
		g_arith_const(g, OP_DIV, r, (int64_t)size, word);
	return r;
}

static bool
commutes(enum op op)
{
	return op == OP_ADD || op == OP_MUL || op == OP_BITAND || op == OP_XOR || op == OP_BITOR;
}

static int
arithmetic(struct gen *g, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	enum op op = n->u.op.op;
	struct num t = num_of(n->type);
	if (op == OP_ADD && pointed(b->type) && !pointed(a->type)) {
		struct node swapped = *n;
		swapped.u.op.a = b;
		swapped.u.op.b = a;
		return pointer_sum(g, &swapped);
	}
	if ((op == OP_ADD || op == OP_SUB) && pointed(a->type))
		return pointed(b->type) ? pointer_difference(g, n) : pointer_sum(g, n);
	if (a->kind == N_INT && commutes(op) && b->kind != N_INT) {
		struct node *other = a;
		a = b;
		b = other;
	}
	if (b->kind == N_INT) {
		int r = gen_expr(g, a);
		g_arith_const(g, op, r, b->u.num, t);
		return r;
	}
	int r, other = both(g, a, b, &r);
	g_arith(g, op, r, other, t);
	g_free(g, other);
	return r;
}

static int
one_operand(struct gen *g, struct node *n)
{
	int r = gen_expr(g, n->u.op.a);
	if (n->u.op.op == OP_NEG)
		g_emit(g, DIF_NEG, r, r, 0, 0);
	else if (n->u.op.op == OP_BITNOT)
		g_emit(g, DIF_NOT, r, r, 0, 0);
	return r;
}

/* Memory that holds text, as a string. A string by pointer is read where it is used; an array ends at its last byte. */
static int
gen_string(struct gen *g, struct node *a)
{
	int r = gen_expr(g, a);
	struct type *t = type_base(a->type);
	if (t->kind != T_ARRAY || t->size == 0)
		return r;
	struct gen_val v;
	g_hold(g, &v, r);
	unsigned w = g_window(g, 2, a->pos);
	r = g_take(g, &v);
	g_emit(g, DIF_STSL, 0, r, 0, (int32_t)w);
	g_free(g, r);
	r = g_const(g, (int64_t)t->size);
	g_emit(g, DIF_STSL, 0, r, 0, (int32_t)w + 1);
	g_emit(g, DIF_CALL, r, (int)w, 2, DIF_SUBR_STRDUP_SCRATCH);
	g_window_free(g, w, 2);
	return r;
}

static int
gen_cast(struct gen *g, struct node *n)
{
	struct node *a = n->u.op.a;
	if (type_is_string(n->type) && !type_is_string(a->type))
		return gen_string(g, a);
	return gen_as(g, a, n->type);
}

static int
gen_arg(struct gen *g, struct node *n)
{
	int r;
	if (n->u.arg.index) {
		r = gen_expr(g, n->u.arg.index);
		g_emit(g, DIF_LDARGX, r, r, 0, 0);
	} else {
		r = g_reg(g);
		g_emit(g, DIF_LDARG, r, 0, 0, n->u.arg.n);
		if (type_base(n->type)->kind == T_TERM)
			g->flags |= DC_TERM;
	}
	g_convert(g, r, (struct num){8, true}, num_of(n->type));
	return r;
}

static int
gen_builtin(struct gen *g, struct node *n)
{
	int r;
	if (n->u.bi.index) {
		r = gen_expr(g, n->u.bi.index);
		g_emit(g, DIF_LDBIA, r, r, 0, (int32_t)n->u.bi.id);
	} else {
		r = g_reg(g);
		g_emit(g, DIF_LDBI, r, 0, 0, (int32_t)n->u.bi.id);
	}
	return r;
}

int
gen_datum(struct gen *g, struct node *n)
{
	struct type *t = type_base(n->type);
	if (n->kind == N_CALL && t->kind == T_STACK)
		return g_const(g, 0);
	if (n->kind == N_CALL && (t->kind == T_SYM || t->kind == T_NAME))
		return gen_expr(g, n->u.call.args);
	return gen_expr(g, n);
}

unsigned
gen_window(struct gen *g, struct node *list, unsigned n, struct type *const *types, struct pos pos)
{
	unsigned w = g_window(g, n, pos), i = 0;
	for (struct node *k = list; k && i < n; k = k->next, i++) {
		int r = gen_datum(g, k);
		if (types)
			g_convert(g, r, num_range(k), num_of(types[i]));
		g_emit(g, DIF_STSL, 0, r, 0, (int32_t)(w + i));
		g_free(g, r);
	}
	return w;
}

int
gen_call(struct gen *g, struct node *n)
{
	int subr = n->u.call.subr;
	unsigned nargs = 0;
	for (struct node *a = n->u.call.args; a; a = a->next)
		nargs++;
	if (subr < 0 || subr >= DIF_NSUBRS || subrs[subr].flags & SF_REFUSED)
		cc_error(g->cc, n->pos, "D_FUNC_UNDEF", "%s() cannot be called here", n->u.call.name);
	if (subrs[subr].flags & SF_DESTRUCTIVE)
		g->flags |= DC_DESTRUCTIVE;
	if (subr == DIF_SUBR_SPECULATE)
		g->flags |= DC_SPECULATES;
	if (subr == DIF_SUBR_COMMIT || subr == DIF_SUBR_DISCARD)
		g->flags |= DC_COMMITS;
	unsigned w = gen_window(g, n->u.call.args, nargs, NULL, n->pos);
	int r = g_reg(g);
	g_emit(g, DIF_CALL, r, (int)w, (int)nargs, subr);
	g_window_free(g, w, nargs);
	return r;
}

static int
gen_op1(struct gen *g, struct node *n)
{
	switch (n->u.op.op) {
	case OP_NOT:
		return gen_truth(g, n);
	case OP_DEREF:
		return gen_place(g, n);
	case OP_ADDR:
		return gen_place_addr(g, n->u.op.a);
	case OP_PREINC:
	case OP_PREDEC:
	case OP_POSTINC:
	case OP_POSTDEC:
		return gen_incdec(g, n, true);
	case OP_STRINGOF:
		return gen_string(g, n->u.op.a);
	default:
		return one_operand(g, n);
	}
}

static int
gen_op2(struct gen *g, struct node *n)
{
	enum op op = n->u.op.op;
	if (is_comparison(n))
		return gen_compare(g, n, true);
	if (op == OP_LOGAND || op == OP_LOGOR || op == OP_LOGXOR)
		return gen_truth(g, n);
	if (op >= OP_ASSIGN)
		return gen_assign(g, n, true);
	if (op == OP_COMMA) {
		gen_effect(g, n->u.op.a);
		return gen_expr(g, n->u.op.b);
	}
	return arithmetic(g, n);
}

int
gen_expr(struct gen *g, struct node *n)
{
	switch (n->kind) {
	case N_INT:
		return g_const(g, n->u.num);
	case N_STR: {
		int r = g_reg(g);
		g_emit(g, DIF_LDS, r, 0, 0, (int32_t)unit_str(g->cc, n->u.str.at));
		return r;
	}
	case N_VAR:
		return gen_var(g, n);
	case N_BUILTIN:
		return gen_builtin(g, n);
	case N_ARG:
		return gen_arg(g, n);
	case N_OP1:
		return gen_op1(g, n);
	case N_OP2:
		return gen_op2(g, n);
	case N_COND:
		return gen_choice(g, n);
	case N_MEMBER:
		return gen_place(g, n);
	case N_CAST:
		return gen_cast(g, n);
	case N_CALL:
		return gen_call(g, n);
	default:
		cc_error(g->cc, n->pos, "D_UNKNOWN", "this expression cannot be compiled here");
	}
}

int
gen_as(struct gen *g, struct node *n, struct type *t)
{
	int r = gen_expr(g, n);
	g_convert(g, r, num_range(n), num_of(t));
	return r;
}

void
gen_effect(struct gen *g, struct node *n)
{
	if (n->kind == N_CAST && type_base(n->type)->kind == T_VOID)
		n = n->u.op.a;
	if (n->kind == N_INT || n->kind == N_STR)
		return;
	if (n->kind == N_OP2 && n->u.op.op >= OP_ASSIGN)
		g_free(g, gen_assign(g, n, false));
	else if (n->kind == N_OP1 && n->u.op.op >= OP_PREINC && n->u.op.op <= OP_POSTDEC)
		g_free(g, gen_incdec(g, n, false));
	else
		g_free(g, gen_expr(g, n));
}
