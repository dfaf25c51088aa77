/*
 * Assignment, compound assignment, ++ and --, on every kind of lvalue. The right side of = is computed first, as in
 * DTrace.
 */
#include "gen/gen_place.h"

/* A number that is read and written: a variable, or a place in memory. */
struct ref {
	struct node *var; /* or NULL if it is a place */
	unsigned window;
	struct place place;
};

static void
ref_open(struct gen *g, struct node *n, struct ref *r)
{
	*r = (struct ref){0};
	if (n->kind == N_VAR) {
		r->var = n;
		r->window = var_window(g, n);
	} else {
		place_open(g, n, &r->place);
	}
}

static int
ref_load(struct gen *g, struct ref *r)
{
	if (!r->var)
		return place_load(g, &r->place);
	int reg = g_reg(g);
	var_load(g, r->var, r->window, reg);
	return reg;
}

static void
ref_store(struct gen *g, struct ref *r, int reg)
{
	if (r->var)
		var_store(g, r->var, r->window, reg);
	else
		place_store(g, &r->place, reg);
}

static void
ref_close(struct gen *g, struct ref *r)
{
	if (r->var)
		var_window_free(g, r->var, r->window);
	else
		place_close(g, &r->place);
}

/* The value of an assignment to a bit-field is cut to what the field can hold. */
static void
cut_to_field(struct gen *g, struct ref *r, struct type *t, int reg)
{
	if (!r->var && r->place.bits)
		g_emit(g, DIF_BFX, reg, reg, 0, (int32_t)(r->place.bits << 8 | (num_of(t).is_signed ? 1u << 16 : 0)));
}

static bool
is_zero(const struct node *n)
{
	while (n->kind == N_CAST)
		n = n->u.op.a;
	return n->kind == N_INT && n->u.num == 0;
}

/* Copies what is at `from` to the address `to`, where the lvalue `a` is. */
static void
copy_value(struct gen *g, struct node *a, struct type *from_type, int to, int from, struct pos pos)
{
	uint64_t size = type_base(a->type)->size;
	if (a->kind == N_VAR && type_is_string(a->type)) {
		/* Its size is that of strsize when it runs. */
		g_emit(g, DIF_STRCPY, to, from, 0, DIF_STRVAR);
		return;
	}
	if (size == 0 || size > MAX_BYTES)
		cc_error(g->cc, pos, "D_OP_INCOMPLETE", "a value of %llu bytes cannot be copied; the limit is %d",
		    (unsigned long long)size, (int)MAX_BYTES);
	g_emit(g, type_is_string(from_type) ? DIF_STRCPY : DIF_MEMCPY, to, from, 0, (int32_t)size);
}

/* Strings, structures, arrays. */
static int
assign_by_ref(struct gen *g, struct node *n)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	bool zero = is_zero(b);
	bool stored = a->kind == N_VAR && !var_is_addressed(a);
	struct gen_val from;
	int r;
	r = zero ? g_const(g, 0) : gen_expr(g, b);
	g_hold(g, &from, r);
	if (!zero && !type_is_string(a->type) && !type_is_string(b->type)) {
		/* For the engine, NULL means zeroes or nothing to keep. For a reader through a pointer, it is not an
		 * address. */
		int byte = g_reg(g);
		g_emit(g, DIF_LDUB, byte, g_use(g, &from), 0, 0);
		g_free(g, byte);
	}
	if (stored) {
		unsigned window = var_window(g, a);
		var_store(g, a, window, g_use(g, &from));
		var_window_free(g, a, window);
	} else {
		struct place p;
		place_open(g, a, &p);
		int to = place_target(g, &p);
		copy_value(g, a, zero ? a->type : b->type, to, g_use(g, &from), n->pos);
		place_changed(g, &p);
		place_close(g, &p);
	}
	return g_take(g, &from);
}

static int
assign(struct gen *g, struct node *n, bool want)
{
	struct node *a = n->u.op.a;
	struct gen_val v;
	struct ref ref;
	g_hold(g, &v, gen_as(g, n->u.op.b, a->type));
	ref_open(g, a, &ref);
	ref_store(g, &ref, g_use(g, &v));
	g_unpin(&v);
	ref_close(g, &ref);
	int r = g_take(g, &v);
	if (want)
		cut_to_field(g, &ref, a->type, r);
	return r;
}

static enum op
plain_op(enum op op)
{
	if (op >= OP_ANDEQ)
		return (enum op)(OP_BITAND + (op - OP_ANDEQ));
	return (enum op)(OP_MUL + (op - OP_MULEQ));
}

/* a is read before b is computed: `i += i++` adds the old i to the old i. */
static int
assign_op(struct gen *g, struct node *n, bool want)
{
	struct node *a = n->u.op.a, *b = n->u.op.b;
	enum op op = plain_op(n->u.op.op);
	struct num to = num_of(a->type), t = to;
	uint64_t scale = type_is_ptr(a->type) ? pointed_size(a->type) : 1;
	if (op != OP_SHL && op != OP_SHR)
		t = num_common(to, num_of(b->type));
	struct ref ref;
	ref_open(g, a, &ref);
	int r = ref_load(g, &ref);
	if (is_small_const(b) && scale <= INT32_MAX) {
		g_arith_const(g, op, r, (int64_t)((uint64_t)b->u.num * scale), t);
	} else {
		struct gen_val left;
		g_hold(g, &left, r);
		int other = gen_expr(g, b);
		g_scale(g, other, scale);
		r = g_take(g, &left);
		g_arith(g, op, r, other, t);
		g_free(g, other);
	}
	g_convert(g, r, (struct num){8, true}, to);
	ref_store(g, &ref, r);
	ref_close(g, &ref);
	if (want)
		cut_to_field(g, &ref, a->type, r);
	return r;
}

int
gen_assign(struct gen *g, struct node *n, bool want)
{
	if (n->u.op.op != OP_ASSIGN)
		return assign_op(g, n, want);
	if (type_is_ref(n->u.op.a->type))
		return assign_by_ref(g, n);
	return assign(g, n, want);
}

int
gen_incdec(struct gen *g, struct node *n, bool want)
{
	struct node *a = n->u.op.a;
	enum op op = n->u.op.op;
	bool post = want && (op == OP_POSTINC || op == OP_POSTDEC);
	struct num t = num_of(a->type);
	int64_t by = type_is_ptr(a->type) ? (int64_t)pointed_size(a->type) : 1;
	if (by > INT32_MAX)
		cc_error(g->cc, n->pos, "D_OP_INCOMPLETE", "the type is too large for ++ and --");
	if (op == OP_PREDEC || op == OP_POSTDEC)
		by = -by;
	struct ref ref;
	ref_open(g, a, &ref);
	int old = ref_load(g, &ref), r = old;
	if (post)
		r = g_reg(g);
	g_emit(g, DIF_ADDI, r, old, 0, (int32_t)by);
	g_convert(g, r, (struct num){8, true}, t);
	ref_store(g, &ref, r);
	if (post)
		g_free(g, r);
	else if (want)
		cut_to_field(g, &ref, a->type, r);
	ref_close(g, &ref);
	return old;
}
