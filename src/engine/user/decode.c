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
		at += c->d->ncode;
	}
	return true;
}
