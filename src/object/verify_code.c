/*
 * Verifies the code of a clause, in one pass.
 *
 * Records: RECB, then REC of each field of the group in order, then RECE, in the order of the text. A branch must not
 * jump over one of them unless it jumps over whole records. In other words: at its target the same record is open (or
 * none) with the same fields filled in. So a record that becomes visible is complete, whatever path was taken.
 */
#include "object/verify.h"

#include "object/builtin.h"
#include "object/subr.h"

enum { MAX_COPY = 64 << 10, MAX_FAULT = DIF_FAULT_BADINDEX };

static const struct {
	const char *name;
	enum dif_fmt fmt;
} ops[DIF_NOPS] = {
#define X(name, mnem, fmt, what) {mnem, fmt},
    DIF_OPS(X)
#undef X
};

static const struct {
	const char *operands;
	unsigned flags;
} subrs[DIF_NSUBRS] = {
#define X(id, name, proto, operands, flags) {operands, flags},
    DIF_SUBRS(X)
#undef X
};

static const unsigned builtin_flags[DIF_NBUILTINS] = {
#define X(id, name, type, flags) flags,
    DIF_BUILTINS(X)
#undef X
};

/* The clause being verified, and how far. */
struct at {
	struct verifier *v;
	const struct dobj *o;
	const struct dobj_clause *c;
	const struct dif_insn *i;
	uint32_t pc;
	/* The open record, and its fields so far; next: the lowest group that may still be opened. */
	bool is_open;
	uint32_t group, nfields, next;
	uint32_t state; /* 0 if no record is open; otherwise a number that each RECB and REC changes */
};

static bool
bad(struct at *a, const char *what)
{
	const char *op = a->i->op < DIF_NOPS ? ops[a->i->op].name : "?";
	return v_fail(a->v, "instruction %u (%s) of clause %u: %s", a->pc, op, (unsigned)(a->c - a->o->clauses), what);
}

static bool
is_reg(uint8_t r)
{
	return r < DIF_NREGS;
}

static bool
check_branch(struct at *a)
{
	if (a->i->imm < 0 || (uint32_t)a->i->imm <= a->pc || (uint32_t)a->i->imm >= a->c->ncode)
		return bad(a, "its target is not an instruction after it");
	return true;
}

static bool
check_ext(struct at *a)
{
	int32_t imm = a->i->imm;
	if (imm != 8 && imm != 16 && imm != 32 && imm != -8 && imm != -16 && imm != -32)
		return bad(a, "not a width");
	return true;
}

static bool
check_bits(struct at *a)
{
	uint32_t imm = (uint32_t)a->i->imm, shift = imm & 0xff, width = imm >> 8 & 0xff;
	if (imm >> 17 || width == 0 || shift + width > 64)
		return bad(a, "not a bit-field");
	return true;
}

/* Operands from a slot on. If there are none, the slot must still be valid or one past the end. */
static bool
check_window(struct at *a, uint32_t first, uint32_t n)
{
	if (!v_range(first, n, a->c->nslots))
		return bad(a, "its operands are not within the clause's slots");
	return true;
}

static bool
check_var(struct at *a)
{
	if (a->i->imm < 0 || (uint32_t)a->i->imm >= a->o->nvars)
		return bad(a, "no such variable");
	const struct dobj_var *var = &a->o->vars[a->i->imm];
	enum dobj_scope scope;
	bool any_kind = false, by_ref = false, assoc = false;
	switch (a->i->op) {
	case DIF_LDG:
	case DIF_STG:
		scope = DS_GLOBAL;
		break;
	case DIF_LDGA:
		scope = DS_GLOBAL;
		by_ref = true;
		break;
	case DIF_LDL:
	case DIF_STL:
		scope = DS_LOCAL;
		break;
	case DIF_LDLA:
		scope = DS_LOCAL;
		by_ref = true;
		break;
	case DIF_LDT:
	case DIF_STT:
		scope = DS_THREAD;
		any_kind = true;
		break;
	default:
		scope = (enum dobj_scope)var->scope;
		any_kind = assoc = true;
		break;
	}
	if (var->scope != scope || var->assoc != assoc || (!any_kind && (var->kind != DK_INT) != by_ref))
		return bad(a, "not for a variable of this kind");
	return !assoc || check_window(a, a->i->op == DIF_STA ? a->i->rt : a->i->rs, var->nkeys);
}

