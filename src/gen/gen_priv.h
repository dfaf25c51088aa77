/*
 * Inside the code generator.
 *
 * Registers: gen_expr() returns a register that belongs to the caller. The caller gives it to an instruction and frees
 * it (g_free), or puts it aside while other code is generated (g_hold). A held value may be moved to a slot when
 * registers run out; g_use() or g_take() brings it back. Otherwise no register may be in use while gen_expr() is
 * called.
 *
 * Branches inside an expression: a value that is moved to a slot in only one arm would be missing after the other. So
 * g_settle() moves all held values to slots before the first branch.
 *
 * All failures leave through cc_error or the out-of-memory jump.
 */
#ifndef ET_GEN_GEN_PRIV_H
#define ET_GEN_GEN_PRIV_H

#include "gen/gen.h"
#include "lang/ast.h"

/* Rows by the hash of what they hold; the owner compares. */
struct index {
	uint32_t *slots; /* row plus one; 0 if free */
	uint32_t nslots, n;
};

#define UNIT_ROWS(X) X(code, struct dif_insn) X(ints, int64_t) DOBJ_TABLES(X)
#define UNIT_TABLES(X) X(strs, char) UNIT_ROWS(X)

struct unit {
	struct dobj o;
#define X(table, type) uint32_t cap_##table;
	UNIT_TABLES(X)
#undef X
	struct index by_str, by_int, by_type;
	/* What a row was made from, to check whether an id is still valid after an undo. */
	struct dvar **var_of;
	struct dagg **agg_of;
	struct type **type_of;
	uint32_t cap_var_of, cap_agg_of, cap_type_of;
	bool sets_flow; /* a clause may set flowindent while tracing */
};

/* Adds a zeroed row. The pointer is valid until the next row of that table. */
#define X(table, type) type *unit_add_##table(struct cc *cc);
UNIT_ROWS(X)
#undef X
uint32_t unit_str(struct cc *cc, const char *s);
uint32_t unit_int(struct cc *cc, int64_t v);
bool unit_find_type(struct unit *u, const struct type *t, uint32_t *row);
/* Say what the next row of the table will be made of. */
void unit_own_var(struct cc *cc, struct dvar *v);
void unit_own_agg(struct cc *cc, struct dagg *a);
struct dobj_type *unit_own_type(struct cc *cc, struct type *t); /* and adds it */

struct gen_val {
	struct gen_val *below; /* held before this one */
	int reg;               /* -1 if it is in the slot */
	int slot;              /* -1 if none */
	bool pinned;           /* must stay in its register */
};

struct label {
	int32_t last; /* instruction that jumps here, the others chained through imm; -1 if none */
};

struct gen {
	struct cc *cc;
	struct unit *u;
	uint32_t code; /* the clause's first row of code */
	unsigned busy; /* registers in use, a bit each */
	struct gen_val *held;
	uint64_t slots; /* in use, a bit each */
	unsigned nslots;
	uint32_t first_group, group; /* rows: the clause's first, the one being generated */
	uint32_t action;             /* number of the action in its group */
	bool is_open;                /* between RECB and RECE */
	bool is_erlang;              /* all probes are of Erlang nodes */
	uint32_t flags;
	struct pos pos; /* of the statement, for errors without a better place */
};

/* Width and sign of a number; addresses are 8 bytes, unsigned. */
struct num {
	unsigned size;
	bool is_signed;
};

/* gen_reg.c: instructions, registers, slots, labels. */
uint32_t g_emit(struct gen *g, enum dif_op op, int rd, int rs, int rt, int32_t imm);
int g_reg(struct gen *g);
void g_free(struct gen *g, int reg);
void g_hold(struct gen *g, struct gen_val *v, int reg);
int g_use(struct gen *g, struct gen_val *v);
void g_unpin(struct gen_val *v);
int g_take(struct gen *g, struct gen_val *v);
void g_drop(struct gen *g, struct gen_val *v);
void g_settle(struct gen *g);
unsigned g_window(struct gen *g, unsigned n, struct pos pos);
void g_window_free(struct gen *g, unsigned first, unsigned n);
void g_branch(struct gen *g, enum dif_op op, int rs, int rt, struct label *l);
void g_bind(struct gen *g, struct label *l);

/* gen_num.c: numbers, conversions, arithmetic. */
struct num num_of(struct type *t);
struct num num_common(struct num a, struct num b);
struct num num_range(const struct node *n);
void g_convert(struct gen *g, int reg, struct num from, struct num to);
int g_const(struct gen *g, int64_t v);
bool is_small_const(const struct node *n);
/* reg = reg `op` other, as numbers of type t, op being OP_MUL … OP_SHR, OP_BITAND, OP_XOR, OP_BITOR. */
void g_arith(struct gen *g, enum op op, int reg, int other, struct num t);
/* The same with a constant. */
void g_arith_const(struct gen *g, enum op op, int reg, int64_t v, struct num t);
void g_scale(struct gen *g, int reg, uint64_t size);
uint64_t pointed_size(struct type *t);

/* gen_expr.c */
int gen_expr(struct gen *g, struct node *n);
/* Like gen_expr, converted to the type t. */
int gen_as(struct gen *g, struct node *n, struct type *t);
/* Only for its effects. */
void gen_effect(struct gen *g, struct node *n);
int gen_call(struct gen *g, struct node *n);
/* Generates operands into a window of slots. Returns its first slot. */
unsigned gen_window(struct gen *g, struct node *list, unsigned n, struct type *const *types, struct pos pos);
/* What is stored for a key or a field: the address for sym() and the like, nothing for stacks. */
int gen_datum(struct gen *g, struct node *n);

/* gen_cond.c */
bool is_comparison(const struct node *n);
void gen_branch(struct gen *g, struct node *n, bool sense, struct label *l);
int gen_compare(struct gen *g, struct node *n, bool sense);
int gen_truth(struct gen *g, struct node *n);
int gen_choice(struct gen *g, struct node *n);

/* gen_lval.c: places in memory and variables. */
int gen_var(struct gen *g, struct node *n);
int gen_place(struct gen *g, struct node *n);
int gen_place_addr(struct gen *g, struct node *n);
int gen_assign(struct gen *g, struct node *n, bool want);
int gen_incdec(struct gen *g, struct node *n, bool want);

/* gen_act.c */
void gen_action(struct gen *g, struct node *call);
void gen_aggregate(struct gen *g, struct node *n);
void gen_default(struct gen *g);
void gen_flow(struct gen *g);
void gen_note(struct gen *g, enum dobj_action kind, struct pos pos);

/* gen_rows.c: rows for variables, aggregations, types. */
uint32_t unit_var(struct cc *cc, struct dvar *v, struct pos pos);
uint32_t unit_agg(struct cc *cc, struct dagg *a, struct node *keys, struct pos pos);
uint32_t unit_type(struct cc *cc, struct type *t, struct pos pos);
/* Finds kind, size and sign of a value of type t as data. Refuses types that have none. */
void data_of(struct cc *cc, struct type *t, struct pos pos, uint8_t *kind, uint8_t *is_signed, uint32_t *size);
enum { MAX_BYTES = 64 << 10 };

#endif
