/*
 * Arguments of erlang probes. Most are texts or terms, and argN is the address of one: a meaningless number that D
 * would otherwise count and compare without complaint. name() turns the pid among them into the process's name.
 */
#include "lang/check_priv.h"

#include "object/subr.h"

#include <string.h>

enum { NARGS = 10 };

void
ck_addresses(const struct probe *p, bool first, unsigned *texts, unsigned *terms)
{
	unsigned text = 0, term = 0;
	bool is_erlang = strncmp(p->names[0], "erlang", 6) == 0 && p->argtypes;
	unsigned n = 0;
	bool is_function = probe_has_terms(p);
	if (is_function) {
		text = 3; /* process and function; the depth is a number */
		n = 3;
	}
	for (; is_erlang && !is_function && n < NARGS && p->argtypes[n]; n++) {
		text |= (unsigned)(strcmp(p->argtypes[n], "char *") == 0) << n;
		term |= (unsigned)(strcmp(p->argtypes[n], "term") == 0) << n;
	}
	/* An argument that this probe lacks says nothing about the other probes. */
	unsigned none = is_erlang ? ~0u << n : 0;
	*texts = (first ? ~0u : *texts) & (text | none);
	*terms = (first ? ~0u : *terms) & (term | none);
}

/* Where the values are that somebody may have looked for in argN of a function's probe. */
static const char *
own_values(struct cc *cc, int i)
{
	const char *name = cc->probe->names[3];
	if (strcmp(name, "return") == 0)
		return "the value that is returned is args[0]";
	if (strcmp(name, "exception") == 0)
		return "class and reason are args[0] and args[1]";
	return ar_printf(cc->ar, "the function's own argument is args[%d]", i);
}

const char *
ck_address_hint(struct cc *cc, const struct node *n)
{
	if (n->kind != N_ARG || n->u.arg.index || n->u.arg.n < 0 || n->u.arg.n >= NARGS || ck_is_term(n))
		return NULL;
	unsigned bit = 1u << n->u.arg.n;
	int i = n->u.arg.n;
	if (!((cc->texts ^ cc->terms) & bit))
		return NULL; /* it is neither; or no probe has it */
	if (cc->texts & bit && cc->probe && probe_has_terms(cc->probe))
		return ar_printf(cc->ar, "the text is copyinstr(arg%d); %s", i, own_values(cc, i));
	if (cc->texts & bit)
		return ar_printf(cc->ar, "the text is copyinstr(arg%d)", i);
	return cc->args_differ ? ar_printf(cc->ar, "the term is (term)arg%d, its text copyinstr(arg%d)", i, i)
			       : ar_printf(cc->ar, "the term is args[%d], its text copyinstr(arg%d)", i, i);
}

void
ck_no_address(struct cc *cc, const struct node *n, const char *use)
{
	if (n->kind == N_OP2 && (n->u.op.op == OP_ADD || n->u.op.op == OP_SUB)) {
		ck_no_address(cc, n->u.op.a, use);
		ck_no_address(cc, n->u.op.b, use);
		return;
	}
	const char *hint = ck_address_hint(cc, n);
	if (!hint)
		return;
	int i = n->u.arg.n;
	if (cc->terms & 1u << i)
		cc_error_hint(
		    cc, n->pos, "D_ARG_ADDRESS", hint, "arg%d is the address of a term here: it cannot be %s", i, use);
	if (cc->probe && probe_has_terms(cc->probe))
		cc_error_hint(cc, n->pos, "D_ARG_ADDRESS", hint,
		    "arg%d is the address of the %s's text here: it cannot be %s", i, i ? "function" : "process", use);
	cc_error_hint(
	    cc, n->pos, "D_ARG_ADDRESS", hint, "arg%d is the address of a text here: it cannot be %s", i, use);
}

const char ck_name_hint[] =
    "a name is looked up when it is shown: name() may be a key of an aggregation or an argument of "
    "printf() and trace(); compare the pid instead";

bool
ck_is_name(const struct node *n)
{
	return type_base(n->type)->kind == T_NAME;
}

void
ck_name(struct cc *cc, struct node *n, bool is_stmt)
{
	struct node *pid = n->u.call.args;
	unsigned have = ck_len(pid);
	if (is_stmt)
		cc_error_hint(
		    cc, n->pos, "D_NAME_PLACE", "show it: trace(name(arg0))", "name( ) is a value, not an action");
	if (have != 1)
		cc_error(
		    cc, n->pos, "D_PROTO_LEN", "name( ) prototype mismatch: %u arguments passed, 1 expected", have);
	ck_list(cc, pid);
	bool is_address = pid->kind == N_ARG && !ck_is_term(pid);
	if (is_address || ck_is_term(pid))
		ck_read_text(cc, pid);
	if (ck_is_dyn(pid) || !type_is_strcompat(pid->type))
		cc_error_hint(cc, pid->pos, "D_PROTO_ARG", "such as name(arg0) or name(eproc)",
		    "name( ) argument #1 is incompatible with its prototype: a pid expected, '%s' given",
		    ck_nname(cc, pid));
	ck_to_string(cc, pid);
	n->u.call.kind = DK_STRING;
	n->u.call.arg = DOBJ_PID;
	n->type = type_name(cc->lang->types);
}