static bool
check_call(struct at *a)
{
	if (a->i->imm < 0 || a->i->imm >= DIF_NSUBRS)
		return bad(a, "no such subroutine");
	unsigned flags = subrs[a->i->imm].flags, least = 0, most = 0;
	bool optional = false;
	for (const char *p = subrs[a->i->imm].operands; *p; p++) {
		if (*p == '|') {
			optional = true;
			continue;
		}
		most++;
		least += !optional;
	}
	if (flags & SF_REFUSED)
		return bad(a, "the subroutine has no meaning here");
	if (a->i->rt < least || a->i->rt > most)
		return bad(a, "wrong number of operands");
	if (flags & SF_DESTRUCTIVE && !(a->c->flags & DC_DESTRUCTIVE))
		return bad(a, "the clause is not marked as destructive");
	if (a->i->imm == DIF_SUBR_SPECULATE && !(a->c->flags & DC_SPECULATES))
		return bad(a, "the clause is not marked as speculating");
	if ((a->i->imm == DIF_SUBR_COMMIT || a->i->imm == DIF_SUBR_DISCARD) && !(a->c->flags & DC_COMMITS))
		return bad(a, "the clause is not marked as committing");
	return check_window(a, a->i->rs, a->i->rt);
}

static bool
check_agg(struct at *a)
{
	if (a->i->imm < 0 || (uint32_t)a->i->imm >= a->o->naggs)
		return bad(a, "no such aggregation");
	return check_window(a, a->i->rs, a->o->aggs[a->i->imm].nkeys);
}

static bool
check_record(struct at *a)
{
	switch (a->i->op) {
	case DIF_RECB:
		if (a->is_open)
			return bad(a, "a record is open");
		if (a->i->imm < 0 || (uint32_t)a->i->imm >= a->c->ngroups || (uint32_t)a->i->imm < a->next)
			return bad(a, "no such group, or not in order");
		a->group = a->c->group + (uint32_t)a->i->imm;
		if (!a->o->groups[a->group].records)
			return bad(a, "the group makes no record");
		a->next = (uint32_t)a->i->imm + 1;
		a->is_open = true;
		a->nfields = 0;
		break;
	case DIF_REC:
		if (!a->is_open)
			return bad(a, "no record is open");
		if (a->i->imm < 0 || (uint32_t)a->i->imm != a->nfields || a->nfields >= a->o->groups[a->group].nfields)
			return bad(a, "not the record's next field");
		a->nfields++;
		break;
	default:
		if (!a->is_open)
			return bad(a, "no record is open");
		if (a->nfields != a->o->groups[a->group].nfields)
			return bad(a, "the record is not complete");
		a->is_open = false;
		break;
	}
	a->state = a->is_open ? a->pc + 1 : 0;
	return true;
}

/* Checks the fields that a format does not have: they must be 0, so that code that looks at all of them finds
 * nothing strange. */
static bool
check_unused(struct at *a)
{
	enum { D = 1, S = 2, T = 4, I = 8 };
	static const uint8_t fields[] = {
	    [DF_NONE] = 0,
	    [DF_RI] = D | I,
	    [DF_RK] = D | I,
	    [DF_RSTR] = D | I,
	    [DF_RR] = D | S,
	    [DF_RRR] = D | S | T,
	    [DF_RRI] = D | S | I,
	    [DF_EXT] = D | S | I,
	    [DF_BITS] = D | S | I,
	    [DF_BR] = I,
	    [DF_BR1] = S | I,
	    [DF_BR2] = S | T | I,
	    [DF_LD] = D | S | I,
	    [DF_ST] = D | S | I,
	    [DF_COPY] = D | S | I,
	    [DF_ARG] = D | I,
	    [DF_BI] = D | I,
	    [DF_BIA] = D | S | I,
	    [DF_VLD] = D | I,
	    [DF_VST] = S | I,
	    [DF_ALD] = D | S | I,
	    [DF_AST] = S | T | I,
	    [DF_SLD] = D | I,
	    [DF_SST] = S | I,
	    [DF_CALL] = D | S | T | I,
	    [DF_AGG] = D | S | T | I,
	    [DF_GRP] = I,
	    [DF_FLD] = S | I,
	    [DF_FAULT] = S | I,
	};
	const struct dif_insn *i = a->i;
	unsigned f = fields[ops[i->op].fmt];
	if ((!(f & D) && i->rd) || (!(f & S) && i->rs) || (!(f & T) && i->rt) || (!(f & I) && i->imm))
		return bad(a, "a field that it does not use is not 0");
	return true;
}

