/*
 * A little assembler: makes D objects by hand, for tests and benches of what runs them. Fixed tables in one struct;
 * nothing to free. Rows are made in order:
 *
 *	struct as a;
 *	as_init(&a);
 *	as_clause(&a);
 *	as_op(&a, DIF_MOVI, 0, 0, 0, 7);
 *	as_op(&a, DIF_END, 0, 0, 0, 0);
 *	as_done(&a);
 *
 * A clause starts with one group; as_group() opens the next. Records: as_field() adds to the newest group, which then
 * counts as recording.
 */
#ifndef ET_TEST_ASM_H
#define ET_TEST_ASM_H

#include "object/dobj.h"
#include "object/subr.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AS_CODE = 4096, AS_ROWS = 512, AS_STRS = 16384 };

struct as {
	struct dobj o;
	struct dif_insn code[AS_CODE];
	int64_t ints[AS_ROWS];
	char strs[AS_STRS];
#define X(table, row) row table[AS_ROWS];
	DOBJ_TABLES(X)
#undef X
};

static inline void
as_init(struct as *a)
{
	memset(a, 0, sizeof *a);
	a->o.code = a->code;
	a->o.ints = a->ints;
	a->o.strs = a->strs;
#define X(table, row) a->o.table = a->table;
	DOBJ_TABLES(X)
#undef X
	a->o.nstrs = 1;
}

static inline uint32_t
as_bytes(struct as *a, const char *s, size_t n)
{
	uint32_t at = a->o.nstrs;
	memcpy(a->strs + at, s, n);
	a->o.nstrs += (uint32_t)n + 1;
	return at;
}

static inline int32_t
as_str(struct as *a, const char *s)
{
	return (int32_t)as_bytes(a, s, strlen(s));
}

static inline int32_t
as_int(struct as *a, int64_t v)
{
	a->ints[a->o.nints] = v;
	return (int32_t)a->o.nints++;
}

static inline struct dobj_clause *
as_now(struct as *a)
{
	return &a->clauses[a->o.nclauses - 1];
}

/* Opens the newest clause's next group. Returns its number in the clause. */
static inline int32_t
as_group(struct as *a)
{
	a->groups[a->o.ngroups++] = (struct dobj_group){.act = a->o.nacts, .field = a->o.nfields};
	return (int32_t)as_now(a)->ngroups++;
}

static inline unsigned
as_clause(struct as *a)
{
	a->clauses[a->o.nclauses++] = (struct dobj_clause){.pdesc = a->o.npdescs++,
	    .npdescs = 1,
	    .code = a->o.ncode,
	    .nslots = DIF_NSLOTS,
	    .group = a->o.ngroups,
	    .line = 1,
	    .flags = DC_DESTRUCTIVE | DC_SPECULATES | DC_COMMITS};
	as_group(a);
	a->lines[a->o.nlines++] =
	    (struct dobj_line){.pc = a->o.ncode, .action = 1, .group = as_now(a)->group, .line = 1};
	return a->o.nclauses - 1;
}

/* Returns the instruction's index in its clause. */
static inline int32_t
as_op(struct as *a, enum dif_op op, int rd, int rs, int rt, int32_t imm)
{
	a->code[a->o.ncode++] = (struct dif_insn){(uint8_t)op, (uint8_t)rd, (uint8_t)rs, (uint8_t)rt, imm};
	return (int32_t)as_now(a)->ncode++;
}

/* Points the branch at index `from` to the next instruction. */
static inline void
as_land(struct as *a, int32_t from)
{
	a->code[as_now(a)->code + (uint32_t)from].imm = (int32_t)as_now(a)->ncode;
}

/* The next instruction begins action `action` of the newest group. */
static inline void
as_line(struct as *a, uint32_t action)
{
	a->lines[a->o.nlines++] =
	    (struct dobj_line){.pc = a->o.ncode, .action = action, .group = a->o.ngroups - 1, .line = 1};
}

/* rd = any 64-bit number */
static inline void
as_num(struct as *a, int rd, uint64_t v)
{
	as_op(a, DIF_LDK, rd, 0, 0, as_int(a, (int64_t)v));
}

