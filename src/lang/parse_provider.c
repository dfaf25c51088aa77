/*
 * provider name { probe p(args) : (translated args); ... }; It is only read and checked: such definitions are for
 * programs that make probes of their own.
 */
#include "lang/parse_int.h"

#include <string.h>

enum {
	MAXPROVIDER = 64 - 10, /* DTrace's longest provider name, minus the digits of a process id */
	MAXPROBE = 64,
	MAXARGS = 255
};

static bool
has_xlator(struct parser *p, struct type *to, struct type *from)
{
	struct lang *l = p->cc->lang;
	for (unsigned i = 0; i < l->xlators.n; i++)
		if (type_same(l->xlators.at[i]->to, to) && type_same(l->xlators.at[i]->from, from))
			return true;
	return false;
}

/* The arguments that scripts see. Each names one that the probe passes, and is translated if the type differs. */
static void
check_translated(struct parser *p, const struct formals *native, const struct formals *seen)
{
	for (struct formal *f = seen->first; f; f = f->next) {
		if (!f->name)
			continue;
		struct formal *of = native->first;
		while (of && !(of->name && strcmp(of->name, f->name) == 0))
			of = of->next;
		if (!of)
			cc_error(p->cc, f->pos, "D_DECL_PROTO_FORM", "parameter is not declared in probe prototype: %s",
			    f->name);
		struct type *to = type_is_ptr(f->type) ? type_base(f->type)->ref : f->type;
		bool fits = type_same(of->type, f->type) ||
			    (type_is_scalar(of->type) && type_is_scalar(f->type) && !type_is_sou(to));
		if (!fits && !has_xlator(p, to, of->type))
			cc_error(p->cc, f->pos, "D_PROV_PRXLATOR", "translator from %s to %s is not defined: %s",
			    type_text(p->cc->ar, of->type), type_text(p->cc->ar, f->type), f->name);
	}
}

static struct formals
probe_args(struct parser *p)
{
	p_expect(p, TK_LPAREN);
	struct formals f = p_formals(p, TK_RPAREN, "probe");
	return f;
}

static void
check_count(struct parser *p, const struct formals *f, const char *name, struct pos pos)
{
	if (f->n > MAXARGS)
		cc_error(p->cc, pos, "D_PROV_PRARGLEN", "probe %s has %u arguments: at most %d are possible", name,
		    f->n, MAXARGS);
}

/* Returns how many probes of the provider exist. A NULL probe means all. */
static int
existing(struct parser *p, const char *provider, const char *probe)
{
	struct why why;
	struct pdesc d = {.names = {provider, "", "", probe ? probe : ""}};
	return p->cc->probes ? probes_match(p->cc->probes, &d, NULL, NULL, &why) : 0;
}

/* Returns the name as a script writes it: "__" stands for '-'. */
static const char *
shown_name(struct parser *p, const char *name)
{
	char *s = ar_strdup(p->cc->ar, name), *out = s;
	for (const char *c = name; *c; c++) {
		bool is_dash = c[0] == '_' && c[1] == '_';
		*out++ = is_dash ? '-' : *c;
		c += is_dash;
	}
	*out = '\0';
	return s;
}

/* probe name(args) [: (args)]. known: the provider exists already. */
static void
probe(struct parser *p, const char *provider, bool known, struct strmap *seen)
{
	p_expect(p, TW_PROBE);
	struct pos pos = p->tok.pos;
	const char *name = p_name(p, "the name of a probe");
	if (strlen(name) >= MAXPROBE || strchr(name, '`'))
		cc_error(p->cc, pos, "D_PROV_BADNAME",
		    "probe name is not valid: at most %d characters, letters, digits and _", MAXPROBE - 1);
	if (known && existing(p, provider, shown_name(p, name)) <= 0)
		cc_error(p->cc, pos, "D_PROV_INCOMPAT", "provider %s exists and has no probe %s", provider,
		    shown_name(p, name));
	struct formals native = probe_args(p);
	check_count(p, &native, name, pos);
	p_check_formals(p, &native, "probe input", FORM_VOID | FORM_ANON);
	if (p_accept(p, TK_COLON)) {
		struct formals out = probe_args(p);
		check_count(p, &out, name, pos);
		check_translated(p, &native, &out);
		if (out.is_varargs)
			cc_error(p->cc, pos, "D_DECL_PROTO_VARARGS",
			    "probe output prototype may not use a variable-length argument list");
	}
	if (sm_gets(seen, name))
		cc_error(p->cc, pos, "D_PROV_PRDUP", "probe redeclared: %s", name);
	sm_puts(seen, name, seen);
	p_expect(p, TK_SEMI);
}

struct node *
p_provider(struct parser *p)
{
	struct node *n = node_new(p->cc, N_PROVIDER, p->tok.pos);
	struct strmap seen;
	sm_init(&seen, p->cc->ar);
	p_next(p);
	struct pos pos = p->tok.pos;
	const char *name = p_name(p, "the name of a provider");
	size_t len = strlen(name);
	if (len > MAXPROVIDER)
		cc_error(p->cc, pos, "D_PROV_BADNAME", "provider name may not exceed %d characters", MAXPROVIDER);
	if (lex_is_digit(name[len - 1]) || strchr(name, '`'))
		cc_error(p->cc, pos, "D_PROV_BADNAME", "provider name may not end with a digit: %s", name);
	p_expect(p, TK_LBRACE);
	bool known = existing(p, name, NULL) > 0;
	while (p->tok.kind != TK_RBRACE)
		probe(p, name, known, &seen);
	p_next(p);
	p_expect_last(p, TK_SEMI);
	return n;
}
