/*
 * Conditions: branches directly from comparisons; && || ^^ ! without a value in between if only the branch matters; ?:
 * and truth values if a value is needed.
 */
#include "gen/gen_priv.h"

bool
is_comparison(const struct node *n)
{
	return n->kind == N_OP2 && n->u.op.op >= OP_LT && n->u.op.op <= OP_NE;
}

static bool
is_logical(const struct node *n)
{
	return n->kind == N_OP2 && (n->u.op.op == OP_LOGAND || n->u.op.op == OP_LOGOR || n->u.op.op == OP_LOGXOR);
}

static bool
is_not(const struct node *n)
{
	return n->kind == N_OP1 && n->u.op.op == OP_NOT;
}

static enum op
opposite(enum op op)
{
	switch (op) {
	case OP_LT:
		return OP_GE;
	case OP_LE:
		return OP_GT;
	case OP_GT:
		return OP_LE;
	case OP_GE:
		return OP_LT;
	case OP_EQ:
		return OP_NE;
	default:
		return OP_EQ;
	}
}

/* Two operands in registers, ready to be compared as numbers by `op`. */
struct compared {
	enum op op;
	int a, b; /* b is -1 for the number 0, which needs no register */
	bool is_signed;
};

static struct compared
compare_strings(struct gen *g, struct node *n, enum op op)
{
	struct gen_val a;
	g_hold(g, &a, gen_expr(g, n->u.op.a));
	int b = gen_expr(g, n->u.op.b);
	int r = g_take(g, &a);
	g_emit(g, DIF_SCMP, r, r, b, 0);
	g_free(g, b);
	return (struct compared){op, r, -1, true};
}

static struct compared
compare_numbers(struct gen *g, struct node *n, enum op op)
{
	struct node *na = n->u.op.a, *nb = n->u.op.b;
	bool is_signed = num_common(num_of(na->type), num_of(nb->type)).is_signed;
	struct gen_val a;
	int r = gen_expr(g, na);
	if (nb->kind == N_INT && nb->u.num == 0)
		return (struct compared){op, r, -1, is_signed};
	g_hold(g, &a, r);
	int b = gen_expr(g, nb);
	return (struct compared){op, g_take(g, &a), b, is_signed};
}

static struct compared
compare(struct gen *g, struct node *n, bool sense)
{
	enum op op = sense ? n->u.op.op : opposite(n->u.op.op);
	if (type_is_string(n->u.op.a->type) && type_is_string(n->u.op.b->type))
		return compare_strings(g, n, op);
	return compare_numbers(g, n, op);
}

static void
done_comparing(struct gen *g, struct compared *c)
{
	g_free(g, c->a);
	if (c->b >= 0)
		g_free(g, c->b);
}

static void
branch_compare(struct gen *g, struct node *n, bool sense, struct label *l)
{
	struct compared c = compare(g, n, sense);
	if (c.b < 0 && (c.op == OP_EQ || c.op == OP_NE)) {
		g_branch(g, c.op == OP_EQ ? DIF_BZ : DIF_BNZ, c.a, 0, l);
		done_comparing(g, &c);
		return;
	}
	if (c.b < 0)
		c.b = g_const(g, 0);
	enum dif_op lt = c.is_signed ? DIF_BLT : DIF_BLTU, le = c.is_signed ? DIF_BLE : DIF_BLEU;
	switch (c.op) {
	case OP_EQ:
		g_branch(g, DIF_BEQ, c.a, c.b, l);
		break;
	case OP_NE:
		g_branch(g, DIF_BNE, c.a, c.b, l);
		break;
	case OP_LT:
		g_branch(g, lt, c.a, c.b, l);
		break;
	case OP_LE:
		g_branch(g, le, c.a, c.b, l);
		break;
	case OP_GT:
		g_branch(g, lt, c.b, c.a, l);
		break;
	default:
		g_branch(g, le, c.b, c.a, l);
		break;
	}
	done_comparing(g, &c);
}

