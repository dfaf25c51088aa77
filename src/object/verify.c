/*
 * Verifies an object: every index, offset, range and number in every table, then the code of every clause. What passes
 * can be run, printed and disassembled without further checks. It takes linear time: rows that own parts of other
 * tables (code, groups, acts, fields, …) must own them in order, without gaps or overlap, so nothing is looked at
 * twice.
 */
#include "object/verify.h"

#include "object/aggval.h"
#include "object/cond.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_BYTES = 64 << 10,
	MAX_FRAMES = 8 << 10,
	MAX_LEAVES = 1 << 20, /* numbers and strings in a type, however nested */
	MAX_ROWS = 1 << 26,
};

bool
v_fail(struct verifier *v, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	why_vset(v->why, fmt, ap);
	va_end(ap);
	return false;
}

static bool
v_str(const struct verifier *v, uint32_t off)
{
	return off < v->o->nstrs;
}

bool
v_range(uint32_t first, uint32_t n, uint32_t rows)
{
	return first <= rows && n <= rows - first;
}

static bool
is_int_size(uint32_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

static bool
is_type(const struct verifier *v, uint32_t row)
{
	return row == DOBJ_NONE || row < v->o->ntypes;
}

static bool
is_stack(uint8_t kind)
{
	return kind == DK_STACK || kind == DK_USTACK || kind == DK_JSTACK;
}

/* What keys, fields and variables have in common. */
static bool
is_datum(uint8_t kind, uint8_t is_signed, uint32_t size, uint64_t arg)
{
	if (kind == DK_NONE || kind >= DK_NKINDS || is_signed > 1)
		return false;
	if (kind == DK_INT)
		return is_int_size(size);
	if (kind == DK_BYTES)
		return size >= 1 && size <= MAX_BYTES;
	if (is_stack(kind))
		return (arg & 0xffffffff) <= MAX_FRAMES && arg >> 32 <= MAX_BYTES;
	return true;
}

static bool
verify_vars(struct verifier *v)
{
	const struct dobj *o = v->o;
	for (uint32_t i = 0; i < o->nkeys; i++) {
		const struct dobj_key *k = &o->keys[i];
		if (!is_datum(k->kind, k->is_signed, k->size, k->arg) || !is_type(v, k->type))
			return v_fail(v, "key %u is not sane", i);
		if (k->type != DOBJ_NONE && (k->kind != DK_BYTES || o->types[k->type].size > k->size))
			return v_fail(v, "key %u does not have the size of its type", i);
	}
	for (uint32_t i = 0; i < o->nvars; i++) {
		const struct dobj_var *r = &o->vars[i];
		bool kind = r->kind == DK_INT || r->kind == DK_BYTES || (r->kind == DK_STRING && r->size == 0);
		if (!v_str(v, r->name) || !kind || !is_datum(r->kind, r->is_signed, r->size, 0) || r->scope > DS_LOCAL)
			return v_fail(v, "variable %u is not sane", i);
		if (r->assoc > 1 || (r->assoc ? r->scope == DS_LOCAL || r->nkeys == 0 : r->nkeys != 0) ||
		    r->nkeys > DOBJ_MAXKEYS || !v_range(r->key, r->nkeys, o->nkeys))
			return v_fail(v, "variable %u does not have sane keys", i);
		for (uint32_t j = 0; j < r->nkeys; j++) {
			uint8_t k = o->keys[r->key + j].kind;
			if (k != DK_INT && k != DK_STRING && k != DK_BYTES)
				return v_fail(v, "variable %u has keys of a kind that only aggregations have", i);
		}
	}
	if (o->naggs > DOBJ_MAXAGGS)
		return v_fail(v, "more than %d aggregations", DOBJ_MAXAGGS);
	for (uint32_t i = 0; i < o->naggs; i++) {
		const struct dobj_agg *r = &o->aggs[i];
		if (!v_str(v, r->name) || r->fn >= AGG_NFNS || aggval_words(r) == 0)
			return v_fail(v, "aggregation %u is not sane", i);
		if (r->nkeys > DOBJ_MAXKEYS || !v_range(r->key, r->nkeys, o->nkeys))
			return v_fail(v, "aggregation %u does not have sane keys", i);
	}
	return true;
}

/* A member lies within its structure, in memory and, for a bit-field, the whole number it is part of. */
static bool
is_member(const struct verifier *v, const struct dobj_type *t, uint32_t row, const struct dobj_member *m)
{
	if (m->type >= row)
		return false;
	const struct dobj_type *mt = &v->o->types[m->type];
	uint64_t end = (uint64_t)t->size * 8, width = (uint64_t)mt->size * 8;
	if (m->bits == 0)
		return m->offset % 8 == 0 && m->offset + width <= end;
	return (mt->kind == DT_INT || mt->kind == DT_ENUM) && m->bits <= width &&
	       m->offset % width + m->bits <= width && m->offset / width * width + width <= end;
}

/* Returns how many numbers and strings it takes to show the type; more than MAX_LEAVES if something is wrong. */
static uint64_t
count_leaves(const struct verifier *v, uint32_t row)
{
	const struct dobj_type *t = &v->o->types[row];
	uint64_t n = 1;
	if (t->kind == DT_ARRAY)
		return n + (uint64_t)t->nelems * v->work[t->ref];
	if (t->kind == DT_STRUCT || t->kind == DT_UNION)
		for (uint32_t i = 0; i < t->nmembers && n <= MAX_LEAVES; i++)
			n += v->work[v->o->members[t->member + i].type];
	return n;
}

static bool
verify_type(struct verifier *v, uint32_t row, uint32_t *nmembers)
{
	const struct dobj *o = v->o;
	const struct dobj_type *t = &o->types[row];
	bool has_members = t->kind == DT_STRUCT || t->kind == DT_UNION || t->kind == DT_ENUM;
	if (t->kind > DT_FUNC || !v_str(v, t->name) || t->is_signed > 1)
		return v_fail(v, "type %u is not sane", row);
	if (has_members ? !v_range(t->member, t->nmembers, o->nmembers) || t->member != *nmembers : t->nmembers != 0)
		return v_fail(v, "type %u does not have sane members", row);
	*nmembers += t->nmembers;
	if (t->kind != DT_ARRAY && t->ref != DOBJ_NONE)
		return v_fail(v, "type %u refers to another", row);
	switch (t->kind) {
	case DT_INT:
	case DT_ENUM:
		if (!is_int_size(t->size))
			return v_fail(v, "type %u has no size of a number", row);
		break;
	case DT_PTR:
		if (t->size != 8)
			return v_fail(v, "type %u has no size of a pointer", row);
		break;
	case DT_FLOAT:
		if (t->size != 4 && t->size != 8 && t->size != 16)
			return v_fail(v, "type %u has no size of a floating number", row);
		break;
	case DT_STRING:
		if (t->size != 0)
			return v_fail(v, "type %u: strings have no size", row);
		break;
	case DT_ARRAY:
		if (t->ref >= row)
			return v_fail(v, "type %u: the element's type is not a lower row", row);
		if (t->nelems > t->size || (uint64_t)t->nelems * o->types[t->ref].size > t->size)
			return v_fail(v, "type %u: its elements do not fit in its size", row);
		break;
	default:
		break;
	}
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const struct dobj_member *m = &o->members[t->member + i];
		if (!v_str(v, m->name))
			return v_fail(v, "member %u has no name", t->member + i);
		if (t->kind == DT_ENUM ? m->type != DOBJ_NONE : !is_member(v, t, row, m))
			return v_fail(v, "member %u does not fit in type %u", t->member + i, row);
	}
	uint64_t leaves = count_leaves(v, row);
	if (leaves > MAX_LEAVES)
		return v_fail(v, "type %u has more than %d parts", row, (int)MAX_LEAVES);
	v->work[row] = (uint32_t)leaves;
	return true;
}

