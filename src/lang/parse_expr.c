/* Expressions, by precedence climbing. The operators are those of C, and ^^. */
#include "lang/check.h"
#include "lang/parse_int.h"

#include <string.h>

void
p_deepen(struct parser *p, struct node *n, const struct node *c)
{
	for (; c; c = c->next) {
		if (c->depth < n->depth)
			continue;
		n->depth = (uint16_t)(c->depth + 1);
		if (n->depth > NODE_MAXDEPTH)
			cc_error_hint(p->cc, n->pos, "D_SYNTAX",
			    "split it: assign parts of it to this-> variables first",
			    "expression is nested more than %d levels deep", NODE_MAXDEPTH);
	}
}

static struct node *
op1(struct parser *p, enum op op, struct pos pos, struct node *a)
{
	struct node *n = node_new(p->cc, N_OP1, pos);
	n->u.op.op = op;
	n->u.op.a = a;
	p_deepen(p, n, a);
	return n;
}

static struct node *
op2(struct parser *p, enum op op, struct pos pos, struct node *a, struct node *b)
{
	struct node *n = node_new(p->cc, N_OP2, pos);
	n->u.op.op = op;
	n->u.op.a = a;
	n->u.op.b = b;
	p_deepen(p, n, a);
	p_deepen(p, n, b);
	return n;
}

static struct node *
int_node(struct parser *p, struct pos pos, uint64_t v, bool is_unsigned, bool is_long)
{
	struct node *n = node_new(p->cc, N_INT, pos);
	n->u.num = (int64_t)v;
	n->type = type_int(p->ts, is_long ? 8 : 4, !is_unsigned);
	n->is_const = true;
	return n;
}

/* Arguments of a call or an index up to the closing token, which is consumed. */
static struct node *
args(struct parser *p, enum tok closing)
{
	struct node *first = NULL, **tail = &first;
	if (p_accept(p, closing))
		return NULL;
	do {
		*tail = p_assign(p);
		tail = &(*tail)->next;
	} while (p_accept(p, TK_COMMA));
	p_expect(p, closing);
	return first;
}

/* self->x and this->x */
static struct node *
scoped(struct parser *p)
{
	bool is_self = p->tok.kind == TW_SELF;
	struct pos pos = p->tok.pos;
	p_next(p);
	if (p->tok.kind != TK_ARROW)
		cc_error_hint(p->cc, pos, "D_SYNTAX", is_self ? "write self->name" : "write this->name",
		    "'%s' is not a variable", is_self ? "self" : "this");
	p_next(p);
	struct node *n = node_new(p->cc, N_IDENT, p->tok.pos);
	n->u.ident.name = p_name(p, "the name of a variable");
	n->u.ident.scope = is_self ? SCOPE_SELF : SCOPE_THIS;
	n->pos.len += n->pos.off - pos.off;
	n->pos.off = pos.off;
	n->pos.col = pos.col;
	n->pos.line = pos.line;
	return n;
}

static struct node *
ident(struct parser *p)
{
	struct pos pos = p->tok.pos;
	const char *tick = memrchr(p->tok.text, '`', p->tok.len);
	if (!tick) {
		struct node *n = node_new(p->cc, N_IDENT, pos);
		n->u.ident.name = p_name(p, "a name");
		if (p->cc->scan)
			p->cc->scan->name(p->cc->scan->arg, n->u.ident.name);
		return n;
	}
	struct node *n = node_new(p->cc, N_SYMBOL, pos);
	size_t object = (size_t)(tick - p->tok.text);
	n->u.symbol.object = ar_strndup(p->cc->ar, p->tok.text, object);
	n->u.symbol.name = ar_strndup(p->cc->ar, tick + 1, p->tok.len - object - 1);
	p_next(p);
	return n;
}

/* offsetof (type, member) is folded here, because the type is known. */
static struct node *
offsetof_expr(struct parser *p)
{
	struct pos pos = p->tok.pos;
	p_next(p);
	p_expect(p, TK_LPAREN);
	struct type *t = p_type_name(p);
	p_expect(p, TK_COMMA);
	struct pos at = p->tok.pos;
	const char *name = p_name(p, "the name of a member");
	p_expect(p, TK_RPAREN);
	if (!type_is_sou(t))
		cc_error(p->cc, at, "D_OFFSETOF_TYPE", "offsetof operand must be a struct or union type: %s",
		    type_text(p->cc->ar, t));
	if (!type_base(t)->is_complete)
		cc_error(p->cc, at, "D_OFFSETOF_TYPE", "offsetof operand is an incomplete type: %s",
		    type_text(p->cc->ar, t));
	uint64_t bits = 0;
	struct member *m = type_member(t, name, &bits);
	if (!m)
		cc_error(p->cc, at, "D_UNKNOWN", "%s has no member named %s", type_text(p->cc->ar, t), name);
	if (m->bits)
		cc_error(p->cc, at, "D_OFFSETOF_BITFIELD", "cannot take offset of a bit-field: %s", name);
	return int_node(p, pos, bits / 8, true, true);
}

