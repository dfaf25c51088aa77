/* The outer level, clauses and statements. */
#include "lang/parse_int.h"

#include "lang/check.h"

#include <ctype.h>
#include <string.h>

struct parser *
parse_open(struct cc *cc)
{
	struct parser *p = AR_NEW(cc->ar, struct parser);
	p->cc = cc;
	p->ts = cc->lang->types;
	lex_open(&p->lx, cc);
	return p;
}

struct lexer *
parse_lexer(struct parser *p)
{
	return &p->lx;
}

struct node *
node_new(struct cc *cc, enum node_kind kind, struct pos pos)
{
	struct node *n = AR_NEW(cc->ar, struct node);
	n->kind = kind;
	n->pos = pos;
	n->depth = 1;
	return n;
}

/* Skips the rest of "name (…)" in an attribute that does not matter. */
static void
skip_parens(struct parser *p)
{
	for (unsigned depth = 0;; lex_next(&p->lx, &p->tok)) {
		if (p->tok.kind == TK_EOF)
			p_unexpected(p, "')'");
		depth += p->tok.kind == TK_LPAREN;
		if (p->tok.kind == TK_RPAREN && --depth == 0)
			break;
	}
	lex_next(&p->lx, &p->tok);
}

static bool
is_attr(const struct parser *p, const char *name)
{
	const char *s = p->tok.text;
	size_t n = p->tok.len, len = strlen(name);
	if (p->tok.kind != TK_IDENT)
		return false;
	if (n == len + 4 && memcmp(s, "__", 2) == 0 && memcmp(s + n - 2, "__", 2) == 0) {
		s += 2;
		n -= 4;
	}
	return n == len && memcmp(s, name, n) == 0;
}

/* __attribute__((…)): layout is taken from it, everything else is skipped. */
static void
attribute(struct parser *p)
{
	enum { MOST_ALIGN = 4096, BIGGEST_ALIGN = 16 };
	p_enter(p);
	lex_next(&p->lx, &p->tok);
	for (int i = 0; i < 2; i++) {
		p_expect_last(p, TK_LPAREN);
		lex_next(&p->lx, &p->tok);
	}
	while (p->tok.kind != TK_RPAREN && p->tok.kind != TK_EOF) {
		bool is_aligned = is_attr(p, "aligned");
		p->attr_packed |= is_attr(p, "packed");
		lex_next(&p->lx, &p->tok);
		if (p->tok.kind == TK_LPAREN && is_aligned) {
			int64_t n = 0;
			struct pos pos = p->tok.pos;
			p_next(p);
			if (!p_const(p, p_cond(p), &n) || n < 1 || n > MOST_ALIGN || (n & (n - 1)))
				cc_error(
				    p->cc, pos, "D_SYNTAX", "alignment must be a power of two up to %d", MOST_ALIGN);
			p_expect(p, TK_RPAREN);
			p->attr_align = (uint32_t)n;
		} else if (is_aligned)
			p->attr_align = BIGGEST_ALIGN;
		else if (p->tok.kind == TK_LPAREN)
			skip_parens(p);
		if (p->tok.kind == TK_COMMA)
			lex_next(&p->lx, &p->tok);
	}
	p_expect_last(p, TK_RPAREN);
	lex_next(&p->lx, &p->tok);
	p_expect_last(p, TK_RPAREN);
	p_leave(p);
}

void
p_next(struct parser *p)
{
	lex_next(&p->lx, &p->tok);
	while (p->tok.kind == TK_IDENT && p->tok.len == 13 && memcmp(p->tok.text, "__attribute__", 13) == 0) {
		attribute(p);
		lex_next(&p->lx, &p->tok);
	}
}

bool
p_accept(struct parser *p, enum tok k)
{
	if (p->tok.kind != k)
		return false;
	p_next(p);
	return true;
}