static bool
check_operands(struct at *a)
{
	const struct dif_insn *i = a->i;
	uint32_t imm = (uint32_t)i->imm; /* negative ones become too large */
	bool d = is_reg(i->rd), s = is_reg(i->rs), t = is_reg(i->rt);
	switch (ops[i->op].fmt) {
	case DF_NONE:
		return i->op != DIF_RECE || check_record(a);
	case DF_RI:
		return d || bad(a, "no such register");
	case DF_RK:
		return (d && imm < a->o->nints) || bad(a, "no such register or integer");
	case DF_RSTR:
		return (d && imm < a->o->nstrs) || bad(a, "no such register or string");
	case DF_RR:
	case DF_RRI:
	case DF_LD:
	case DF_ST:
		return (d && s) || bad(a, "no such register");
	case DF_RRR:
		return (d && s && t) || bad(a, "no such register");
	case DF_EXT:
		return d && s ? check_ext(a) : bad(a, "no such register");
	case DF_BITS:
		return d && s ? check_bits(a) : bad(a, "no such register");
	case DF_BR:
		return check_branch(a);
	case DF_BR1:
		return s ? check_branch(a) : bad(a, "no such register");
	case DF_BR2:
		return s && t ? check_branch(a) : bad(a, "no such register");
	case DF_COPY:
		return (d && s && imm >= 1 && imm <= MAX_COPY) || bad(a, "no such register, or not a length");
	case DF_ARG:
		return (d && imm < DIF_NARGS) || bad(a, "no such register or argument");
	case DF_BI:
		return (d && imm < DIF_NBUILTINS && !(builtin_flags[imm] & BIF_ARRAY)) ||
		       bad(a, "no such register or built-in variable");
	case DF_BIA:
		return (d && s && imm < DIF_NBUILTINS && builtin_flags[imm] & BIF_ARRAY) ||
		       bad(a, "no such register or built-in array");
	case DF_VLD:
	case DF_ALD:
		return d ? check_var(a) : bad(a, "no such register");
	case DF_VST:
	case DF_AST:
		return s ? check_var(a) : bad(a, "no such register");
	case DF_SLD:
		return (d && imm < a->c->nslots) || bad(a, "no such register or slot");
	case DF_SST:
		return (s && imm < a->c->nslots) || bad(a, "no such register or slot");
	case DF_CALL:
		return d ? check_call(a) : bad(a, "no such register");
	case DF_AGG:
		return d && t ? check_agg(a) : bad(a, "no such register");
	case DF_GRP:
		return check_record(a);
	case DF_FLD:
		return s ? check_record(a) : bad(a, "no such register");
	case DF_FAULT:
		return (s && imm <= MAX_FAULT) || bad(a, "no such register or fault");
	}
	return bad(a, "unknown format");
}

bool
verify_code(struct verifier *v, uint32_t clause)
{
	const struct dobj *o = v->o;
	const struct dobj_clause *c = &o->clauses[clause];
	struct at a = {.v = v, .o = o, .c = c};
	uint32_t nrecords = 0, want = 0;
	for (uint32_t i = 0; i < c->ngroups; i++)
		want += o->groups[c->group + i].records;
	for (a.pc = 0; a.pc < c->ncode; a.pc++) {
		a.i = &o->code[c->code + a.pc];
		v->work[a.pc] = a.state;
		if (a.i->op >= DIF_NOPS)
			return bad(&a, "no such operation");
		if (a.i->op == DIF_END && a.is_open)
			return bad(&a, "a record is open");
		if (!check_operands(&a) || !check_unused(&a))
			return false;
		nrecords += a.i->op == DIF_RECB;
	}
	if (o->code[c->code + c->ncode - 1].op != DIF_END)
		return v_fail(v, "clause %u does not end with END", clause);
	if (nrecords != want)
		return v_fail(v, "clause %u: a group's record is never opened", clause);
	for (a.pc = 0; a.pc < c->ncode; a.pc++) {
		a.i = &o->code[c->code + a.pc];
		if (dif_is_branch(a.i->op) && v->work[a.i->imm] != v->work[a.pc])
			return bad(&a, "it leads into, out of or along a record");
	}
	return true;
}
