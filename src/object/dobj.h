/*
 * The D object: a compiled program, in memory and as bytes.
 *
 * In memory it is a set of tables of fixed-size rows that refer to each other by index and to text by offset in the
 * string table. On disk and on the wire it is a header, a section directory and the same rows, little-endian, field by
 * field (dobj_write, dobj_read). dobj_read checks only lengths. dobj_verify checks everything else, and nothing runs an
 * object that has not passed it.
 *
 * The object does not depend on strsize or on the number of stack frames: such sizes are 0 in the file, and
 * dobj_layout() fills them in.
 *
 * Ownership: a struct dobj owns its tables; dobj_free() frees them.
 */
#ifndef ET_OBJECT_DOBJ_H
#define ET_OBJECT_DOBJ_H

#include "base/why.h"
#include "object/aggfn.h"
#include "object/dif.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOBJ_VERSION = 2, DOBJ_MAXKEYS = 24, DOBJ_MAXAGGS = 0xffff };
#define DOBJ_NONE 0xffffffffu /* no string, no type, no row */
enum { DOBJ_PID = 1, DOBJ_WHOSE = 2 };

/* What a key, a field of a record or a variable holds. */
enum dobj_kind {
	DK_NONE,   /* nothing: an action without data */
	DK_INT,    /* a number of 1, 2, 4 or 8 bytes */
	DK_STRING, /* bytes up to a NUL, at most strsize with it; arg DOBJ_PID: a process, shown by its name;
		    * DOBJ_WHOSE: a process, at most NODE_EPROC bytes */
	DK_BYTES,  /* `size` bytes as they are: structures, arrays, tracemem */
	DK_STACK,  /* kernel or Erlang stack; arg = frames wanted, 0 for option stackframes */
	DK_USTACK, /* user stack; arg = frames | string bytes << 32; 0 for the options */
	DK_JSTACK, /* user stack with strings; the same */
	DK_SYM,    /* kernel address, shown as symbol */
	DK_MOD,    /* kernel address, shown as module */
	DK_USYM,   /* user address of a process, shown as symbol */
	DK_UMOD,   /* shown as module */
	DK_UADDR,  /* shown as symbol+offset */
	DK_TERM,   /* an Erlang term, as text of at most strsize */
	DK_NKINDS
};

enum dobj_scope { DS_GLOBAL, DS_THREAD, DS_LOCAL };

struct dobj_var {
	uint32_t name;
	uint8_t scope; /* enum dobj_scope */
	uint8_t kind;  /* DK_INT, DK_STRING or DK_BYTES */
	uint8_t assoc; /* keyed: keys[key .. key + nkeys) */
	uint8_t is_signed;
	uint32_t size; /* DK_INT: 1, 2, 4, 8; DK_BYTES: bytes; DK_STRING: 0 */
	uint32_t key, nkeys;
};

/* One element of a tuple: of an aggregation or of an associative array. */
struct dobj_key {
	uint8_t kind;
	uint8_t is_signed;
	uint16_t pad;
	uint32_t size; /* DK_INT: 1, 2, 4, 8; DK_BYTES: bytes; others 0 */
	uint64_t arg;  /* stacks: frames (see enum dobj_kind) */
	uint32_t type; /* row of types for display, or DOBJ_NONE */
	uint32_t pad2;
};

struct dobj_agg {
	uint32_t name; /* "" is the anonymous one */
	uint32_t fn;   /* enum agg_fn, of aggfn.h */
	uint32_t key, nkeys;
	int64_t par[4]; /* lquantize: lo, hi, step; llquantize: factor, low, high, steps */
};

struct dobj_pdesc {
	uint32_t id; /* probe number; 0 if it is by the four names */
	uint32_t prov, mod, func, name;
};

