/*
 * The table of types: C's own, the usual typedefs, and what programs declare.
 *
 * The usual typedefs are in a sorted table and are entered when first asked for, so that a handle pays only for those
 * it uses.
 */
#include "lang/lang.h"
#include "lang/type.h"
#include "lang/type_priv.h"

#include <string.h>

/* The usual typedefs, sorted by name. ptr: a pointer to the type. */
static const struct {
	const char *name;
	enum ctype to;
	bool is_ptr;
} usual[] = {
    {"blkcnt64_t", CT_LONG, false},
    {"blkcnt_t", CT_LONG, false},
    {"blksize_t", CT_LONG, false},
    {"boolean_t", CT_INT, false},
    {"caddr_t", CT_CHAR, true},
    {"chipid_t", CT_INT, false},
    {"clock_t", CT_LONG, false},
    {"clockid_t", CT_INT, false},
    {"cnt_t", CT_SHORT, false},
    {"cpu_t", CT_INT, false},
    {"daddr_t", CT_INT, false},
    {"dev_t", CT_ULONG, false},
    {"fsblkcnt_t", CT_ULONG, false},
    {"fsfilcnt_t", CT_ULONG, false},
    {"gid_t", CT_UINT, false},
    {"hrtime_t", CT_LLONG, false},
    {"id_t", CT_INT, false},
    {"index_t", CT_SHORT, false},
    {"ino64_t", CT_ULONG, false},
    {"ino_t", CT_ULONG, false},
    {"int16_t", CT_SHORT, false},
    {"int32_t", CT_INT, false},
    {"int64_t", CT_LONG, false},
    {"int8_t", CT_SCHAR, false},
    {"intmax_t", CT_LONG, false},
    {"intptr_t", CT_LONG, false},
    {"ipaddr_t", CT_UINT, false},
    {"key_t", CT_INT, false},
    {"lgrp_id_t", CT_INT, false},
    {"loff_t", CT_LONG, false},
    {"longlong_t", CT_LLONG, false},
    {"major_t", CT_UINT, false},
    {"minor_t", CT_UINT, false},
    {"mode_t", CT_UINT, false},
    {"nlink_t", CT_ULONG, false},
    {"o_dev_t", CT_SHORT, false},
    {"o_gid_t", CT_USHORT, false},
    {"o_ino_t", CT_USHORT, false},
    {"o_mode_t", CT_USHORT, false},
    {"o_nlink_t", CT_SHORT, false},
    {"o_pid_t", CT_SHORT, false},
    {"o_uid_t", CT_USHORT, false},
    {"off64_t", CT_LONG, false},
    {"off_t", CT_LONG, false},
    {"offset_t", CT_LLONG, false},
    {"paddr_t", CT_ULONG, false},
    {"pfn_t", CT_ULONG, false},
    {"pgcnt_t", CT_ULONG, false},
    {"pid_t", CT_INT, false},
    {"pri_t", CT_SHORT, false},
    {"processorid_t", CT_INT, false},
    {"projid_t", CT_INT, false},
    {"psetid_t", CT_INT, false},
    {"ptrdiff_t", CT_LONG, false},
    {"s16", CT_SHORT, false},
    {"s32", CT_INT, false},
    {"s64", CT_LLONG, false},
    {"s8", CT_SCHAR, false},
    {"sa_family_t", CT_USHORT, false},
    {"size_t", CT_ULONG, false},
    {"socklen_t", CT_UINT, false},
    {"spgcnt_t", CT_LONG, false},
    {"ssize_t", CT_LONG, false},
    {"suseconds_t", CT_LONG, false},
    {"taskid_t", CT_INT, false},
    {"time_t", CT_LONG, false},
    {"timeout_id_t", CT_INT, false},
    {"timer_t", CT_INT, false},
    {"u16", CT_USHORT, false},
    {"u32", CT_UINT, false},
    {"u64", CT_ULLONG, false},
    {"u8", CT_UCHAR, false},
    {"u_char", CT_UCHAR, false},
    {"u_int", CT_UINT, false},
    {"u_int16_t", CT_USHORT, false},
    {"u_int32_t", CT_UINT, false},
    {"u_int64_t", CT_ULONG, false},
    {"u_int8_t", CT_UCHAR, false},
    {"u_long", CT_ULONG, false},
    {"u_longlong_t", CT_ULLONG, false},
    {"u_offset_t", CT_ULLONG, false},
    {"u_short", CT_USHORT, false},
    {"uchar_t", CT_UCHAR, false},
    {"uid_t", CT_UINT, false},
    {"uint", CT_UINT, false},
    {"uint16_t", CT_USHORT, false},
    {"uint32_t", CT_UINT, false},
    {"uint64_t", CT_ULONG, false},
    {"uint8_t", CT_UCHAR, false},
    {"uint_t", CT_UINT, false},
    {"uintmax_t", CT_ULONG, false},
    {"uintptr_t", CT_ULONG, false},
    {"ulong", CT_ULONG, false},
    {"ulong_t", CT_ULONG, false},
    {"uoff_t", CT_ULONG, false},
    {"useconds_t", CT_UINT, false},
    {"ushort", CT_USHORT, false},
    {"ushort_t", CT_USHORT, false},
    {"wchar_t", CT_INT, false},
    {"zoneid_t", CT_INT, false},
};
enum { NUSUAL = sizeof usual / sizeof usual[0] };