/* xlate <type> (expression) */
static struct node *
xlate(struct parser *p)
{
	struct node *n = node_new(p->cc, N_XLATE, p->tok.pos);
	p_next(p);
	p_expect(p, TK_LT);
	struct type *t = p_type_name(p);
	p_expect(p, TK_GT);
	p_expect(p, TK_LPAREN);
	n->u.xlate.to_ptr = type_is_ptr(t);
	n->u.xlate.to = n->u.xlate.to_ptr ? type_base(t)->ref : t;
	n->u.xlate.expr = p_expr(p);
	p_expect(p, TK_RPAREN);
	p_deepen(p, n, n->u.xlate.expr);
	return n;
}

static struct node *
aggregation(struct parser *p)
{
	struct node *n = node_new(p->cc, N_AGG, p->tok.pos);
	n->u.agg.name = p_text(p, p->cc->ar);
	p_next(p);
	if (p_accept(p, TK_LBRACKET)) {
		if (p->tok.kind == TK_RBRACKET)
			p_unexpected(p, "a key");
		n->u.agg.has_keys = true;
		n->u.agg.keys = args(p, TK_RBRACKET);
		p_deepen(p, n, n->u.agg.keys);
	}
	return n;
}

static struct node *
primary(struct parser *p)
{
	struct node *n;
	struct pos pos = p->tok.pos;
	switch (p->tok.kind) {
	case TK_INT:
		n = int_node(p, pos, p->tok.num, p->tok.is_unsigned, p->tok.is_long);
		p_next(p);
		return n;
	case TK_STR:
		n = node_new(p->cc, N_STR, pos);
		n->u.str.at = p->tok.text;
		n->u.str.len = p->tok.len;
		n->type = type_string(p->ts);
		p_next(p);
		if (p->tok.kind == TK_STR)
			cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX",
			    "D does not join adjacent strings: write one, or use strjoin()",
			    "expected an operator before a string");
		return n;
	case TK_IDENT:
		return ident(p);
	case TK_AGG:
		return aggregation(p);
	case TW_SELF:
	case TW_THIS:
		return scoped(p);
	case TW_OFFSETOF:
		return offsetof_expr(p);
	case TW_XLATE:
		return xlate(p);
	default:
		p_unexpected(p, "an expression");
	}
}

static struct node *
call(struct parser *p, struct node *callee)
{
	if (callee->kind != N_IDENT || callee->u.ident.scope != SCOPE_GLOBAL)
		cc_error_hint(p->cc, callee->pos, "D_FUNC_IDENT",
		    "only D's own functions can be called, by their names",
		    "function designator is not of function type");
	struct node *n = node_new(p->cc, N_CALL, callee->pos);
	n->u.call.name = callee->u.ident.name;
	n->u.call.subr = n->u.call.action = n->u.call.fn = -1;
	n->u.call.args = args(p, TK_RPAREN);
	p_deepen(p, n, n->u.call.args);
	return n;
}

/* What follows a primary expression. */
static struct node *
postfix(struct parser *p, struct node *n)
{
	for (;;) {
		struct pos pos = p->tok.pos;
		switch (p->tok.kind) {
		case TK_LBRACKET: {
			p_next(p);
			if (p->tok.kind == TK_RBRACKET)
				p_unexpected(p, "an index");
			if (n->kind == N_AGG)
				cc_error_hint(p->cc, pos, "D_AGG_MDIM",
				    "separate the keys by commas in one pair of brackets", "@%s has its keys already",
				    n->u.agg.name);
			struct node *x = node_new(p->cc, N_INDEX, n->pos);
			x->u.index.base = n;
			x->u.index.args = args(p, TK_RBRACKET);
			p_deepen(p, x, n);
			p_deepen(p, x, x->u.index.args);
			n = x;
			break;
		}
		case TK_LPAREN:
			p_next(p);
			n = call(p, n);
			break;
		case TK_DOT:
		case TK_ARROW: {
			bool arrow = p->tok.kind == TK_ARROW;
			p_next(p);
			struct node *m = node_new(p->cc, N_MEMBER, p->tok.pos);
			m->u.member.obj = n;
			m->u.member.arrow = arrow;
			m->u.member.name = p_name(p, "the name of a member");
			p_deepen(p, m, n);
			n = m;
			break;
		}
		case TK_INC:
		case TK_DEC:
			n = op1(p, p->tok.kind == TK_INC ? OP_POSTINC : OP_POSTDEC, pos, n);
			p_next(p);
			break;
		default:
			return n;
		}
	}
}

