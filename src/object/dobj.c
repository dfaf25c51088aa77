/*
 * D objects as bytes.
 *
 *   magic      8 bytes
 *   version    32 bits
 *   sections   32 bits: how many; always all of them, in the order of DOBJ_SECTIONS
 *   directory  for each section: row size, number of rows, both 32 bits
 *   rows       section after section, nothing between or after them
 *
 * All numbers are little-endian. Row sizes are in the file so that a reader of another version sees at once that it
 * cannot read it. The reader trusts nothing: the lengths must add up exactly to the file's length before anything is
 * allocated, so a small file cannot ask for much memory.
 */
#include "object/dobj.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 64 << 20 };

static const unsigned char magic[8] = {0x7f, 'D', 'O', 'B', 'J', '\r', '\n', 0x1a};

/* Rows field by field: F(bits, field), A(bits, field, n) for arrays. */
#define ROW_insn(F, A) F(8, op) F(8, rd) F(8, rs) F(8, rt) F(32, imm)
#define ROW_vars(F, A) \
	F(32, name) F(8, scope) F(8, kind) F(8, assoc) F(8, is_signed) F(32, size) F(32, key) F(32, nkeys)
#define ROW_keys(F, A) F(8, kind) F(8, is_signed) F(16, pad) F(32, size) F(64, arg) F(32, type) F(32, pad2)
#define ROW_aggs(F, A) F(32, name) F(32, fn) F(32, key) F(32, nkeys) A(64, par, 4)
#define ROW_pdescs(F, A) F(32, id) F(32, prov) F(32, mod) F(32, func) F(32, name)
#define ROW_clauses(F, A) \
	F(32, pdesc) \
	F(32, npdescs) \
	F(32, code) F(32, ncode) F(32, nslots) F(32, group) F(32, ngroups) F(32, file) F(32, line) F(32, flags)
#define ROW_groups(F, A) F(32, act) F(32, nacts) F(32, field) F(32, nfields) F(32, recsize) F(32, records)
#define ROW_acts(F, A) F(32, kind) F(32, fmt) F(32, field) F(32, nfields) F(32, agg) F(32, naggs) F(64, arg)
#define ROW_fields(F, A) F(8, kind) F(8, is_signed) F(16, pad) F(32, size) F(32, offset) F(32, type) F(64, arg)
#define ROW_lines(F, A) F(32, pc) F(32, action) F(32, group) F(32, line) F(32, col)
#define ROW_types(F, A) \
	F(32, kind) F(32, name) F(32, size) F(32, is_signed) F(32, ref) F(32, nelems) F(32, member) F(32, nmembers)
#define ROW_members(F, A) F(32, name) F(32, type) F(32, offset) F(32, bits) F(64, value)
#define ROW_opts(F, A) F(32, name) F(32, value)
#define ROW_conds(F, A) \
	F(32, agg) \
	F(32, fn) \
	F(32, op) \
	F(32, percent) \
	F(64, limit) \
	F(64, until) \
	F(64, hold) \
	F(64, window) \
	F(64, mul) F(64, div) F(32, unit) F(32, fmt) F(32, text) F(32, file) F(32, line) F(32, pad)

#define SIZE_F(bits, field) +(bits) / 8
#define SIZE_A(bits, field, n) +(bits) / 8 * (n)

static void
put(unsigned char **p, uint64_t v, unsigned bits)
{
	for (unsigned i = 0; i < bits; i += 8)
		*(*p)++ = (unsigned char)(v >> i);
}

static uint64_t
get(const unsigned char **p, unsigned bits)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < bits; i += 8)
		v |= (uint64_t) * (*p)++ << i;
	return v;
}

#define PUT_F(bits, field) put(p, (uint64_t)row->field, bits);
#define PUT_A(bits, field, n) \
	for (int i = 0; i < (n); i++) \
		put(p, (uint64_t)row->field[i], bits);
#define GET_F(bits, field) row->field = (__typeof__(row->field))get(p, bits);
#define GET_A(bits, field, n) \
	for (int i = 0; i < (n); i++) \
		row->field[i] = (__typeof__(row->field[i]))get(p, bits);