/* For constructs that D lacks: what to do instead. Returns NULL if there is nothing to say. */
static const char *
hint_for(enum tok k)
{
	switch (k) {
	case TW_FOR:
	case TW_WHILE:
	case TW_DO:
	case TW_BREAK:
	case TW_CONTINUE:
		return "D has no loops: a clause runs once for each firing of its probe; use tick-* probes to do things again";
	case TW_GOTO:
		return "D has no goto";
	case TW_SWITCH:
	case TW_CASE:
	case TW_DEFAULT:
		return "D has no switch: use if and else, ?:, or clauses with predicates";
	case TW_RETURN:
		return "D has no functions to return from: use a predicate or if";
	case TW_TRY:
		return "D has no exceptions: a fault ends the clause and fires dtrace:::ERROR";
	case TW_INT:
	case TW_CHAR:
	case TW_LONG:
	case TW_SHORT:
	case TW_UNSIGNED:
	case TW_SIGNED:
	case TW_STRING:
	case TW_STRUCT:
	case TW_UNION:
	case TW_ENUM:
	case TW_TYPEDEF:
	case TW_VOID:
	case TW_CONST:
		return "declarations stand outside of clauses; a variable gets its type from its first assignment";
	default:
		return NULL;
	}
}

static const char *
found(struct parser *p)
{
	struct token *t = &p->tok;
	if (t->kind == TK_IDENT || t->kind == TK_AGG)
		return ar_printf(p->cc->ar, "'%s%.*s%s'", t->kind == TK_AGG ? "@" : "", t->len > 60 ? 60 : (int)t->len,
		    t->text, t->len > 60 ? "..." : "");
	if (t->kind == TK_INT && t->pos.len && t->pos.len <= 60)
		return ar_printf(p->cc->ar, "'%.*s'", (int)t->pos.len, p->cc->text + t->pos.off);
	return tok_text(t->kind);
}

_Noreturn void
p_unexpected(struct parser *p, const char *expected)
{
	const char *hint = hint_for(p->tok.kind);
	if (p->tok.kind == TK_EOF && p->body_line)
		hint = ar_printf(p->cc->ar, "the clause's { is in line %u", p->body_line);
	cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX", hint, "expected %s before %s", expected, found(p));
}

void
p_expect_last(struct parser *p, enum tok k)
{
	if (p->tok.kind != k)
		p_unexpected(p, tok_text(k));
}

void
p_expect(struct parser *p, enum tok k)
{
	p_expect_last(p, k);
	p_next(p);
}

void
p_enter(struct parser *p)
{
	if (++p->nesting > PARSE_MAXNEST)
		cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX", "split it into several statements",
		    "the program is nested too deeply");
}

void
p_leave(struct parser *p)
{
	p->nesting--;
}

char *
p_text(struct parser *p, struct arena *ar)
{
	return ar_strndup(ar, p->tok.text, p->tok.len);
}

const char *
p_name(struct parser *p, const char *expected)
{
	if (p->tok.kind != TK_IDENT)
		p_unexpected(p, expected);
	const char *s = p_text(p, p->cc->ar);
	p_next(p);
	return s;
}

/* An expression as a statement. One with an aggregation is a kind of its own. */
static struct node *
expr_statement(struct parser *p)
{
	struct node *e = p_expr(p);
	bool is_agg = e->kind == N_OP2 && e->u.op.op == OP_ASSIGN && !e->in_parens && e->u.op.a->kind == N_AGG;
	struct node *n = node_new(p->cc, is_agg ? N_AGGSTMT : N_EXPRSTMT, e->pos);
	if (is_agg) {
		struct node *agg = e->u.op.a, *call = e->u.op.b;
		if (call->kind != N_CALL)
			cc_error_hint(p->cc, call->pos, "D_AGG_FUNC", aggfn_examples(p->cc),
			    "@%s must be assigned the result of an aggregating function", agg->u.agg.name);
		n->pos = agg->pos;
		n->u.aggstmt.agg = agg;
		n->u.aggstmt.call = call;
	} else
		n->u.op.a = e;
	p_deepen(p, n, e);
	return n;
}