static struct node *unary(struct parser *p);

static struct node *
prefixed(struct parser *p, enum op op)
{
	struct pos pos = p->tok.pos;
	p_next(p);
	return op1(p, op, pos, unary(p));
}

/* Reads the rest of "(expression)" after the opening parenthesis, and what follows it. */
static struct node *
parenthesized(struct parser *p)
{
	struct node *n = p_expr(p);
	p_expect(p, TK_RPAREN);
	n->in_parens = true;
	return postfix(p, n);
}

/* sizeof (type), sizeof expression */
static struct node *
sizeof_expr(struct parser *p)
{
	struct pos pos = p->tok.pos;
	p_next(p);
	if (!p_accept(p, TK_LPAREN))
		return op1(p, OP_SIZEOF, pos, unary(p));
	if (!p_starts_type(p))
		return op1(p, OP_SIZEOF, pos, parenthesized(p));
	struct node *a = node_new(p->cc, N_TYPE, p->tok.pos);
	a->type = p_type_name(p);
	p_expect(p, TK_RPAREN);
	return op1(p, OP_SIZEOF, pos, a);
}

/* Behind a name and its '(': returns whether only stars are left before the ')', as in (foo_t *), which is not an
 * expression. */
static bool
is_pointer_cast(const struct parser *p)
{
	const char *s = p->cc->text;
	size_t at = p->tok.pos.off + p->tok.pos.len, stars = 0;
	for (; at < p->cc->len && (s[at] == '*' || s[at] == ' '); at++)
		stars += s[at] == '*';
	return stars && at < p->cc->len && s[at] == ')';
}

/* (type) operand, or an expression in parentheses */
static struct node *
cast_or_paren(struct parser *p)
{
	struct pos pos = p->tok.pos;
	p_next(p);
	if (!p_starts_type(p)) {
		struct token first = p->tok;
		const char *name = first.kind == TK_IDENT ? p_text(p, p->cc->ar) : NULL;
		if (name && is_pointer_cast(p))
			p_unknown_type(p, name, first.pos);
		struct node *n = parenthesized(p);
		enum tok k = p->tok.kind;
		/* (foo_t)x: only a cast can have an operand behind it */
		if (name && n->kind == N_IDENT && (k == TK_IDENT || k == TK_INT || k == TK_STR))
			p_unknown_type(p, name, first.pos);
		return n;
	}
	struct node *n = node_new(p->cc, N_CAST, pos);
	n->type = p_type_name(p);
	p_expect(p, TK_RPAREN);
	n->u.op.a = unary(p);
	p_deepen(p, n, n->u.op.a);
	return n;
}

static struct node *
any_unary(struct parser *p)
{
	switch (p->tok.kind) {
	case TK_SUB:
		return prefixed(p, OP_NEG);
	case TK_ADD:
		return prefixed(p, OP_POS);
	case TK_NOT:
		return prefixed(p, OP_NOT);
	case TK_BITNOT:
		return prefixed(p, OP_BITNOT);
	case TK_MUL:
		return prefixed(p, OP_DEREF);
	case TK_AND:
		return prefixed(p, OP_ADDR);
	case TK_INC:
		return prefixed(p, OP_PREINC);
	case TK_DEC:
		return prefixed(p, OP_PREDEC);
	case TW_STRINGOF:
		return prefixed(p, OP_STRINGOF);
	case TW_SIZEOF:
		return sizeof_expr(p);
	case TK_LPAREN:
		return cast_or_paren(p);
	default:
		return postfix(p, primary(p));
	}
}

static struct node *
unary(struct parser *p)
{
	p_enter(p);
	struct node *n = any_unary(p);
	p_leave(p);
	return n;
}

/* Returns the precedence of a binary operator, or 0 if it is not one. */
static unsigned
precedence(enum tok k, enum op *op)
{
	static const struct {
		uint8_t tok, op, prec;
	} table[] = {
	    {TK_OROR, OP_LOGOR, 1},
	    {TK_XORXOR, OP_LOGXOR, 2},
	    {TK_ANDAND, OP_LOGAND, 3},
	    {TK_OR, OP_BITOR, 4},
	    {TK_XOR, OP_XOR, 5},
	    {TK_AND, OP_BITAND, 6},
	    {TK_EQ, OP_EQ, 7},
	    {TK_NE, OP_NE, 7},
	    {TK_LT, OP_LT, 8},
	    {TK_GT, OP_GT, 8},
	    {TK_LE, OP_LE, 8},
	    {TK_GE, OP_GE, 8},
	    {TK_SHL, OP_SHL, 9},
	    {TK_SHR, OP_SHR, 9},
	    {TK_ADD, OP_ADD, 10},
	    {TK_SUB, OP_SUB, 10},
	    {TK_MUL, OP_MUL, 11},
	    {TK_DIV, OP_DIV, 11},
	    {TK_MOD, OP_MOD, 11},
	};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (table[i].tok == k) {
			*op = (enum op)table[i].op;
			return table[i].prec;
		}
	}
	return 0;
}

