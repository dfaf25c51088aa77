/*
 * C's declarations: specifiers, declarators, parameters.
 *
 * A declarator is collected as a list of steps from the name outward and then
 * applied to the base type from the far end, so that parentheses need nothing special.
 */
#include "lang/check.h"
#include "lang/parse_int.h"

#include <string.h>

enum { MAXSTEPS = 64 }; /* pointers, arrays and functions in one declarator */

static bool
is_storage(enum tok k)
{
	return k == TW_SELF || k == TW_THIS || k == TW_TYPEDEF || k == TW_EXTERN || k == TW_STATIC || k == TW_AUTO ||
	       k == TW_REGISTER;
}

/* Returns the length of a prefix such as "D`": modules D and C hold the program's own types. */
uint32_t
p_own_scope(const char *name, size_t len)
{
	return len > 2 && (name[0] == 'D' || name[0] == 'C') && name[1] == '`' ? 2 : 0;
}

/* Only what looks like the name of a type is looked up among the kernel's types. Other names are variables. */
static bool
may_be_kernels(const char *name, size_t len)
{
	return (len > 2 && memcmp(name + len - 2, "_t", 2) == 0) || (len > 2 && memcmp(name, "__", 2) == 0) ||
	       (len == 4 && memcmp(name, "bool", 4) == 0);
}

/* The type that the current token names, or NULL. A variable of that name hides the type. */
static struct type *
named_type(struct parser *p)
{
	if (p->tok.kind != TK_IDENT)
		return NULL;
	uint32_t own = p_own_scope(p->tok.text, p->tok.len);
	const char *name = p->tok.text + own;
	size_t len = p->tok.len - own;
	if (memchr(name, '`', len) || (!own && sm_get(&p->cc->lang->globals, name, len)))
		return NULL;
	struct ar_mark m = ar_mark(p->cc->ar);
	bool is_own = p->cc->ar != &p->cc->lang->ar;
	struct type *t = type_named(p->ts, ar_strndup(p->cc->ar, name, len));
	if (!t && may_be_kernels(name, len))
		t = type_kernel_named(p->ts, ar_strndup(p->cc->ar, name, len));
	if (is_own)
		ar_reset(p->cc->ar, m);
	return t;
}

_Noreturn void
p_unknown_type(struct parser *p, const char *name, struct pos pos)
{
	const char *near = type_near(p->ts, p->cc->ar, name);
	cc_error_hint(p->cc, pos, "D_SYNTAX",
	    near ? ar_printf(p->cc->ar, "did you mean '%s'?", near)
		 : "declare it with typedef, or include its header with -C",
	    "unknown type '%s'", name);
}

bool
p_starts_type(struct parser *p)
{
	switch (p->tok.kind) {
	case TW_VOID:
	case TW_CHAR:
	case TW_SHORT:
	case TW_INT:
	case TW_LONG:
	case TW_FLOAT:
	case TW_DOUBLE:
	case TW_SIGNED:
	case TW_UNSIGNED:
	case TW_BOOL:
	case TW_STRING:
	case TW_STRUCT:
	case TW_UNION:
	case TW_ENUM:
	case TW_CONST:
	case TW_VOLATILE:
	case TW_RESTRICT:
		return true;
	default:
		return named_type(p) != NULL;
	}
}

static bool
starts_decl(struct parser *p)
{
	return is_storage(p->tok.kind) || p_starts_type(p);
}

/* The words of a type while they are collected. */
enum base { W_NONE, W_VOID, W_CHAR, W_INT, W_FLOAT, W_DOUBLE, W_BOOL, W_OTHER };
struct words {
	enum base base;
	struct type *type; /* W_OTHER */
	unsigned longs;
	bool is_short, is_signed, is_unsigned;
	bool is_const, is_volatile;
};

/* DTrace's complaints about words that cannot be combined, in DTrace's order. */
static void
check_words(struct parser *p, const struct words *w, struct pos pos)
{
	bool is_sign = w->is_signed || w->is_unsigned, is_size = w->is_short || w->longs;
	if (w->base == W_CHAR && is_size)
		cc_error(p->cc, pos, "D_DECL_CHARATTR",
		    "invalid type declaration: short and long may not be used with char type");
	if (w->base == W_VOID && (is_size || is_sign))
		cc_error(p->cc, pos, "D_DECL_VOIDATTR",
		    "invalid type declaration: attributes may not be used with void type");
	bool is_int = w->base == W_NONE || w->base == W_INT || w->base == W_CHAR;
	if (!is_int && is_sign)
		cc_error(p->cc, pos, "D_DECL_SIGNINT",
		    "invalid type declaration: signed and unsigned may only be used with integer type");
	if (!is_int && w->base != W_FLOAT && w->base != W_DOUBLE && w->longs)
		cc_error(p->cc, pos, "D_DECL_LONGINT",
		    "invalid type declaration: long and long long may only be used with integer or floating-point type");
	bool bad = (w->is_short && w->longs) || (w->is_signed && w->is_unsigned) || w->longs > 2 ||
		   (!is_int && w->is_short) || (w->base == W_FLOAT && w->longs) ||
		   (w->base == W_DOUBLE && w->longs > 1);
	/* DTrace finds no type of such a name, hence its tag. */
	if (bad)
		cc_error(p->cc, pos, "D_UNKNOWN", "invalid type combination");
}

