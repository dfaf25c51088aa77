/*
 * print(): a value with its type, in the layout of DTrace's print():
 *
 *   int 0x2a
 *   string "text"
 *   struct point {
 *       int x = 0x1
 *       char [8] name = [ "up" ]
 *       struct pair [2] pairs = [
 *           struct pair {
 *               int a = 0
 *           },
 *           struct pair {
 *               int a = 0x1
 *           }
 *       ]
 *   }
 *
 * The type table comes from the object; depth is bounded here as well, so that
 * no table can make this recurse without end, and nothing outside the value is read.
 */
#include "show/text.h"

#include <ctype.h>
#include <string.h>

enum { MAXDEPTH = 64 };

struct tp {
	struct sbuf *b;
	const struct show *s;
	const struct dobj *o;
	const char *at;
	size_t len;
};

static void typed_value(struct tp *t, uint32_t type, uint64_t bit, uint32_t bits, unsigned depth, bool top);

static bool
is_structlike(const struct dobj *o, uint32_t type)
{
	return type < o->ntypes && (o->types[type].kind == DT_STRUCT || o->types[type].kind == DT_UNION);
}

static bool
is_char(const struct dobj *o, uint32_t type)
{
	if (type >= o->ntypes)
		return false;
	const struct dobj_type *ty = &o->types[type];
	return ty->kind == DT_INT && ty->size == 1 && ty->is_signed;
}

/* Returns `bits` bits from bit `bit` on; bits outside the value are 0. */
static uint64_t
load_bits(const struct tp *t, uint64_t bit, uint32_t bits)
{
	uint64_t v = 0;
	for (uint32_t i = 0; i < bits && i < 64; i++) {
		uint64_t at = bit + i;
		if (at / 8 >= t->len)
			break;
		v |= (uint64_t)((unsigned char)t->at[at / 8] >> (at % 8) & 1) << i;
	}
	return v;
}

static uint64_t
load_int(const struct tp *t, uint64_t bit, uint32_t size)
{
	uint64_t v = 0;
	uint64_t at = bit / 8;
	if (size > 8)
		size = 8;
	if (at > t->len || t->len - at < size)
		return 0;
	memcpy(&v, t->at + at, size);
	return v;
}

static void
typed_char(struct sbuf *b, uint64_t v)
{
	unsigned char c = (unsigned char)v;
	if (isprint(c))
		sb_printf(b, "'%c'", c);
	else if (c == 0)
		sb_adds(b, "'\\0'");
	else
		sb_printf(b, "'\\%03o'", c);
}

static void
typed_float(struct tp *t, uint64_t bit, uint32_t size)
{
	uint64_t v = load_int(t, bit, size);
	if (size == 4) {
		float f;
		uint32_t w = (uint32_t)v;
		memcpy(&f, &w, sizeof f);
		sb_printf(t->b, "%+.7e", (double)f);
	} else if (size == 8) {
		double d;
		memcpy(&d, &v, sizeof d);
		sb_printf(t->b, "%+.7e", d);
	} else
		sb_adds(t->b, "<unknown encoding>");
}

static void
typed_enum(struct tp *t, const struct dobj_type *ty, uint64_t bit, uint32_t bits)
{
	uint32_t width = bits ? bits : ty->size * 8;
	uint64_t v = bits ? load_bits(t, bit, bits) : load_int(t, bit, ty->size);
	if (width < 64 && width > 0 && v >> (width - 1) & 1)
		v |= ~(uint64_t)0 << width;
	for (uint32_t i = 0; i < ty->nmembers && ty->member + i < t->o->nmembers; i++) {
		const struct dobj_member *m = &t->o->members[ty->member + i];
		if (m->value == (int64_t)v) {
			sb_adds(t->b, dobj_str(t->o, m->name));
			return;
		}
	}
	sb_printf(t->b, "%lld", (long long)v);
}

static void
typed_string(struct tp *t, uint64_t bit, size_t max)
{
	uint64_t at = bit / 8;
	size_t room = at < t->len ? t->len - (size_t)at : 0;
	size_t n = strnlen(room ? t->at + at : "", room < max ? room : max);
	sb_addc(t->b, '"');
	text_add_safe(t->b, t->s, n ? t->at + at : "", n);
	sb_addc(t->b, '"');
}

/* print("foo") reads better without brackets; members have them. */
static void
typed_text(struct tp *t, uint64_t bit, size_t max, bool top)
{
	if (!top)
		sb_adds(t->b, "[ ");
	typed_string(t, bit, max);
	if (!top)
		sb_adds(t->b, " ]");
}

/* Printable characters up to a NUL. */
static bool
array_is_text(const struct tp *t, const struct dobj_type *ty, uint64_t bit)
{
	if (!is_char(t->o, ty->ref))
		return false;
	for (uint32_t i = 0; i < ty->nelems; i++) {
		uint64_t at = bit / 8 + i;
		if (at >= t->len)
			return false;
		if (t->at[at] == '\0')
			return true;
		if (!isprint((unsigned char)t->at[at]))
			return false;
	}
	return false;
}

