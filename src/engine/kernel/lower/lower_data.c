/*
 * Lowers what lives in separate maps: aggregations, and thread-local and associative variables. Each has a map with
 * keys of fixed size, made in RT_KEY. The addresses of maps are in the code.
 */
#include "engine/kernel/lower/emit.h"

#include "object/aggval.h"

enum { ANY = 0 };

static void
count_drop(struct lower *l, enum eng_drop why)
{
	em_movi(l->p, R1, (int32_t)why);
	prog_call_rt(l->p, "rt_drop");
}

/* r0 = value of the key in RT_KEY */
static void
lookup(struct lower *l)
{
	em_mov(l->p, R1, R6);
	em_mem(l->p, R2, RT_IN(l->e, RT_KEY));
	em_help(l->p, HELP_LOOKUP);
}

/* ---- aggregations ---- */

/* A word of the value += reg. Nobody else touches a state's own value. Other values may also be added to by an
 * interrupt, by another thread or by other CPUs. Uses r5. */
static void
add_word(struct lower *l, const struct kagg *a, unsigned base, int off, unsigned reg)
{
	if (a->nkeys || a->copies == 1) {
		prog_emit(l->p, BPF_STX | BPF_ATOMIC | BPF_DW, base, reg, off, BPF_ADD);
		return;
	}
	em_ldx(l->p, R5, base, off);
	em_alu(l->p, BPF_ADD, R5, reg);
	em_stx(l->p, base, off, R5);
}

/* r1 = bucket of the value in r1 */
static void
lquantize(struct lower *l, const struct dobj_agg *d, uint32_t nbuckets)
{
	struct prog *p = l->p;
	uint64_t levels = nbuckets - 2;
	prog_imm64(p, R2, 0, (uint64_t)d->par[0]);
	em_movi(p, R0, 0);
	prog_emit(p, BPF_JMP | BPF_JSLT | BPF_X, R1, R2, 0, 0);
	uint32_t below = p->n - 1;
	em_alu(p, BPF_SUB, R1, R2);
	prog_imm64(p, R2, 0, (uint64_t)d->par[2]);
	em_alu(p, BPF_DIV, R1, R2);
	uint32_t inside = em_jump(p, BPF_JLT, R1, (int32_t)levels);
	em_movi(p, R1, (int32_t)levels);
	em_here(p, inside);
	em_alui(p, BPF_ADD, R1, 1);
	em_mov(p, R0, R1);
	em_here(p, below);
}

/* A chain of comparisons over the orders of magnitude, whose bounds are known. The result is in r0. */
static void
llquantize(struct lower *l, const struct dobj_agg *d, uint32_t nbuckets)
{
	struct prog *p = l->p;
	uint32_t done[128], ndone = 0;
	uint64_t factor = (uint64_t)d->par[0], steps = (uint64_t)d->par[3], last = 1, base = 1;
	for (int64_t i = 0; i < d->par[1]; i++)
		last *= factor;
	em_movi(p, R0, 0);
	done[ndone++] = em_jump(p, BPF_JSLT, R1, 0);
	prog_imm64(p, R2, 0, last);
	prog_emit(p, BPF_JMP | BPF_JLT | BPF_X, R1, R2, 0, 0);
	done[ndone++] = p->n - 1;
	for (int64_t order = d->par[1]; order <= d->par[2] && ndone < 127; order++) {
		uint64_t top;
		bool over = __builtin_mul_overflow(last, factor, &top);
		unsigned __int128 wide = (unsigned __int128)last * factor;
		uint64_t step = wide > steps ? (uint64_t)(wide / steps) : 1, n = wide > steps ? steps : (uint64_t)wide;
		uint32_t next = 0;
		if (!over) {
			prog_imm64(p, R2, 0, top);
			prog_emit(p, BPF_JMP | BPF_JGE | BPF_X, R1, R2, 0, 0);
			next = p->n - 1;
		}
		em_mov(p, R0, R1);
		prog_imm64(p, R2, 0, last);
		em_alu(p, BPF_SUB, R0, R2);
		prog_imm64(p, R2, 0, step);
		em_alu(p, BPF_DIV, R0, R2);
		em_alui(p, BPF_ADD, R0, (int32_t)base);
		done[ndone++] = em_jump(p, BPF_JA, 0, 0);
		if (over)
			break;
		em_here(p, next);
		base += n - n / factor;
		last = top;
	}
	em_movi(p, R0, (int32_t)(nbuckets - 1));
	while (ndone)
		em_here(p, done[--ndone]);
}

