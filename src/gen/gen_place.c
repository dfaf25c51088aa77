/* Variables and places in memory: members, elements, and targets of pointers. */
#include "gen/gen_place.h"

static bool
is_array(struct type *t)
{
	return type_base(t)->kind == T_ARRAY;
}

bool
var_is_addressed(const struct node *n)
{
	const struct dvar *v = n->u.var.var;
	return !v->is_assoc && v->scope != DS_THREAD && type_is_ref(v->type);
}

unsigned
var_window(struct gen *g, struct node *n)
{
	struct dvar *v = n->u.var.var;
	return v->is_assoc ? gen_window(g, n->u.var.keys, v->nkeys, v->keys, n->pos) : 0;
}

void
var_window_free(struct gen *g, struct node *n, unsigned window)
{
	if (n->u.var.var->is_assoc)
		g_window_free(g, window, n->u.var.var->nkeys);
}

void
var_load(struct gen *g, struct node *n, unsigned window, int reg)
{
	struct dvar *v = n->u.var.var;
	bool by_ref = type_is_ref(v->type);
	enum dif_op op = v->is_assoc             ? DIF_LDA
			 : v->scope == DS_THREAD ? DIF_LDT
			 : v->scope == DS_LOCAL  ? (by_ref ? DIF_LDLA : DIF_LDL)
						 : (by_ref ? DIF_LDGA : DIF_LDG);
	g_emit(g, op, reg, (int)window, 0, (int32_t)unit_var(g->cc, v, n->pos));
}

void
var_store(struct gen *g, struct node *n, unsigned window, int reg)
{
	struct dvar *v = n->u.var.var;
	enum dif_op op = v->is_assoc             ? DIF_STA
			 : v->scope == DS_THREAD ? DIF_STT
			 : v->scope == DS_LOCAL  ? DIF_STL
						 : DIF_STG;
	g_emit(g, op, 0, reg, (int)window, (int32_t)unit_var(g->cc, v, n->pos));
}

int
gen_var(struct gen *g, struct node *n)
{
	unsigned window = var_window(g, n);
	int r = g_reg(g);
	var_load(g, n, window, r);
	var_window_free(g, n, window);
	if (type_is_string(n->u.var.var->type) && var_is_addressed(n))
		g_emit(g, DIF_STRVAL, r, r, 0, 0);
	return r;
}

/* Returns the D variable that an array belongs to, or NULL if it is reached through a pointer. */
static struct node *
variable_of(struct node *n)
{
	for (;;) {
		if (n->kind == N_VAR)
			return n;
		if (n->kind == N_MEMBER && !n->u.member.arrow) {
			n = n->u.member.obj;
		} else if (n->kind == N_OP1 && n->u.op.op == OP_DEREF) {
			n = n->u.op.a;
			if (n->kind == N_OP2 && n->u.op.op == OP_ADD)
				n = n->u.op.a;
			if (!is_array(n->type))
				return NULL;
		} else {
			return NULL;
		}
	}
}

/* Arrays of D variables have known bounds. An access past the end would reach the next variable. */
static void
check_index(struct gen *g, int index, uint64_t nelems)
{
	struct label ok = {-1};
	int n = g_const(g, (int64_t)nelems);
	g_branch(g, DIF_BLTU, index, n, &ok);
	g_free(g, n);
	g_emit(g, DIF_FAULT, 0, index, 0, DIF_FAULT_BADINDEX);
	g_bind(g, &ok);
}

static int
use_base(struct gen *g, struct place *p)
{
	return g_use(g, p->in_copy ? &p->copy : &p->base);
}

static void
done_base(struct place *p)
{
	g_unpin(p->in_copy ? &p->copy : &p->base);
}

static void
move_base(struct gen *g, struct place *p, int offset)
{
	int base = use_base(g, p);
	g_emit(g, DIF_ADD, offset, base, offset, 0);
	done_base(p);
	if (!p->in_copy)
		g_drop(g, &p->base);
	p->in_copy = false;
	g_hold(g, &p->base, offset);
}