static void
typed_array(struct tp *t, const struct dobj_type *ty, uint64_t bit, unsigned depth, bool top)
{
	if (ty->ref >= t->o->ntypes) {
		sb_adds(t->b, "<invalid type>");
		return;
	}
	if (array_is_text(t, ty, bit)) {
		typed_text(t, bit, ty->nelems, top);
		return;
	}
	bool structs = is_structlike(t->o, ty->ref);
	uint32_t size = t->o->types[ty->ref].size;
	uint64_t fit = size && bit / 8 < t->len ? (t->len - bit / 8) / size : 0;
	uint64_t n = ty->nelems < fit ? ty->nelems : fit;
	sb_adds(t->b, "[ ");
	for (uint64_t i = 0; i < n; i++) {
		if (structs) {
			sb_addc(t->b, '\n');
			sb_fill(t->b, ' ', 4 * ((size_t)depth + 1));
			sb_printf(t->b, "%s ", dobj_str(t->o, t->o->types[ty->ref].name));
		}
		typed_value(t, ty->ref, bit + i * size * 8, 0, depth + 1, false);
		if (i + 1 < n)
			sb_adds(t->b, ", ");
		else if (structs)
			sb_addc(t->b, '\n');
	}
	if (structs)
		sb_fill(t->b, ' ', 4 * (size_t)depth);
	else
		sb_addc(t->b, ' ');
	sb_addc(t->b, ']');
}

static void
typed_member(struct tp *t, const struct dobj_member *m, uint64_t bit, unsigned depth)
{
	const char *type = m->type < t->o->ntypes ? dobj_str(t->o, t->o->types[m->type].name) : "<invalid type>";
	const char *name = dobj_str(t->o, m->name), *inside = strstr(type, "(*"), *anon = strstr(type, " (anon)");
	size_t n = strlen(type);
	sb_fill(t->b, ' ', 4 * (size_t)depth);
	if (*name && inside) {
		/* int (*)(int) f is declared as int (*f)(int) */
		inside += strspn(inside, "(*");
		sb_add(t->b, type, (size_t)(inside - type));
		sb_adds(t->b, name);
		sb_adds(t->b, inside);
		sb_adds(t->b, " =");
	} else if (!*name && anon) {
		sb_add(t->b, type, (size_t)(anon - type));
	} else {
		sb_adds(t->b, type);
	}
	if (*name && !inside) {
		if (n && type[n - 1] != '*' && type[n - 1] != ' ')
			sb_addc(t->b, ' ');
		sb_adds(t->b, name);
		if (m->bits)
			sb_printf(t->b, " :%u", m->bits);
		sb_adds(t->b, " =");
	}
	sb_addc(t->b, ' ');
	typed_value(t, m->type, bit + m->offset, m->bits, depth, false);
	sb_addc(t->b, '\n');
}

static void
typed_value(struct tp *t, uint32_t type, uint64_t bit, uint32_t bits, unsigned depth, bool top)
{
	if (type >= t->o->ntypes || depth > MAXDEPTH || t->b->failed) {
		sb_adds(t->b, "<invalid type>");
		return;
	}
	const struct dobj_type *ty = &t->o->types[type];
	switch (ty->kind) {
	case DT_INT:
		if (bits)
			sb_printf(t->b, "%#llx", (unsigned long long)load_bits(t, bit, bits));
		else if (is_char(t->o, type))
			typed_char(t->b, load_int(t, bit, 1));
		else
			sb_printf(t->b, "%#llx", (unsigned long long)load_int(t, bit, ty->size));
		break;
	case DT_FLOAT:
		typed_float(t, bit, ty->size);
		break;
	case DT_STRING:
		typed_text(t, bit, SIZE_MAX, top);
		break;
	case DT_PTR:
	case DT_FUNC:
		sb_printf(t->b, "%#llx", (unsigned long long)load_int(t, bit, 8));
		break;
	case DT_ENUM:
		typed_enum(t, ty, bit, bits);
		break;
	case DT_ARRAY:
		typed_array(t, ty, bit, depth, top);
		break;
	case DT_STRUCT:
	case DT_UNION:
		if (ty->nmembers == 0 && ty->size == 0) {
			sb_adds(t->b, "<forward decl>");
			break;
		}
		sb_adds(t->b, "{\n");
		for (uint32_t i = 0; i < ty->nmembers && ty->member + i < t->o->nmembers; i++)
			typed_member(t, &t->o->members[ty->member + i], bit, depth + 1);
		sb_fill(t->b, ' ', 4 * (size_t)depth);
		sb_addc(t->b, '}');
		break;
	default:
		sb_adds(t->b, "<void>");
		break;
	}
}

void
text_typed(struct sbuf *b, const struct show *s, const struct dobj *o, uint32_t type, const struct val *v)
{
	struct tp t = {b, s, o, v->at, v->kind == DK_INT ? v->size : v->len};
	if (type >= o->ntypes) {
		if (v->kind == DK_INT)
			sb_printf(b, "%#llx\n", (unsigned long long)v->num);
		else
			text_dump(b, v->at, v->len);
		return;
	}
	sb_printf(b, "%s ", dobj_str(o, o->types[type].name));
	typed_value(&t, type, 0, 0, 0, true);
	if (!is_structlike(o, type))
		sb_addc(b, '\n');
}
