/*
 * What the files of the checker share. Expressions are checked in place: when a node comes to stand for something else,
 * it is overwritten (ck_become) and keeps its place in the list. All functions leave through cc_error on the first
 * error.
 */
#ifndef ET_LANG_CHECK_PRIV_H
#define ET_LANG_CHECK_PRIV_H

#include "base/opts.h"
#include "object/subr.h"
#include "lang/check.h"
#include "lang/lang.h"

/* How an expression is used where it stands. */
enum use {
	USE_READ,
	USE_CHANGE, /* left of += and the like: must be a known variable */
	USE_ASSIGN, /* left of =: an unknown variable is made, without a type yet */
	USE_STEP,   /* operand of ++ and --: an unknown variable is made, as int64_t */
};

/* Parameters that are visible while the body of an inline or translator is checked. */
struct scope {
	unsigned n;
	const char **names; /* NULL if the parameter has no name */
	struct type **types;
};

/* check_node.c: making and copying nodes; types that are needed often. */
void ck_become(struct node *n, const struct node *m);
struct node *ck_copy(struct cc *cc, const struct node *n); /* this node only, without its list */
void ck_make_int(struct node *n, struct type *t, int64_t v);
struct node *ck_int(struct cc *cc, struct pos pos, struct type *t, int64_t v);
struct node *ck_op(struct cc *cc, struct pos pos, enum op op, struct node *a, struct node *b, struct type *t);
/* n becomes op(n) of type t. */
void ck_wrap(struct cc *cc, struct node *n, enum node_kind kind, enum op op, struct type *t);
/* A deep copy in `ar`; N_PARAM i becomes a copy of args[i] when args is not NULL. */
struct node *ck_clone(struct cc *cc, struct arena *ar, const struct node *n, struct node *const *args);
struct node *ck_clone_list(struct cc *cc, struct arena *ar, const struct node *n, struct node *const *args);
unsigned ck_len(const struct node *list);
struct type *ck_type_int(struct cc *cc);
struct type *ck_type_int64(struct cc *cc);
struct type *ck_type_uint64(struct cc *cc);
struct type *ck_type_named(struct cc *cc, const char *text); /* of text that must parse */
const char *ck_tname(struct cc *cc, struct type *t);
const char *ck_nname(struct cc *cc, const struct node *n); /* the node's type, for messages */
/* "did you mean 'x'?" in cc->ar, or NULL */
const char *ck_hint(struct cc *cc, const char *near);

/* check_conv.c: types of values and conversions. */
bool ck_is_void(const struct node *n);
bool ck_is_dyn(const struct node *n);
bool ck_is_int(const struct node *n);
bool ck_is_ptr(const struct node *n);  /* pointers and arrays */
bool ck_is_zero(const struct node *n); /* the constant 0 */
bool ck_is_scalar(const struct node *n);
bool ck_is_str(const struct node *n);
bool ck_is_vfptr(const struct node *n); /* pointer to void or function */
bool ck_is_action(const struct node *n);
bool ck_is_bitfield(const struct node *n);
struct type *ck_elem(struct type *t); /* what a pointer, array or string points at, or NULL */
struct type *ck_promoted(struct cc *cc, const struct node *n);
struct type *ck_usual(struct cc *cc, const struct node *a, const struct node *b);
bool ck_ptrcompat(struct cc *cc, const struct node *a, const struct node *b, struct type **common);
/* Returns whether n may be passed or assigned where t is wanted. */
bool ck_argcompat(struct cc *cc, struct type *t, const struct node *n);
/* Converts n, which must be compatible, to t. */
void ck_convert(struct cc *cc, struct node *n, struct type *t);
void ck_to_string(struct cc *cc, struct node *n);
int64_t ck_cut(struct type *t, int64_t v);       /* v as a value of integer type t */
void ck_cut_node(struct cc *cc, struct node *n); /* cuts the number to a value of its own type */

/* check_term.c: Erlang terms. Both conversions leave alone what is not a term. */
bool ck_is_term(const struct node *n);
void ck_term_text(struct cc *cc, struct node *n);
void ck_term_int(struct cc *cc, struct node *n);
/* n is a term or the address of a text; it becomes the text. */
void ck_read_text(struct cc *cc, struct node *n);
/* Two operands, one of which may be a term: beside a number the term is a number, otherwise it is text. */
void ck_terms_meet(struct cc *cc, struct node *a, struct node *b);
const char *ck_term_hint(const struct node *n); /* for a place where a truth value is wanted; NULL if n is not a term */
/* check_symbol.c: a symbol of the kernel becomes the value at its address. With for_address only & is applied to it,
 * so it may lack a type. */
void ck_symbol(struct cc *cc, struct node *n, bool for_address);
/* A member of psinfo_t or lwpsinfo_t that is not converted. It gives D_XLATE_NOCONV, though it is not declared here. */
bool ck_is_unconverted(const struct type *t, const char *name);
/* check_lock.c: adds the kind of the lock to the arguments of a function with SF_LOCK. */
void ck_lock(struct cc *cc, struct node *n, enum dif_subr subr);
void ck_term_key(struct cc *cc, struct node *n, enum dif_subr subr);

