/* The outer level's declarations: variables, types, inlines, translators. */
#include "lang/parse_int.h"

#include <string.h>

static bool
is_incomplete(struct type *t)
{
	struct type *base = type_base(t);
	return (base->kind == T_STRUCT || base->kind == T_UNION || base->kind == T_ENUM) && !base->is_complete;
}

static void
declare_typedef(struct parser *p, const struct declr *d)
{
	struct lang *l = p->cc->lang;
	struct type *base = type_base(d->type);
	if (base->kind == T_ARRAY && base->is_assoc)
		cc_error(p->cc, d->pos, "D_DECL_DYNOBJ", "cannot declare a type of associative arrays: %s", d->name);
	if (sm_gets(&l->globals, d->name) || sm_gets(&l->inlines, d->name) ||
	    type_enumerator(p->ts, d->name, NULL, NULL))
		cc_error(p->cc, d->pos, "D_DECL_IDRED", "identifier redeclared: %s", d->name);
	struct type *old = type_named(p->ts, d->name);
	/* A C header and D may differ about a type (id_t). D's variables have D's type. */
	if (old && !type_same(old, d->type) && !p->lx.include_depth)
		cc_error(p->cc, d->pos, "D_DECL_IDRED", "identifier redeclared: %s is already %s", d->name,
		    type_text(p->cc->ar, old->ref));
	if (!old)
		type_add_typedef(p->ts, d->name, d->type);
}

static struct node *
declare_variable(struct parser *p, const struct declr *d, enum storage storage)
{
	struct type *base = type_base(d->type);
	if (base->kind == T_VOID)
		cc_error(p->cc, d->pos, "D_DECL_VOIDOBJ", "cannot declare void variable: %s", d->name);
	if (is_incomplete(d->type))
		cc_error(p->cc, d->pos, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s",
		    type_text(p->cc->ar, d->type), d->name);
	if (base->kind == T_ARRAY && !base->is_assoc && !base->nelems)
		cc_error(p->cc, d->pos, "D_DECL_ARRNULL",
		    "array declaration requires array dimension or tuple signature: %s", d->name);
	if (base->kind == T_ARRAY && base->is_assoc && storage == SC_THIS)
		cc_error(p->cc, d->pos, "D_DECL_LOCASSC",
		    "associative arrays may not be declared as local variables: %s", d->name);
	if (base->kind == T_FUNC)
		cc_error(p->cc, d->pos, "D_DECL_FUNCTYPE", "cannot declare a variable of function type: %s", d->name);
	if (storage == SC_NONE && type_enumerator(p->ts, d->name, NULL, NULL))
		cc_error(p->cc, d->pos, "D_DECL_IDRED", "identifier redeclared: %s", d->name);
	struct node *n = node_new(p->cc, N_DECL, d->pos);
	n->u.decl.name = d->name;
	n->u.decl.type = d->type;
	n->u.decl.scope = storage == SC_SELF ? DS_THREAD : storage == SC_THIS ? DS_LOCAL : DS_GLOBAL;
	n->type = d->type;
	return n;
}

/* Reads one declarator. Returns NULL if it declares no variable. */
static struct node *
declare(struct parser *p, const struct specs *s, const struct declr *d)
{
	if (strchr(d->name, '`'))
		cc_error(p->cc, d->pos, "D_DECL_SCOPE", "D scoping operator may not be used in a declaration name (%s)",
		    d->name);
	switch (s->storage) {
	case SC_TYPEDEF:
		declare_typedef(p, d);
		return NULL;
	case SC_STATIC:
	case SC_AUTO:
	case SC_REGISTER:
		if (p->lx.include_depth)
			return NULL;
		cc_error_hint(p->cc, s->pos, "D_DECL_BADCLASS",
		    "use self for thread-local and this for clause-local variables",
		    "specified storage class not appropriate in D");
	case SC_EXTERN:
		return NULL;
	case SC_NONE:
		/* Prototypes of C, from included headers. */
		if (type_base(d->type)->kind == T_FUNC)
			return NULL;
		break;
	case SC_SELF:
	case SC_THIS:
		break;
	}
	return declare_variable(p, d, s->storage);
}

/* Skips the body of a C function in an included header, up to its last brace. */
static void
skip_body(struct parser *p)
{
	for (unsigned depth = 0;; p_next(p)) {
		if (p->tok.kind == TK_EOF)
			p_unexpected(p, "'}'");
		depth += p->tok.kind == TK_LBRACE;
		if (p->tok.kind == TK_RBRACE && --depth == 0)
			return;
	}
}

