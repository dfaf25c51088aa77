/*
 * Actions and aggregations: what a statement leaves in the group's record and which instructions fill it.
 */
#include "gen/gen_priv.h"

#include <string.h>

static bool
is_recorded(enum dobj_action kind)
{
	switch (kind) {
	case DA_EXPR:
	case DA_SPECULATE:
	case DA_COMMIT:
	case DA_DISCARD:
	case DA_RAISE:
	case DA_STOP:
	case DA_CHILL:
	case DA_COPYOUT:
		return false;
	default:
		return true;
	}
}

/* The actions that the engine performs. */
static const struct {
	enum dif_subr subr;
	enum dobj_action action;
} performed[] = {
    {DIF_SUBR_EXIT, DA_EXIT},
    {DIF_SUBR_SPECULATE, DA_SPECULATE},
    {DIF_SUBR_COMMIT, DA_COMMIT},
    {DIF_SUBR_DISCARD, DA_DISCARD},
    {DIF_SUBR_RAISE, DA_RAISE},
    {DIF_SUBR_STOP, DA_STOP},
    {DIF_SUBR_CHILL, DA_CHILL},
    {DIF_SUBR_COPYOUT, DA_COPYOUT},
    {DIF_SUBR_COPYOUTSTR, DA_COPYOUT},
};

static void
open_record(struct gen *g)
{
	if (g->is_open)
		return;
	g_emit(g, DIF_RECB, 0, 0, 0, (int32_t)(g->group - g->first_group));
	g->is_open = true;
	g->u->o.groups[g->group].records = 1;
}

/* Adds the action to the group and notes its place. Returns its row. */
static uint32_t
add_act(struct gen *g, enum dobj_action kind, struct pos pos)
{
	struct unit *u = g->u;
	struct dobj_act *a = unit_add_acts(g->cc);
	a->kind = kind;
	a->fmt = DOBJ_NONE;
	a->field = u->o.nfields;
	a->agg = u->o.nagglist;
	g->action++;
	g->pos = pos;
	*unit_add_lines(g->cc) = (struct dobj_line){u->o.ncode, g->action, g->group, pos.line, pos.col};
	if (is_recorded(kind))
		open_record(g);
	return u->o.nacts - 1;
}

void
gen_note(struct gen *g, enum dobj_action kind, struct pos pos)
{
	add_act(g, kind, pos);
}

void
gen_default(struct gen *g)
{
	add_act(g, DA_DEFAULT, g->pos);
}

/* Adds a field to the action, with the value in reg as its content. */
static void
put_field(struct gen *g, uint32_t act, struct dobj_field f, int reg)
{
	*unit_add_fields(g->cc) = f;
	uint32_t index = g->u->o.nfields - 1 - g->u->o.groups[g->group].field;
	g->u->o.acts[act].nfields++;
	g_emit(g, DIF_REC, 0, reg, 0, (int32_t)index);
	g_free(g, reg);
}

/* Whose record it is, so that the consumer can indent the lines of each process, or else of each thread, by themselves.
 * Events of a node are never told apart by thread: processes move between them. */
void
gen_flow(struct gen *g)
{
	uint32_t act = add_act(g, DA_FLOW, g->pos);
	int r = g_reg(g);
	g_emit(g, DIF_LDBI, r, 0, 0, DIF_BI_EPROC);
	put_field(g, act, (struct dobj_field){.kind = DK_STRING, .type = DOBJ_NONE, .arg = DOBJ_WHOSE}, r);
	if (g->is_erlang)
		return;
	r = g_reg(g);
	g_emit(g, DIF_LDBI, r, 0, 0, DIF_BI_TID);
	put_field(g, act, (struct dobj_field){.kind = DK_INT, .is_signed = 1, .size = 4, .type = DOBJ_NONE}, r);
}

static void
record_value(struct gen *g, uint32_t act, struct node *n, bool typed)
{
	struct dobj_field f = {.type = DOBJ_NONE};
	enum type_kind kind = type_base(n->type)->kind;
	if (n->kind == N_CALL && (kind == T_STACK || kind == T_SYM || kind == T_NAME)) {
		f.kind = (uint8_t)n->u.call.kind;
		f.arg = n->u.call.arg;
	} else {
		data_of(g->cc, n->type, n->pos, &f.kind, &f.is_signed, &f.size);
		if (typed || f.kind == DK_BYTES || kind == T_FLOAT)
			f.type = unit_type(g->cc, n->type, n->pos);
	}
	put_field(g, act, f, gen_datum(g, n));
}

static void
add_agg(struct gen *g, uint32_t act, struct node *n)
{
	uint32_t row = unit_agg(g->cc, n->u.agg.agg, NULL, n->pos);
	*unit_add_agglist(g->cc) = row;
	g->u->o.acts[act].naggs++;
}

static void
gen_exit(struct gen *g, struct node *call)
{
	struct node *status = call->u.call.args;
	uint32_t act = add_act(g, DA_EXIT, call->pos);
	struct dobj_field f = {.kind = DK_INT, .is_signed = 1, .size = 4, .type = DOBJ_NONE};
	int r = gen_expr(g, status);
	unsigned w = g_window(g, 1, call->pos);
	g_emit(g, DIF_STSL, 0, r, 0, (int32_t)w);
	put_field(g, act, f, r);
	r = g_reg(g);
	g_emit(g, DIF_CALL, r, (int)w, 1, DIF_SUBR_EXIT);
	g_free(g, r);
	g_window_free(g, w, 1);
}

