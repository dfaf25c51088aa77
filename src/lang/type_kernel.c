/*
 * Types of the kernel, from its BTF, made one by one as a program needs them.
 *
 * A structure that no program has declared is looked up by its tag when one of its properties is first asked for
 * (type_base() calls type_fill()). Then its members' types are made; structures among them again come without members.
 * So a program pays for what it touches, and one that touches nothing does not even open the file. A program that
 * declares a structure of the same tag gets its own.
 */
#include "lang/lang.h"
#include "lang/type.h"
#include "lang/type_priv.h"

#include "btf/kbtf.h"
#include "sym/ksyms.h"

#include <string.h>

enum { MAX_DEPTH = 64 }; /* limit for pointers to pointers and the like, in case the file is nonsense */

struct kbtf *
types_kernel(struct types *ts)
{
	if (!ts->looked_for_kernel) {
		ts->looked_for_kernel = true;
		ts->kernel = kbtf_open(NULL, NULL);
		if (ts->kernel)
			ts->kernel_types = AR_NEWN(ts->ar, struct type *, (size_t)kbtf_count(ts->kernel) + 1);
	}
	return ts->kernel_types ? ts->kernel : NULL;
}

const struct ksyms *
types_symbols(struct types *ts)
{
	if (!ts->looked_for_symbols) {
		ts->looked_for_symbols = true;
		ts->symbols = ksyms_open(NULL);
	}
	return ts->symbols;
}

void
types_close(struct types *ts)
{
	ksyms_close(ts->symbols);
	ts->symbols = NULL;
	kbtf_close(ts->kernel);
	ts->kernel = NULL;
}

static struct type *
integer(struct types *ts, const struct kbtf *b, const struct btf_type *t)
{
	uint32_t info;
	memcpy(&info, t + 1, sizeof info);
	struct type *named = type_by_words(ts, kbtf_name(b, t->name_off)); /* char, _Bool */
	if (named && named->size == t->size)
		return named;
	if (t->size == 16)
		return type_array(ts, type_int(ts, 8, false), 2);
	return type_int(ts, t->size, (BTF_INT_ENCODING(info) & BTF_INT_SIGNED) != 0);
}

/* BTF has no alignment of structures, so it is guessed from the size. */
static uint32_t
alignment(uint32_t size)
{
	return size % 8 == 0 && size ? 8 : size % 4 == 0 && size ? 4 : size % 2 == 0 && size ? 2 : 1;
}

static void
become_known(struct types *ts, struct type *t, uint32_t id, const struct btf_type *k)
{
	t->size = k->size;
	t->align = t->kind == T_ENUM ? k->size : alignment(k->size);
	t->is_signed = t->kind == T_ENUM && BTF_INFO_KFLAG(k->info);
	t->is_complete = true;
	t->kernel_id = id;
	t->ask = ts;
}

static struct type *make(struct types *ts, uint32_t id, unsigned depth);

static struct type *
make_new(struct types *ts, const struct kbtf *b, uint32_t id, const struct btf_type *k, unsigned depth)
{
	switch (BTF_INFO_KIND(k->info)) {
	case BTF_KIND_INT:
		return integer(ts, b, k);
	case BTF_KIND_FLOAT:
		return type_by_words(ts, k->size == 4 ? "float" : k->size == 8 ? "double" : "long double");
	case BTF_KIND_PTR:
		return type_ptr(ts, make(ts, k->type, depth));
	case BTF_KIND_ARRAY: {
		const struct btf_array *a = (const struct btf_array *)(const void *)(k + 1);
		return type_array(ts, make(ts, a->type, depth), a->nelems);
	}
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FWD: {
		unsigned kind = BTF_INFO_KIND(k->info);
		bool is_fwd = kind == BTF_KIND_FWD,
		     is_union = is_fwd ? BTF_INFO_KFLAG(k->info) : kind == BTF_KIND_UNION;
		bool is_enum = kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
		struct type *t = type_untagged(ts, is_enum ? T_ENUM : is_union ? T_UNION : T_STRUCT);
		t->name = k->name_off ? ar_strdup(ts->ar, kbtf_name(b, k->name_off)) : NULL;
		if (!is_fwd)
			become_known(ts, t, id, k);
		return t;
	}
	case BTF_KIND_TYPEDEF: {
		struct type *t = type_untagged(ts, T_TYPEDEF), *to = make(ts, k->type, depth);
		t->name = ar_strdup(ts->ar, kbtf_name(b, k->name_off));
		while (to->kind == T_TYPEDEF)
			to = to->ref;
		t->ref = to;
		t->size = to->size;
		t->align = to->align;
		t->is_signed = to->is_signed;
		t->is_char = to->is_char;
		return t;
	}
	case BTF_KIND_CONST:
		return type_qualified(ts, make(ts, k->type, depth), true, false);
	case BTF_KIND_VOLATILE:
		return type_qualified(ts, make(ts, k->type, depth), false, true);
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return make(ts, k->type, depth);
	case BTF_KIND_FUNC_PROTO:
		return type_func(ts, type_int(ts, 8, true), NULL, true);
	default:
		return type_void(ts);
	}
}