/* What the consumer does with a part of a record. */
enum dobj_action {
	DA_DEFAULT, /* the probe fired: only its own line */
	DA_TRACE,   /* trace(): one field */
	DA_TRACEMEM,
	DA_PRINT, /* print(): one field with its type */
	DA_PRINTF,
	DA_PRINTA, /* aggs; fmt may be none */
	DA_STACK,
	DA_USTACK,
	DA_JSTACK,
	DA_SYM,
	DA_MOD,
	DA_USYM,
	DA_UMOD,
	DA_UADDR,
	DA_EXIT,    /* one field: the status */
	DA_SYSTEM,  /* as printf; the text is a command */
	DA_FREOPEN, /* as printf; the text is a file name; "" goes back to standard output */
	DA_FTRUNCATE,
	DA_SETOPT,      /* fields: name[, value] */
	DA_CLEAR,       /* agg */
	DA_TRUNC,       /* agg[, field: n] */
	DA_NORMALIZE,   /* agg, field: factor */
	DA_DENORMALIZE, /* agg */
	DA_SPECULATE,
	DA_COMMIT,
	DA_DISCARD,
	DA_RAISE,
	DA_STOP,
	DA_CHILL,
	DA_COPYOUT,
	DA_ALERT, /* as printf; also marks the record as an alert */
	DA_PCAP,
	DA_EXPR, /* an expression statement or an aggregation: no data, counted for fault positions */
	DA_FLOW, /* last in a group, not in the script: whose record it is. The Erlang process or "", and for probes
		  * that are not of a node the thread */
	DA_NACTIONS
};

struct dobj_act {
	uint32_t kind;           /* enum dobj_action */
	uint32_t fmt;            /* format string, or DOBJ_NONE */
	uint32_t field, nfields; /* rows of fields */
	uint32_t agg, naggs;     /* entries of agglist */
	uint64_t arg;            /* tracemem: bytes wanted; stack actions: as dobj_key.arg */
};

/* A piece of data in a record. */
struct dobj_field {
	uint8_t kind;
	uint8_t is_signed;
	uint16_t pad;
	uint32_t size;   /* bytes in the record; by dobj_layout for strings and stacks */
	uint32_t offset; /* in the record after its header; by dobj_layout, 8-aligned */
	uint32_t type;   /* row of types, or DOBJ_NONE */
	uint64_t arg;    /* as dobj_key.arg */
};

/*
 * The record of a straight run of statements. A clause has one group. `if` makes more: each arm, and what follows, is a
 * separate record with its own enabled probe id.
 */
struct dobj_group {
	uint32_t act, nacts;
	uint32_t field, nfields;
	uint32_t recsize; /* bytes of data, by dobj_layout */
	uint32_t records; /* 0 if nothing here makes a record (RECB never comes) */
};

struct dobj_clause {
	uint32_t pdesc, npdescs;
	uint32_t code, ncode; /* rows of code; the last is END */
	uint32_t nslots;
	uint32_t group, ngroups; /* at least one */
	uint32_t file, line;     /* where the clause stands */
	uint32_t flags;          /* enum dobj_clause_flag */
};
enum dobj_clause_flag {
	DC_DESTRUCTIVE = 1,
	DC_SPECULATES = 2,
	DC_COMMITS = 4,
	DC_KERNEL = 8, /* looks into structures of the kernel */
	DC_TERM = 16,  /* looks at Erlang terms */
};

/* Where an instruction comes from: valid from row `pc` of code up to the next entry. */
struct dobj_line {
	uint32_t pc;
	uint32_t action; /* 1-based number of the action in its group; 0 for the predicate */
	uint32_t group;  /* row of groups */
	uint32_t line, col;
};

/*
 * Types, for print() and for showing structures. Rows refer only to lower rows, so a walk down ends; the target of a
 * pointer is only in its name. Sizes agree: a member lies within its structure, an array has nelems * size of its
 * element.
 */
enum dobj_typekind { DT_VOID, DT_INT, DT_FLOAT, DT_STRING, DT_PTR, DT_ARRAY, DT_STRUCT, DT_UNION, DT_ENUM, DT_FUNC };
struct dobj_type {
	uint32_t kind;
	uint32_t name; /* as D writes it: "int", "struct foo", "string" */
	uint32_t size, is_signed;
	uint32_t ref;              /* arrays: the element's row, always a lower one; otherwise DOBJ_NONE */
	uint32_t nelems;           /* arrays */
	uint32_t member, nmembers; /* structs and unions; enumerators of enums */
};
struct dobj_member {
	uint32_t name, type;
	uint32_t offset; /* bits */
	uint32_t bits;   /* 0 if not a bit-field */
	int64_t value;   /* enumerators */
};

