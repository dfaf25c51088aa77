/*
 * The tree. The parser makes it, the checker resolves it in place, the code generator reads it. Each node knows its
 * place in the source.
 *
 * The comment at each kind says what the checker promises the code generator ("checked:"). In short: every expression
 * has a type; no N_IDENT, N_INDEX or T_DYN is left; constants are folded into N_INT; conversions that change bits are
 * explicit.
 *
 * Checked values:
 * - Numbers are computed in 64 bits and not cut on the way. So an expression of integer type may be out of its type's
 *   range until it is stored, recorded, used as a key or cast; node_fits() tells which cannot be.
 * - The type that ck_usual() gives two operands decides the sign of / % < <= > >=. The left operand's type decides the
 *   sign of >>. Pointers compare unsigned. The count of a shift is any integer, used modulo 64.
 * - && || ^^ ! and the condition of ?: take any integer or pointer as it is.
 * - Arrays, structs and strings are addresses: an operand of OP_DEREF, OP_ADD or OP_SUB that is called a pointer may
 *   have array type. a[i] is OP_DEREF of OP_ADD. An OP_DEREF whose type is an array, struct or string is that address
 *   itself. p->m on a pointer and s.m on a struct value are address + offset.
 * - Strings: OP_STRINGOF is put where a string is needed and a char array, char pointer or number is given. Arguments
 *   of subroutines for `const char *` may be strings or char pointers as they are.
 * - Assignment: b is a number, or has a's type. Compound assignment: a op b is a separate expression, and its result is
 *   converted to a's type; a is read before b. ++ and compound + - on pointers are scaled like OP_ADD.
 * - Assigning an N_INT 0 of type string or struct frees the variable (STT, STA of 0). This is done only for
 *   thread-local and associative variables.
 */
#ifndef ET_LANG_AST_H
#define ET_LANG_AST_H

#include "object/builtin.h"
#include "object/dobj.h"
#include "object/subr.h"
#include "lang/type.h"

enum node_kind {
	/* Expressions. */
	N_INT,     /* u.num; the type says width and sign */
	N_STR,     /* u.str: bytes with escapes resolved, NUL-terminated; no NULs inside */
	N_IDENT,   /* u.name, with scope; only before checking */
	N_TYPE,    /* type: operand of sizeof, offsetof, casts; only before checking (then folded or in N_CAST) */
	N_INDEX,   /* u.index: base[args]: parsed only for variables; checked: becomes N_VAR with keys or N_OP1 '*' */
	N_VAR,     /* checked: u.var: a D variable, u.var.keys for associative arrays */
	N_BUILTIN, /* checked: u.bi: built-in variable, index for arrays (struct elements such as fds[n]: an lvalue-like
		      address) */
	N_ARG,     /* checked: u.arg: probe argument: argN or args[n] with constant n, or u.arg.index an expression */
	N_SYMBOL,  /* module`symbol; checked: always an error unless the handle knows symbols */
	N_OP1,     /* u.op: a */
	N_OP2,     /* u.op: a, b */
	N_COND,    /* u.cond: a ? b : c; checked: b and c are numbers or have the node's type */
	N_MEMBER,  /* u.member: obj.name or obj->name; checked: m, offset; obj is a pointer when arrow */
	N_CAST,    /* u.op.a; type: the target */
	N_CALL,    /* u.call: subroutine, action or aggregating function by name; checked: subr or action set.
		    * Actions stand only as the expression of an N_EXPRSTMT (type void). Engine-performed ones have subr
		    * (speculate, raise, copyout …) and action -1; exit has both. stack(), sym() … have kind (T_STACK,
		    * T_SYM), name() too (T_NAME):    with action as a statement, and as key of an aggregation or argument
		    * of printf, print,    trace.    args of printf-like: N_STR format, values; printa: [N_STR format],
		    * N_AGG    …; clear, trunc,    normalize:    N_AGG[, number] */
	N_XLATE,   /* u.xlate: xlate <type>(expr): checked: only below N_MEMBER, which the checker replaces by the
		      member's expression */
	N_AGG,     /* u.agg: @name[keys]; checked: agg */
	/* Statements. */
	N_EXPRSTMT, /* u.op.a: an expression or an action call */
	N_AGGSTMT,  /* u.aggstmt: @name[keys] = fn(args) */
	N_IF,       /* u.cond: a: condition, b, c: statement lists, c may be NULL */
	/* Top level. */
	N_PDESC,    /* u.pdesc */
	N_CLAUSE,   /* u.clause */
	N_DECL,     /* u.decl: variables; types are entered while parsing and leave no node */
	N_INLINE,   /* u.inl */
	N_XLATOR,   /* u.xlator */
	N_PROVIDER, /* provider definition: parsed, checked for syntax */
	N_PRAGMA,   /* carried out while parsing; leaves nothing behind */
	N_PARAM,    /* a parameter in the stored body of an inline or translator (u.arg.n): replaced when it is used */
};

enum op {
	/* one operand */
	OP_NEG,
	OP_POS,
	OP_NOT,    /* ! */
	OP_BITNOT, /* ~ */
	OP_DEREF,
	OP_ADDR,
	OP_PREINC,
	OP_PREDEC,
	OP_POSTINC,
	OP_POSTDEC,
	OP_SIZEOF,   /* checked: folded */
	OP_STRINGOF, /* checked: type string; a is any strcompat or pointer value */
	/* two operands */
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_ADD, /* checked: pointer arithmetic is scaled by the generator: a is the pointer, b the number */
	OP_SUB, /* pointer - pointer gives ptrdiff_t, divided by the element size by the generator */
	OP_SHL,
	OP_SHR,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_EQ,
	OP_NE, /* comparisons of strings: both operands are of type string, checked */
	OP_BITAND,
	OP_XOR,
	OP_BITOR,
	OP_LOGAND,
	OP_LOGXOR, /* ^^ */
	OP_LOGOR,
	OP_COMMA,
	OP_ASSIGN,
	OP_MULEQ, /* compound assignment: same order as OP_MUL … OP_SHR, then & ^ | */
	OP_DIVEQ,
	OP_MODEQ,
	OP_ADDEQ,
	OP_SUBEQ,
	OP_SHLEQ,
	OP_SHREQ,
	OP_ANDEQ,
	OP_XOREQ,
	OP_OREQ,
};