struct node *
p_declaration(struct parser *p)
{
	struct node *first = NULL, **tail = &first;
	struct specs s;
	if (p->tok.kind == TW_IMPORT || p->tok.kind == TW_COUNTER)
		cc_error(p->cc, p->tok.pos, "D_SYNTAX", "%s is a reserved word", tok_text(p->tok.kind));
	p_specs(p, &s);
	if (p->tok.kind == TK_SEMI) {
		if (!s.is_tag || s.storage != SC_NONE)
			cc_error(p->cc, s.pos, "D_DECL_USELESS", "useless declaration");
		return NULL;
	}
	do {
		struct declr d;
		p_declr(p, s.type, true, &d);
		if (p->tok.kind == TK_LBRACE && p->lx.include_depth && type_base(d.type)->kind == T_FUNC) {
			skip_body(p);
			return first;
		}
		if (p->tok.kind == TK_ASSIGN)
			cc_error_hint(p->cc, p->tok.pos, "D_SYNTAX",
			    "assign it in a BEGIN clause, or use inline for a constant",
			    "a declaration cannot give a value");
		*tail = declare(p, &s, &d);
		if (*tail)
			tail = &(*tail)->next;
		if (p->tok.kind != TK_COMMA)
			break;
		p_next(p);
	} while (true);
	p_expect_last(p, TK_SEMI);
	return first;
}

/* inline T name = e; inline T name[T a] = e; inline T name(T a) = e; */
struct node *
p_inline(struct parser *p)
{
	struct specs s;
	struct declr d;
	p_next(p);
	p_specs(p, &s);
	p_declr(p, s.type, true, &d);
	if (s.storage != SC_NONE)
		cc_error(
		    p->cc, s.pos, "D_DECL_BADCLASS", "specified storage class not appropriate for inline declaration");
	if (strchr(d.name, '`'))
		cc_error(
		    p->cc, d.pos, "D_DECL_SCOPE", "D scoping operator may not be used in inline name (%s)", d.name);
	struct node *n = node_new(p->cc, N_INLINE, d.pos);
	n->u.inl.name = d.name;
	n->u.inl.type = d.type;
	if (d.has_formals) {
		bool is_func = type_base(d.type)->kind == T_FUNC;
		const char *kind = is_func ? "inline function" : "inline array";
		p_check_formals(p, &d.formals, kind, is_func ? FORM_VOID : 0);
		if (d.formals.is_varargs)
			cc_error(p->cc, d.pos, "D_DECL_PROTO_VARARGS",
			    "%s prototype may not use a variable-length argument list", kind);
		n->u.inl.has_params = true;
		n->u.inl.type = type_base(d.type)->ref;
		struct node **tail = &n->u.inl.params;
		for (struct formal *f = d.formals.first; f; f = f->next) {
			*tail = node_new(p->cc, N_DECL, f->pos);
			(*tail)->u.decl.name = f->name;
			(*tail)->u.decl.type = f->type;
			(*tail)->type = f->type;
			tail = &(*tail)->next;
		}
	}
	if (!d.has_formals && type_base(d.type)->kind == T_ARRAY)
		cc_error(
		    p->cc, d.pos, "D_DECL_ARRNULL", "inline declaration requires array tuple signature: %s", d.name);
	if (type_base(n->u.inl.type)->kind == T_VOID)
		cc_error(p->cc, d.pos, "D_DECL_VOIDOBJ", "cannot declare void inline: %s", d.name);
	if (is_incomplete(n->u.inl.type))
		cc_error(p->cc, d.pos, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s",
		    type_text(p->cc->ar, n->u.inl.type), d.name);
	p_expect(p, TK_ASSIGN);
	n->u.inl.expr = p_assign(p);
	p_expect_last(p, TK_SEMI);
	p_deepen(p, n, n->u.inl.expr);
	return n;
}

/* translator T < S name > { member = e; ... }; */
struct node *
p_translator(struct parser *p)
{
	struct specs s;
	struct declr d;
	struct node *n = node_new(p->cc, N_XLATOR, p->tok.pos);
	p_next(p);
	n->u.xlator.to = p_type_name(p);
	p_expect(p, TK_LT);
	p_specs(p, &s);
	if (s.storage != SC_NONE)
		cc_error(p->cc, s.pos, "D_DECL_PARMCLASS", "inappropriate storage class for translator input");
	p_declr(p, s.type, true, &d);
	n->u.xlator.from = d.type;
	n->u.xlator.param = d.name;
	p_expect(p, TK_GT);
	p_expect(p, TK_LBRACE);
	struct node **tail = &n->u.xlator.members;
	while (p->tok.kind != TK_RBRACE) {
		struct node *m = node_new(p->cc, N_MEMBER, p->tok.pos);
		m->u.member.name = p_name(p, "the name of a member");
		p_expect(p, TK_ASSIGN);
		m->u.member.obj = p_assign(p);
		p_expect(p, TK_SEMI);
		p_deepen(p, m, m->u.member.obj);
		*tail = m;
		tail = &m->next;
	}
	p_next(p);
	p_expect_last(p, TK_SEMI);
	p_deepen(p, n, n->u.xlator.members);
	return n;
}