#define CODEC(table, type) \
	static void put_##table(unsigned char **p, const type *row) \
	{ \
		ROW_##table(PUT_F, PUT_A) \
	} \
	static void get_##table(const unsigned char **p, type *row) \
	{ \
		ROW_##table(GET_F, GET_A) \
	} \
	enum { SIZE_##table = 0 ROW_##table(SIZE_F, SIZE_A) };

CODEC(insn, struct dif_insn)
CODEC(vars, struct dobj_var)
CODEC(keys, struct dobj_key)
CODEC(aggs, struct dobj_agg)
CODEC(pdescs, struct dobj_pdesc)
CODEC(clauses, struct dobj_clause)
CODEC(groups, struct dobj_group)
CODEC(acts, struct dobj_act)
CODEC(fields, struct dobj_field)
CODEC(lines, struct dobj_line)
CODEC(types, struct dobj_type)
CODEC(members, struct dobj_member)
CODEC(opts, struct dobj_opt)
CODEC(conds, struct dobj_cond)

static void
put_agglist(unsigned char **p, const uint32_t *row)
{
	put(p, *row, 32);
}

static void
get_agglist(const unsigned char **p, uint32_t *row)
{
	*row = (uint32_t)get(p, 32);
}
enum { SIZE_agglist = 4 };

static void
put_ints(unsigned char **p, const int64_t *row)
{
	put(p, (uint64_t)*row, 64);
}

static void
get_ints(const unsigned char **p, int64_t *row)
{
	*row = (int64_t)get(p, 64);
}
enum { SIZE_ints = 8 };

#define put_code put_insn
#define get_code get_insn
enum { SIZE_code = SIZE_insn };

/* All sections in file order: those of rows, then the strings. */
#define ROW_SECTIONS(X) X(code, struct dif_insn) X(ints, int64_t) DOBJ_TABLES(X)

enum {
#define X(table, type) SECTION_##table,
	ROW_SECTIONS(X)
#undef X
	    SECTION_strs,
	NSECTIONS
};
enum { HEADER = 8 + 4 + 4 + NSECTIONS * 8 };

void
dobj_free(struct dobj *o)
{
#define X(table, type) free(o->table);
	ROW_SECTIONS(X)
#undef X
	free(o->strs);
	*o = (struct dobj){0};
}

bool
dobj_write(const struct dobj *o, void **bytes, size_t *len)
{
	size_t size = HEADER + o->nstrs;
#define X(table, type) size += (size_t)SIZE_##table * o->n##table;
	ROW_SECTIONS(X)
#undef X
	unsigned char *buf = malloc(size), *at = buf, **p = &at;
	if (!buf)
		return false;
	memcpy(at, magic, sizeof magic);
	at += sizeof magic;
	put(p, DOBJ_VERSION, 32);
	put(p, NSECTIONS, 32);
#define X(table, type) \
	put(p, SIZE_##table, 32); \
	put(p, o->n##table, 32);
	ROW_SECTIONS(X)
#undef X
	put(p, 1, 32);
	put(p, o->nstrs, 32);
#define X(table, type) \
	for (uint32_t row = 0; row < o->n##table; row++) \
		put_##table(p, &o->table[row]);
	ROW_SECTIONS(X)
#undef X
	if (o->nstrs)
		memcpy(at, o->strs, o->nstrs);
	*bytes = buf;
	*len = size;
	return true;
}

static bool
fail(struct why *why, const char *what)
{
	why_set(why, "%s", what);
	return false;
}

/* Reads the header and the directory: numbers of rows, checked against each other and the length. */
static bool
read_header(const unsigned char *at, size_t len, uint32_t n[NSECTIONS], struct why *why)
{
	static const uint32_t row_size[NSECTIONS] = {
#define X(table, type) SIZE_##table,
	    ROW_SECTIONS(X)
#undef X
		1};
	const unsigned char **p = &at;
	if (len < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
		return fail(why, "not a D object");
	if (len < HEADER)
		return fail(why, "the D object is cut short");
	if (len > MAX_FILE)
		return fail(why, "the D object is larger than 64 MiB");
	at += sizeof magic;
	uint64_t version = get(p, 32);
	if (version != DOBJ_VERSION) {
		why_set(why, "the D object has version %llu, this erltrace reads version %d: compile it again",
		    (unsigned long long)version, (int)DOBJ_VERSION);
		return false;
	}
	if (get(p, 32) != NSECTIONS)
		return fail(why, "the D object has a wrong number of sections");
	uint64_t total = HEADER;
	for (unsigned i = 0; i < NSECTIONS; i++) {
		if (get(p, 32) != row_size[i])
			return fail(why, "a section of the D object has a wrong row size");
		n[i] = (uint32_t)get(p, 32);
		total += (uint64_t)n[i] * row_size[i];
	}
	if (total != len)
		return fail(why, "the sections of the D object do not add up to its length");
	return true;
}

bool
dobj_read(struct dobj *o, const void *bytes, size_t len, struct why *why)
{
	uint32_t n[NSECTIONS];
	*o = (struct dobj){0};
	if (!read_header(bytes, len, n, why))
		return false;
	const unsigned char *at = (const unsigned char *)bytes + HEADER, **p = &at;
	bool ok = true;
	/* One byte more than the strings have, so that they end even if the verifier would refuse them. */
	ok = ok && (o->strs = calloc((size_t)n[SECTION_strs] + 1, 1)) != NULL;
	/* Empty tables are not NULL, so that pointing at their row 0 is not an error. */
#define X(table, type) \
	ok = ok && (o->table = calloc(n[SECTION_##table] ? n[SECTION_##table] : 1, sizeof(type))) != NULL;
	ROW_SECTIONS(X)
#undef X
	if (!ok) {
		dobj_free(o);
		return fail(why, "out of memory");
	}
#define X(table, type) \
	o->n##table = n[SECTION_##table]; \
	for (uint32_t row = 0; row < o->n##table; row++) \
		get_##table(p, &o->table[row]);
	ROW_SECTIONS(X)
#undef X
	o->nstrs = n[SECTION_strs];
	if (o->nstrs)
		memcpy(o->strs, at, o->nstrs);
	return true;
}

struct dobj_line
dobj_line_of(const struct dobj *o, const struct dobj_clause *c, uint32_t pc)
{
	uint32_t lo = 0, hi = o->nlines;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (o->lines[mid].pc <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && o->lines[lo - 1].pc >= c->code && o->lines[lo - 1].group - c->group < c->ngroups)
		return o->lines[lo - 1];
	return (struct dobj_line){.pc = pc, .group = c->group, .line = c->line};
}

bool
dobj_has_flow(const struct dobj *o)
{
	for (uint32_t i = 0; i < o->ngroups; i++) {
		const struct dobj_group *g = &o->groups[i];
		if (g->records && (!g->nacts || o->acts[g->act + g->nacts - 1].kind != DA_FLOW))
			return false;
	}
	return true;
}

bool
dobj_is_flow(const struct dobj *o, const struct dobj_clause *c, uint32_t pc)
{
	struct dobj_line l = dobj_line_of(o, c, pc);
	const struct dobj_group *g = l.group < o->ngroups ? &o->groups[l.group] : NULL;
	return g && l.action && l.action <= g->nacts && o->acts[g->act + l.action - 1].kind == DA_FLOW;
}

bool
dobj_has_erlang(const struct dobj *o)
{
	for (uint32_t i = 0; i < o->npdescs; i++)
		if (strncmp(dobj_str(o, o->pdescs[i].prov), "erlang", 6) == 0)
			return true;
	return false;
}

bool
dobj_cuts(const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = 0; i < c->ngroups; i++) {
		const struct dobj_group *g = &o->groups[c->group + i];
		for (uint32_t k = 0; k < g->nacts; k++)
			if (o->acts[g->act + k].naggs)
				return true;
	}
	return false;
}