/* Returns the string variable whose bytes a pointer walks, or NULL. Its bytes are changed in the variable, not in a
 * copy. */
static struct node *
string_variable(struct node *n)
{
	if (n->kind != N_CAST || !type_is_ptr(n->type))
		return NULL;
	n = n->u.op.a;
	return n->kind == N_VAR && type_is_string(n->type) ? n : NULL;
}

/* NULL has no bytes: its address faults. */
static void
open_string(struct gen *g, struct node *var, struct place *p)
{
	place_open(g, var, p);
	if (p->in_copy)
		return;
	int base = use_base(g, p);
	g_emit(g, DIF_STRVAL, base, base, 0, 0);
	done_base(p);
}

/* a[b], as the sum a + b that is followed. */
static void
open_element(struct gen *g, struct node *sum, struct place *p)
{
	struct node *a = sum->u.op.a, *b = sum->u.op.b;
	struct type *at = type_base(a->type);
	uint64_t size = pointed_size(at), nelems = 0;
	if (at->kind == T_ARRAY) {
		place_open(g, a, p);
		if (variable_of(a))
			nelems = at->nelems;
	} else if (string_variable(a)) {
		open_string(g, string_variable(a), p);
	} else {
		g_hold(g, &p->base, gen_expr(g, a));
	}
	if (is_small_const(b) && size <= INT32_MAX && (nelems == 0 || (uint64_t)b->u.num < nelems)) {
		p->off += b->u.num * (int64_t)size;
		return;
	}
	int index = gen_expr(g, b);
	if (nelems)
		check_index(g, index, nelems);
	g_scale(g, index, size);
	move_base(g, p, index);
}

static void
open_deref(struct gen *g, struct node *n, struct place *p)
{
	struct node *a = n->u.op.a;
	if (n->is_symbol)
		g->flags |= DC_KERNEL;
	if (a->kind == N_OP2 && a->u.op.op == OP_ADD && type_base(a->u.op.a->type)->ref)
		open_element(g, a, p);
	else if (is_array(a->type))
		place_open(g, a, p);
	else if (string_variable(a))
		open_string(g, string_variable(a), p);
	else
		g_hold(g, &p->base, gen_expr(g, a));
}

static void
open_member(struct gen *g, struct node *n, struct place *p)
{
	struct member *m = n->u.member.m;
	uint64_t bit = n->u.member.offset;
	struct type *of = type_base(n->u.member.obj->type);
	if (type_base(n->u.member.arrow ? of->ref : of)->kernel_id)
		g->flags |= DC_KERNEL;
	if (n->u.member.arrow)
		g_hold(g, &p->base, gen_expr(g, n->u.member.obj));
	else
		place_open(g, n->u.member.obj, p);
	if (m->bits) {
		/* Read and written through the whole of its declared type, where C puts it. */
		uint64_t width = type_base(m->type)->size * 8;
		p->off += (int64_t)(bit / width * (width / 8));
		p->shift = (unsigned)(bit % width);
		p->bits = m->bits;
	} else {
		p->off += (int64_t)(bit / 8);
	}
}

static void
open_variable(struct gen *g, struct node *n, struct place *p)
{
	p->window = var_window(g, n);
	int r = g_reg(g);
	var_load(g, n, p->window, r);
	if (var_is_addressed(n)) {
		g_hold(g, &p->base, r);
	} else {
		p->root = n;
		p->in_copy = true;
		g_hold(g, &p->copy, r);
	}
}

void
place_open(struct gen *g, struct node *n, struct place *p)
{
	*p = (struct place){0};
	if (n->kind == N_MEMBER)
		open_member(g, n, p);
	else if (n->kind == N_OP1 && n->u.op.op == OP_DEREF)
		open_deref(g, n, p);
	else if (n->kind == N_VAR && type_is_ref(n->u.var.var->type))
		open_variable(g, n, p);
	else if (type_is_ref(n->type))
		g_hold(g, &p->base, gen_expr(g, n));
	else
		cc_error(g->cc, n->pos, "D_ADDROF_LVAL", "this has no address");
	p->type = n->type;
}