static bool
verify_types(struct verifier *v)
{
	uint32_t nmembers = 0;
	for (uint32_t i = 0; i < v->o->ntypes; i++)
		if (!verify_type(v, i, &nmembers))
			return false;
	return nmembers == v->o->nmembers || v_fail(v, "members that belong to no type");
}

static bool
verify_field(struct verifier *v, uint32_t row)
{
	const struct dobj_field *f = &v->o->fields[row];
	if (!is_datum(f->kind, f->is_signed, f->size, f->arg) || !is_type(v, f->type))
		return v_fail(v, "field %u is not sane", row);
	if (f->type == DOBJ_NONE)
		return true;
	const struct dobj_type *t = &v->o->types[f->type];
	bool ok = f->kind == DK_BYTES    ? t->size <= f->size && t->kind != DT_STRING
		  : f->kind == DK_INT    ? t->size == f->size
		  : f->kind == DK_STRING ? t->kind == DT_STRING
					 : f->kind == DK_TERM;
	return ok || v_fail(v, "field %u does not have the size of its type", row);
}

/* What each action has: fields (from, to; of kind), a format, aggregations (from, to), and whether it makes a
 * record. */
enum { ANY = 0xff, FMT_NO = 0, FMT_MAY, FMT_MUST };
static const struct {
	uint32_t least, most;
	uint8_t kind;
	uint8_t fmt;
	uint32_t least_aggs, most_aggs;
	bool recorded, destructive;
} rules[DA_NACTIONS] = {
    [DA_DEFAULT] = {.recorded = true},
    [DA_TRACE] = {1, 1, ANY, .recorded = true},
    [DA_TRACEMEM] = {1, 2, ANY, .recorded = true},
    [DA_PRINT] = {1, 1, ANY, .recorded = true},
    [DA_PRINTF] = {0, UINT32_MAX, ANY, FMT_MUST, .recorded = true},
    [DA_PRINTA] = {0, 0, ANY, FMT_MAY, 1, UINT32_MAX, .recorded = true},
    [DA_STACK] = {1, 1, DK_STACK, .recorded = true},
    [DA_USTACK] = {1, 1, DK_USTACK, .recorded = true},
    [DA_JSTACK] = {1, 1, DK_JSTACK, .recorded = true},
    [DA_SYM] = {1, 1, DK_SYM, .recorded = true},
    [DA_MOD] = {1, 1, DK_MOD, .recorded = true},
    [DA_USYM] = {1, 1, DK_USYM, .recorded = true},
    [DA_UMOD] = {1, 1, DK_UMOD, .recorded = true},
    [DA_UADDR] = {1, 1, DK_UADDR, .recorded = true},
    [DA_EXIT] = {1, 1, DK_INT, .recorded = true},
    [DA_SYSTEM] = {0, UINT32_MAX, ANY, FMT_MUST, .recorded = true, .destructive = true},
    [DA_FREOPEN] = {0, UINT32_MAX, ANY, FMT_MUST, .recorded = true, .destructive = true},
    [DA_FTRUNCATE] = {.recorded = true},
    [DA_SETOPT] = {1, 2, DK_STRING, .recorded = true},
    [DA_CLEAR] = {0, 0, ANY, FMT_NO, 1, 1, .recorded = true},
    [DA_TRUNC] = {0, 1, DK_INT, FMT_NO, 1, 1, .recorded = true},
    [DA_NORMALIZE] = {1, 1, DK_INT, FMT_NO, 1, 1, .recorded = true},
    [DA_DENORMALIZE] = {0, 0, ANY, FMT_NO, 1, 1, .recorded = true},
    [DA_RAISE] = {.destructive = true},
    [DA_STOP] = {.destructive = true},
    [DA_CHILL] = {.destructive = true},
    [DA_COPYOUT] = {.destructive = true},
    [DA_ALERT] = {0, UINT32_MAX, ANY, FMT_MUST, .recorded = true},
    [DA_PCAP] = {2, 2, ANY, FMT_NO, .recorded = true},
    [DA_FLOW] = {1, 2, ANY, FMT_NO, .recorded = true},
};