static inline void
as_slot(struct as *a, int32_t slot, uint64_t v)
{
	as_num(a, 7, v);
	as_op(a, DIF_STSL, 0, 7, 0, slot);
}

static inline void
as_end(struct as *a)
{
	as_op(a, DIF_END, 0, 0, 0, 0);
}

static inline int32_t
as_var(struct as *a, enum dobj_scope scope, enum dobj_kind kind, uint32_t size)
{
	char name[16];
	snprintf(name, sizeof name, "v%u", a->o.nvars);
	a->vars[a->o.nvars] = (struct dobj_var){.name = (uint32_t)as_str(a, name),
	    .scope = (uint8_t)scope,
	    .kind = (uint8_t)kind,
	    .is_signed = 1,
	    .size = kind == DK_STRING ? 0 : size};
	return (int32_t)a->o.nvars++;
}

static inline void
as_key(struct as *a, enum dobj_kind kind, uint32_t size, bool is_signed)
{
	a->keys[a->o.nkeys++] =
	    (struct dobj_key){.kind = (uint8_t)kind, .size = size, .is_signed = is_signed, .type = DOBJ_NONE};
}

/* Makes the newest variable associative by the last n keys. */
static inline void
as_assoc(struct as *a, uint32_t n)
{
	struct dobj_var *v = &a->vars[a->o.nvars - 1];
	v->assoc = 1;
	v->key = a->o.nkeys - n;
	v->nkeys = n;
}

/* An aggregation by the last n keys. */
static inline int32_t
as_agg(struct as *a, enum agg_fn fn, uint32_t n)
{
	char name[16];
	snprintf(name, sizeof name, "a%u", a->o.naggs);
	a->aggs[a->o.naggs] =
	    (struct dobj_agg){.name = (uint32_t)as_str(a, name), .fn = (uint32_t)fn, .key = a->o.nkeys - n, .nkeys = n};
	return (int32_t)a->o.naggs++;
}

/* Adds a field (and trace() of it) to the newest group. Returns its number in the group. */
static inline int32_t
as_field(struct as *a, enum dobj_kind kind, uint32_t size)
{
	struct dobj_group *g = &a->groups[a->o.ngroups - 1];
	a->acts[a->o.nacts++] =
	    (struct dobj_act){.kind = DA_TRACE, .fmt = DOBJ_NONE, .field = a->o.nfields, .nfields = 1};
	a->fields[a->o.nfields++] = (struct dobj_field){
	    .kind = (uint8_t)kind, .is_signed = 1, .size = kind == DK_STRING ? 0 : size, .type = DOBJ_NONE};
	g->nacts++;
	g->records = 1;
	return (int32_t)g->nfields++;
}

/* The newest group is the default action. */
static inline void
as_default(struct as *a)
{
	struct dobj_group *g = &a->groups[a->o.ngroups - 1];
	a->acts[a->o.nacts++] = (struct dobj_act){.kind = DA_DEFAULT, .fmt = DOBJ_NONE, .field = a->o.nfields};
	g->nacts++;
	g->records = 1;
}

static inline struct eng_conf
as_conf(void)
{
	return (struct eng_conf){.nshards = 1,
	    .bufsize = 1 << 16,
	    .aggsize = 1 << 16,
	    .dynvarsize = 1 << 16,
	    .specsize = 4096,
	    .scratchsize = 4096,
	    .nspec = 1,
	    .sizes = {.strsize = 64, .stackframes = 20, .ustackframes = 20, .jstackframes = 50, .jstackstrsize = 512},
	    .bufpolicy = BUF_SWITCH};
}

/* Verifies and lays out. If the object is wrong, prints a message and ends the program. */
static inline void
as_done(struct as *a, const struct eng_conf *c)
{
	struct why why = {""};
	if (!dobj_verify(&a->o, &why) || !dobj_layout(&a->o, &c->sizes, &why)) {
		fprintf(stderr, "the hand-made object is wrong: %s\n", why.text);
		exit(1);
	}
}

#endif