/* check_arg.c: what is special about the arguments of erlang probes */
/* Notes which arguments are addresses in this probe and in all probes before it. */
void ck_addresses(const struct probe *p, bool first, unsigned *texts, unsigned *terms);
/* Returns how to write what was meant if n is such an argument, otherwise NULL. */
const char *ck_address_hint(struct cc *cc, const struct node *n);
/* Fails if n is such an argument or an offset from one, because that is not a number. `use` says what cannot be done
 * with it. */
void ck_no_address(struct cc *cc, const struct node *n, const char *use);
/* name(pid) is known only when it is shown. So it may be only a key of an aggregation or an argument of printf() and
 * trace(). */
void ck_name(struct cc *cc, struct node *n, bool is_stmt);
bool ck_is_name(const struct node *n);
extern const char ck_name_hint[];

/* check_fold.c */
void ck_fold1(struct node *n);
void ck_fold2(struct cc *cc, struct node *n);
void ck_fold_cond(struct node *n);

/* check_expr.c */
void ck_expr(struct cc *cc, struct node *n, enum use use);
void ck_list(struct cc *cc, struct node *list);
const char *ck_opname(enum op op);

/* check_op.c */
void ck_op2(struct cc *cc, struct node *n);
bool ck_writable(const struct node *n);

/* ident.c */
void ck_ident(struct cc *cc, struct node *n, enum use use);
void ck_index(struct cc *cc, struct node *n, enum use use);
void ck_declare(struct cc *cc, struct node *n);
struct node *ck_hidden_var(struct cc *cc, const char *name, struct pos pos, struct type *t);
void ck_var_typed(struct node *n, struct type *t); /* n: an N_VAR that has no type yet */
/* Converts keys to the types that the first use fixed. If *types is NULL this is the first use, and it makes them. */
void ck_keys(struct cc *cc, const char *what, struct node *keys, struct type ***types, unsigned *ntypes, bool is_agg,
    struct pos pos);

/* builtin.c */
bool bi_const(const char *name, int64_t *value);
int bi_var(const char *name); /* enum dif_builtin, or -1 */
/* Returns whether the name came into the language after the version that the program was written for. */
bool bi_is_later(const struct cc *cc, const char *name);
const char *bi_name(enum dif_builtin id);
unsigned bi_flags(enum dif_builtin id);
struct type *bi_type(struct cc *cc, enum dif_builtin id);
const char *bi_near(struct cc *cc, const char *name, bool functions);

/* inline.c */
void ck_inline_define(struct cc *cc, struct node *n);
/* n becomes the inline's value. args is a list, checked here. */
void ck_inline_expand(struct cc *cc, struct node *n, const struct node *inl, struct node *args);
/* Counts nodes made by expansion and refuses programs in which they grow without bound. */
void ck_expanded(struct cc *cc, struct node *n);

/* xlate.c */
void ck_xlator_define(struct cc *cc, struct node *n);
void ck_xlate(struct cc *cc, struct node *n);
/* front_libs.c: loads the translators of the kernel's structures. Returns false if they were loaded before or
 * cannot be had. */
bool front_kernel(struct cc *cc);
/* n is an N_MEMBER whose object is a checked N_XLATE. It becomes the member's expression. */
void ck_xlate_member(struct cc *cc, struct node *n);
/* n is a checked assignment of an N_XLATE of a struct to a variable. It becomes an assignment of each member. */
void ck_xlate_assign(struct cc *cc, struct node *n);
/* A translation as a value: it is kept in a hidden variable. */
void ck_xlate_value(struct cc *cc, struct node *n);

/* action.c, check_call.c */
struct action {
	const char *name;
	int action;        /* enum dobj_action, or -1 if the engine performs it */
	int subr;          /* enum dif_subr, or -1 */
	int kind;          /* enum dobj_kind of stacks and symbols */
	const char *proto; /* as in subr.h, or NULL if it is checked by hand */
	unsigned flags;
};
enum {
	AF_DATA = 1,
	AF_DESTRUCTIVE = 2,
	AF_SPECULATE = 4,
	AF_COMMIT = 8,
	AF_DISCARD = 16,
	AF_EXIT = 32,
	AF_REFUSED = 64
};
const struct action *action_find(const char *name);
const char *action_at(unsigned i);   /* the name, or NULL past the end */
int aggfn_find(const char *name);    /* enum agg_fn, or -1 */
int subr_find(const char *name);     /* enum dif_subr of a function that has a value, or -1 */
bool subr_is_of_d(const char *name); /* it is one of DTrace's own functions, whose names are reserved */
/* Returns whether no variable may have this name. Names of functions on terms are free: they came late, and programs
 * already had variables called length. */
bool subr_is_reserved(const char *name);
void ck_call(struct cc *cc, struct node *n, bool is_stmt);
void ck_action(struct cc *cc, struct node *n, const struct action *a, bool is_stmt);
struct proto *ck_proto(struct cc *cc, const char *name, const char *text);
void ck_args(struct cc *cc, const char *name, const struct proto *p, struct node *args, struct pos pos);

/* check_agg.c */
void ck_agg(struct cc *cc, struct node *n);
void ck_aggstmt(struct cc *cc, struct node *n);
/* Checks an N_AGG that must have been assigned to before. */
void ck_agg_arg(struct cc *cc, struct node *call, struct node *n, unsigned argno, const char *prefix);

/* printf_check.c: args follow the format. printa() has only an aggregation, and its keys are formatted. */
void ck_format(
    struct cc *cc, const struct node *call, const struct node *fmt, struct node *args, const struct dagg *agg);

#endif
