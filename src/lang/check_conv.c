/*
 * Types of values: what goes with what, and conversions. The rules are DTrace's:
 * the types are C's for LP64, but arithmetic is done in 64 bits, so the type of
 * a result matters only for its sign and for what is kept of it. Char arrays
 * and char pointers are taken for strings where a string is wanted, the
 * constant 0 for any pointer or string.
 */
#include "lang/check_priv.h"

static enum type_kind
kind_of(const struct node *n)
{
	return type_base(n->type)->kind;
}

bool
ck_is_void(const struct node *n)
{
	return kind_of(n) == T_VOID;
}

/* curpsinfo and the like are translations in DTrace: only their members are values. */
bool
ck_is_dyn(const struct node *n)
{
	return kind_of(n) == T_DYN || (n->kind == N_BUILTIN && kind_of(n) == T_PTR && n->u.bi.id != DIF_BI_CURTHREAD);
}

bool
ck_is_int(const struct node *n)
{
	return type_is_int(n->type);
}

bool
ck_is_ptr(const struct node *n)
{
	enum type_kind k = kind_of(n);
	return k == T_PTR || k == T_ARRAY;
}

bool
ck_is_zero(const struct node *n)
{
	return n->kind == N_INT && n->u.num == 0;
}

bool
ck_is_scalar(const struct node *n)
{
	return type_is_int(n->type) || kind_of(n) == T_PTR;
}

bool
ck_is_str(const struct node *n)
{
	return type_is_string(n->type);
}

bool
ck_is_vfptr(const struct node *n)
{
	struct type *t = type_base(n->type);
	if (t->kind != T_PTR)
		return false;
	enum type_kind k = type_base(t->ref)->kind;
	return k == T_VOID || k == T_FUNC;
}

bool
ck_is_action(const struct node *n)
{
	return n->kind == N_CALL && action_find(n->u.call.name) != NULL;
}

bool
ck_is_bitfield(const struct node *n)
{
	return n->kind == N_MEMBER && n->u.member.m && n->u.member.m->bits;
}

struct type *
ck_elem(struct type *t)
{
	t = type_base(t);
	return t->kind == T_PTR || t->kind == T_ARRAY ? t->ref : NULL;
}

/*
 * The type an operand has in arithmetic. DTrace has no integer promotion: a char stays a char, and the sum of two
 * is cut to a char when it is stored or recorded, not before. Enumerations and short bit-fields become int.
 */
struct type *
ck_promoted(struct cc *cc, const struct node *n)
{
	struct type *t = type_base(n->type);
	if (t->kind == T_ENUM)
		return ck_type_int(cc);
	if (ck_is_bitfield(n) && (n->u.member.m->bits < 32 || (n->u.member.m->bits == 32 && t->is_signed)))
		return ck_type_int(cc);
	return n->type;
}

/* The type of a result is that of the wider operand. If both are equally wide, it is that of the unsigned one. */
struct type *
ck_usual(struct cc *cc, const struct node *a, const struct node *b)
{
	struct type *ta = ck_promoted(cc, a), *tb = ck_promoted(cc, b);
	struct type *ba = type_base(ta), *bb = type_base(tb);
	if (ba->size != bb->size)
		return ba->size > bb->size ? ta : tb;
	return ba->is_signed && !bb->is_signed ? tb : ta;
}

/* Strings count as arrays of char. */
static struct type *
pointee(struct cc *cc, const struct node *n)
{
	return ck_is_str(n) ? type_char(cc->lang->types) : ck_elem(n->type);
}

bool
ck_ptrcompat(struct cc *cc, const struct node *a, const struct node *b, struct type **common)
{
	if (ck_is_dyn(a) || ck_is_dyn(b))
		return false;
	bool ia = ck_is_int(a), ib = ck_is_int(b);
	if ((ia && ib) || (ia && !ck_is_zero(a)) || (ib && !ck_is_zero(b)))
		return false;
	struct type *ea = ia ? NULL : pointee(cc, a), *eb = ib ? NULL : pointee(cc, b);
	if ((!ia && !ea) || (!ib && !eb))
		return false;
	bool va = ea && type_base(ea)->kind == T_VOID, vb = eb && type_base(eb)->kind == T_VOID;
	if (!ia && !ib && !va && !vb && !type_same(ea, eb))
		return false;
	if (common)
		*common = ia ? b->type : ib || vb ? a->type : b->type;
	return true;
}