static struct node *statements(struct parser *p);

/* What an if or else governs: a block, or one statement with its semicolon. */
static struct node *statement(struct parser *p);

static struct node *
arm(struct parser *p)
{
	if (p_accept(p, TK_LBRACE)) {
		struct node *list = statements(p);
		p_expect(p, TK_RBRACE);
		return list;
	}
	if (p_accept(p, TK_SEMI))
		return NULL;
	return statement(p);
}

static struct node *
if_statement(struct parser *p)
{
	struct node *n = node_new(p->cc, N_IF, p->tok.pos);
	p_enter(p);
	p_next(p);
	p_expect(p, TK_LPAREN);
	n->u.cond.a = p_expr(p);
	p_expect(p, TK_RPAREN);
	n->u.cond.b = arm(p);
	if (p_accept(p, TW_ELSE))
		n->u.cond.c = arm(p);
	p_leave(p);
	p_deepen(p, n, n->u.cond.a);
	p_deepen(p, n, n->u.cond.b);
	p_deepen(p, n, n->u.cond.c);
	return n;
}

/* One statement with its semicolon. The last one before '}' may lack it. */
static struct node *
statement(struct parser *p)
{
	if (p->tok.kind == TW_IF)
		return if_statement(p);
	if (p->tok.kind == TW_ELSE)
		cc_error(p->cc, p->tok.pos, "D_SYNTAX", "'else' without an 'if' before it");
	struct node *n = expr_statement(p);
	if (p->tok.kind != TK_RBRACE && !p_accept(p, TK_SEMI))
		p_unexpected(p, p->tok.kind == TK_EOF ? "'}'" : "';'");
	return n;
}

static struct node *
statements(struct parser *p)
{
	struct node *first = NULL, **tail = &first;
	while (p->tok.kind != TK_RBRACE && p->tok.kind != TK_EOF) {
		if (p_accept(p, TK_SEMI))
			continue;
		*tail = statement(p);
		tail = &(*tail)->next;
	}
	return first;
}

/*
 * A predicate, up to the '/' that ends it. In "lists:seq/2 {" the probe's name is missing, so that the function's arity
 * was read as a predicate.
 */
static struct node *
predicate(struct parser *p)
{
	struct lexer *lx = &p->lx;
	uint32_t slash = lx->at++, digits = 0, from = slash;
	while (lx->at + digits < lx->len && lex_is_digit(lx->text[lx->at + digits]))
		digits++;
	while (from && !lex_is_blank(lx->text[from - 1]) && !strchr(",;}", lx->text[from - 1]))
		from--;
	const char *function = lx->text + from;
	unsigned colons = 0;
	for (uint32_t i = from; i < slash; i++)
		colons += lx->text[i] == ':';
	bool looks_like_arity = digits && digits < 4 && colons && colons < 3 && slash - from < 200;
	lx->in_pred = true;
	p_next(p);
	struct node *pred = p_expr(p);
	if (p->tok.kind != TK_EPRED && looks_like_arity)
		cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX",
		    ar_printf(p->cc->ar, "the probes of a function end with a name: %.*s:entry, :return or :exception",
			(int)(slash - from + 1 + digits), function),
		    "expected %s before %s", tok_text(TK_EPRED), found(p));
	p_expect_last(p, TK_EPRED);
	lx->in_pred = false;
	return pred;
}