/* The bucket whose number is in r0 += increment RT. */
static void
add_bucket(struct lower *l, const struct kagg *a, const struct dif_insn *in)
{
	struct prog *p = l->p;
	uint32_t never = em_jump(p, BPF_JGE, R0, (int32_t)a->nwords - 1);
	em_alui(p, BPF_LSH, R0, 3);
	em_mov(p, R2, R7);
	em_alu(p, BPF_ADD, R2, R0);
	em_ldx(p, R1, R9, ST_REG(in->rt));
	add_word(l, a, R2, 8, R1);
	em_here(p, never);
}

/* r0 is the value's words; adds RD with increment RT. r7 keeps the words. */
static void
add(struct lower *l, const struct kagg *a, const struct dif_insn *in)
{
	struct prog *p = l->p;
	em_mov(p, R7, R0);
	em_ldx(p, R1, R9, ST_REG(in->rd));
	switch ((enum agg_fn)a->d->fn) {
	case AGG_COUNT:
		break;
	case AGG_SUM:
	case AGG_AVG:
		add_word(l, a, R7, 8, R1);
		break;
	case AGG_MIN:
	case AGG_MAX: {
		em_ldx(p, R2, R7, 0);
		uint32_t first = em_jump(p, BPF_JEQ, R2, 0);
		em_ldx(p, R2, R7, 8);
		prog_emit(p, (uint8_t)(BPF_JMP | (a->d->fn == AGG_MIN ? BPF_JSGE : BPF_JSLE) | BPF_X), R1, R2, 1, 0);
		em_here(p, first);
		em_stx(p, R7, 8, R1);
		break;
	}
	case AGG_STDDEV: {
		add_word(l, a, R7, 8, R1);
		uint32_t positive = em_jump(p, BPF_JSGE, R1, 0);
		em_alui(p, BPF_NEG, R1, 0);
		em_here(p, positive);
		/* The square in 128 bits, from halves h and l: h*h << 64, 2*h*l << 32, l*l. */
		em_mov(p, R2, R1);
		em_alui(p, BPF_RSH, R2, 32);
		em_alui(p, BPF_LSH, R1, 32);
		em_alui(p, BPF_RSH, R1, 32);
		em_mov(p, R3, R1);
		em_alu(p, BPF_MUL, R3, R2); /* h*l, under 2^63 */
		em_alu(p, BPF_MUL, R1, R1); /* low */
		em_alu(p, BPF_MUL, R2, R2); /* high */
		em_mov(p, R4, R3);
		em_alui(p, BPF_RSH, R4, 31);
		em_alu(p, BPF_ADD, R2, R4);
		em_alui(p, BPF_LSH, R3, 33);
		em_alu(p, BPF_ADD, R1, R3);
		prog_emit(p, BPF_JMP | BPF_JGE | BPF_X, R1, R3, 1, 0);
		em_alui(p, BPF_ADD, R2, 1);
		em_ldx(p, R3, R7, 16);
		em_alu(p, BPF_ADD, R3, R1);
		prog_emit(p, BPF_JMP | BPF_JGE | BPF_X, R3, R1, 1, 0);
		em_alui(p, BPF_ADD, R2, 1);
		em_stx(p, R7, 16, R3);
		em_ldx(p, R3, R7, 24);
		em_alu(p, BPF_ADD, R3, R2);
		em_stx(p, R7, 24, R3);
		break;
	}
	case AGG_QUANTIZE:
		prog_call_rt(p, "rt_quantize");
		add_bucket(l, a, in);
		break;
	case AGG_LQUANTIZE:
		lquantize(l, a->d, a->nwords - 1);
		add_bucket(l, a, in);
		break;
	case AGG_LLQUANTIZE:
		llquantize(l, a->d, a->nwords - 1);
		add_bucket(l, a, in);
		break;
	case AGG_NFNS:
		break;
	}
	em_movi(p, R1, 1);
	add_word(l, a, R7, 0, R1);
}