struct dobj_opt {
	uint32_t name, value; /* value is DOBJ_NONE if set without one */
};

/*
 * A condition over an aggregation: alert p99(@wait) > 50ms for 30s. Engines do nothing about it; the consumer looks at
 * what was aggregated in the last `window`, key by key (object/cond.h).
 */
struct dobj_cond {
	uint32_t agg;        /* row of aggs */
	uint32_t fn;         /* enum cond_fn */
	uint32_t op;         /* enum cond_op */
	uint32_t percent;    /* COND_PERCENTILE: in units of 1/10000: 9990 is p999 */
	int64_t limit;       /* in the unit of the aggregation's values */
	int64_t until;       /* once it was true, it ends behind this; the same as limit if the script says nothing */
	uint64_t hold;       /* ns that it must be true, and be false again */
	uint64_t window;     /* ns */
	uint64_t mul, div;   /* a value times mul divided by div is in the unit of the limit */
	uint32_t unit;       /* of the limit, such as "ms"; "" if none */
	uint32_t fmt;        /* as printa() has it, or DOBJ_NONE */
	uint32_t text;       /* the condition as D writes it */
	uint32_t file, line; /* where it stands */
	uint32_t pad;
};

/* X(table, row type): all tables but code, ints and strs, in file order. */
#define DOBJ_TABLES(X) \
	X(vars, struct dobj_var) \
	X(keys, struct dobj_key) \
	X(aggs, struct dobj_agg) \
	X(pdescs, struct dobj_pdesc) \
	X(clauses, struct dobj_clause) \
	X(groups, struct dobj_group) \
	X(acts, struct dobj_act) \
	X(fields, struct dobj_field) \
	X(agglist, uint32_t) \
	X(lines, struct dobj_line) \
	X(types, struct dobj_type) \
	X(members, struct dobj_member) \
	X(opts, struct dobj_opt) \
	X(conds, struct dobj_cond)

struct dobj {
	struct dif_insn *code;
	uint32_t ncode;
	int64_t *ints;
	uint32_t nints;
	char *strs; /* offset 0 is ""; the last byte is NUL */
	uint32_t nstrs;
#define X(table, row) \
	row *table; \
	uint32_t n##table;
	DOBJ_TABLES(X)
#undef X
};

struct dobj_sizes {
	uint32_t strsize; /* bytes of a string, its NUL included */
	uint32_t stackframes, ustackframes, jstackframes, jstackstrsize;
};

void dobj_free(struct dobj *o);

/* Makes bytes on the heap, which the caller frees. Returns false if there is no memory. */
bool dobj_write(const struct dobj *o, void **bytes, size_t *len);
/* Reads what dobj_write wrote. On failure `why` says what is wrong, and `o` is empty. */
bool dobj_read(struct dobj *o, const void *bytes, size_t len, struct why *why);
/* Total, and linear in time. A program that passes cannot crash, hang or reach outside its memory. */
bool dobj_verify(const struct dobj *o, struct why *why);
/* Fills in sizes and offsets. Returns false with `why` if a record would exceed 64 KiB. */
bool dobj_layout(struct dobj *o, const struct dobj_sizes *sz, struct why *why);

/* Action, group (row) and place of an instruction of a clause. */
struct dobj_line dobj_line_of(const struct dobj *o, const struct dobj_clause *c, uint32_t pc);

static inline const char *
dobj_str(const struct dobj *o, uint32_t off)
{
	return off < o->nstrs ? o->strs + off : "";
}

/* Returns whether a clause does something with whole aggregations: printa(), clear() … */
bool dobj_cuts(const struct dobj *o, const struct dobj_clause *c);

/* Returns whether all records say whose they are: DA_FLOW. */
bool dobj_has_flow(const struct dobj *o);
/* Returns whether an instruction of a clause belongs to a DA_FLOW: the script does not say it. */
bool dobj_is_flow(const struct dobj *o, const struct dobj_clause *c, uint32_t pc);
/* Returns whether a probe description names the provider of Erlang nodes. */
bool dobj_has_erlang(const struct dobj *o);

/* 64-bit words of an aggregation's value: see aggval.h */
uint32_t dobj_agg_words(const struct dobj_agg *a);

#endif