static void
once(struct parser *p, bool had, struct pos pos)
{
	if (had)
		cc_error(p->cc, pos, "D_DECL_COMBO", "invalid type combination: the word stands there twice");
}

static struct type *
words_type(struct parser *p, const struct words *w)
{
	switch (w->base) {
	case W_VOID:
		return type_void(p->ts);
	case W_FLOAT:
		return type_by_words(p->ts, "float");
	case W_DOUBLE:
		return type_by_words(p->ts, w->longs ? "long double" : "double");
	case W_BOOL:
		return type_by_words(p->ts, "_Bool");
	case W_OTHER:
		return w->type;
	case W_CHAR:
		return type_by_words(p->ts, w->is_unsigned ? "unsigned char" : w->is_signed ? "signed char" : "char");
	case W_NONE:
	case W_INT:
		break;
	}
	if (w->longs == 2)
		return type_by_words(p->ts, w->is_unsigned ? "unsigned long long" : "long long");
	return type_int(p->ts, w->is_short ? 2 : w->longs ? 8 : 4, !w->is_unsigned);
}

static void
set_base(struct parser *p, struct words *w, enum base base, struct pos pos)
{
	if (w->base != W_NONE)
		cc_error(p->cc, pos, "D_DECL_COMBO", "invalid type combination");
	w->base = base;
	check_words(p, w, pos);
}

static void
set_storage(struct parser *p, struct specs *s)
{
	static const struct {
		enum tok tok;
		enum storage sc;
	} table[] = {{TW_SELF, SC_SELF}, {TW_THIS, SC_THIS}, {TW_TYPEDEF, SC_TYPEDEF}, {TW_EXTERN, SC_EXTERN},
	    {TW_STATIC, SC_STATIC}, {TW_AUTO, SC_AUTO}, {TW_REGISTER, SC_REGISTER}};
	if (s->storage != SC_NONE)
		cc_error(p->cc, p->tok.pos, "D_DECL_CLASS", "only one storage class allowed in a declaration");
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (table[i].tok == p->tok.kind)
			s->storage = table[i].sc;
}

/* Returns whether two words follow each other and the first is not a type: "foo_t x". */
static bool
name_follows(const struct parser *p)
{
	uint32_t i = p->lx.at;
	while (i < p->lx.len && lex_is_blank(p->lx.text[i]))
		i++;
	return i < p->lx.len && (lex_is_name_start(p->lx.text[i]) || p->lx.text[i] == '*');
}

/* In an included C header, the words that only D reserves are ordinary names. */
static bool
is_word_of_d(const struct parser *p)
{
	switch (p->tok.kind) {
	case TW_COUNTER:
	case TW_IMPORT:
	case TW_PROBE:
	case TW_PROVIDER:
	case TW_SELF:
	case TW_STRING:
	case TW_STRINGOF:
	case TW_THIS:
	case TW_TRANSLATOR:
	case TW_XLATE:
		return p->lx.include_depth > 0;
	default:
		return false;
	}
}

