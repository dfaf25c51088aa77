/* The listing of a compiled clause, for -S. */
#include "base/sbuf.h"
#include "object/aggval.h"
#include "object/builtin.h"
#include "object/disasm.h"
#include "object/narrow.h"
#include "object/subr.h"

#include <stdlib.h>

static const struct {
	const char *name;
	enum dif_fmt fmt;
} ops[DIF_NOPS] = {
#define X(name, mnem, fmt, what) {mnem, fmt},
    DIF_OPS(X)
#undef X
};

static const char *const builtins[] = {
#define X(id, name, type, flags) name,
    DIF_BUILTINS(X)
#undef X
};

static const struct {
	const char *name, *id;
} subrs[] = {
#define X(id, name, proto, operands, flags) {name, #id},
    DIF_SUBRS(X)
#undef X
};

static const char *const faults[] = {
#define X(name, number, text) [number] = text,
    DIF_FAULTS(X)
#undef X
};

static const char *const scopes[] = {"global", "thread", "clause"};
static const char *const kinds[DK_NKINDS] = {
    "none", "integer", "string", "bytes", "stack", "ustack", "jstack", "sym", "mod", "usym", "umod", "uaddr", "term"};
static const char *const actions[DA_NACTIONS] = {"default", "trace", "tracemem", "print", "printf", "printa", "stack",
    "ustack", "jstack", "sym", "mod", "usym", "umod", "uaddr", "exit", "system", "freopen", "ftruncate", "setopt",
    "clear", "trunc", "normalize", "denormalize", "speculate", "commit", "discard", "raise", "stop", "chill", "copyout",
    "alert", "pcap", "expression", "flow"};