/* Descriptions, predicate and body. */
static struct node *
clause(struct parser *p)
{
	struct lexer *lx = &p->lx;
	struct node *n = node_new(p->cc, N_CLAUSE, lex_pos(lx, lx->at, 0));
	struct node **tail = &n->u.clause.pdescs;
	for (;;) {
		*tail = node_new(p->cc, N_PDESC, lex_pos(lx, lx->at, 0));
		lex_pdesc(lx, *tail);
		tail = &(*tail)->next;
		if (!lex_skip(lx) || lx->text[lx->at] != ',')
			break;
		lx->at++;
		lex_skip(lx);
	}
	n->pos = n->u.clause.pdescs->pos;
	char c = lx->at < lx->len ? lx->text[lx->at] : '\0';
	if (c == '/') {
		n->u.clause.pred = predicate(p);
		struct pos end = p->tok.pos;
		if (!lex_skip(lx) || lx->text[lx->at] != '{')
			cc_error(
			    p->cc, end, "D_SYNTAX", "expected actions { } following probe description and predicate");
	} else if (c != '{') {
		bool is_last = lx->at >= lx->len || c == ';';
		bool is_word = !is_last && (c == '*' || c == '_' || isalpha((unsigned char)c));
		if (p->cc->is_file || !is_last)
			cc_error_hint(p->cc, is_last ? n->pos : lex_pos(lx, lx->at, 1), "D_SYNTAX",
			    is_word ? "if this is to declare a variable: the type in front of it is not known"
				    : "write { } behind it to have each firing printed",
			    "expected predicate and/or actions following probe description");
		lx->at += c == ';';
		return n;
	}
	p_next(p);
	n->u.clause.has_body = true;
	p->body_line = p->tok.pos.line;
	p_next(p);
	n->u.clause.body = statements(p);
	p_expect_last(p, TK_RBRACE);
	p->body_line = 0;
	return n;
}

static struct node *
declared(struct parser *p)
{
	p_next(p);
	switch (p->tok.kind) {
	case TW_INLINE:
		p->saw_any = true;
		return p_inline(p);
	case TW_TRANSLATOR:
		p->saw_any = true;
		return p_translator(p);
	case TW_PROVIDER:
		p->saw_any = true;
		return p_provider(p);
	default:
		return p_declaration(p);
	}
}

static _Noreturn void
junk(struct parser *p)
{
	struct lexer *lx = &p->lx;
	char c = lx->text[lx->at];
	if (c == '{' || c == '/')
		cc_error_hint(p->cc, lex_pos(lx, lx->at, 1), "D_SYNTAX",
		    "a clause is: probe descriptions /predicate/ { actions }",
		    "expected a probe description before '%c'", c);
	p_next(p);
	if (p->tok.kind == TK_RBRACE)
		cc_error(p->cc, p->tok.pos, "D_SYNTAX", "extra } in input stream");
	p_unexpected(p, "a probe description or a declaration");
}

struct node *
parse_top(struct parser *p)
{
	for (;;) {
		lex_skip(&p->lx);
		p->nesting = 0;
		struct node *n = NULL;
		switch (lex_outer(&p->lx)) {
		case LO_END:
			return NULL;
		case LO_DECL:
			n = declared(p);
			break;
		case LO_ALERT:
			p->saw_any = true;
			p_alert(p);
			break;
		case LO_PDESC:
			if (p->cc->is_lib)
				cc_error(p->cc, lex_pos(&p->lx, p->lx.at, 1), "D_SYNTAX",
				    "a D library may not contain probe clauses");
			p->saw_any = true;
			return clause(p);
		case LO_JUNK:
			if (p->lx.text[p->lx.at] != ';')
				junk(p);
			p->lx.at++;
			break;
		}
		if (n)
			return n;
	}
}

bool
parse_saw_any(const struct parser *p)
{
	return p->saw_any;
}

struct type *
type_parse(struct cc *cc, const char *text)
{
	struct diag why = {0};
	jmp_buf here;
	struct cc sub = *cc;
	sub.fail = &here;
	sub.diag = &why;
	sub.file = NULL;
	sub.text = text;
	sub.len = strlen(text);
	sub.argc = 0;
	if (setjmp(here)) {
		diag_free(&why);
		return NULL;
	}
	struct parser *p = parse_open(&sub);
	p_next(p);
	struct type *t = p_type_name(p);
	return p->tok.kind == TK_EOF ? t : NULL;
}
