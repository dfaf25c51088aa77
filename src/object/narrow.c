/*
 * See narrow.h. One pass over the code, which has only forward branches: for each instruction, what registers and slots
 * hold and which strings the arguments may be when it is reached. Where paths meet, only what both know remains.
 */
#include "object/narrow.h"
#include "object/subr.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CODE = 4096 };

/* What a register or a slot is known to hold. */
struct known {
	enum { K_NOTHING, K_ARG, K_STR, K_CMP } kind;
	uint32_t arg; /* K_ARG: the argument, or its text; K_CMP: the result of comparing it with str, 0 if equal */
	uint32_t str;
};

struct state {
	bool reached;
	struct known reg[DIF_NREGS], slot[DIF_NSLOTS];
	struct narrow facts;
};

static void
set_add(struct narrow_set *s, const char *strs, uint32_t str)
{
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(strs + s->strs[i], strs + str) == 0)
			return;
	if (s->n == NARROW_MAX)
		s->any = true;
	else
		s->strs[s->n++] = str;
}

static void
set_join(struct narrow_set *to, const struct narrow_set *from, const char *strs)
{
	to->any |= from->any;
	for (unsigned i = 0; !to->any && i < from->n; i++)
		set_add(to, strs, from->strs[i]);
}

/* Cuts the set down to one string, or to nothing if that is not in it. */
static void
set_only(struct narrow_set *s, const char *strs, uint32_t str)
{
	bool in = s->any;
	for (unsigned i = 0; i < s->n && !in; i++)
		in = strcmp(strs + s->strs[i], strs + str) == 0;
	*s = (struct narrow_set){.n = in, .strs = {str}};
}

static bool
is_same(const struct known *a, const struct known *b)
{
	return a->kind == b->kind && a->arg == b->arg && a->str == b->str;
}

/* Another path leads to `to`. */
static void
join(struct state *to, const struct state *from, const char *strs)
{
	if (!to->reached) {
		*to = *from;
		return;
	}
	for (unsigned i = 0; i < DIF_NREGS; i++)
		if (!is_same(&to->reg[i], &from->reg[i]))
			to->reg[i] = (struct known){0};
	for (unsigned i = 0; i < DIF_NSLOTS; i++)
		if (!is_same(&to->slot[i], &from->slot[i]))
			to->slot[i] = (struct known){0};
	for (unsigned i = 0; i < NARROW_ARGS; i++)
		set_join(&to->facts.arg[i], &from->facts.arg[i], strs);
}

/* Returns whether an instruction only computes: predicates consist of those. */
static bool
is_pure(const struct dif_insn *i)
{
	switch (i->op) {
	case DIF_STB:
	case DIF_STH:
	case DIF_STW:
	case DIF_STX:
	case DIF_STRCPY:
	case DIF_MEMCPY:
	case DIF_STG:
	case DIF_STL:
	case DIF_STT:
	case DIF_STA:
	case DIF_AGG:
	case DIF_RECB:
	case DIF_REC:
	case DIF_RECE:
	case DIF_FAULT:
		return false;
	case DIF_CALL:
		return i->imm == DIF_SUBR_COPYINSTR;
	default:
		return true;
	}
}

static struct known
compare(const struct known *a, const struct known *b)
{
	if (a->kind == K_STR && b->kind == K_ARG)
		return compare(b, a);
	if (a->kind == K_ARG && b->kind == K_STR && a->arg < NARROW_ARGS)
		return (struct known){K_CMP, a->arg, b->str};
	return (struct known){0};
}

/* What the instruction does to registers and slots. */
static void
step(struct state *s, const struct dif_insn *i)
{
	struct known result = {0};
	bool has_rd = true;
	switch (i->op) {
	case DIF_LDARG:
		result = (struct known){K_ARG, (uint32_t)i->imm, 0};
		break;
	case DIF_LDS:
		result = (struct known){K_STR, 0, (uint32_t)i->imm};
		break;
	case DIF_MOV:
		result = s->reg[i->rs];
		break;
	case DIF_SCMP:
		result = compare(&s->reg[i->rs], &s->reg[i->rt]);
		break;
	case DIF_LDSL:
		result = s->slot[i->imm];
		break;
	case DIF_STSL:
		s->slot[i->imm] = s->reg[i->rs];
		has_rd = false;
		break;
	case DIF_CALL:
		/* the text of an argument stands for the argument; with a size it may be cut */
		if (i->imm == DIF_SUBR_COPYINSTR && i->rt == 1 && s->slot[i->rs].kind == K_ARG)
			result = s->slot[i->rs];
		break;
	case DIF_NOP:
	case DIF_END:
		has_rd = false;
		break;
	default:
		has_rd = !dif_is_branch(i->op);
		break;
	}
	if (has_rd && i->rd < DIF_NREGS)
		s->reg[i->rd] = result;
}

static bool
is_branch(uint8_t op)
{
	return op >= DIF_BA && op <= DIF_BLEU;
}

/* Both paths out of instruction `at`. */
static void
leave(struct state *all, uint32_t at, const struct dif_insn *i, const char *strs)
{
	struct state *here = &all[at];
	struct state next = *here;
	step(&next, i);
	if (i->op == DIF_END)
		return;
	if (is_branch(i->op)) {
		const struct known *k = &here->reg[i->rs];
		struct state taken = next;
		bool compared = (i->op == DIF_BZ || i->op == DIF_BNZ) && k->kind == K_CMP;
		if (compared)
			set_only(&(i->op == DIF_BZ ? &taken : &next)->facts.arg[k->arg], strs, k->str);
		join(&all[i->imm], &taken, strs);
		if (i->op == DIF_BA)
			return;
	}
	join(&all[at + 1], &next, strs);
}

bool
narrow_clause(const struct dobj *o, unsigned clause, struct narrow *out)
{
	const struct dobj_clause *c = &o->clauses[clause];
	const struct dif_insn *code = o->code + c->code;
	bool runs = false;
	*out = (struct narrow){{{.any = true}, {.any = true}}};
	if (c->ncode > MAX_CODE)
		return true;
	struct state *all = calloc(c->ncode + 1, sizeof *all);
	if (!all)
		return false;
	all[0].reached = true;
	for (unsigned i = 0; i < NARROW_ARGS; i++)
		all[0].facts.arg[i].any = true;
	for (uint32_t at = 0; at < c->ncode; at++) {
		if (!all[at].reached)
			continue;
		if (!is_pure(&code[at])) {
			for (unsigned i = 0; i < NARROW_ARGS; i++) {
				if (!runs)
					out->arg[i] = all[at].facts.arg[i];
				else
					set_join(&out->arg[i], &all[at].facts.arg[i], o->strs);
			}
			runs = true;
		}
		leave(all, at, &code[at], o->strs);
	}
	free(all);
	return true;
}

void
narrow_text(struct sbuf *b, const struct dobj *o, unsigned clause, const char *indent)
{
	struct narrow facts;
	if (!narrow_clause(o, clause, &facts))
		return;
	for (unsigned i = 0; i < NARROW_ARGS; i++) {
		const struct narrow_set *s = &facts.arg[i];
		if (s->any)
			continue;
		sb_printf(b, "%snarrowed: arg%u is", indent, i);
		for (unsigned k = 0; k < s->n; k++)
			sb_printf(b, "%s \"%s\"", k ? " or" : "", dobj_str(o, s->strs[k]));
		sb_adds(b, s->n ? "\n" : " never what it should be\n");
	}
}