static bool
strcompat(struct type *t)
{
	return type_is_strcompat(t);
}

bool
ck_argcompat(struct cc *cc, struct type *t, const struct node *n)
{
	struct type *b = type_base(t), *nb = type_base(n->type);
	if (type_is_int(b) && type_is_int(nb))
		return true;
	if (strcompat(b) && strcompat(nb))
		return true;
	if (nb->kind == T_TERM)
		return b->kind == T_TERM || type_is_int(b) || strcompat(b);
	switch (b->kind) {
	case T_STACK:
	case T_SYM:
	case T_TERM:
	case T_NAME:
		return nb->kind == b->kind;
	case T_FLOAT:
		return nb->kind == T_FLOAT && nb->size == b->size;
	case T_FUNC:
	case T_STRUCT:
	case T_UNION:
		return type_same(b, nb);
	case T_PTR:
	case T_ARRAY:
	case T_STRING: {
		struct node like = {.kind = N_TYPE, .type = t};
		return ck_ptrcompat(cc, &like, n, NULL);
	}
	default:
		return false;
	}
}

int64_t
ck_cut(struct type *t, int64_t v)
{
	t = type_base(t);
	switch (t->size) {
	case 1:
		return t->is_signed ? (int64_t)(int8_t)(uint64_t)v : (int64_t)(uint8_t)(uint64_t)v;
	case 2:
		return t->is_signed ? (int64_t)(int16_t)(uint64_t)v : (int64_t)(uint16_t)(uint64_t)v;
	case 4:
		return t->is_signed ? (int64_t)(int32_t)(uint64_t)v : (int64_t)(uint32_t)(uint64_t)v;
	}
	return v;
}

bool
node_fits(const struct node *n)
{
	switch (n->kind) {
	case N_INT:
		return ck_cut(n->type, n->u.num) == n->u.num;
	case N_OP1:
		return n->u.op.op != OP_NEG && n->u.op.op != OP_BITNOT &&
		       (n->u.op.op != OP_POS || node_fits(n->u.op.a));
	case N_OP2:
		if (n->u.op.op == OP_COMMA)
			return node_fits(n->u.op.b);
		return n->u.op.op >= OP_ASSIGN || n->u.op.op == OP_LOGAND || n->u.op.op == OP_LOGOR ||
		       n->u.op.op == OP_LOGXOR || (n->u.op.op >= OP_LT && n->u.op.op <= OP_NE);
	case N_COND:
		return false;
	default:
		return true;
	}
}

void
ck_cut_node(struct cc *cc, struct node *n)
{
	if (n->kind == N_INT)
		ck_make_int(n, n->type, ck_cut(n->type, n->u.num));
	else if (!node_fits(n))
		ck_wrap(cc, n, N_CAST, OP_POS, n->type);
}

void
ck_to_string(struct cc *cc, struct node *n)
{
	ck_term_text(cc, n);
	if (ck_is_str(n))
		return;
	if (ck_is_zero(n))
		ck_make_int(n, type_string(cc->lang->types), 0);
	else
		ck_wrap(cc, n, N_OP1, OP_STRINGOF, type_string(cc->lang->types));
}

void
ck_convert(struct cc *cc, struct node *n, struct type *t)
{
	struct type *b = type_base(t);
	if (strcompat(b))
		ck_term_text(cc, n);
	else if (type_is_int(b))
		ck_term_int(cc, n);
	struct type *nb = type_base(n->type);
	if (b->kind == T_STRING) {
		ck_to_string(cc, n);
	} else if (type_is_int(b) || b->kind == T_PTR) {
		if (n->kind == N_INT)
			ck_make_int(n, t, ck_cut(b, n->u.num));
		else if (ck_is_bitfield(n) || nb->kind != b->kind || nb->size != b->size ||
			 nb->is_signed != b->is_signed || (b->kind == T_PTR && !type_same(b, nb)))
			ck_wrap(cc, n, N_CAST, OP_POS, t);
	}
}
