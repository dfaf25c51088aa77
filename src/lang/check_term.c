/*
 * Erlang terms as values. A term lives as long as the firing that brought it: it may be passed to functions and kept in
 * this->, nowhere else. Where a string is wanted it becomes its text, and where a number is wanted its integer. In the
 * checked tree these are calls of text() and term_int().
 */
#include "lang/check_priv.h"

#include "object/subr.h"

bool
ck_is_term(const struct node *n)
{
	return type_base(n->type)->kind == T_TERM;
}

/* n becomes name(n). */
static void
wrap(struct cc *cc, struct node *n, const char *name, enum dif_subr subr, struct type *t)
{
	ck_wrap(cc, n, N_CALL, OP_POS, t);
	struct node *arg = n->u.op.a;
	memset(&n->u, 0, sizeof n->u);
	n->u.call.name = name;
	n->u.call.args = arg;
	n->u.call.subr = (int)subr;
	n->u.call.action = n->u.call.fn = -1;
}

void
ck_term_text(struct cc *cc, struct node *n)
{
	if (ck_is_term(n))
		wrap(cc, n, "text", DIF_SUBR_TERM_TEXT, type_string(cc->lang->types));
}

void
ck_term_int(struct cc *cc, struct node *n)
{
	if (ck_is_term(n))
		wrap(cc, n, "term_int", DIF_SUBR_TERM_INT, ck_type_int64(cc));
}

void
ck_read_text(struct cc *cc, struct node *n)
{
	if (ck_is_term(n))
		ck_term_text(cc, n);
	else
		wrap(cc, n, "copyinstr", DIF_SUBR_COPYINSTR, type_string(cc->lang->types));
}

/* 'ok' is an atom in Erlang. In D it is a number, which no term will ever equal. */
static void
refuse_quoted(struct cc *cc, const struct node *n)
{
	const struct pos *p = &n->pos;
	if (n->kind != N_INT || p->len < 4 || (uint64_t)p->off + p->len > cc->len)
		return;
	const char *s = cc->text + p->off;
	if (s[0] == '\'' && s[p->len - 1] == '\'' && s[1] != '\\')
		cc_error_hint(cc, *p, "D_OP_INCOMPAT",
		    ar_printf(cc->ar, "an atom is met by its text: \"%.*s\"", (int)p->len - 2, s + 1),
		    "%.*s is a number in D, not an atom", (int)p->len, s);
}

void
ck_terms_meet(struct cc *cc, struct node *a, struct node *b)
{
	if (!ck_is_term(a) && !ck_is_term(b))
		return;
	refuse_quoted(cc, a);
	refuse_quoted(cc, b);
	bool numbers = ck_is_int(a) || ck_is_int(b);
	for (int i = 0; i < 2; i++) {
		if (numbers)
			ck_term_int(cc, i ? b : a);
		else
			ck_term_text(cc, i ? b : a);
	}
}

const char *
ck_term_hint(const struct node *n)
{
	return ck_is_term(n) ? "compare it, or ask with is_atom(), is_integer() and their like" : NULL;
}

/* map_get(key, map) and is_map_key(key, map): the key may be a number, a string or a term. An extra argument tells
 * which. */
void
ck_term_key(struct cc *cc, struct node *n, enum dif_subr subr)
{
	struct node *key = n->u.call.args, *map = key ? key->next : NULL;
	unsigned have = ck_len(key);
	const char *name = n->u.call.name;
	if (!map || map->next)
		cc_error(cc, n->pos, "D_PROTO_LEN", "%s( ) prototype mismatch: %u argument%s passed, 2 expected", name,
		    have, have == 1 ? "" : "s");
	ck_list(cc, key);
	refuse_quoted(cc, key);
	bool is_int = ck_is_int(key), is_term = ck_is_term(key);
	if (ck_is_dyn(key) || (!is_int && !is_term && !type_is_strcompat(key->type)))
		cc_error(cc, key->pos, "D_PROTO_ARG",
		    "%s( ) argument #1 is incompatible with its prototype: a number, a string or a term expected, '%s' given",
		    name, ck_nname(cc, key));
	if (!ck_is_term(map))
		cc_error_hint(cc, map->pos, "D_PROTO_ARG",
		    is_term ? "the key comes first: map_get(\"id\", args[0])" : NULL,
		    "%s( ) argument #2 is incompatible with its prototype: 'term' expected, '%s' given", name,
		    ck_nname(cc, map));
	if (is_int)
		ck_convert(cc, key, ck_type_int64(cc));
	else if (!is_term)
		ck_to_string(cc, key);
	map->next = ck_int(cc, n->pos, ck_type_int(cc),
	    is_int    ? TERM_KEY_INT
	    : is_term ? TERM_KEY_TERM
		      : TERM_KEY_STRING);
	n->u.call.subr = (int)subr;
	n->type = subr == DIF_SUBR_TERM_MAP_GET ? type_term(cc->lang->types) : ck_type_int(cc);
}