/* Finds the value to add to in the current set: that of the tuple's slot and this CPU, or that of this state. */
void
lower_agg(struct lower *l, const struct dif_insn *in)
{
	struct prog *p = l->p;
	const struct kagg *a = &l->e->aggs[in->imm];
	uint32_t full = 0;
	if (a->nkeys)
		lower_tuple(l, a->key, a->nkeys, in->rs);
	em_value(p, R7, l->e->maps[RT_M_CTL], offsetof(struct rt_ctl, active));
	em_ldx(p, R7, R7, 0);
	em_alui(p, BPF_AND, R7, (int32_t)l->e->nsets - 1);
	if (a->nkeys) {
		em_mov(p, R1, R9);
		em_mov(p, R2, R7);
		em_alui(p, BPF_ADD, R2, (int32_t)l->e->nsets * in->imm);
		prog_call_rt(p, "rt_agg_find");
		full = em_jump(p, BPF_JEQ, R0, 0);
		em_mov(p, R6, R0);
	}
	if (a->copies > 1) {
		em_alui(p, BPF_MUL, R7, (int32_t)a->copies);
		if (a->nkeys)
			em_help(p, HELP_CPU);
		else
			em_ldx(p, R0, R9, ST(index));
		em_alu(p, BPF_ADD, R7, R0);
	}
	if (a->nkeys) {
		em_alui(p, BPF_MUL, R7, (int32_t)a->entries);
		em_alu(p, BPF_ADD, R7, R6);
		em_alui(p, BPF_SUB, R7, 1);
	}
	if (a->base)
		em_alui(p, BPF_ADD, R7, (int32_t)a->base);
	prog_emit(p, BPF_STX | BPF_MEM | BPF_W, R10, R7, -4, 0);
	em_mapfd(p, R1, a->map);
	em_mov(p, R2, R10);
	em_alui(p, BPF_ADD, R2, -4);
	em_help(p, HELP_LOOKUP);
	uint32_t none = em_jump(p, BPF_JEQ, R0, 0);
	add(l, a, in);
	em_here(p, none);
	if (a->nkeys)
		em_here(p, full);
}

/* ---- thread-local and associative variables ---- */

static void
dyn_load(struct lower *l, const struct kvar *v, unsigned rd)
{
	struct prog *p = l->p;
	em_mapfd(p, R6, v->map);
	lookup(l);
	if (v->kind == DK_INT) {
		uint32_t none = em_jump(p, BPF_JEQ, R0, 0);
		em_ldx(p, R0, R0, 0);
		em_here(p, none);
		em_stx(p, R9, ST_REG(rd), R0);
		return;
	}
	uint32_t null = v->kind == DK_STRING ? em_jump(p, BPF_JEQ, R0, 0) : 0;
	em_stx(p, R9, ST(ptr), R0);
	em_mov(p, R1, R9);
	em_movi(p, R2, (int32_t)v->size);
	prog_call_rt(p, "rt_dyn_copy");
	lower_check(l);
	em_ldx(p, R0, R9, ST(res));
	if (v->kind == DK_STRING)
		em_here(p, null);
	em_stx(p, R9, ST_REG(rd), R0);
}

static void
dyn_store(struct lower *l, const struct kvar *v, unsigned rs)
{
	struct prog *p = l->p;
	em_ldx(p, R3, R9, ST_REG(rs));
	uint32_t forget = em_jump(p, BPF_JEQ, R3, 0);
	if (v->kind == DK_INT) {
		em_mem(p, R1, RT_IN(l->e, RT_VAL));
		em_stx(p, R1, 0, R3);
	} else {
		if (v->kind == DK_BYTES && v->nbytes % 8) {
			em_mem(p, R1, RT_IN(l->e, RT_VAL) + v->size - 8);
			em_sti(p, R1, 0, 0);
		}
		em_mov(p, R1, R9);
		em_movi(p, R2, (int32_t)RT_IN(l->e, RT_VAL));
		em_movi(p, R4, (int32_t)v->nbytes);
		prog_call_rt(p, v->kind == DK_STRING ? "rt_put_str" : "rt_put_mem");
		lower_check(l);
	}
	em_mapfd(p, R1, v->map);
	em_mem(p, R2, RT_IN(l->e, RT_KEY));
	em_mem(p, R3, RT_IN(l->e, RT_VAL));
	em_movi(p, R4, ANY);
	em_help(p, HELP_UPDATE);
	uint32_t ok = em_jump(p, BPF_JEQ, R0, 0);
	count_drop(l, ENG_DROP_DYNAMIC);
	em_here(p, ok);
	uint32_t over = em_jump(p, BPF_JA, 0, 0);
	em_here(p, forget);
	em_mapfd(p, R1, v->map);
	em_mem(p, R2, RT_IN(l->e, RT_KEY));
	em_help(p, HELP_DELETE);
	em_here(p, over);
}

void
lower_dyn(struct lower *l, const struct dif_insn *in)
{
	const struct kvar *v = &l->e->vars[in->imm];
	uint32_t base = RT_IN(l->e, RT_KEY), slot = in->op == DIF_LDA ? in->rs : in->rt;
	if (v->scope == DS_THREAD) {
		em_owner(l->p, l->e->consts[RT_C_NODE_PID] != 0);
		em_mem(l->p, R1, RT_IN(l->e, RT_KEY));
		em_stx(l->p, R1, 0, R0);
		base += 8;
	}
	lower_keys(l, v->key, v->nkeys, slot, base);
	if (in->op == DIF_LDT || in->op == DIF_LDA)
		dyn_load(l, v, in->rd);
	else
		dyn_store(l, v, in->rs);
}