/* Gives 1 if the comparison comes out as `sense`, otherwise 0. */
int
gen_compare(struct gen *g, struct node *n, bool sense)
{
	struct compared c = compare(g, n, sense);
	if (c.b < 0)
		c.b = g_const(g, 0);
	enum dif_op lt = c.is_signed ? DIF_SLT : DIF_SLTU, le = c.is_signed ? DIF_SLE : DIF_SLEU;
	switch (c.op) {
	case OP_EQ:
		g_emit(g, DIF_SEQ, c.a, c.a, c.b, 0);
		break;
	case OP_NE:
		g_emit(g, DIF_SNE, c.a, c.a, c.b, 0);
		break;
	case OP_LT:
		g_emit(g, lt, c.a, c.a, c.b, 0);
		break;
	case OP_LE:
		g_emit(g, le, c.a, c.a, c.b, 0);
		break;
	case OP_GT:
		g_emit(g, lt, c.a, c.b, c.a, 0);
		break;
	default:
		g_emit(g, le, c.a, c.b, c.a, 0);
		break;
	}
	g_free(g, c.b);
	return c.a;
}

/* 1 or 0. */
static int
truth_of(struct gen *g, struct node *n, bool sense)
{
	while (is_not(n)) {
		n = n->u.op.a;
		sense = !sense;
	}
	if (n->kind == N_INT)
		return g_const(g, (n->u.num != 0) == sense);
	if (is_comparison(n))
		return gen_compare(g, n, sense);
	if (is_logical(n)) {
		struct label no = {-1}, end = {-1};
		g_settle(g);
		gen_branch(g, n, !sense, &no);
		int r = g_const(g, 1);
		g_branch(g, DIF_BA, 0, 0, &end);
		g_bind(g, &no);
		g_emit(g, DIF_MOVI, r, 0, 0, 0);
		g_bind(g, &end);
		return r;
	}
	int r = gen_expr(g, n), zero = g_const(g, 0);
	g_emit(g, sense ? DIF_SNE : DIF_SEQ, r, r, zero, 0);
	g_free(g, zero);
	return r;
}

int
gen_truth(struct gen *g, struct node *n)
{
	return truth_of(g, n, true);
}

static void
branch_xor(struct gen *g, struct node *n, bool sense, struct label *l)
{
	struct gen_val a;
	g_hold(g, &a, truth_of(g, n->u.op.a, true));
	int b = truth_of(g, n->u.op.b, true);
	int r = g_take(g, &a);
	g_branch(g, sense ? DIF_BNE : DIF_BEQ, r, b, l);
	g_free(g, r);
	g_free(g, b);
}

/* Goes to l if n is true (sense) or false (not sense), otherwise falls through. */
void
gen_branch(struct gen *g, struct node *n, bool sense, struct label *l)
{
	while (is_not(n)) {
		n = n->u.op.a;
		sense = !sense;
	}
	if (n->kind == N_INT) {
		if ((n->u.num != 0) == sense)
			g_branch(g, DIF_BA, 0, 0, l);
		return;
	}
	if (is_comparison(n)) {
		branch_compare(g, n, sense, l);
		return;
	}
	if (is_logical(n)) {
		struct node *a = n->u.op.a, *b = n->u.op.b;
		enum op op = n->u.op.op;
		if (op == OP_LOGXOR) {
			branch_xor(g, n, sense, l);
		} else if ((op == OP_LOGAND) == sense) {
			/* Both must hold: if the first does not, the second is skipped. */
			struct label skip = {-1};
			gen_branch(g, a, !sense, &skip);
			gen_branch(g, b, sense, l);
			g_bind(g, &skip);
		} else {
			gen_branch(g, a, sense, l);
			gen_branch(g, b, sense, l);
		}
		return;
	}
	if (n->kind == N_OP2 && n->u.op.op == OP_COMMA) {
		gen_effect(g, n->u.op.a);
		gen_branch(g, n->u.op.b, sense, l);
		return;
	}
	int r = gen_expr(g, n);
	g_branch(g, sense ? DIF_BNZ : DIF_BZ, r, 0, l);
	g_free(g, r);
}

/* a ? b : c. Nothing is held in registers, so the result's register of one arm is free in the other. */
int
gen_choice(struct gen *g, struct node *n)
{
	struct label no = {-1}, end = {-1};
	g_settle(g);
	gen_branch(g, n->u.cond.a, false, &no);
	int r = gen_expr(g, n->u.cond.b);
	g_branch(g, DIF_BA, 0, 0, &end);
	g_bind(g, &no);
	g_free(g, r);
	int other = gen_expr(g, n->u.cond.c);
	if (other != r) {
		g_emit(g, DIF_MOV, r, other, 0, 0);
		g_free(g, other);
		g->busy |= 1u << r;
	}
	g_bind(g, &end);
	return r;
}
