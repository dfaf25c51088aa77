/*
 * Numbers. Arithmetic is done on 64 bits, whatever the types, as in DTrace. A loaded value is extended to 64 bits
 * according to its type. A computed value may be out of its type's range: it is cut where it is stored, used as a key
 * or cast, and a record keeps as many bytes as its type has.
 */
#include "gen/gen_priv.h"

struct num
num_of(struct type *t)
{
	struct type *b = type_base(t);
	if (b->kind == T_INT || b->kind == T_ENUM)
		return (struct num){b->size ? (unsigned)b->size : 4, b->is_signed};
	if (b->kind == T_FLOAT && b->size < 8)
		return (struct num){4, false};
	return (struct num){8, false};
}

/* Returns the wider of the two; if both are equally wide, the unsigned one. */
struct num
num_common(struct num a, struct num b)
{
	if (a.size != b.size)
		return a.size > b.size ? a : b;
	return (struct num){a.size, a.is_signed && b.is_signed};
}

/* Returns the range of the value of a checked expression. */
struct num
num_range(const struct node *n)
{
	return node_fits(n) ? num_of(n->type) : (struct num){8, true};
}

static void
extend(struct gen *g, int reg, struct num t)
{
	int bits = (int)t.size * 8;
	if (t.size < 8)
		g_emit(g, DIF_EXT, reg, reg, 0, t.is_signed ? -bits : bits);
}

/* Returns whether every number of one type has the same 64 bits in the other. */
static bool
is_same_bits(struct num from, struct num to)
{
	if (to.size >= 8)
		return true;
	if (from.size == to.size)
		return from.is_signed == to.is_signed;
	return from.size < to.size && (!from.is_signed || to.is_signed);
}

void
g_convert(struct gen *g, int reg, struct num from, struct num to)
{
	if (!is_same_bits(from, to))
		extend(g, reg, to);
}

int
g_const(struct gen *g, int64_t v)
{
	int r = g_reg(g);
	if (v >= INT32_MIN && v <= INT32_MAX)
		g_emit(g, DIF_MOVI, r, 0, 0, (int32_t)v);
	else
		g_emit(g, DIF_LDK, r, 0, 0, (int32_t)unit_int(g->cc, v));
	return r;
}

/* Returns whether the constant, or its negative, fits into an instruction. */
bool
is_small_const(const struct node *n)
{
	return n->kind == N_INT && n->u.num > INT32_MIN && n->u.num <= INT32_MAX;
}

void
g_arith(struct gen *g, enum op op, int reg, int other, struct num t)
{
	enum dif_op code;
	switch (op) {
	case OP_MUL:
		code = DIF_MUL;
		break;
	case OP_DIV:
		code = t.is_signed ? DIF_SDIV : DIF_UDIV;
		break;
	case OP_MOD:
		code = t.is_signed ? DIF_SREM : DIF_UREM;
		break;
	case OP_ADD:
		code = DIF_ADD;
		break;
	case OP_SUB:
		code = DIF_SUB;
		break;
	case OP_SHL:
		code = DIF_SLL;
		break;
	case OP_SHR:
		code = t.is_signed ? DIF_SRA : DIF_SRL;
		break;
	case OP_BITAND:
		code = DIF_AND;
		break;
	case OP_XOR:
		code = DIF_XOR;
		break;
	default:
		code = DIF_OR;
		break;
	}
	g_emit(g, code, reg, reg, other, 0);
}

static bool
is_power(int64_t v)
{
	return v > 0 && (v & (v - 1)) == 0;
}

static void
shift_const(struct gen *g, enum dif_op op, int reg, int count)
{
	int r = g_const(g, count);
	g_emit(g, op, reg, reg, r, 0);
	g_free(g, r);
}

/* reg is in use and must not be moved: it is not a held value. */
void
g_arith_const(struct gen *g, enum op op, int reg, int64_t v, struct num t)
{
	if ((op == OP_ADD || op == OP_SUB) && v > INT32_MIN && v <= INT32_MAX) {
		if (v == 0)
			return;
		g_emit(g, DIF_ADDI, reg, reg, 0, (int32_t)(op == OP_ADD ? v : -v));
		return;
	}
	if ((op == OP_MUL || op == OP_DIV) && v == 1)
		return;
	if (op == OP_BITAND && (v == 0xff || v == 0xffff || v == 0xffffffff)) {
		g_emit(g, DIF_EXT, reg, reg, 0, v == 0xff ? 8 : v == 0xffff ? 16 : 32);
		return;
	}
	if (op == OP_MUL && is_power(v)) {
		shift_const(g, DIF_SLL, reg, __builtin_ctzll((uint64_t)v));
		return;
	}
	if (op == OP_DIV && !t.is_signed && is_power(v)) {
		shift_const(g, DIF_SRL, reg, __builtin_ctzll((uint64_t)v));
		return;
	}
	int r = g_const(g, v);
	g_arith(g, op, reg, r, t);
	g_free(g, r);
}

/* Returns what adding 1 to a pointer adds. void and functions count as bytes. */
uint64_t
pointed_size(struct type *t)
{
	uint64_t size = type_base(type_base(t)->ref)->size;
	return size ? size : 1;
}

/* An index becomes an offset. */
void
g_scale(struct gen *g, int reg, uint64_t size)
{
	if (size > 1)
		g_arith_const(g, OP_MUL, reg, (int64_t)size, (struct num){8, false});
}