/* Reads one word of the specifiers. Returns false where the declarator begins. */
static bool
spec_word(struct parser *p, struct specs *s, struct words *w)
{
	struct pos pos = p->tok.pos;
	enum tok k = p->tok.kind;
	if (is_word_of_d(p) && (w->base != W_NONE || w->longs || w->is_short || w->is_signed || w->is_unsigned))
		return false;
	if (is_storage(k)) {
		set_storage(p, s);
		p_next(p);
		return true;
	}
	switch (k) {
	case TW_CONST:
		w->is_const = true;
		break;
	case TW_VOLATILE:
		w->is_volatile = true;
		break;
	case TW_RESTRICT:
		break;
	case TW_INLINE:
		/* inline functions of C in included headers */
		if (!p->lx.include_depth)
			return false;
		break;
	case TW_VOID:
		set_base(p, w, W_VOID, pos);
		break;
	case TW_CHAR:
		set_base(p, w, W_CHAR, pos);
		break;
	case TW_INT:
		set_base(p, w, W_INT, pos);
		break;
	case TW_FLOAT:
		set_base(p, w, W_FLOAT, pos);
		break;
	case TW_DOUBLE:
		set_base(p, w, W_DOUBLE, pos);
		break;
	case TW_BOOL:
		set_base(p, w, W_BOOL, pos);
		break;
	case TW_STRING:
		set_base(p, w, W_OTHER, pos);
		w->type = type_string(p->ts);
		break;
	case TW_SHORT:
		once(p, w->is_short, pos);
		w->is_short = true;
		check_words(p, w, pos);
		break;
	case TW_LONG:
		w->longs++;
		check_words(p, w, pos);
		break;
	case TW_SIGNED:
		once(p, w->is_signed, pos);
		w->is_signed = true;
		check_words(p, w, pos);
		break;
	case TW_UNSIGNED:
		once(p, w->is_unsigned, pos);
		w->is_unsigned = true;
		check_words(p, w, pos);
		break;
	case TW_STRUCT:
	case TW_UNION:
	case TW_ENUM:
		set_base(p, w, W_OTHER, pos);
		p->attr_packed = false;
		p->attr_align = 0;
		p_next(p);
		s->is_tag = true;
		w->type = p_tag(p, k == TW_STRUCT ? T_STRUCT : k == TW_UNION ? T_UNION : T_ENUM, &s->is_untagged);
		return true;
	default: {
		if (w->base != W_NONE)
			return false;
		struct type *t = named_type(p);
		bool has_attr = w->is_short || w->longs || w->is_signed || w->is_unsigned;
		/* "unsigned size_t" is an error, but "unsigned u8;" declares u8. */
		if (t && has_attr && !name_follows(p))
			return false;
		if (t) {
			set_base(p, w, W_OTHER, pos);
			w->type = t;
			break;
		}
		if (k == TK_IDENT && !has_attr && name_follows(p))
			p_unknown_type(p, p_text(p, p->cc->ar), pos);
		return false;
	}
	}
	p_next(p);
	return true;
}

void
p_specs(struct parser *p, struct specs *s)
{
	struct words w = {0};
	*s = (struct specs){.pos = p->tok.pos};
	if (!starts_decl(p) && !(p->tok.kind == TK_IDENT && name_follows(p)))
		p_unexpected(p, "a type");
	while (spec_word(p, s, &w))
		s->pos.len = p->tok.pos.off > s->pos.off && p->tok.pos.line == s->pos.line ? p->tok.pos.off - s->pos.off
											   : s->pos.len;
	s->type = type_qualified(p->ts, words_type(p, &w), w.is_const, w.is_volatile);
}

/* One part of a declarator. */
struct step {
	enum { ST_PTR, ST_ARRAY, ST_ASSOC, ST_FUNC } kind;
	struct pos pos;
	bool is_const, is_volatile;
	uint64_t n;
	struct formals formals;
};

struct steps {
	struct step at[MAXSTEPS];
	unsigned n;
};

static void
add_step(struct parser *p, struct steps *steps, const struct step *s)
{
	if (steps->n == MAXSTEPS)
		cc_error_hint(
		    p->cc, s->pos, "D_SYNTAX", "give a part of it a name with typedef", "declaration is too complex");
	steps->at[steps->n++] = *s;
}

/* The size of an array as the program wrote it. Only the error about a size that is not constant is replaced. */
static uint64_t
array_size(struct parser *p)
{
	struct pos pos = p->tok.pos;
	struct node *e = p_cond(p);
	int64_t n = 0;
	if (!p_const(p, e, &n) || n <= 0)
		cc_error(p->cc, pos, "D_DECL_ARRSUB",
		    "positive integral constant expression or tuple signature expected as array declaration subscript");
	if (n > (int64_t)UINT32_MAX)
		cc_error(p->cc, pos, "D_DECL_ARRBIG", "array dimension too big");
	return (uint64_t)n;
}

static struct param *
params_of(struct parser *p, const struct formals *f, bool adjust)
{
	struct param *first = NULL, **tail = &first;
	for (const struct formal *x = f->first; x; x = x->next) {
		struct type *t = x->type, *base = type_base(t);
		if (adjust && base->kind == T_ARRAY && !base->is_assoc)
			t = type_ptr(p->ts, base->ref);
		else if (adjust && base->kind == T_FUNC)
			t = type_ptr(p->ts, t);
		*tail = AR_NEW(&p->cc->lang->ar, struct param);
		(*tail)->type = t;
		tail = &(*tail)->next;
	}
	return first;
}

