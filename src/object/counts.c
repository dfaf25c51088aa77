/* See counts.h. */
#include "object/counts.h"
#include "object/builtin.h"
#include "object/subr.h"

static bool
is_fixed_builtin(int32_t id)
{
	return id == DIF_BI_PROBEPROV || id == DIF_BI_PROBEMOD || id == DIF_BI_PROBEFUNC || id == DIF_BI_PROBENAME;
}

/* Keys of other kinds are taken from the process: its stack, its memory. */
static bool
is_count(const struct dobj *o, const struct dobj_agg *a)
{
	for (uint32_t i = 0; i < a->nkeys; i++) {
		const struct dobj_key *k = &o->keys[a->key + i];
		if (k->kind != DK_INT && k->kind != DK_STRING)
			return false;
	}
	return a->fn == AGG_COUNT;
}

/* Returns whether instruction i, or the one before it, is also reached from elsewhere. */
static bool
is_led_into(const struct dif_insn *i, const struct dif_insn *first)
{
	for (const struct dif_insn *b = first; b < i; b++)
		if (dif_is_branch(b->op) && (b->imm == i - first || b->imm == i - first - 1))
			return true;
	return false;
}

/* The name of a function is the text of argument 1. `first` is the clause's first instruction. */
enum { NAME_ARG = 1 };
static bool
is_copy_of_name(const struct dif_insn *i, const struct dif_insn *first)
{
	return i->imm == DIF_SUBR_COPYINSTR && i->rt == 1 && i - first >= 2 && i[-2].op == DIF_LDARG &&
	       i[-2].imm == NAME_ARG && i[-1].op == DIF_STSL && i[-1].rs == i[-2].rd && i[-1].imm == i->rs &&
	       !is_led_into(i, first);
}

/* Returns whether an instruction only computes with what is fixed, or counts. Those that can fault are left out,
 * because each firing reports its fault. */
static bool
is_fixed(const struct dobj *o, const struct dif_insn *i, const struct dif_insn *first)
{
	switch (i->op) {
	case DIF_NOP:
	case DIF_END:
	case DIF_MOV:
	case DIF_MOVI:
	case DIF_LDK:
	case DIF_LDS:
	case DIF_ADD:
	case DIF_ADDI:
	case DIF_SUB:
	case DIF_MUL:
	case DIF_AND:
	case DIF_OR:
	case DIF_XOR:
	case DIF_SLL:
	case DIF_SRL:
	case DIF_SRA:
	case DIF_NOT:
	case DIF_NEG:
	case DIF_EXT:
	case DIF_BFX:
	case DIF_BFI:
	case DIF_SEQ:
	case DIF_SNE:
	case DIF_SLT:
	case DIF_SLE:
	case DIF_SLTU:
	case DIF_SLEU:
	case DIF_SCMP:
	case DIF_LDSL:
	case DIF_STSL:
		return true;
	case DIF_LDARG:
		return i->imm == NAME_ARG;
	case DIF_CALL:
		return is_copy_of_name(i, first);
	case DIF_LDBI:
		return is_fixed_builtin(i->imm);
	case DIF_AGG:
		return is_count(o, &o->aggs[i->imm]);
	default:
		return dif_is_branch(i->op);
	}
}

bool
counts_only(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = c->code; i < c->code + c->ncode; i++)
		if (!is_fixed(o, &o->code[i], &o->code[c->code]))
			return false;
	return true;
}

bool
counts_exits(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = c->code; i < c->code + c->ncode; i++)
		if (o->code[i].op == DIF_CALL && o->code[i].imm == DIF_SUBR_EXIT)
			return true;
	return false;
}
