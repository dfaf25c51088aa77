/* Bodies of struct, union and enum. */
#include "lang/check.h"
#include "lang/parse_int.h"

#include <limits.h>
#include <string.h>

static const char *
kind_word(enum type_kind k)
{
	return k == T_STRUCT ? "struct" : k == T_UNION ? "union" : "enum";
}

/* Members of the structure that is being read. */
struct body {
	struct type *t;
	struct member **tail;
	struct strmap names;
};

static void
check_member(struct parser *p, const struct declr *d)
{
	struct type *base = type_base(d->type);
	const char *name = d->name ? d->name : "(anon)";
	if (d->name && strchr(d->name, '`'))
		cc_error(
		    p->cc, d->pos, "D_DECL_SCOPE", "D scoping operator may not be used in a member name (%s)", name);
	if (base->kind == T_ARRAY && base->is_assoc)
		cc_error(p->cc, d->pos, "D_DECL_DYNOBJ", "cannot have dynamic member: %s", name);
	if ((type_is_sou(d->type) || base->kind == T_ENUM) && !base->is_complete)
		cc_error(p->cc, d->pos, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s",
		    type_text(p->cc->ar, d->type), name);
	if (base->kind == T_VOID || base->kind == T_FUNC)
		cc_error(p->cc, d->pos, "D_DECL_VOIDOBJ", "cannot have %s member: %s",
		    base->kind == T_VOID ? "void" : "function", name);
}

static uint32_t
bit_width(struct parser *p, const struct declr *d)
{
	struct pos pos = p->tok.pos;
	struct type *base = type_base(d->type);
	const char *name = d->name ? d->name : "(anon)";
	int64_t n = 0;
	bool is_const = p_const(p, p_cond(p), &n);
	if (!is_const || n < 0 || (n == 0 && d->name))
		cc_error(
		    p->cc, pos, "D_DECL_BFCONST", "positive integral constant expression expected as bit-field size");
	if (base->kind != T_INT && base->kind != T_ENUM)
		cc_error(p->cc, d->pos, "D_DECL_BFTYPE", "invalid type for bit-field: %s", name);
	if ((uint64_t)n > base->size * 8)
		cc_error(p->cc, pos, "D_DECL_BFSIZE", "bit-field too big for type: %s", name);
	return (uint32_t)n;
}

static void
add_member(struct parser *p, struct body *b, const struct declr *d, uint32_t bits)
{
	if (d->name && sm_gets(&b->names, d->name))
		cc_error(p->cc, d->pos, "D_UNKNOWN", "member redeclared: %s", d->name);
	struct member *m = AR_NEW(&p->cc->lang->ar, struct member);
	*m = (struct member){.name = d->name, .type = d->type, .bits = bits, .align = p->attr_align};
	p->attr_align = 0;
	*b->tail = m;
	b->tail = &m->next;
	if (d->name)
		sm_puts(&b->names, d->name, m);
}

/* One declaration of members, with its semicolon. */
static void
members(struct parser *p, struct body *b)
{
	struct specs s;
	p->attr_align = 0;
	p_specs(p, &s);
	if (s.storage != SC_NONE)
		cc_error(p->cc, s.pos, "D_DECL_BADCLASS", "a member cannot have a storage class");
	if (p->tok.kind == TK_SEMI) {
		if (!s.is_untagged)
			cc_error(p->cc, s.pos, "D_DECL_MNAME", "member declaration requires a name");
		add_member(p, b, &(struct declr){.type = s.type, .pos = s.pos}, 0);
		p_next(p);
		return;
	}
	do {
		struct declr d = {.type = s.type, .pos = p->tok.pos};
		uint32_t bits = 0;
		bool is_bits = p->tok.kind == TK_COLON;
		if (!is_bits)
			p_declr(p, s.type, true, &d);
		check_member(p, &d);
		if (p_accept(p, TK_COLON))
			bits = bit_width(p, &d);
		add_member(p, b, &d, bits);
	} while (p_accept(p, TK_COMMA));
	p_expect(p, TK_SEMI);
}

static void
sou_body(struct parser *p, struct type *t, struct pos pos)
{
	struct body b = {.t = t};
	struct member *first = NULL;
	b.tail = &first;
	sm_init(&b.names, p->cc->ar);
	bool is_packed = p->attr_packed;
	uint32_t align = p->attr_align;
	/* Empty structs exist in GNU C, but not in D. */
	if (p->tok.kind == TK_RBRACE && !p->lx.include_depth)
		p_unexpected(p, "a member");
	while (p->tok.kind != TK_RBRACE)
		members(p, &b);
	p->attr_packed = false;
	p->attr_align = 0;
	p_next(p);
	if (t->is_complete)
		cc_error(p->cc, pos, "D_DECL_TYPERED", "type redeclared: %s", type_text(p->cc->ar, t));
	t->members = first;
	t->is_packed = is_packed || p->attr_packed;
	t->align = p->attr_align > align ? p->attr_align : align;
	p->attr_packed = false;
	p->attr_align = 0;
	type_layout(p->ts, t);
	if (t->size > TYPE_MAXSIZE)
		cc_error(p->cc, pos, "D_DECL_ARRBIG", "%s is too big", type_text(p->cc->ar, t));
	type_completed(p->ts, t);
}