static void
suffixes(struct parser *p, struct steps *steps)
{
	for (;;) {
		struct step s = {.pos = p->tok.pos};
		if (p_accept(p, TK_LBRACKET)) {
			if (p_accept(p, TK_RBRACKET)) {
				s.kind = ST_ARRAY;
			} else if (starts_decl(p) || p->tok.kind == TK_ELLIPSIS) {
				s.kind = ST_ASSOC;
				s.formals = p_formals(p, TK_RBRACKET, "array");
				p_check_formals(p, &s.formals, "array", FORM_ANON);
			} else {
				s.kind = ST_ARRAY;
				s.n = array_size(p);
				p_expect(p, TK_RBRACKET);
			}
		} else if (p_accept(p, TK_LPAREN)) {
			s.kind = ST_FUNC;
			s.formals = p_formals(p, TK_RPAREN, "function");
			p_check_formals(p, &s.formals, "function", FORM_VARARGS | FORM_VOID | FORM_ANON);
		} else
			return;
		add_step(p, steps, &s);
	}
}

static void
collect(struct parser *p, struct steps *steps, bool needs_name, struct declr *d)
{
	p_enter(p);
	struct steps *pointers = p->tok.kind == TK_MUL ? AR_NEW(p->cc->ar, struct steps) : NULL;
	while (p->tok.kind == TK_MUL) {
		struct step s = {.kind = ST_PTR, .pos = p->tok.pos};
		p_next(p);
		for (;; p_next(p)) {
			if (p->tok.kind == TW_CONST)
				s.is_const = true;
			else if (p->tok.kind == TW_VOLATILE)
				s.is_volatile = true;
			else if (p->tok.kind != TW_RESTRICT)
				break;
		}
		add_step(p, pointers, &s);
	}
	struct pos pos = p->tok.pos;
	if (p->tok.kind == TK_IDENT || is_word_of_d(p)) {
		d->name = p_text(p, &p->cc->lang->ar);
		d->pos = pos;
		p_next(p);
	} else if (p_accept(p, TK_LPAREN)) {
		bool is_formals =
		    !needs_name && (p->tok.kind == TK_RPAREN || p->tok.kind == TK_ELLIPSIS || starts_decl(p));
		if (is_formals) {
			struct step s = {.kind = ST_FUNC, .pos = pos};
			s.formals = p_formals(p, TK_RPAREN, "function");
			p_check_formals(p, &s.formals, "function", FORM_VARARGS | FORM_VOID | FORM_ANON);
			add_step(p, steps, &s);
		} else {
			collect(p, steps, needs_name, d);
			p_expect(p, TK_RPAREN);
		}
	} else if (needs_name)
		p_unexpected(p, "a name");
	suffixes(p, steps);
	while (pointers && pointers->n)
		add_step(p, steps, &pointers->at[--pointers->n]);
	p_leave(p);
}

static struct type *
apply_array(struct parser *p, struct type *t, const struct step *s)
{
	struct type *base = type_base(t);
	if (base->kind == T_VOID)
		cc_error(p->cc, s->pos, "D_DECL_VOIDOBJ", "cannot declare array of void");
	if (base->kind == T_FUNC)
		cc_error(p->cc, s->pos, "D_DECL_FUNCTYPE", "cannot declare array of functions");
	if (base->kind == T_ARRAY && base->is_assoc)
		cc_error(p->cc, s->pos, "D_DECL_DYNOBJ", "cannot declare array of associative arrays");
	if (s->kind == ST_ASSOC)
		return type_assoc(p->ts, t, params_of(p, &s->formals, false));
	if ((type_is_sou(t) || base->kind == T_ENUM) && !base->is_complete)
		cc_error(p->cc, s->pos, "D_DECL_INCOMPLETE", "array of incomplete type %s", type_text(p->cc->ar, t));
	struct type *a = type_array(p->ts, t, s->n);
	if (a->size > TYPE_MAXSIZE)
		cc_error(p->cc, s->pos, "D_DECL_ARRBIG", "array is too big: %s", type_text(p->cc->ar, a));
	return a;
}

static struct type *
apply_step(struct parser *p, struct type *t, const struct step *s)
{
	struct type *base = type_base(t);
	switch (s->kind) {
	case ST_PTR:
		if (base->kind == T_ARRAY && base->is_assoc)
			cc_error(p->cc, s->pos, "D_DECL_DYNOBJ", "cannot declare pointer to associative array");
		return type_qualified(p->ts, type_ptr(p->ts, t), s->is_const, s->is_volatile);
	case ST_FUNC:
		if (base->kind == T_FUNC || base->kind == T_ARRAY)
			cc_error(p->cc, s->pos, "D_DECL_FUNCRET", "a function cannot return %s",
			    base->kind == T_FUNC ? "a function" : "an array");
		return type_func(p->ts, t, params_of(p, &s->formals, true), s->formals.is_varargs);
	case ST_ARRAY:
	case ST_ASSOC:
		break;
	}
	return apply_array(p, t, s);
}

