/*
 * Shared by the files of the parser. p->tok is the token that is not consumed yet. The last token of a top-level
 * construct stays there, so that nothing is read ahead of what the outer level will look at.
 */
#ifndef ET_LANG_PARSE_INT_H
#define ET_LANG_PARSE_INT_H

#include "lang/lang.h"
#include "lang/lex.h"
#include "lang/parse.h"

struct parser {
	struct cc *cc;
	struct types *ts;
	struct lexer lx;
	struct token tok;
	bool saw_any; /* anything but declarations of variables and types */
	/* From __attribute__, kept until it is asked for, because it may stand nearly anywhere. */
	bool attr_packed;
	uint32_t attr_align;
	uint32_t body_line; /* where the clause's { is */
	unsigned nesting;   /* of what is being parsed: bounds the C stack */
};

/* How deep the parser itself may go. One pair of parentheses counts as two. */
#ifdef ET_TINY
enum { PARSE_MAXNEST = 400 };
#else
enum { PARSE_MAXNEST = NODE_MAXDEPTH };
#endif

/* parse.c: tokens */
void p_next(struct parser *p);
bool p_accept(struct parser *p, enum tok k);
void p_expect(struct parser *p, enum tok k);
/* Like p_expect, for the last token of a top-level construct, which is not consumed. */
void p_expect_last(struct parser *p, enum tok k);
/* Reports "expected … before …" at the current token, with a hint if the token deserves one. */
_Noreturn void p_unexpected(struct parser *p, const char *expected);
void p_enter(struct parser *p);
void p_leave(struct parser *p);
/* Returns the name at the current token, in cc->ar, and consumes it. */
const char *p_name(struct parser *p, const char *expected);
char *p_text(struct parser *p, struct arena *ar); /* of a TK_IDENT or TK_AGG, NUL-terminated */

/* parse_expr.c */
struct node *p_expr(struct parser *p);   /* with commas */
struct node *p_assign(struct parser *p); /* without */
struct node *p_cond(struct parser *p);   /* constant expressions */
/* Computes an expression that must be constant. Returns false if it is a correct expression but not constant. */
bool p_const(struct parser *p, struct node *e, int64_t *v);
/* Makes n one level deeper than c. */
void p_deepen(struct parser *p, struct node *n, const struct node *c);

/* parse_decl.c: the outer level */
struct node *p_declaration(struct parser *p);
struct node *p_inline(struct parser *p);
struct node *p_translator(struct parser *p);
struct node *p_provider(struct parser *p);

/* parse_alert.c: alert p99(@wait) > 50ms for 30s "…"; it is put into cc->alerts, to be checked at the end */
void p_alert(struct parser *p);

/* decl.c: C's declarations */
enum storage { SC_NONE, SC_SELF, SC_THIS, SC_TYPEDEF, SC_EXTERN, SC_STATIC, SC_AUTO, SC_REGISTER };

struct specs {
	enum storage storage;
	struct type *type;
	struct pos pos;
	bool is_tag;      /* struct, union or enum: useful without a declarator */
	bool is_untagged; /* struct or union without a tag: may be an anonymous member */
};

/* A parameter as written. */
struct formal {
	struct formal *next;
	const char *name; /* or NULL */
	struct type *type;
	struct pos pos;
};
struct formals {
	struct formal *first;
	unsigned n;
	bool is_varargs;
};

struct declr {
	const char *name; /* in the arena of lang; NULL if abstract */
	struct pos pos;
	struct type *type;
	bool has_formals;       /* the part nearest to the name is (…) or [types] */
	struct formals formals; /* those */
};

_Noreturn void p_unknown_type(struct parser *p, const char *name, struct pos pos);
bool p_starts_type(struct parser *p);
uint32_t p_own_scope(const char *name, size_t len);
void p_specs(struct parser *p, struct specs *s);
/* Reads a declarator over `base`. */
void p_declr(struct parser *p, struct type *base, bool needs_name, struct declr *d);
/* Reads specifiers and an abstract declarator: sizeof, casts, xlate. */
struct type *p_type_name(struct parser *p);
/* Reads "(…)" from behind the opening parenthesis to behind the closing one. kind is for messages. */
struct formals p_formals(struct parser *p, enum tok closing, const char *kind);
enum { FORM_VARARGS = 1, FORM_VOID = 2, FORM_ANON = 4 };
void p_check_formals(struct parser *p, struct formals *f, const char *kind, unsigned allowed);
/* decl_tag.c: struct, union or enum, from behind that word */
struct type *p_tag(struct parser *p, enum type_kind kind, bool *is_untagged);

#endif