struct node;

/* A D variable: global, thread-local or clause-local. */
struct dvar {
	const char *name;
	enum dobj_scope scope;
	struct type *type; /* of the value (of an element for associative arrays); T_DYN until first assigned */
	bool is_assoc;
	struct type **keys; /* nkeys types, once known */
	unsigned nkeys;
	bool is_declared; /* by a declaration */
	struct pos pos;
	unsigned id; /* row of dobj vars; given by the generator on first use */
	bool has_id;
	const char *attrs; /* from #pragma attributes, or NULL */
};

struct dagg {
	const char *name; /* "" for @ */
	int fn;           /* enum agg_fn; -1 if not assigned yet */
	int64_t par[4];
	struct type **keys;
	unsigned nkeys;
	struct node **key_nodes; /* of the first use, for stack sizes */
	struct pos pos;
	unsigned id;
	bool has_id;
};

struct xlator;

struct node {
	enum node_kind kind;
	struct pos pos;
	struct type *type;
	struct node *next; /* in lists: arguments, keys, statements, top level */
	uint16_t depth;    /* of the tree below; the parser refuses more than NODE_MAXDEPTH */
	bool is_lvalue;    /* checked: may be assigned to */
	bool is_const;     /* N_INT made from a constant expression */
	bool in_parens;
	bool is_symbol; /* OP_DEREF that is a symbol of the kernel's */
	union {
		int64_t num;
		struct {
			const char *at;
			uint32_t len;
		} str;
		struct {
			const char *name;
			enum { SCOPE_GLOBAL, SCOPE_SELF, SCOPE_THIS } scope; /* self->x, this->x */
		} ident;
		struct {
			struct node *base;
			struct node *args; /* list */
		} index;
		struct {
			struct dvar *var;
			struct node *keys; /* list; NULL for scalars */
		} var;
		struct {
			enum dif_builtin id;
			struct node *index; /* NULL for scalars */
		} bi;
		struct {
			int n;              /* or -1 if there is an index */
			struct node *index; /* dynamic index, or NULL */
		} arg;
		struct {
			const char *object, *name;
		} symbol;
		struct {
			enum op op;
			struct node *a, *b;
		} op;
		struct {
			struct node *a, *b, *c;
		} cond;
		struct {
			struct node *obj;
			const char *name;
			bool arrow;
			struct member *m;
			uint64_t offset; /* bits from the start of the structure */
		} member;
		struct {
			const char *name;
			struct node *args;
			int subr;     /* checked: enum dif_subr, or -1 */
			int action;   /* checked: enum dobj_action for what the consumer performs, or -1 */
			int fn;       /* checked: enum agg_fn, or -1 */
			uint64_t arg; /* checked: tracemem: the constant size (args stay: address, size[, dynamic
				       * size]); stacks: frames | string bytes << 32, 0 where not said */
			int kind;     /* checked: stack() and sym() functions as values and keys: enum dobj_kind */
		} call;
		struct {
			struct type *to;
			bool to_ptr; /* xlate <T *> */
			struct node *expr;
			struct xlator *x;
		} xlate;
		struct {
			const char *name;
			struct node *keys;
			bool has_keys;
			struct dagg *agg;
		} agg;
		struct {
			struct node *agg;  /* N_AGG */
			struct node *call; /* N_CALL with fn >= 0; checked: args: value, incr (parameters removed) */
		} aggstmt;
		struct pdesc pdesc;
		struct {
			struct node *pdescs; /* list of N_PDESC */
			struct node *pred;   /* or NULL */
			struct node *body;   /* list of statements; NULL with has_body: {} */
			bool has_body;
		} clause;
		struct {
			const char *name;
			enum dobj_scope scope;
			struct type *type; /* is_assoc arrays: an associative array */
		} decl;
		struct {
			const char *name;
			struct type *type;
			struct node *params; /* list of N_DECL for inline functions; NULL with has_params false */
			bool has_params;
			struct node *expr;
		} inl;
		struct {
			struct type *to, *from;
			const char *param;
			struct node *members; /* list of N_MEMBER with name, obj = the expression */
		} xlator;
	} u;
};

/* A condition over an aggregation: alert FN(@AGG in UNIT) OP LIMIT until … for … over … "FORMAT"; */
struct alert_decl {
	struct alert_decl *next;
	struct pos pos, fn_pos, agg_pos, limit_pos, fmt_pos;
	const char *fn_name, *agg_name;
	int64_t agg_unit;      /* ns of a unit of the aggregation's values; 0 if they are no times */
	int64_t unit;          /* ns of a unit of the limit; 0 if it has none */
	const char *unit_name; /* as written; "" if none */
	struct node *fmt;      /* N_STR, or NULL */
	struct dobj_cond row;  /* what the generator does not add: op, limit, until (as written), hold, window */
	/* checked: */
	struct dagg *agg;
	const char *text; /* the condition as D writes it */
};

enum { NODE_MAXDEPTH = 1000 };

/* Makes a node in cc->ar. */
struct node *node_new(struct cc *cc, enum node_kind kind, struct pos pos);

/* Returns whether a checked expression of integer type is always in its type's range. */
bool node_fits(const struct node *n);

#endif
