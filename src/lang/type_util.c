/* Questions about types, and their text. */
#include "lang/type.h"

#include <string.h>

struct type *
type_base(struct type *t)
{
	while (t->kind == T_TYPEDEF)
		t = t->ref;
	if (t->ask)
		type_fill(t);
	return t;
}

/* How deep parameter lists may hold parameter lists before types count as different. */
enum { SAME_DEPTH = 50 };

static bool
same(struct type *a, struct type *b, int depth)
{
	for (;;) {
		a = type_base(a);
		b = type_base(b);
		if (a == b)
			return true;
		if (a->kind != b->kind || depth == 0)
			return false;
		switch (a->kind) {
		case T_VOID:
		case T_STRING:
		case T_DYN:
		case T_STACK:
		case T_SYM:
		case T_TERM:
		case T_NAME:
			return true;
		case T_INT:
			return a->size == b->size && a->is_signed == b->is_signed;
		case T_FLOAT:
			return a->size == b->size;
		case T_STRUCT:
		case T_UNION:
		case T_ENUM:
		case T_TYPEDEF:
			return a->kernel_id && a->kernel_id == b->kernel_id;
		case T_ARRAY:
			if (a->is_assoc != b->is_assoc || a->nelems != b->nelems)
				return false;
			break;
		case T_FUNC:
			if (a->is_varargs != b->is_varargs)
				return false;
			break;
		case T_PTR:
			break;
		}
		struct param *p = a->params, *q = b->params;
		for (; p && q; p = p->next, q = q->next)
			if (!same(p->type, q->type, depth - 1))
				return false;
		if (p || q)
			return false;
		a = a->ref;
		b = b->ref;
	}
}

bool
type_same(struct type *a, struct type *b)
{
	return same(a, b, SAME_DEPTH);
}

bool
type_is_int(struct type *t)
{
	t = type_base(t);
	return t->kind == T_INT || t->kind == T_ENUM;
}

/* Integers, enums, floats. */
static bool
type_is_arith(struct type *t)
{
	return type_is_int(t) || type_base(t)->kind == T_FLOAT;
}

bool
type_is_ptr(struct type *t)
{
	return type_base(t)->kind == T_PTR;
}

bool
type_is_scalar(struct type *t)
{
	return type_is_arith(t) || type_is_ptr(t);
}

bool
type_is_string(struct type *t)
{
	return type_base(t)->kind == T_STRING;
}

bool
type_is_strcompat(struct type *t)
{
	t = type_base(t);
	if (t->kind == T_STRING)
		return true;
	if (t->kind != T_PTR && (t->kind != T_ARRAY || t->is_assoc))
		return false;
	struct type *to = type_base(t->ref);
	return to->kind == T_INT && to->is_char;
}

bool
type_is_sou(struct type *t)
{
	t = type_base(t);
	return t->kind == T_STRUCT || t->kind == T_UNION;
}

bool
type_is_ref(struct type *t)
{
	t = type_base(t);
	return t->kind == T_STRING || t->kind == T_ARRAY || type_is_sou(t);
}

struct member *
type_member(struct type *t, const char *name, uint64_t *offset)
{
	t = type_base(t);
	for (struct member *m = t->members; m; m = m->next) {
		if (m->name) {
			if (strcmp(m->name, name) != 0)
				continue;
			if (offset)
				*offset = m->offset;
			return m;
		}
		uint64_t inner = 0;
		struct member *found = type_is_sou(m->type) ? type_member(m->type, name, &inner) : NULL;
		if (found) {
			if (offset)
				*offset = m->offset + inner;
			return found;
		}
	}
	return NULL;
}

static const char *
base_text(struct arena *ar, struct type *t)
{
	const char *q = t->is_const && t->is_volatile ? "const volatile "
			: t->is_const                 ? "const "
			: t->is_volatile              ? "volatile "
						      : "";
	const char *word = t->kind == T_STRUCT  ? "struct "
			   : t->kind == T_UNION ? "union "
			   : t->kind == T_ENUM  ? "enum "
						: "";
	return ar_printf(ar, "%s%s%s", q, word, t->name ? t->name : "(anon)");
}

static const char *
params_text(struct arena *ar, struct type *t)
{
	const char *s = "";
	unsigned n = 0;
	for (struct param *p = t->params; p; p = p->next, n++) {
		if (n == 8) {
			s = ar_printf(ar, "%s, ...", s);
			break;
		}
		s = ar_printf(ar, "%s%s%s", s, n ? ", " : "", type_text(ar, p->type));
	}
	if (t->is_varargs)
		s = ar_printf(ar, "%s%s...", s, n ? ", " : "");
	return s;
}

const char *
type_text(struct arena *ar, struct type *t)
{
	const char *inner = ""; /* the declarator, built from the outside in */
	for (;;) {
		switch (t->kind) {
		case T_PTR: {
			/* Stars stand together. An array or function behind a pointer needs parentheses. */
			const char *q = t->is_const ? (*inner ? "const " : "const") : "";
			inner = ar_printf(ar, "*%s%s", q, inner);
			t = t->ref;
			if (t->kind == T_ARRAY || t->kind == T_FUNC)
				inner = ar_printf(ar, "(%s)", inner);
			break;
		}
		case T_ARRAY:
			if (t->is_assoc)
				inner = ar_printf(ar, "%s[%s]", inner, params_text(ar, t));
			else if (t->nelems)
				inner = ar_printf(ar, "%s[%llu]", inner, (unsigned long long)t->nelems);
			else
				inner = ar_printf(ar, "%s[]", inner);
			t = t->ref;
			break;
		case T_FUNC:
			inner = ar_printf(ar, "%s(%s)", inner, params_text(ar, t));
			t = t->ref;
			break;
		default: {
			const char *base = base_text(ar, t);
			return *inner ? ar_printf(ar, "%s %s", base, inner) : base;
		}
		}
	}
}
