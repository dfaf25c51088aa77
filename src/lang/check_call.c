/* Calls: what a name in front of parentheses means, prototypes, arguments of subroutines. */
#include "lang/check_priv.h"

#include "object/subr.h"

static const struct {
	const char *name, *proto;
	unsigned flags;
} subrs[] = {
#define X(id, name, proto, operands, flags) {name, proto, flags},
    DIF_SUBRS(X)
#undef X
};

int
subr_find(const char *name)
{
	for (int i = 0; i < DIF_NSUBRS; i++) {
		if (!(subrs[i].flags & (SF_INTERNAL | SF_ACTION)) && strcmp(subrs[i].name, name) == 0)
			return i;
	}
	return -1;
}

bool
subr_is_of_d(const char *name)
{
	int i = subr_find(name);
	return i >= 0 && !(subrs[i].flags & SF_TERM);
}

/* Parses a prototype such as "string(const char *, [int])". Brackets mark parameters that may be missing. */
struct proto *
ck_proto(struct cc *cc, const char *name, const char *text)
{
	struct lang *l = cc->lang;
	struct proto *p = sm_gets(&l->protos, name);
	if (p)
		return p;
	char *plain = ar_strdup(cc->ar, text), *out = plain;
	unsigned optional = 0;
	for (const char *s = text; *s; s++) {
		if (*s == '[')
			optional++;
		else if (*s != ']')
			*out++ = *s;
	}
	*out = '\0';
	struct type *fn = type_base(ck_type_named(cc, plain));
	p = AR_NEW(&l->ar, struct proto);
	p->result = fn->ref;
	for (struct param *q = fn->params; q; q = q->next) {
		if (type_base(q->type)->kind != T_VOID)
			p->n++;
	}
	p->nmin = p->n - optional;
	p->params = AR_NEWN(&l->ar, struct type *, p->n ? p->n : 1);
	unsigned i = 0;
	for (struct param *q = fn->params; q && i < p->n; q = q->next)
		p->params[i++] = q->type;
	sm_puts(&l->protos, ar_strdup(&l->ar, name), p);
	return p;
}

/* Checks arguments and converts them to the parameters' types where bits change. */
void
ck_args(struct cc *cc, const char *name, const struct proto *p, struct node *args, struct pos pos)
{
	unsigned have = ck_len(args), i = 0;
	if (have < p->nmin || have > p->n)
		cc_error(cc, pos, "D_PROTO_LEN", "%s( ) prototype mismatch: %u argument%s passed, %s%u expected", name,
		    have, have == 1 ? "" : "s",
		    p->n == p->nmin  ? ""
		    : have < p->nmin ? "at least "
				     : "at most ",
		    have < p->nmin ? p->nmin : p->n);
	for (struct node *a = args; a; a = a->next, i++) {
		struct type *t = p->params[i];
		if (ck_is_dyn(a) || !ck_argcompat(cc, t, a)) {
			const char *hint = NULL;
			if (type_base(t)->kind == T_TERM && a->kind == N_ARG)
				hint = "use args[ ], or cast a probe's argument: (term)arg0";
			else if (type_base(t)->kind == T_TERM && strcmp(name, "element") == 0 && ck_is_int(a))
				hint = "the number comes first: element(1, args[0])";
			if (type_is_int(t) && ck_is_ptr(a))
				hint = "cast it: (uintptr_t)p";
			else if (type_is_strcompat(t) && ck_is_int(a))
				hint = "use copyinstr() or stringof() to read a string at an address";
			else if (ck_is_name(a))
				hint = ck_name_hint;
			cc_error_hint(cc, a->pos, "D_PROTO_ARG", hint,
			    "%s( ) argument #%u is incompatible with its prototype: '%s' expected, "
			    "'%s' given",
			    name, i + 1, ck_tname(cc, t), ck_nname(cc, a));
		}
		if (type_is_int(t) || ck_is_int(a) || ck_is_term(a))
			ck_convert(cc, a, t);
		else if (type_is_strcompat(t) && type_base(a->type)->kind == T_ARRAY)
			ck_to_string(cc, a);
	}
}

bool
subr_is_reserved(const char *name)
{
	int i = subr_find(name);
	return i >= 0 && !(subrs[i].flags & SF_TERM);
}