/* The value after '=' of an enumerator. */
static int64_t
enum_value(struct parser *p, const char *name)
{
	struct pos pos = p->tok.pos;
	int64_t v = 0;
	if (!p_const(p, p_cond(p), &v))
		cc_error(p->cc, pos, "D_DECL_ENCONST",
		    "enumerator '%s' must be assigned to an integral constant expression", name);
	return v;
}

static void
enum_body(struct parser *p, struct type *t)
{
	int64_t next = 0;
	t->size = t->align = 4;
	t->is_signed = true;
	type_completed(p->ts, t);
	if (p->tok.kind == TK_RBRACE)
		p_unexpected(p, "the name of an enumerator");
	do {
		if (p->tok.kind == TK_RBRACE)
			break;
		struct pos pos = p->tok.pos;
		const char *name = p_name(p, "the name of an enumerator");
		if (strchr(name, '`'))
			cc_error(p->cc, pos, "D_DECL_SCOPE",
			    "D scoping operator may not be used in an enumerator name (%s)", name);
		if (p_accept(p, TK_ASSIGN))
			next = enum_value(p, name);
		/* C headers have flags up to the sign bit. */
		if (p->lx.include_depth && next > INT_MAX && next <= UINT32_MAX)
			next = (int32_t)(uint32_t)next;
		if (next > INT_MAX || next < INT_MIN)
			cc_error(p->cc, pos, "D_DECL_ENOFLOW", "enumerator '%s' value overflows INT_MAX (%d)", name,
			    INT_MAX);
		struct lang *l = p->cc->lang;
		bool is_variable = sm_gets(&l->globals, name) || sm_gets(&l->inlines, name);
		if (type_enumerator(p->ts, name, NULL, NULL))
			cc_error(p->cc, pos, "D_UNKNOWN", "enumerator '%s' is defined already", name);
		if (is_variable && !p->lx.include_depth)
			cc_error(p->cc, pos, "D_DECL_IDRED", "identifier redeclared: %s", name);
		/* A C header cannot know D's variables, so the variable wins. */
		if (!is_variable)
			type_add_enumerator(p->ts, t, name, next);
		next++;
	} while (p_accept(p, TK_COMMA));
	p_expect(p, TK_RBRACE);
}

struct type *
p_tag(struct parser *p, enum type_kind kind, bool *is_untagged)
{
	struct pos pos = p->tok.pos;
	const char *tag = NULL;
	if (p->tok.kind == TK_IDENT) {
		tag = p_name(p, "a tag");
		const char *tick = strrchr(tag, '`');
		if (tick && p->tok.kind == TK_LBRACE) {
			p_next(p);
			if (p->tok.kind == TK_RBRACE)
				p_unexpected(p, kind == T_ENUM ? "the name of an enumerator" : "a member");
			cc_error(
			    p->cc, pos, "D_DECL_SCOPE", "D scoping operator may not be used in a type name (%s)", tag);
		}
		tag += p_own_scope(tag, strlen(tag));
		tick = strrchr(tag, '`');
		if (tick && strncmp(tag, "vmlinux`", 8) == 0 && types_kernel(p->ts))
			tag = tick + 1; /* the kernel's types are found without it too */
		else if (tick)
			cc_error_hint(p->cc, pos, "D_TYPE_ERR",
			    "declare the type in the program, or include its header with -C",
			    "nothing is known of the types of module %.*s", (int)(tick - tag > 80 ? 80 : tick - tag),
			    tag);
	}
	*is_untagged = !tag && kind != T_ENUM;
	struct type *t = tag ? type_tagged(p->ts, kind, tag, true) : type_untagged(p->ts, kind);
	if (p->tok.kind != TK_LBRACE) {
		if (!tag)
			p_unexpected(p, "a tag or '{'");
		return t;
	}
	if (t->kernel_id)
		type_disown(t);
	t->ask = NULL;
	if (t->is_complete)
		cc_error(p->cc, pos, "D_DECL_TYPERED", "type redeclared: %s %s", kind_word(kind), tag);
	p_enter(p);
	p_next(p);
	if (kind == T_ENUM)
		enum_body(p, t);
	else
		sou_body(p, t, pos);
	p_leave(p);
	return t;
}