static struct type *
make(struct types *ts, uint32_t id, unsigned depth)
{
	struct kbtf *b = types_kernel(ts);
	const struct btf_type *k = b ? kbtf_type(b, id) : NULL;
	if (!k || depth > MAX_DEPTH)
		return type_void(ts);
	if (!ts->kernel_types[id])
		ts->kernel_types[id] = make_new(ts, b, id, k, depth + 1);
	return ts->kernel_types[id];
}

struct type *
type_kernel(struct types *ts, uint32_t id)
{
	return make(ts, id, 0);
}

struct type *
type_kernel_named(struct types *ts, const char *name)
{
	struct kbtf *b = types_kernel(ts);
	uint32_t id = b ? kbtf_find(b, name, KBTF_KIND(TYPEDEF)) : 0;
	return id ? make(ts, id, 0) : NULL;
}

static void
fill_members(struct types *ts, struct type *t, const struct btf_type *k)
{
	const struct btf_member *m = (const struct btf_member *)(const void *)(k + 1);
	struct member **tail = &t->members;
	for (unsigned i = 0; i < BTF_INFO_VLEN(k->info); i++) {
		struct type *mt = make(ts, m[i].type, 0);
		const struct type *base = mt;
		while (base->kind == T_TYPEDEF)
			base = base->ref;
		bool is_sou = base->kind == T_STRUCT || base->kind == T_UNION;
		if (!m[i].name_off && !is_sou)
			continue; /* unnamed bits */
		struct member *n = AR_NEW(ts->ar, struct member);
		n->name = m[i].name_off ? ar_strdup(ts->ar, kbtf_name(ts->kernel, m[i].name_off)) : NULL;
		n->type = mt;
		n->offset = BTF_INFO_KFLAG(k->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		n->bits = BTF_INFO_KFLAG(k->info) ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0;
		*tail = n;
		tail = &n->next;
	}
}

/* The names of the values become known too, unless something else has the name. */
static void
fill_enum(struct types *ts, struct type *t, const struct btf_type *k)
{
	for (unsigned i = 0; i < BTF_INFO_VLEN(k->info); i++) {
		uint32_t w[3];
		int64_t value;
		bool is_wide = BTF_INFO_KIND(k->info) == BTF_KIND_ENUM64;
		size_t row = is_wide ? 12 : 8;
		memcpy(w, (const char *)(k + 1) + i * row, row);
		value = is_wide ? (int64_t)(w[1] | (uint64_t)w[2] << 32) : t->is_signed ? (int32_t)w[1] : (int64_t)w[1];
		const char *name = kbtf_name(ts->kernel, w[0]);
		if (!type_enumerator(ts, name, NULL, NULL))
			type_add_enumerator(ts, t, name, value);
	}
}

void
type_fill(struct type *t)
{
	struct types *ts = t->ask;
	t->ask = NULL;
	if (!t->kernel_id) {
		if (t->is_complete || !t->name || !types_kernel(ts))
			return;
		uint32_t kinds = t->kind == T_STRUCT  ? KBTF_KIND(STRUCT)
				 : t->kind == T_UNION ? KBTF_KIND(UNION)
						      : KBTF_KIND(ENUM) | KBTF_KIND(ENUM64);
		uint32_t id = kbtf_find(ts->kernel, t->name, kinds);
		if (!id)
			return;
		become_known(ts, t, id, kbtf_type(ts->kernel, id));
		t->ask = NULL;
	}
	const struct btf_type *k = kbtf_type(ts->kernel, t->kernel_id);
	if (t->kind == T_ENUM)
		fill_enum(ts, t, k);
	else
		fill_members(ts, t, k);
}

void
type_disown(struct type *t)
{
	t->ask = NULL;
	t->kernel_id = 0;
	t->is_complete = false;
	t->members = NULL;
	t->enums = NULL;
	t->size = 0;
	t->align = 1;
}
