/* Constant folding. Results are the engine's: 64-bit two's complement, not cut to the type. */
#include "lang/check_priv.h"

static bool
is_const(const struct node *n)
{
	return n->kind == N_INT;
}

static bool
is_unsigned(const struct node *n)
{
	struct type *t = type_base(n->type);
	return t->kind == T_PTR || !t->is_signed;
}

void
ck_fold1(struct node *n)
{
	const struct node *a = n->u.op.a;
	if (!is_const(a))
		return;
	uint64_t v = (uint64_t)a->u.num;
	switch (n->u.op.op) {
	case OP_NEG:
		v = 0 - v;
		break;
	case OP_BITNOT:
		v = ~v;
		break;
	case OP_NOT:
		v = !v;
		break;
	case OP_POS:
		break;
	default:
		return;
	}
	ck_make_int(n, n->type, (int64_t)v);
}

static uint64_t
divide(struct cc *cc, const struct node *n, uint64_t a, uint64_t b, bool want_rest)
{
	if (b == 0)
		cc_error(cc, n->u.op.b->pos, "D_DIV_ZERO", "the expression divides by zero");
	if (is_unsigned(n))
		return want_rest ? a % b : a / b;
	if (b == UINT64_MAX)
		return want_rest ? 0 : 0 - a;
	return (uint64_t)(want_rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t
shift_right(const struct node *n, uint64_t a, unsigned by)
{
	if (is_unsigned(n) || !(a >> 63))
		return a >> by;
	return ~(~a >> by);
}

static bool
less(struct cc *cc, const struct node *a, const struct node *b)
{
	bool is_ptr = type_base(a->type)->kind == T_PTR || type_base(b->type)->kind == T_PTR;
	if (is_ptr || !type_base(ck_usual(cc, a, b))->is_signed)
		return (uint64_t)a->u.num < (uint64_t)b->u.num;
	return a->u.num < b->u.num;
}

void
ck_fold2(struct cc *cc, struct node *n)
{
	const struct node *na = n->u.op.a, *nb = n->u.op.b;
	if (!is_const(na) || !is_const(nb))
		return;
	uint64_t a = (uint64_t)na->u.num, b = (uint64_t)nb->u.num, v;
	switch (n->u.op.op) {
	case OP_MUL:
		v = a * b;
		break;
	case OP_DIV:
		v = divide(cc, n, a, b, false);
		break;
	case OP_MOD:
		v = divide(cc, n, a, b, true);
		break;
	case OP_ADD:
		v = a + b;
		break;
	case OP_SUB:
		v = a - b;
		break;
	case OP_SHL:
		v = a << (b & 63);
		break;
	case OP_SHR:
		v = shift_right(n, a, (unsigned)(b & 63));
		break;
	case OP_LT:
		v = less(cc, na, nb);
		break;
	case OP_LE:
		v = !less(cc, nb, na);
		break;
	case OP_GT:
		v = less(cc, nb, na);
		break;
	case OP_GE:
		v = !less(cc, na, nb);
		break;
	case OP_EQ:
		v = a == b;
		break;
	case OP_NE:
		v = a != b;
		break;
	case OP_BITAND:
		v = a & b;
		break;
	case OP_XOR:
		v = a ^ b;
		break;
	case OP_BITOR:
		v = a | b;
		break;
	case OP_LOGAND:
		v = a && b;
		break;
	case OP_LOGXOR:
		v = !a != !b;
		break;
	case OP_LOGOR:
		v = a || b;
		break;
	default:
		return;
	}
	ck_make_int(n, n->type, (int64_t)v);
}

void
ck_fold_cond(struct node *n)
{
	const struct node *b = n->u.cond.b, *c = n->u.cond.c;
	if (is_const(n->u.cond.a) && is_const(b) && is_const(c))
		ck_make_int(n, n->type, n->u.cond.a->u.num ? b->u.num : c->u.num);
}