static struct node *
binary(struct parser *p, unsigned least)
{
	struct node *a = unary(p);
	enum op op = OP_MUL;
	for (;;) {
		unsigned prec = precedence(p->tok.kind, &op);
		if (!prec || prec < least)
			return a;
		struct pos pos = p->tok.pos;
		enum op this = op;
		p_next(p);
		struct node *b = binary(p, prec + 1);
		a = op2(p, this, pos, a, b);
	}
}

struct node *
p_cond(struct parser *p)
{
	struct node *a = binary(p, 1);
	if (p->tok.kind != TK_QUESTION)
		return a;
	struct node *n = node_new(p->cc, N_COND, p->tok.pos);
	p_enter(p);
	p_next(p);
	n->u.cond.a = a;
	n->u.cond.b = p_expr(p);
	p_expect(p, TK_COLON);
	n->u.cond.c = p_cond(p);
	p_leave(p);
	p_deepen(p, n, n->u.cond.a);
	p_deepen(p, n, n->u.cond.b);
	p_deepen(p, n, n->u.cond.c);
	return n;
}

static bool
assignment_op(enum tok k, enum op *op)
{
	switch (k) {
	case TK_ASSIGN:
		*op = OP_ASSIGN;
		return true;
	case TK_MULEQ:
		*op = OP_MULEQ;
		return true;
	case TK_DIVEQ:
		*op = OP_DIVEQ;
		return true;
	case TK_MODEQ:
		*op = OP_MODEQ;
		return true;
	case TK_ADDEQ:
		*op = OP_ADDEQ;
		return true;
	case TK_SUBEQ:
		*op = OP_SUBEQ;
		return true;
	case TK_SHLEQ:
		*op = OP_SHLEQ;
		return true;
	case TK_SHREQ:
		*op = OP_SHREQ;
		return true;
	case TK_ANDEQ:
		*op = OP_ANDEQ;
		return true;
	case TK_XOREQ:
		*op = OP_XOREQ;
		return true;
	case TK_OREQ:
		*op = OP_OREQ;
		return true;
	default:
		return false;
	}
}

struct node *
p_assign(struct parser *p)
{
	p_enter(p);
	struct node *a = p_cond(p);
	enum op op;
	if (assignment_op(p->tok.kind, &op)) {
		struct pos pos = p->tok.pos;
		bool loose = (a->kind == N_OP2 || a->kind == N_COND || a->kind == N_CAST) && !a->in_parens;
		if (loose)
			cc_error_hint(p->cc, pos, "D_SYNTAX",
			    "only a variable, an array element or a member can be assigned",
			    "expected the end of the expression before %s", tok_text(p->tok.kind));
		p_next(p);
		struct node *b = p_assign(p);
		a = op2(p, op, pos, a, b);
	}
	p_leave(p);
	return a;
}

struct node *
p_expr(struct parser *p)
{
	struct node *a = p_assign(p);
	while (p->tok.kind == TK_COMMA) {
		struct pos pos = p->tok.pos;
		p_next(p);
		a = op2(p, OP_COMMA, pos, a, p_assign(p));
	}
	return a;
}

/* Errors that are about the expression itself. All others mean that it is not constant. */
static bool
is_about_expr(const char *tag)
{
	return !tag || strncmp(tag, "D_IDENT_", 8) == 0 || strncmp(tag, "D_OP_", 5) == 0 ||
	       strcmp(tag, "D_DIV_ZERO") == 0 || strncmp(tag, "D_SIZEOF_", 9) == 0 || strncmp(tag, "D_TYPE_", 7) == 0;
}

bool
p_const(struct parser *p, struct node *e, int64_t *v)
{
	struct cc *cc = p->cc;
	jmp_buf here, *saved = cc->fail;
	cc->fail = &here;
	if (setjmp(here) == 0) {
		*v = check_const(cc, e);
		cc->fail = saved;
		return true;
	}
	cc->fail = saved;
	if (is_about_expr(cc->diag->tag))
		longjmp(*saved, 1);
	return false;
}