struct types *
types_new(struct lang *lang, struct arena *ar, uint32_t strsize)
{
	static const struct type c[CT_COUNT] = {
#define X(id, words, bytes, k, sgn, chr) \
	{.kind = k, .name = words, .size = bytes, .align = bytes, .is_signed = sgn, .is_char = chr},
	    C_TYPES(X)
#undef X
	};
	(void)lang;
	struct types *ts = AR_NEW(ar, struct types);
	if (!ts)
		return NULL;
	ts->ar = ar;
	sm_init(&ts->names, ar);
	sm_init(&ts->tags, ar);
	sm_init(&ts->enums, ar);
	memcpy(ts->c, c, sizeof c);
	ts->of_void = (struct type){.kind = T_VOID, .name = "void", .align = 1};
	ts->of_string = (struct type){.kind = T_STRING, .name = "string", .size = strsize, .align = 1};
	ts->of_dyn = (struct type){.kind = T_DYN, .name = "<DYN>", .align = 1};
	ts->of_stack = (struct type){.kind = T_STACK, .name = "stack", .align = 8};
	ts->of_sym = (struct type){.kind = T_SYM, .name = "_symaddr", .size = 8, .align = 8};
	ts->of_term = (struct type){.kind = T_TERM, .name = "term", .size = 8, .align = 8};
	ts->of_name = (struct type){.kind = T_NAME, .name = "name()", .align = 1};
	return ts;
}

void
types_set_strsize(struct types *ts, uint32_t strsize)
{
	ts->of_string.size = strsize;
}

struct type *
type_void(struct types *ts)
{
	return &ts->of_void;
}

struct type *
type_string(struct types *ts)
{
	return &ts->of_string;
}

struct type *
type_dyn(struct types *ts)
{
	return &ts->of_dyn;
}

struct type *
type_stack(struct types *ts)
{
	return &ts->of_stack;
}

struct type *
type_sym(struct types *ts)
{
	return &ts->of_sym;
}

struct type *
type_term(struct types *ts)
{
	return &ts->of_term;
}

struct type *
type_name(struct types *ts)
{
	return &ts->of_name;
}

struct type *
type_char(struct types *ts)
{
	return &ts->c[CT_CHAR];
}

struct type *
type_int(struct types *ts, unsigned bytes, bool is_signed)
{
	switch (bytes) {
	case 1:
		return &ts->c[is_signed ? CT_CHAR : CT_UCHAR];
	case 2:
		return &ts->c[is_signed ? CT_SHORT : CT_USHORT];
	case 4:
		return &ts->c[is_signed ? CT_INT : CT_UINT];
	default:
		return &ts->c[is_signed ? CT_LONG : CT_ULONG];
	}
}

struct type *
type_by_words(struct types *ts, const char *words)
{
	for (size_t i = 0; i < CT_COUNT; i++)
		if (strcmp(ts->c[i].name, words) == 0)
			return &ts->c[i];
	return NULL;
}

struct type *
type_ptr(struct types *ts, struct type *to)
{
	if (!to->ptr_to) {
		struct type *t = AR_NEW(ts->ar, struct type);
		*t = (struct type){.kind = T_PTR, .size = 8, .align = 8, .ref = to};
		to->ptr_to = t;
	}
	return to->ptr_to;
}

struct type *
type_array(struct types *ts, struct type *of, uint64_t n)
{
	struct type *base = type_base(of), *t = AR_NEW(ts->ar, struct type);
	*t = (struct type){.kind = T_ARRAY, .align = base->align, .ref = of, .nelems = n};
	if (__builtin_mul_overflow(base->size, n, &t->size))
		t->size = UINT64_MAX;
	return t;
}

struct type *
type_assoc(struct types *ts, struct type *of, struct param *keys)
{
	struct type *t = AR_NEW(ts->ar, struct type);
	*t = (struct type){.kind = T_ARRAY, .align = 1, .ref = of, .params = keys, .is_assoc = true};
	return t;
}

struct type *
type_func(struct types *ts, struct type *result, struct param *params, bool is_varargs)
{
	struct type *t = AR_NEW(ts->ar, struct type);
	*t = (struct type){.kind = T_FUNC, .align = 1, .ref = result, .params = params, .is_varargs = is_varargs};
	return t;
}

struct type *
type_qualified(struct types *ts, struct type *t, bool is_const, bool is_volatile)
{
	bool plain = t->kind == T_VOID || t->kind == T_INT || t->kind == T_FLOAT || t->kind == T_PTR;
	if (!plain || (t->is_const >= is_const && t->is_volatile >= is_volatile))
		return t;
	struct type *q = AR_NEW(ts->ar, struct type);
	*q = *t;
	q->is_const |= is_const;
	q->is_volatile |= is_volatile;
	q->ptr_to = NULL;
	return q;
}