/* How far the tables that rows own parts of have been given out. */
struct given_out {
	uint32_t act, field, agg;
};

static bool
verify_act(struct verifier *v, uint32_t row, const struct dobj_clause *c, struct given_out *at)
{
	const struct dobj *o = v->o;
	const struct dobj_act *a = &o->acts[row];
	if (a->kind >= DA_NACTIONS)
		return v_fail(v, "action %u is of no known kind", row);
	if (a->fmt != DOBJ_NONE ? rules[a->kind].fmt == FMT_NO || !v_str(v, a->fmt) : rules[a->kind].fmt == FMT_MUST)
		return v_fail(v, "action %u does not have a sane format", row);
	if (a->field != at->field || !v_range(a->field, a->nfields, o->nfields) || a->nfields < rules[a->kind].least ||
	    a->nfields > rules[a->kind].most)
		return v_fail(v, "action %u does not have sane fields", row);
	if (a->agg != at->agg || !v_range(a->agg, a->naggs, o->nagglist) || a->naggs < rules[a->kind].least_aggs ||
	    a->naggs > rules[a->kind].most_aggs)
		return v_fail(v, "action %u does not have sane aggregations", row);
	if (rules[a->kind].destructive && !(c->flags & DC_DESTRUCTIVE))
		return v_fail(v, "action %u: the clause is not marked as destructive", row);
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct dobj_field *f = &o->fields[a->field + i];
		if (!verify_field(v, a->field + i))
			return false;
		if (rules[a->kind].kind != ANY && f->kind != rules[a->kind].kind)
			return v_fail(v, "action %u: field %u is of a wrong kind", row, i);
		if (a->kind == DA_FLOW && (i == 0 ? f->kind != DK_STRING || f->arg != DOBJ_WHOSE : f->kind != DK_INT))
			return v_fail(v, "action %u: field %u is of a wrong kind", row, i);
		if (a->kind == DA_TRACEMEM && f->kind != (i == 0 ? DK_BYTES : DK_INT))
			return v_fail(v, "action %u: field %u is of a wrong kind", row, i);
	}
	if (a->kind == DA_PRINT && o->fields[a->field].type == DOBJ_NONE)
		return v_fail(v, "action %u: print() without a type", row);
	for (uint32_t i = 0; i < a->naggs; i++)
		if (o->agglist[a->agg + i] >= o->naggs)
			return v_fail(v, "action %u: no such aggregation", row);
	at->field += a->nfields;
	at->agg += a->naggs;
	return true;
}