static void
gen_tracemem(struct gen *g, uint32_t act, struct node *args)
{
	struct dobj_field f = {.kind = DK_BYTES, .type = DOBJ_NONE};
	uint64_t size = g->u->o.acts[act].arg;
	if (size == 0 || size > MAX_BYTES)
		cc_error(g->cc, args->pos, "D_TRACEMEM_SIZE", "tracemem() of %llu bytes; it takes 1 to %d",
		    (unsigned long long)size, (int)MAX_BYTES);
	f.size = (uint32_t)size;
	put_field(g, act, f, gen_expr(g, args));
	if (args->next && args->next->next)
		record_value(g, act, args->next->next, false);
}

static uint8_t
kind_of_action(enum dobj_action a)
{
	switch (a) {
	case DA_STACK:
		return DK_STACK;
	case DA_USTACK:
		return DK_USTACK;
	case DA_JSTACK:
		return DK_JSTACK;
	case DA_SYM:
		return DK_SYM;
	case DA_MOD:
		return DK_MOD;
	case DA_USYM:
		return DK_USYM;
	case DA_UMOD:
		return DK_UMOD;
	default:
		return DK_UADDR;
	}
}

/* Actions that the consumer performs: everything that it needs is in the record. */
static void
gen_recorded(struct gen *g, struct node *call, enum dobj_action kind)
{
	struct node *args = call->u.call.args;
	uint32_t act = add_act(g, kind, call->pos);
	g->u->o.acts[act].arg = call->u.call.arg;
	switch (kind) {
	case DA_STACK:
	case DA_USTACK:
	case DA_JSTACK:
		put_field(g, act,
		    (struct dobj_field){.kind = kind_of_action(kind), .type = DOBJ_NONE, .arg = call->u.call.arg},
		    g_const(g, 0));
		return;
	case DA_SYM:
	case DA_MOD:
	case DA_USYM:
	case DA_UMOD:
	case DA_UADDR:
		put_field(
		    g, act, (struct dobj_field){.kind = kind_of_action(kind), .type = DOBJ_NONE}, gen_expr(g, args));
		return;
	case DA_TRACEMEM:
		gen_tracemem(g, act, args);
		return;
	case DA_SYSTEM:
	case DA_FREOPEN:
		g->flags |= DC_DESTRUCTIVE;
		break;
	default:
		break;
	}
	if (args && args->kind == N_STR &&
	    (kind == DA_PRINTF || kind == DA_PRINTA || kind == DA_SYSTEM || kind == DA_FREOPEN || kind == DA_ALERT)) {
		uint32_t fmt = unit_str(g->cc, args->u.str.at);
		g->u->o.acts[act].fmt = fmt;
		args = args->next;
	}
	if (kind == DA_SETOPT && args->kind == N_STR && strcmp(args->u.str.at, "flowindent") == 0)
		g->u->sets_flow = true;
	for (; args; args = args->next) {
		if (args->kind == N_AGG)
			add_agg(g, act, args);
		else
			record_value(g, act, args, kind == DA_PRINT);
	}
}

void
gen_action(struct gen *g, struct node *call)
{
	for (size_t i = 0; i < sizeof performed / sizeof *performed; i++) {
		bool by_subr = call->u.call.subr == (int)performed[i].subr;
		if (!by_subr && (call->u.call.subr >= 0 || call->u.call.action != (int)performed[i].action))
			continue;
		if (performed[i].action == DA_EXIT) {
			gen_exit(g, call);
			return;
		}
		call->u.call.subr = (int)performed[i].subr;
		add_act(g, performed[i].action, call->pos);
		g_free(g, gen_call(g, call));
		return;
	}
	gen_recorded(g, call, (enum dobj_action)call->u.call.action);
}

/* @name[keys] = fn(value, increment) */
void
gen_aggregate(struct gen *g, struct node *n)
{
	struct node *an = n->u.aggstmt.agg, *args = n->u.aggstmt.call->u.call.args;
	struct dagg *a = an->u.agg.agg;
	add_act(g, DA_EXPR, n->pos);
	uint32_t row = unit_agg(g->cc, a, an->u.agg.keys, n->pos);
	unsigned w = gen_window(g, an->u.agg.keys, a->nkeys, a->keys, n->pos);
	int value = -1, incr = -1;
	struct gen_val v;
	if (args) {
		g_hold(g, &v, gen_expr(g, args));
		if (args->next)
			incr = gen_expr(g, args->next);
		else if (aggfn_is((uint32_t)a->fn, AT_INCR))
			incr = g_const(g, 1);
		value = g_take(g, &v);
	}
	g_emit(g, DIF_AGG, value < 0 ? 0 : value, (int)w, incr < 0 ? 0 : incr, (int32_t)row);
	if (value >= 0)
		g_free(g, value);
	if (incr >= 0)
		g_free(g, incr);
	g_window_free(g, w, a->nkeys);
}
