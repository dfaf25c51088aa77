/* Emits instructions; registers with spilling to slots; windows of slots; labels. */
#include "gen/gen_priv.h"

/* Changing a bit-field of a copy needs five at once. */
#ifdef ET_TINY
enum { USABLE = 5 };
#else
enum { USABLE = DIF_NREGS };
#endif

static uint32_t
g_pc(const struct gen *g)
{
	return g->u->o.ncode - g->code;
}

uint32_t
g_emit(struct gen *g, enum dif_op op, int rd, int rs, int rt, int32_t imm)
{
	uint32_t pc = g_pc(g);
	*unit_add_code(g->cc) = (struct dif_insn){(uint8_t)op, (uint8_t)rd, (uint8_t)rs, (uint8_t)rt, imm};
	return pc;
}

static void
spill(struct gen *g, struct gen_val *v)
{
	v->slot = (int)g_window(g, 1, g->pos);
	g_emit(g, DIF_STSL, 0, v->reg, 0, v->slot);
	g_free(g, v->reg);
	v->reg = -1;
}

/* Returns a free register. If there is none, it takes that of the value that was put aside first, because that is
 * needed last. */
int
g_reg(struct gen *g)
{
	if (g->busy == (1u << USABLE) - 1) {
		struct gen_val *oldest = NULL;
		for (struct gen_val *v = g->held; v; v = v->below)
			if (v->reg >= 0 && !v->pinned)
				oldest = v;
		if (!oldest)
			cc_error(
			    g->cc, g->pos, "D_UNKNOWN", "the expression needs more than %d registers", (int)USABLE);
		spill(g, oldest);
	}
	int r = __builtin_ctz(~g->busy);
	g->busy |= 1u << r;
	return r;
}

void
g_free(struct gen *g, int reg)
{
	g->busy &= ~(1u << reg);
}

void
g_hold(struct gen *g, struct gen_val *v, int reg)
{
	*v = (struct gen_val){.below = g->held, .reg = reg, .slot = -1};
	g->held = v;
}

int
g_use(struct gen *g, struct gen_val *v)
{
	if (v->reg < 0) {
		int r = g_reg(g);
		g_emit(g, DIF_LDSL, r, 0, 0, v->slot);
		g_window_free(g, (unsigned)v->slot, 1);
		v->reg = r;
		v->slot = -1;
	}
	v->pinned = true;
	return v->reg;
}

void
g_unpin(struct gen_val *v)
{
	v->pinned = false;
}

static void
unlink_val(struct gen *g, struct gen_val *v)
{
	struct gen_val **p = &g->held;
	while (*p != v)
		p = &(*p)->below;
	*p = v->below;
}

int
g_take(struct gen *g, struct gen_val *v)
{
	int r = g_use(g, v);
	unlink_val(g, v);
	return r;
}

void
g_drop(struct gen *g, struct gen_val *v)
{
	unlink_val(g, v);
	if (v->reg >= 0)
		g_free(g, v->reg);
	else
		g_window_free(g, (unsigned)v->slot, 1);
}

void
g_settle(struct gen *g)
{
	for (struct gen_val *v = g->held; v; v = v->below)
		if (v->reg >= 0)
			spill(g, v);
}

static uint64_t
run_of(unsigned n)
{
	return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

unsigned
g_window(struct gen *g, unsigned n, struct pos pos)
{
	if (n == 0)
		return 0;
	for (unsigned first = 0; first + n <= DIF_NSLOTS; first++) {
		if (g->slots & run_of(n) << first)
			continue;
		g->slots |= run_of(n) << first;
		if (g->nslots < first + n)
			g->nslots = first + n;
		return first;
	}
	cc_error_hint(g->cc, pos, "D_UNKNOWN", "compute parts of it into clause-local variables (this->name) first",
	    "the expression is too complex: it needs more than %d values at a time", (int)(DIF_NSLOTS + DIF_NREGS));
}

void
g_window_free(struct gen *g, unsigned first, unsigned n)
{
	if (n)
		g->slots &= ~(run_of(n) << first);
}

void
g_branch(struct gen *g, enum dif_op op, int rs, int rt, struct label *l)
{
	l->last = (int32_t)g_emit(g, op, 0, rs, rt, l->last);
}

void
g_bind(struct gen *g, struct label *l)
{
	int32_t here = (int32_t)g_pc(g);
	while (l->last >= 0) {
		struct dif_insn *i = &g->u->o.code[g->code + (uint32_t)l->last];
		l->last = i->imm;
		i->imm = here;
	}
}