/* The offset must fit in an instruction. */
static int32_t
offset_of(struct gen *g, struct place *p)
{
	if (p->off < INT32_MIN || p->off > INT32_MAX) {
		int r = g_const(g, p->off);
		move_base(g, p, r);
		p->off = 0;
	}
	return (int32_t)p->off;
}

static enum dif_op
load_op(struct num t)
{
	switch (t.size) {
	case 1:
		return t.is_signed ? DIF_LDSB : DIF_LDUB;
	case 2:
		return t.is_signed ? DIF_LDSH : DIF_LDUH;
	case 4:
		return t.is_signed ? DIF_LDSW : DIF_LDUW;
	default:
		return DIF_LDX;
	}
}

static enum dif_op
store_op(struct num t)
{
	return t.size == 1 ? DIF_STB : t.size == 2 ? DIF_STH : t.size == 4 ? DIF_STW : DIF_STX;
}

static void
emit_load(struct gen *g, struct place *p, int reg, int base, int32_t off)
{
	struct num t = num_of(p->type);
	if (!p->bits) {
		g_emit(g, load_op(t), reg, base, 0, off);
		return;
	}
	g_emit(g, load_op((struct num){t.size, false}), reg, base, 0, off);
	g_emit(g, DIF_BFX, reg, reg, 0, (int32_t)(p->shift | p->bits << 8 | (t.is_signed ? 1u << 16 : 0)));
}

static int
place_addr(struct gen *g, struct place *p)
{
	int32_t off = offset_of(g, p);
	int base = use_base(g, p), r = g_reg(g);
	g_emit(g, DIF_ADDI, r, base, 0, off);
	done_base(p);
	return r;
}

int
place_target(struct gen *g, struct place *p)
{
	if (p->off) {
		int r = g_const(g, p->off);
		move_base(g, p, r);
		p->off = 0;
	}
	return use_base(g, p);
}

int
place_load(struct gen *g, struct place *p)
{
	int32_t off = offset_of(g, p);
	int base = use_base(g, p), r = g_reg(g);
	emit_load(g, p, r, base, off);
	done_base(p);
	return r;
}

void
place_changed(struct gen *g, struct place *p)
{
	if (!p->root)
		return;
	var_store(g, p->root, p->window, g_use(g, &p->copy));
	g_unpin(&p->copy);
}

void
place_store(struct gen *g, struct place *p, int reg)
{
	struct num t = num_of(p->type);
	int32_t off = offset_of(g, p);
	int base = use_base(g, p);
	if (p->bits) {
		int r = g_reg(g);
		g_emit(g, load_op((struct num){t.size, false}), r, base, 0, off);
		g_emit(g, DIF_BFI, r, reg, 0, (int32_t)(p->shift | p->bits << 8));
		g_emit(g, store_op(t), base, r, 0, off);
		g_free(g, r);
	} else {
		g_emit(g, store_op(t), base, reg, 0, off);
	}
	done_base(p);
	place_changed(g, p);
}

void
place_close(struct gen *g, struct place *p)
{
	if (!p->in_copy)
		g_drop(g, &p->base);
	if (p->root) {
		g_drop(g, &p->copy);
		var_window_free(g, p->root, p->window);
	}
}

/* The last use of a place that is only read: the result goes into the base's own register. */
static int
place_finish(struct gen *g, struct place *p, bool addr)
{
	if (p->root) {
		int r = addr ? place_addr(g, p) : place_load(g, p);
		place_close(g, p);
		return r;
	}
	int32_t off = offset_of(g, p);
	int r = g_take(g, &p->base);
	if (!addr)
		emit_load(g, p, r, r, off);
	else if (off)
		g_emit(g, DIF_ADDI, r, r, 0, off);
	return r;
}

int
gen_place(struct gen *g, struct node *n)
{
	struct place p;
	place_open(g, n, &p);
	return place_finish(g, &p, type_is_ref(n->type));
}

int
gen_place_addr(struct gen *g, struct node *n)
{
	struct place p;
	place_open(g, n, &p);
	return place_finish(g, &p, true);
}