/* inet_ntoa6() reads 16 bytes. A pointer to another type is a mistake; a void pointer may be right. */
static void
check_in6(struct cc *cc, const struct node *n)
{
	const struct node *addr = n->u.call.args, *keep = addr->next;
	struct type *t = type_base(addr->type), *to = t->ref ? type_base(t->ref) : NULL;
	bool is_in6 = to && type_is_sou(to) && to->name && strcmp(to->name, "in6_addr") == 0;
	if (!to || (to->kind != T_VOID && !is_in6))
		cc_error_hint(cc, addr->pos, "D_PROTO_ARG", "cast it: (struct in6_addr *)",
		    "inet_ntoa6( ) argument #1 is incompatible with its prototype: 'struct in6_addr *' expected, '%s' given",
		    ck_nname(cc, addr));
	if (keep && keep->kind != N_INT)
		cc_error(cc, keep->pos, "D_PROTO_ARG", "inet_ntoa6( ) argument #2 must be an integer constant");
}

static _Noreturn void
no_function(struct cc *cc, const struct node *n)
{
	const char *name = n->u.call.name;
	if (sm_gets(&cc->lang->globals, name) || sm_gets(&cc->lang->inlines, name) || bi_var(name) >= 0 ||
	    strcmp(name, "args") == 0)
		cc_error(cc, n->pos, "D_FUNC_IDKIND", "'%s' is not a function: it cannot be called", name);
	cc_error_hint(
	    cc, n->pos, "D_FUNC_UNDEF", ck_hint(cc, bi_near(cc, name, true)), "there is no function '%s( )'", name);
}

void
ck_call(struct cc *cc, struct node *n, bool is_stmt)
{
	const char *name = n->u.call.name;
	n->u.call.subr = n->u.call.action = n->u.call.fn = -1;
	n->u.call.kind = 0;
	n->u.call.arg = 0;
	bool later = bi_is_later(cc, name);
	const struct action *act = later ? NULL : action_find(name);
	if (act) {
		ck_action(cc, n, act, is_stmt);
		return;
	}
	int fn = later ? -1 : aggfn_find(name);
	if (fn >= 0) {
		if (is_stmt)
			cc_error_hint(cc, n->pos, "D_CG_EXPR",
			    ar_printf(cc->ar, "assign it to an aggregation: @ = %s(...);", name),
			    "%s( ) may not be called from an expression", name);
		ck_list(cc, n->u.call.args);
		n->u.call.fn = fn;
		n->type = type_dyn(cc->lang->types);
		return;
	}
	const struct node *inl = sm_gets(&cc->lang->inlines, name);
	if (inl && inl->u.inl.has_params) {
		ck_inline_expand(cc, n, inl, n->u.call.args);
		return;
	}
	if (strcmp(name, "name") == 0) {
		ck_name(cc, n, is_stmt);
		return;
	}
	if (later && !sm_gets(&cc->lang->globals, name))
		cc_error_hint(cc, n->pos, "D_FUNC_UNDEF", "leave the option out, or name a later version",
		    "D version %s had no function '%s( )'", cc->opts->str[OPT_VERSION], name);
	int subr = later ? -1 : subr_find(name);
	if (subr < 0)
		no_function(cc, n);
	if (subrs[subr].flags & SF_REFUSED)
		cc_error(cc, n->pos, "D_FUNC_UNDEF",
		    "%s( ) is not supported: it looks into messages of the Solaris kernel, or stops the machine, "
		    "which Linux does not have or let us do",
		    name);
	if (subr == DIF_SUBR_TERM_MAP_GET || subr == DIF_SUBR_TERM_IS_MAP_KEY) {
		ck_term_key(cc, n, (enum dif_subr)subr);
		return;
	}
	const struct proto *p = ck_proto(cc, name, subrs[subr].proto);
	ck_list(cc, n->u.call.args);
	/* copyinstr() of the address of a term gives the term's text. */
	if (subr == DIF_SUBR_COPYINSTR && n->u.call.args && ck_is_term(n->u.call.args))
		ck_wrap(cc, n->u.call.args, N_CAST, OP_POS, ck_type_uint64(cc));
	ck_args(cc, name, p, n->u.call.args, n->pos);
	if (subr == DIF_SUBR_INET_NTOA6)
		check_in6(cc, n);
	if (subrs[subr].flags & SF_LOCK)
		ck_lock(cc, n, (enum dif_subr)subr);
	n->u.call.subr = subr;
	n->type = p->result;
}