static bool
verify_group(struct verifier *v, uint32_t row, const struct dobj_clause *c, struct given_out *at)
{
	const struct dobj *o = v->o;
	const struct dobj_group *g = &o->groups[row];
	uint32_t first = at->field;
	bool recorded = false;
	if (g->records > 1 || g->act != at->act || g->field != at->field || !v_range(g->act, g->nacts, o->nacts))
		return v_fail(v, "group %u is not sane", row);
	for (uint32_t i = 0; i < g->nacts; i++) {
		if (!verify_act(v, g->act + i, c, at))
			return false;
		recorded |= rules[o->acts[g->act + i].kind].recorded;
	}
	at->act += g->nacts;
	if (g->nfields != at->field - first || g->records != recorded)
		return v_fail(v, "group %u does not have the fields of its actions", row);
	return true;
}

static bool
verify_clauses(struct verifier *v)
{
	const struct dobj *o = v->o;
	uint32_t pdesc = 0, code = 0, group = 0;
	struct given_out at = {0};
	for (uint32_t i = 0; i < o->nclauses; i++) {
		const struct dobj_clause *c = &o->clauses[i];
		if (c->pdesc != pdesc || c->code != code || c->group != group ||
		    !v_range(pdesc, c->npdescs, o->npdescs) || !v_range(code, c->ncode, o->ncode) ||
		    !v_range(group, c->ngroups, o->ngroups))
			return v_fail(v, "clause %u does not follow the one before it", i);
		if (c->npdescs == 0 || c->ncode == 0 || c->ngroups == 0)
			return v_fail(v, "clause %u is empty", i);
		if (c->ncode > DIF_MAXCODE)
			return v_fail(v, "clause %u has more than %d instructions", i, (int)DIF_MAXCODE);
		if (c->nslots > DIF_NSLOTS || !v_str(v, c->file) ||
		    c->flags & ~(uint32_t)(DC_DESTRUCTIVE | DC_SPECULATES | DC_COMMITS | DC_KERNEL | DC_TERM))
			return v_fail(v, "clause %u is not sane", i);
		for (uint32_t j = 0; j < c->ngroups; j++)
			if (!verify_group(v, group + j, c, &at))
				return false;
		if (!verify_code(v, i))
			return false;
		pdesc += c->npdescs;
		code += c->ncode;
		group += c->ngroups;
	}
	if (pdesc != o->npdescs || code != o->ncode || group != o->ngroups || at.act != o->nacts ||
	    at.field != o->nfields || at.agg != o->nagglist)
		return v_fail(v, "rows that belong to no clause");
	return true;
}

