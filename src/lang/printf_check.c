/* Checks formats against their arguments. printf() and the like take values; printa() takes the keys of its
 * aggregation. */
#include "lang/check_priv.h"

#include "base/fmt.h"

/* What the conversion takes, for messages. */
static const char *
wanted(const struct fmt_piece *p)
{
	switch (p->cls) {
	case FMT_C_INT:
		if (p->conv == 'p')
			return "a pointer or an integer";
		switch (p->size) {
		case FMT_SZ_NONE:
			return "an integer";
		case FMT_SZ_HH:
			return "an integer of 1 byte";
		case FMT_SZ_H:
			return "an integer of 2 bytes";
		default:
			return "an integer of 8 bytes";
		}
	case FMT_C_CHAR:
		return "an integer of at most 4 bytes";
	case FMT_C_STR:
		return p->size == FMT_SZ_NONE ? "a string or a char array" : "an array of wchar_t";
	case FMT_C_FLOAT:
		return "a float, double or long double";
	case FMT_C_ADDR:
		return p->conv == 'a' ? "a pointer, an integer, or sym(), mod()"
				      : "a pointer, an integer, or usym(), umod(), uaddr()";
	case FMT_C_STACK:
		return "stack(), ustack() or jstack()";
	case FMT_C_TIME:
		return "an integer of 8 bytes: nanoseconds since 1970, such as walltimestamp";
	case FMT_C_NET:
		return p->conv == 'I' ? "a string" : "an integer";
	default:
		return "nothing";
	}
}

static bool
size_fits(const struct fmt_piece *p, uint64_t size)
{
	switch (p->size) {
	case FMT_SZ_NONE:
		return true;
	case FMT_SZ_HH:
		return size == 1;
	case FMT_SZ_H:
		return size == 2;
	default:
		return size == 8;
	}
}

static bool
takes(const struct fmt_piece *p, const struct node *v)
{
	struct type *t = type_base(v->type);
	bool is_int = type_is_int(t);
	switch (p->cls) {
	case FMT_C_INT:
		return p->conv == 'p' ? is_int || ck_is_ptr(v) : is_int && size_fits(p, t->size);
	case FMT_C_CHAR:
		return is_int && t->size <= 4;
	case FMT_C_STR:
		if (p->size != FMT_SZ_NONE)
			return t->kind == T_ARRAY && type_is_int(t->ref) && type_base(t->ref)->size == 4;
		return t->kind == T_STRING || t->kind == T_NAME || (t->kind == T_ARRAY && type_is_strcompat(t));
	case FMT_C_FLOAT:
		return t->kind == T_FLOAT;
	case FMT_C_ADDR:
		return is_int || ck_is_ptr(v) || t->kind == T_SYM;
	case FMT_C_STACK:
		return t->kind == T_STACK;
	case FMT_C_TIME:
		return is_int && t->size == 8;
	case FMT_C_NET:
		return p->conv == 'I' ? t->kind == T_STRING : is_int;
	default:
		return false;
	}
}

static const char *
type_hint(struct cc *cc, const struct fmt_piece *p, const struct node *v)
{
	struct type *t = type_base(v->type);
	const char *address = p->cls == FMT_C_STR ? ck_address_hint(cc, v) : NULL;
	if (address)
		return address;
	if (p->cls == FMT_C_STR && (t->kind == T_PTR || type_is_int(t)))
		return t->kind == T_PTR ? "use stringof() or copyinstr() to make a string of it"
					: "use %d, or stringof() for an address";
	if (p->cls == FMT_C_INT && (t->kind == T_STRING || (t->kind == T_ARRAY && type_is_strcompat(t))))
		return "use %s";
	if (p->cls == FMT_C_INT && type_is_int(t))
		return "leave the size out: D knows it";
	if (p->cls == FMT_C_INT && t->kind == T_PTR)
		return "use %p";
	if (p->cls == FMT_C_FLOAT)
		return "D has no floating-point numbers; use %d";
	return NULL;
}

/* The values that are matched with conversions one by one. */
struct values {
	struct node *next;      /* printf */
	const struct dagg *agg; /* printa: its keys */
	unsigned taken;
};

/* Returns NULL if there are no more. `key` is room for a node that stands for a key. */
static struct node *
next_value(struct values *v, struct node *key)
{
	if (v->agg) {
		if (v->taken >= v->agg->nkeys)
			return NULL;
		*key = (struct node){.kind = N_TYPE, .type = v->agg->keys[v->taken++]};
		return key;
	}
	struct node *n = v->next;
	if (n) {
		v->next = n->next;
		v->taken++;
	}
	return n;
}