static void
add_quoted(struct sbuf *b, const char *s)
{
	sb_addc(b, '"');
	for (unsigned n = 0; *s; s++, n++) {
		unsigned char c = (unsigned char)*s;
		if (n == 48) {
			sb_adds(b, "\"...");
			return;
		}
		if (c == '\n')
			sb_adds(b, "\\n");
		else if (c == '\t')
			sb_adds(b, "\\t");
		else if (c == '"' || c == '\\')
			sb_printf(b, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			sb_printf(b, "\\%03o", c);
		else
			sb_addc(b, (char)c);
	}
	sb_addc(b, '"');
}

static void
add_var(struct sbuf *b, const struct dobj_var *v, const struct dobj *o)
{
	static const char *const prefix[] = {"", "self->", "this->"};
	sb_printf(b, "%s%s%s", prefix[v->scope % 3], dobj_str(o, v->name), v->assoc ? "[]" : "");
}

static void
add_slots(struct sbuf *b, unsigned first, unsigned n)
{
	if (n == 0)
		return;
	sb_printf(b, n == 1 ? ", [%u]" : ", [%u..%u]", first, first + n - 1);
}

/* Adds operands, and after ';' their names. */
static void
add_operands(
    struct sbuf *b, const struct dobj *o, const struct dobj_clause *c, const struct dif_insn *i, struct sbuf *note)
{
	uint32_t imm = (uint32_t)i->imm;
	switch (ops[i->op].fmt) {
	case DF_NONE:
		break;
	case DF_RI:
		sb_printf(b, "%%r%u, %d", i->rd, i->imm);
		break;
	case DF_RK:
		sb_printf(b, "%%r%u, int[%u]", i->rd, imm);
		if (imm < o->nints)
			sb_printf(note, "%lld = 0x%llx", (long long)o->ints[imm], (unsigned long long)o->ints[imm]);
		break;
	case DF_RSTR:
		sb_printf(b, "%%r%u, str[%u]", i->rd, imm);
		add_quoted(note, dobj_str(o, imm));
		break;
	case DF_RR:
		sb_printf(b, "%%r%u, %%r%u", i->rd, i->rs);
		break;
	case DF_RRR:
		sb_printf(b, "%%r%u, %%r%u, %%r%u", i->rd, i->rs, i->rt);
		break;
	case DF_RRI:
	case DF_EXT:
		sb_printf(b, "%%r%u, %%r%u, %d", i->rd, i->rs, i->imm);
		break;
	case DF_BITS:
		sb_printf(
		    b, "%%r%u, %%r%u, %u:%u%s", i->rd, i->rs, imm & 0xff, imm >> 8 & 0xff, imm >> 16 ? " signed" : "");
		break;
	case DF_BR:
		sb_printf(b, "%u", imm);
		break;
	case DF_BR1:
		sb_printf(b, "%%r%u, %u", i->rs, imm);
		break;
	case DF_BR2:
		sb_printf(b, "%%r%u, %%r%u, %u", i->rs, i->rt, imm);
		break;
	case DF_LD:
		sb_printf(b, "%%r%u, [%%r%u%+d]", i->rd, i->rs, i->imm);
		break;
	case DF_ST:
		sb_printf(b, "[%%r%u%+d], %%r%u", i->rd, i->imm, i->rs);
		break;
	case DF_COPY:
		sb_printf(b, "[%%r%u], [%%r%u], %u", i->rd, i->rs, imm);
		break;
	case DF_ARG:
		sb_printf(b, imm < DIF_TERM_ARGS ? "%%r%u, arg%u" : "%%r%u, args[%u]", i->rd, imm % DIF_TERM_ARGS);
		break;
	case DF_BI:
		sb_printf(b, "%%r%u, %s", i->rd, imm < DIF_NBUILTINS ? builtins[imm] : "?");
		break;
	case DF_BIA:
		sb_printf(b, "%%r%u, %s[%%r%u]", i->rd, imm < DIF_NBUILTINS ? builtins[imm] : "?", i->rs);
		break;
	case DF_VLD:
	case DF_ALD:
		sb_printf(b, "%%r%u, var[%u]", i->rd, imm);
		if (imm < o->nvars) {
			if (o->vars[imm].assoc)
				add_slots(b, i->rs, o->vars[imm].nkeys);
			add_var(note, &o->vars[imm], o);
		}
		break;
	case DF_VST:
	case DF_AST:
		sb_printf(b, "var[%u]", imm);
		if (imm < o->nvars) {
			if (o->vars[imm].assoc)
				add_slots(b, i->rt, o->vars[imm].nkeys);
			add_var(note, &o->vars[imm], o);
		}
		sb_printf(b, ", %%r%u", i->rs);
		break;
	case DF_SLD:
		sb_printf(b, "%%r%u, [%u]", i->rd, imm);
		break;
	case DF_SST:
		sb_printf(b, "[%u], %%r%u", imm, i->rs);
		break;
	case DF_CALL:
		sb_printf(b, "%%r%u, subr[%u]", i->rd, imm);
		add_slots(b, i->rs, i->rt);
		if (imm < DIF_NSUBRS)
			sb_printf(note, "%s()", *subrs[imm].name ? subrs[imm].name : subrs[imm].id);
		break;
	case DF_AGG:
		sb_printf(b, "agg[%u]", imm);
		if (imm < o->naggs) {
			add_slots(b, i->rs, o->aggs[imm].nkeys);
			sb_printf(note, "@%s %s()", dobj_str(o, o->aggs[imm].name), aggval_name(o->aggs[imm].fn));
			if (o->aggs[imm].fn < AGG_NFNS && aggfns[o->aggs[imm].fn].arguments)
				sb_printf(b, ", %%r%u", i->rd);
			if (aggfn_is(o->aggs[imm].fn, AT_INCR))
				sb_printf(b, ", %%r%u", i->rt);
		}
		break;
	case DF_GRP:
		sb_printf(b, "group[%u]", imm);
		if (imm < c->ngroups)
			sb_printf(note, "%u fields", o->groups[c->group + imm].nfields);
		break;
	case DF_FLD:
		sb_printf(b, "field[%u], %%r%u", imm, i->rs);
		break;
	case DF_FAULT:
		sb_printf(b, "%u, %%r%u", imm, i->rs);
		if (imm < sizeof faults / sizeof *faults)
			sb_adds(note, faults[imm]);
		break;
	}
}

static void
add_header(struct sbuf *b, const struct dobj *o, const struct dobj_clause *c, unsigned clause)
{
	sb_printf(b, "\nDIFO of clause %u", clause + 1);
	if (*dobj_str(o, c->file))
		sb_printf(b, ", %s line %u", dobj_str(o, c->file), c->line);
	else if (c->line)
		sb_printf(b, ", line %u", c->line);
	sb_addc(b, '\n');
	for (uint32_t i = 0; i < c->npdescs; i++) {
		const struct dobj_pdesc *d = &o->pdescs[c->pdesc + i];
		if (d->id)
			sb_printf(b, "    probe %u\n", d->id);
		else
			sb_printf(b, "    %s:%s:%s:%s\n", dobj_str(o, d->prov), dobj_str(o, d->mod),
			    dobj_str(o, d->func), dobj_str(o, d->name));
	}
	sb_printf(b, "    %u instructions, %u slots%s%s%s%s%s\n", c->ncode, c->nslots,
	    c->flags & DC_DESTRUCTIVE ? ", destructive" : "", c->flags & DC_SPECULATES ? ", speculates" : "",
	    c->flags & DC_COMMITS ? ", commits or discards" : "", c->flags & DC_KERNEL ? ", of the kernel" : "",
	    c->flags & DC_TERM ? ", takes terms apart" : "");
	narrow_text(b, o, clause, "    ");
}

/* Returns the first line entry of a row of code at or after `pc`. */
static uint32_t
find_line(const struct dobj *o, uint32_t pc)
{
	uint32_t lo = 0, hi = o->nlines;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (o->lines[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
add_code(struct sbuf *b, const struct dobj *o, const struct dobj_clause *c)
{
	struct sbuf text = {0}, note = {0};
	uint32_t line = find_line(o, c->code);
	sb_adds(b, "OFF   OPCODE             INSTRUCTION\n");
	for (uint32_t pc = 0; pc < c->ncode; pc++) {
		const struct dif_insn *i = &o->code[c->code + pc];
		for (; line < o->nlines && o->lines[line].pc == c->code + pc; line++) {
			const struct dobj_line *l = &o->lines[line];
			if (l->action)
				sb_printf(b, "      ; line %u: action %u of group %u\n", l->line, l->action,
				    l->group - c->group);
			else
				sb_printf(b, "      ; line %u: condition\n", l->line);
		}
		sb_clear(&text);
		sb_clear(&note);
		sb_printf(b, "%04u: %02x %02x %02x %02x %08x  ", pc, i->op, i->rd, i->rs, i->rt, (unsigned)i->imm);
		if (i->op >= DIF_NOPS) {
			sb_adds(b, "?\n");
			continue;
		}
		add_operands(&text, o, c, i, &note);
		sb_printf(b, "%-7s", ops[i->op].name);
		if (text.len)
			sb_printf(b, note.len ? "%-26s" : "%s", text.at);
		else if (note.len)
			sb_fill(b, ' ', 26);
		if (note.len)
			sb_printf(b, " ; %s", note.at);
		while (b->len && b->at[b->len - 1] == ' ')
			b->at[--b->len] = 0;
		sb_addc(b, '\n');
	}
	b->failed = b->failed || text.failed || note.failed;
	sb_free(&text);
	sb_free(&note);
}

static void
add_datum(struct sbuf *b, uint8_t kind, uint32_t size, uint8_t is_signed)
{
	if (kind == DK_INT)
		sb_printf(b, "%s%u", is_signed ? "int" : "uint", size * 8);
	else if (kind == DK_BYTES)
		sb_printf(b, "%u bytes", size);
	else
		sb_adds(b, kind < DK_NKINDS ? kinds[kind] : "?");
}

static void
add_groups(struct sbuf *b, const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = 0; i < c->ngroups; i++) {
		const struct dobj_group *g = &o->groups[c->group + i];
		sb_printf(b, "group %u%s\n", i, g->records ? "" : " (no record)");
		for (uint32_t j = 0; j < g->nacts; j++) {
			const struct dobj_act *a = &o->acts[g->act + j];
			sb_printf(b, "    %u %s", j + 1, a->kind < DA_NACTIONS ? actions[a->kind] : "?");
			if (a->fmt != DOBJ_NONE) {
				sb_addc(b, ' ');
				add_quoted(b, dobj_str(o, a->fmt));
			}
			for (uint32_t k = 0; k < a->naggs; k++)
				sb_printf(b, " @%s", dobj_str(o, o->aggs[o->agglist[a->agg + k]].name));
			for (uint32_t k = 0; k < a->nfields; k++) {
				const struct dobj_field *f = &o->fields[a->field + k];
				sb_printf(b, "%s field[%u]: ", k ? "," : "", a->field + k - g->field);
				add_datum(b, f->kind, f->size, f->is_signed);
			}
			sb_addc(b, '\n');
		}
	}
}

/* Lists the variables and aggregations that the clause uses, in their order. */
static void
add_names(struct sbuf *b, const struct dobj *o, const struct dobj_clause *c)
{
	unsigned char *seen = calloc((size_t)o->nvars + o->naggs + 1, 1);
	if (!seen) {
		b->failed = true;
		return;
	}
	for (uint32_t pc = 0; pc < c->ncode; pc++) {
		const struct dif_insn *i = &o->code[c->code + pc];
		enum dif_fmt f = i->op < DIF_NOPS ? ops[i->op].fmt : DF_NONE;
		uint32_t imm = (uint32_t)i->imm;
		if ((f == DF_VLD || f == DF_VST || f == DF_ALD || f == DF_AST) && imm < o->nvars)
			seen[imm] = 1;
		if (f == DF_AGG && imm < o->naggs)
			seen[o->nvars + imm] = 1;
	}
	for (uint32_t i = 0; i < o->nvars; i++) {
		const struct dobj_var *v = &o->vars[i];
		if (!seen[i])
			continue;
		sb_printf(b, "var[%u] ", i);
		add_var(b, v, o);
		sb_printf(b, ": %s, ", scopes[v->scope % 3]);
		add_datum(b, v->kind, v->size, v->is_signed);
		for (uint32_t k = 0; k < v->nkeys; k++) {
			sb_adds(b, k ? ", " : " by [");
			add_datum(b, o->keys[v->key + k].kind, o->keys[v->key + k].size, o->keys[v->key + k].is_signed);
		}
		sb_adds(b, v->nkeys ? "]\n" : "\n");
	}
	for (uint32_t i = 0; i < o->naggs; i++) {
		const struct dobj_agg *a = &o->aggs[i];
		if (!seen[o->nvars + i])
			continue;
		sb_printf(b, "agg[%u] @%s: %s", i, dobj_str(o, a->name), aggval_name(a->fn));
		for (uint32_t k = 0; k < a->nkeys; k++) {
			sb_adds(b, k ? ", " : " by [");
			add_datum(b, o->keys[a->key + k].kind, o->keys[a->key + k].size, o->keys[a->key + k].is_signed);
		}
		sb_adds(b, a->nkeys ? "]\n" : "\n");
	}
	free(seen);
}

char *
dif_disasm(const struct dobj *o, unsigned clause)
{
	struct sbuf b = {0};
	if (clause < o->nclauses) {
		const struct dobj_clause *c = &o->clauses[clause];
		add_header(&b, o, c, clause);
		add_code(&b, o, c);
		add_groups(&b, o, c);
		add_names(&b, o, c);
	}
	if (b.failed) {
		sb_free(&b);
		return NULL;
	}
	if (!b.at)
		sb_adds(&b, "");
	return sb_take(&b);
}