/* Refers to the base type directly, so that a chain of typedefs need not be walked each time. */
static struct type *
enter_typedef(struct types *ts, const char *name, struct type *to)
{
	struct type *base = type_base(to), *t = AR_NEW(ts->ar, struct type);
	*t = (struct type){.kind = T_TYPEDEF, .name = name, .size = base->size, .align = base->align, .ref = base};
	t->is_signed = base->is_signed;
	t->is_char = base->is_char;
	sm_puts(&ts->names, name, t);
	return t;
}

struct type *
type_named(struct types *ts, const char *name)
{
	struct type *t = sm_gets(&ts->names, name);
	if (t) {
		/* A structure may have got its body since then. */
		struct type *base = type_base(t);
		t->size = base->size;
		t->align = base->align;
		return t;
	}
	size_t lo = 0, hi = NUSUAL;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int c = strcmp(name, usual[mid].name);
		if (c == 0) {
			struct type *to = &ts->c[usual[mid].to];
			return enter_typedef(ts, usual[mid].name, usual[mid].is_ptr ? type_ptr(ts, to) : to);
		}
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return strcmp(name, "term") == 0 ? enter_typedef(ts, "term", &ts->of_term) : NULL;
}

const char *
type_near(struct types *ts, struct arena *ar, const char *name)
{
	VEC(const char *) all = {0};
	for (size_t i = 0; i < NUSUAL; i++)
		VEC_PUSH(ar, &all, usual[i].name);
	for (unsigned i = 0; i < ts->names.n; i++)
		VEC_PUSH(ar, &all, ts->names.entries[i].key);
	return near_miss(name, all.at, all.n);
}

void
type_add_typedef(struct types *ts, const char *name, struct type *t)
{
	enter_typedef(ts, ar_strdup(ts->ar, name), t);
}

struct type *
type_untagged(struct types *ts, enum type_kind kind)
{
	struct type *t = AR_NEW(ts->ar, struct type);
	*t = (struct type){.kind = kind, .align = 1};
	return t;
}

struct type *
type_tagged(struct types *ts, enum type_kind kind, const char *tag, bool make)
{
	char c = kind == T_STRUCT ? 's' : kind == T_UNION ? 'u' : 'e';
	size_t len = strlen(tag);
	struct ar_mark m = ar_mark(ts->ar);
	char *key = ar_alloc(ts->ar, len + 2);
	key[0] = c;
	memcpy(key + 1, tag, len + 1);
	struct type *t = sm_get(&ts->tags, key, len + 1);
	if (t || !make) {
		ar_reset(ts->ar, m);
		return t;
	}
	t = type_untagged(ts, kind);
	t->name = key + 1;
	t->ask = ts; /* the kernel may know it if no program does */
	sm_put(&ts->tags, key, len + 1, t);
	return t;
}

void
type_completed(struct types *ts, struct type *t)
{
	t->is_complete = true;
	t->ask = NULL;
	VEC_PUSH(ts->ar, &ts->completed, t);
}

bool
type_enumerator(struct types *ts, const char *name, struct type **t, int64_t *value)
{
	const struct enum_name *e = sm_gets(&ts->enums, name);
	if (!e)
		return false;
	if (t)
		*t = e->type;
	if (value)
		*value = e->value;
	return true;
}

void
type_add_enumerator(struct types *ts, struct type *e, const char *name, int64_t value)
{
	struct enumerator *n = AR_NEW(ts->ar, struct enumerator);
	struct enum_name *en = AR_NEW(ts->ar, struct enum_name);
	n->name = ar_strdup(ts->ar, name);
	n->value = value;
	*en = (struct enum_name){e, value};
	if (ts->enum_last != e || !e->enums) {
		struct enumerator *tail = e->enums;
		while (tail && tail->next)
			tail = tail->next;
		ts->enum_last = e;
		ts->enum_tail = tail;
	}
	if (ts->enum_tail)
		ts->enum_tail->next = n;
	else
		e->enums = n;
	ts->enum_tail = n;
	sm_puts(&ts->enums, n->name, en);
}

struct types_mark
types_mark(const struct types *ts)
{
	return (struct types_mark){ts->names.n, ts->tags.n, ts->enums.n, ts->completed.n};
}

void
types_undo(struct types *ts, struct types_mark m)
{
	sm_truncate(&ts->names, m.names);
	sm_truncate(&ts->tags, m.tags);
	sm_truncate(&ts->enums, m.enums);
	for (unsigned i = m.completed; i < ts->completed.n; i++) {
		struct type *t = ts->completed.at[i];
		t->is_complete = false;
		t->members = NULL;
		t->enums = NULL;
		t->size = 0;
		t->align = 1;
	}
	if (ts->completed.n > m.completed)
		ts->completed.n = m.completed;
	ts->enum_last = NULL;
}