void
p_declr(struct parser *p, struct type *base, bool needs_name, struct declr *d)
{
	struct steps *steps = AR_NEW(p->cc->ar, struct steps);
	*d = (struct declr){.pos = p->tok.pos};
	collect(p, steps, needs_name, d);
	for (unsigned i = steps->n; i-- > 0;)
		base = apply_step(p, base, &steps->at[i]);
	d->type = base;
	if (steps->n && (steps->at[0].kind == ST_FUNC || steps->at[0].kind == ST_ASSOC)) {
		d->has_formals = true;
		d->formals = steps->at[0].formals;
	}
}

struct type *
p_type_name(struct parser *p)
{
	struct specs s;
	struct declr d;
	p_specs(p, &s);
	if (s.storage != SC_NONE)
		cc_error(p->cc, s.pos, "D_DECL_PARMCLASS", "inappropriate storage class in a type name");
	p_declr(p, s.type, false, &d);
	if (d.name)
		cc_error(p->cc, d.pos, "D_SYNTAX", "expected a type without a name before '%s'", d.name);
	return d.type;
}

struct formals
p_formals(struct parser *p, enum tok closing, const char *kind)
{
	struct formals f = {0};
	struct formal **tail = &f.first;
	p_enter(p);
	if (!p_accept(p, closing)) {
		do {
			if (p->tok.kind == TK_ELLIPSIS) {
				f.is_varargs = true;
				p_next(p);
				break;
			}
			struct specs s;
			struct declr d;
			p_specs(p, &s);
			if (s.storage != SC_NONE && s.storage != SC_REGISTER)
				cc_error(p->cc, s.pos, "D_DECL_PARMCLASS",
				    "inappropriate storage class for function or associative array parameter");
			p_declr(p, s.type, false, &d);
			*tail = AR_NEW(p->cc->ar, struct formal);
			**tail = (struct formal){.name = d.name, .type = d.type, .pos = d.name ? d.pos : s.pos};
			tail = &(*tail)->next;
			f.n++;
			if (f.n > UINT16_MAX)
				cc_error(p->cc, s.pos, "D_SYNTAX", "%s prototype has too many parameters", kind);
		} while (p_accept(p, TK_COMMA));
		p_expect(p, closing);
	}
	p_leave(p);
	return f;
}

void
p_check_formals(struct parser *p, struct formals *f, const char *kind, unsigned allowed)
{
	struct strmap seen;
	sm_init(&seen, p->cc->ar);
	unsigned voids = 0, i = 1;
	if (f->is_varargs && !(allowed & FORM_VARARGS))
		cc_error(p->cc, p->tok.pos, "D_DECL_PROTO_VARARGS",
		    "%s prototype may not use a variable-length argument list", kind);
	for (struct formal *x = f->first; x; x = x->next, i++) {
		struct type *base = type_base(x->type);
		bool is_void = base->kind == T_VOID, is_dyn = base->kind == T_ARRAY && base->is_assoc;
		if (is_dyn || (is_void && !(allowed & FORM_VOID)))
			cc_error(p->cc, x->pos, "D_DECL_PROTO_TYPE",
			    "%s prototype may not use parameter of type %s: %s, parameter #%u", kind,
			    type_text(p->cc->ar, x->type), x->name ? x->name : "(anonymous)", i);
		if (is_void && x->name)
			cc_error(p->cc, x->pos, "D_DECL_PROTO_NAME", "void parameter may not have a name: %s", x->name);
		if (!x->name && !is_void && !(allowed & FORM_ANON))
			cc_error(p->cc, x->pos, "D_DECL_PROTO_NAME",
			    "parameter declaration requires a name: parameter #%u", i);
		if (x->name && sm_gets(&seen, x->name))
			cc_error(p->cc, x->pos, "D_DECL_PROTO_FORM",
			    "parameter is already declared in %s prototype: %s, parameter #%u", kind, x->name, i);
		if (x->name)
			sm_puts(&seen, x->name, x);
		voids += is_void;
	}
	if (voids && f->n > 1)
		cc_error(p->cc, f->first->pos, "D_DECL_PROTO_VOID", "void must be sole parameter");
	if (voids)
		*f = (struct formals){.is_varargs = f->is_varargs};
}