static bool
verify_rest(struct verifier *v)
{
	const struct dobj *o = v->o;
	for (uint32_t i = 0; i < o->npdescs; i++) {
		const struct dobj_pdesc *d = &o->pdescs[i];
		if (!v_str(v, d->prov) || !v_str(v, d->mod) || !v_str(v, d->func) || !v_str(v, d->name))
			return v_fail(v, "probe description %u is not sane", i);
	}
	for (uint32_t i = 0; i < o->nlines; i++) {
		const struct dobj_line *l = &o->lines[i];
		if (l->pc > o->ncode || l->group >= o->ngroups || (i && l->pc < o->lines[i - 1].pc))
			return v_fail(v, "line %u is not sane", i);
	}
	for (uint32_t i = 0; i < o->nopts; i++)
		if (!v_str(v, o->opts[i].name) || (o->opts[i].value != DOBJ_NONE && !v_str(v, o->opts[i].value)))
			return v_fail(v, "option %u is not sane", i);
	return true;
}

static bool
verify_conds(struct verifier *v)
{
	const struct dobj *o = v->o;
	if (o->nconds > COND_MOST)
		return v_fail(v, "more than %d conditions", COND_MOST);
	for (uint32_t i = 0; i < o->nconds; i++) {
		const struct dobj_cond *c = &o->conds[i];
		if (c->agg >= o->naggs || c->fn >= COND_NFNS || !cond_takes(c->fn, o->aggs[c->agg].fn) ||
		    c->op >= COND_NOPS || c->percent > 10000)
			return v_fail(v, "condition %u is not sane", i);
		if (c->hold > COND_LONGEST || c->window < COND_SHORTEST || c->window > COND_LONGEST || !c->mul ||
		    !c->div || c->mul > COND_LONGEST || c->div > COND_LONGEST)
			return v_fail(v, "condition %u does not have sane times", i);
		if (!v_str(v, c->unit) || !v_str(v, c->text) || !v_str(v, c->file) ||
		    (c->fmt != DOBJ_NONE && !v_str(v, c->fmt)))
			return v_fail(v, "condition %u does not have sane texts", i);
	}
	return true;
}

bool
dobj_verify(const struct dobj *o, struct why *why)
{
	struct verifier v = {.o = o, .why = why};
	if (o->nstrs == 0 || o->strs[0] != 0 || o->strs[o->nstrs - 1] != 0)
		return v_fail(&v, "the string table does not begin and end with NUL");
#define X(table, row) \
	if (o->n##table > MAX_ROWS) \
		return v_fail(&v, "too many " #table);
	DOBJ_TABLES(X)
#undef X
	uint32_t nwork = DIF_MAXCODE < o->ncode ? DIF_MAXCODE : o->ncode;
	if (nwork < o->ntypes)
		nwork = o->ntypes;
	v.work = calloc((size_t)nwork + 1, sizeof *v.work);
	if (!v.work)
		return v_fail(&v, "out of memory");
	bool ok = verify_types(&v) && verify_vars(&v) && verify_clauses(&v) && verify_rest(&v) && verify_conds(&v);
	free(v.work);
	return ok;
}