static void
star(struct cc *cc, const struct node *call, const struct node *fmt, const struct fmt_piece *p, struct values *vals,
    const char *which)
{
	struct node key, *v = next_value(vals, &key);
	if (!v)
		cc_error(cc, fmt->pos, "D_PRINTF_DYN_PROTO",
		    "%s( ) conversion #%u (%.*s) is missing an argument for its %s", call->u.call.name, p->number,
		    (int)p->len, p->at, which);
	if (v->kind != N_TYPE)
		ck_term_int(cc, v);
	if (!ck_is_int(v))
		cc_error(cc, v->kind == N_TYPE ? fmt->pos : v->pos, "D_PRINTF_DYN_TYPE",
		    "%s( ) argument #%u, the %s of conversion #%u (%.*s), must be an integer, not '%s'",
		    call->u.call.name, vals->taken + 1, which, p->number, (int)p->len, p->at, ck_nname(cc, v));
	if (v->kind != N_TYPE)
		ck_convert(cc, v, ck_type_int(cc));
}

static void
value(struct cc *cc, const struct node *call, const struct node *fmt, const struct fmt_piece *p, struct values *vals)
{
	struct node key, *v;
	if (p->flags & FMT_AGG) {
		if (!vals->agg)
			cc_error(cc, fmt->pos, "D_PRINTF_AGG_CONV",
			    "%%@ shows the value of an aggregation: it is for printa( ), not for %s( )",
			    call->u.call.name);
		key = (struct node){.kind = N_TYPE};
		key.type = vals->agg->fn == AGG_COUNT ? ck_type_uint64(cc) : ck_type_int64(cc);
		v = &key;
	} else {
		v = next_value(vals, &key);
	}
	if (!v)
		cc_error(cc, fmt->pos, "D_PRINTF_ARG_PROTO", "%s( ) conversion #%u (%.*s) is missing a value",
		    call->u.call.name, p->number, (int)p->len, p->at);
	if (v->kind != N_TYPE && (p->cls == FMT_C_STR || (p->cls == FMT_C_NET && p->conv == 'I')))
		ck_term_text(cc, v);
	else if (v->kind != N_TYPE && p->cls != FMT_C_STACK && p->cls != FMT_C_FLOAT)
		ck_term_int(cc, v);
	if ((ck_is_dyn(v) && v->kind != N_TYPE) || !takes(p, v))
		cc_error_hint(cc, v->kind == N_TYPE ? fmt->pos : v->pos, "D_PRINTF_ARG_TYPE", type_hint(cc, p, v),
		    "%s( ) %s is incompatible with conversion #%u (%.*s): %s expected, '%s' given", call->u.call.name,
		    p->flags & FMT_AGG ? "aggregation" : ar_printf(cc->ar, "argument #%u", vals->taken + 1), p->number,
		    (int)p->len, p->at, wanted(p), ck_nname(cc, v));
	if (v->kind != N_TYPE && p->cls == FMT_C_STR && p->size == FMT_SZ_NONE && type_base(v->type)->kind == T_ARRAY)
		ck_to_string(cc, v);
}

void
ck_format(struct cc *cc, const struct node *call, const struct node *fmt, struct node *args, const struct dagg *agg)
{
	struct fmt_iter it;
	struct fmt_piece p;
	struct values vals = {.next = args, .agg = agg};
	int r;
	fmt_open(&it, fmt->u.str.at, fmt->u.str.len);
	while ((r = fmt_next(&it, &p)) > 0) {
		if (!p.conv)
			continue;
		if (p.star_width)
			star(cc, call, fmt, &p, &vals, "width");
		if (p.star_prec)
			star(cc, call, fmt, &p, &vals, "precision");
		if (fmt_takes_value(&p))
			value(cc, call, fmt, &p, &vals);
	}
	if (r < 0)
		cc_error(cc, fmt->pos, "D_SYNTAX", "%s( ) format: %s: %.*s", call->u.call.name, it.why,
		    p.len > 40 ? 40 : (int)p.len, p.at);
	if (!agg && vals.next)
		cc_error(cc, vals.next->pos, "D_PRINTF_ARG_EXTRA",
		    "%s( ) has more values than its format has conversions: only %u are needed", call->u.call.name,
		    vals.taken);
}
