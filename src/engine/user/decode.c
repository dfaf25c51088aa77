/*
 * Decoding: resolves the operands of the object's instructions once, so that the interpreter looks nothing up.
 */
#include "engine/user/user.h"

#include "object/aggval.h"

static void
decode_op(struct user_engine *e, struct clause *c, uint32_t i)
{
	const struct dobj *o = e->o;
	const struct dobj_clause *d = c->d;
	const struct dif_insn *in = &o->code[d->code + i];
	struct decoded *op = &c->code[i];

	*op = (struct decoded){.op = in->op, .rd = in->rd, .rs = in->rs, .rt = in->rt, .imm = in->imm};
	switch (in->op) {
	case DIF_MOVI:
	case DIF_ADDI:
		op->u.k = (uint64_t)(int64_t)in->imm;
		break;
	case DIF_LDK:
		op->u.k = (uint64_t)o->ints[in->imm];
		break;
	case DIF_LDS:
		op->u.k = DIF_ADDR(DIF_R_CONST, (uint32_t)in->imm);
		break;
	case DIF_EXT:
		op->rt = (uint8_t)(64 - (in->imm < 0 ? -in->imm : in->imm));
		break;
	case DIF_LDBI:
		if (bi_is_memory((enum dif_builtin)in->imm)) {
			op->op = DIF_LDK;
			op->u.k = DIF_ADDR(DIF_R_BUILTIN, (uint64_t)in->imm << 40);
			break;
		}
		op->u.k = dobj_line_of(o, d, d->code + i).group - d->group;
		break;
	case DIF_LDL:
	case DIF_STL:
		c->locals = true;
		op->u.k = e->vars[in->imm].off;
		break;
	case DIF_LDG:
	case DIF_STG:
		op->u.k = e->vars[in->imm].off;
		break;
	case DIF_LDGA:
		op->u.k = DIF_ADDR(DIF_R_GLOBAL, e->vars[in->imm].off);
		break;
	case DIF_LDLA:
		c->locals = true;
		op->u.k = DIF_ADDR(DIF_R_LOCAL, e->vars[in->imm].off);
		break;
	case DIF_LDT:
	case DIF_STT:
	case DIF_LDA:
	case DIF_STA:
		op->u.var = &e->vars[in->imm];
		break;
	case DIF_CALL:
		op->u.fn = subr_table[in->imm];
		break;
	case DIF_AGG:
		op->u.agg = &e->aggs[in->imm];
		break;
	default:
		if (dif_is_branch(in->op))
			op->u.to = &c->code[in->imm];
		break;
	}
}

/* Returns the slot that an instruction copies a register to, or -1. */
static int
slot_of(const struct decoded *op, unsigned reg)
{
	return op->op == DIF_STSL && op->rs == reg ? op->imm : -1;
}

/*
 * Recognises `@[probefunc] = count()`, with any of the probe's names, and `@[copyinstr(argN)] = count()`. These are
 * what people ask for most, and they need no interpreter if the value was found before: see count_directly().
 */
static void
find_count(struct clause *c)
{
	const struct decoded *op = c->code, *load = op;
	uint32_t n = c->d->ncode;
	int name = -1, slot;
	if (n < 4)
		return;
	unsigned reg = load->rd;
	if (load->op == DIF_LDK && DIF_REGION(load->u.k) == DIF_R_BUILTIN)
		name = bi_name((enum dif_builtin)(DIF_OFFSET(load->u.k) >> 40));
	else if (n == 6 && load->op == DIF_LDARG && load->imm >= 0 && load->imm < NARGS) {
		slot = slot_of(op + 1, reg);
		if (slot < 0 || op[2].op != DIF_CALL || op[2].u.fn != subr_COPYINSTR || op[2].rs != slot ||
		    op[2].rt != 1)
			return;
		reg = op[2].rd;
		op += 2;
	}
	if ((name < 0) != (op > load) || (slot = slot_of(op + 1, reg)) < 0 || op[2].op != DIF_AGG || op[2].rs != slot ||
	    op[3].op != DIF_END)
		return;
	const struct agg *a = op[2].u.agg;
	if (a->shape != SHAPE_STRING || a->d->fn != AGG_COUNT)
		return;
	c->counts = a;
	c->count_by = (uint8_t)(name < 0 ? BY_ARG | (unsigned)load->imm : BY_NAME | (unsigned)name);
}

static void
decode_agg(struct user_engine *e, uint32_t i)
{
	const struct dobj_agg *d = &e->o->aggs[i];
	struct agg *a = &e->aggs[i];
	*a = (struct agg){.d = d, .id = i, .nwords = aggval_words(d), .key = d->key, .nkeys = d->nkeys};
	if (d->nkeys == 0)
		a->shape = SHAPE_NONE;
	else if (d->nkeys == 1 && e->keys[d->key].kind == DK_INT)
		a->shape = SHAPE_INT;
	else if (d->nkeys == 1 && e->keys[d->key].kind == DK_STRING)
		a->shape = SHAPE_STRING;
}

bool
decode_program(struct user_engine *e)
{
	const struct dobj *o = e->o;
	size_t n = 0;
	for (uint32_t i = 0; i < o->nclauses; i++)
		n += o->clauses[i].ncode;
	if (!(e->clauses = eng_alloc(e, (o->nclauses + 1) * sizeof *e->clauses)) ||
	    !(e->aggs = eng_alloc(e, (o->naggs + 1) * sizeof *e->aggs)) ||
	    !(e->ops = eng_alloc(e, (n + 1) * sizeof *e->ops)))
		return false;
	for (uint32_t i = 0; i < o->naggs; i++)
		decode_agg(e, i);
	struct decoded *at = e->ops;
	for (uint32_t i = 0; i < o->nclauses; i++) {
		struct clause *c = &e->clauses[i];
		c->d = &o->clauses[i];
		c->code = at;
		c->cost = 16 + c->d->ncode;
		c->nslots = c->d->nslots;
		c->cuts = dobj_cuts(o, c->d);
		for (uint32_t j = 0; j < c->d->ncode; j++)
			decode_op(e, c, j);
		find_count(c);
		at += c->d->ncode;
	}
	return true;
}
