/*
 * Actions: the table of them, and the checks of their arguments. Formats are checked in printf_check.c. ast.h says what
 * is left to the code generator.
 */
#include "lang/check_priv.h"

#include "object/subr.h"

#define NONE (-1)

/* In alphabetical order. */
static const struct action actions[] = {
    {"alert", DA_ALERT, NONE, 0, NULL, AF_DATA},
    {"breakpoint", NONE, DIF_SUBR_BREAKPOINT, 0, "void()", AF_DESTRUCTIVE | AF_REFUSED},
    {"chill", NONE, DIF_SUBR_CHILL, 0, "void(int)", AF_DESTRUCTIVE},
    {"clear", DA_CLEAR, NONE, 0, NULL, AF_DATA},
    {"commit", NONE, DIF_SUBR_COMMIT, 0, "void(int)", AF_COMMIT},
    {"copyout", NONE, DIF_SUBR_COPYOUT, 0, "void(void *, uintptr_t, size_t)", AF_DESTRUCTIVE},
    {"copyoutstr", NONE, DIF_SUBR_COPYOUTSTR, 0, "void(char *, uintptr_t, size_t)", AF_DESTRUCTIVE},
    {"denormalize", DA_DENORMALIZE, NONE, 0, NULL, AF_DATA},
    {"discard", NONE, DIF_SUBR_DISCARD, 0, "void(int)", AF_DISCARD},
    {"exit", DA_EXIT, DIF_SUBR_EXIT, 0, "void(int)", AF_DATA | AF_EXIT},
    {"freopen", DA_FREOPEN, NONE, 0, NULL, AF_DESTRUCTIVE},
    {"ftruncate", DA_FTRUNCATE, NONE, 0, "void()", AF_DATA},
    {"func", DA_SYM, NONE, DK_SYM, "void(uintptr_t)", AF_DATA},
    {"jstack", DA_JSTACK, NONE, DK_JSTACK, NULL, AF_DATA},
    {"mod", DA_MOD, NONE, DK_MOD, "void(uintptr_t)", AF_DATA},
    {"normalize", DA_NORMALIZE, NONE, 0, NULL, AF_DATA},
    {"panic", NONE, DIF_SUBR_PANIC, 0, "void()", AF_DESTRUCTIVE | AF_REFUSED},
    {"pcap", DA_PCAP, NONE, 0, NULL, AF_DATA | AF_REFUSED},
    {"print", DA_PRINT, NONE, 0, NULL, AF_DATA},
    {"printa", DA_PRINTA, NONE, 0, NULL, AF_DATA},
    {"printf", DA_PRINTF, NONE, 0, NULL, AF_DATA},
    {"raise", NONE, DIF_SUBR_RAISE, 0, "void(int)", AF_DESTRUCTIVE},
    {"setopt", DA_SETOPT, NONE, 0, "void(const char *, [const char *])", AF_DATA},
    {"speculate", NONE, DIF_SUBR_SPECULATE, 0, "void(int)", AF_SPECULATE},
    {"stack", DA_STACK, NONE, DK_STACK, NULL, AF_DATA},
    {"stop", NONE, DIF_SUBR_STOP, 0, "void()", AF_DESTRUCTIVE},
    {"sym", DA_SYM, NONE, DK_SYM, "void(uintptr_t)", AF_DATA},
    {"system", DA_SYSTEM, NONE, 0, NULL, AF_DESTRUCTIVE},
    {"trace", DA_TRACE, NONE, 0, NULL, AF_DATA},
    {"tracemem", DA_TRACEMEM, NONE, 0, NULL, AF_DATA},
    {"trunc", DA_TRUNC, NONE, 0, NULL, AF_DATA},
    {"uaddr", DA_UADDR, NONE, DK_UADDR, "void(uintptr_t)", AF_DATA},
    {"ufunc", DA_USYM, NONE, DK_USYM, "void(uintptr_t)", AF_DATA},
    {"umod", DA_UMOD, NONE, DK_UMOD, "void(uintptr_t)", AF_DATA},
    {"ustack", DA_USTACK, NONE, DK_USTACK, NULL, AF_DATA},
    {"usym", DA_USYM, NONE, DK_USYM, "void(uintptr_t)", AF_DATA},
};
enum { NACTIONS = sizeof actions / sizeof actions[0] };

const struct action *
action_find(const char *name)
{
	int lo = 0, hi = NACTIONS - 1;
	while (lo <= hi) {
		int mid = (lo + hi) / 2, c = strcmp(name, actions[mid].name);
		if (c == 0)
			return &actions[mid];
		if (c < 0)
			hi = mid - 1;
		else
			lo = mid + 1;
	}
	return NULL;
}

const char *
action_at(unsigned i)
{
	return i < NACTIONS ? actions[i].name : NULL;
}

static void
need_args(struct cc *cc, const struct node *n, unsigned min, unsigned max)
{
	unsigned have = ck_len(n->u.call.args);
	if (have < min || have > max)
		cc_error(cc, n->pos, "D_PROTO_LEN", "%s( ) prototype mismatch: %u argument%s passed, %s%u expected",
		    n->u.call.name, have, have == 1 ? "" : "s",
		    min == max   ? ""
		    : have < min ? "at least "
				 : "at most ",
		    have < min ? min : max);
}

static bool
is_posconst(const struct node *n)
{
	return n->kind == N_INT && ck_is_int(n) && n->u.num != 0 && (!type_base(n->type)->is_signed || n->u.num > 0);
}

static void
printf_like(struct cc *cc, struct node *n, const struct action *a)
{
	struct node *fmt = n->u.call.args;
	need_args(cc, n, 1, UINT32_MAX);
	ck_list(cc, fmt);
	if (!ck_is_str(fmt))
		cc_error(cc, fmt->pos, "D_PRINTF_ARG_FMT", "%s( ) argument #1 must be a string constant, not '%s'",
		    a->name, ck_nname(cc, fmt));
	if (fmt->kind != N_STR)
		cc_error_hint(cc, fmt->pos, "D_PRINTF_ARG_FMT", "write the format in the program: printf(\"%s\", x)",
		    "%s( ) argument #1 must be a string constant, not an expression", a->name);
	if (a->action == DA_FREOPEN && strcmp(fmt->u.str.at, ".") == 0)
		cc_error(cc, fmt->pos, "D_FREOPEN_INVALID", "freopen( ) argument #1 cannot be \".\"");
	if (a->action != DA_FREOPEN && fmt->u.str.len == 0)
		cc_error(cc, fmt->pos, "D_PRINTF_FMT_EMPTY", "%s( ) format string is empty", a->name);
	ck_format(cc, n, fmt, fmt->next, NULL);
}

/* trace() and print() take a value of any type except void. */
static void
one_value(struct cc *cc, struct node *n, const char *void_tag, const char *dyn_tag)
{
	struct node *v = n->u.call.args;
	need_args(cc, n, 1, 1);
	ck_expr(cc, v, USE_READ);
	ck_no_address(cc, v, "shown as it is");
	ck_term_text(cc, v);
	if (n->u.call.action == DA_PRINT)
		ck_xlate_value(cc, v);
	if (ck_is_void(v))
		cc_error(
		    cc, v->pos, void_tag, "%s( ) cannot be applied to an expression without a value", n->u.call.name);
	if (ck_is_dyn(v))
		cc_error_hint(cc, v->pos, dyn_tag,
		    v->kind == N_AGG ? "use printa()"
		    : v->kind == N_XLATE
			? n->u.call.action == DA_PRINT ? "write * before it" : "use its members, or print()"
			: NULL,
		    "%s( ) cannot be applied to '%s'", n->u.call.name, ck_nname(cc, v));
	if (ck_is_name(v) && n->u.call.action == DA_PRINT)
		cc_error_hint(cc, v->pos, dyn_tag, "use trace()", "print( ) cannot be applied to name( )");
	struct type *t = type_base(v->type);
	if (t->kind == T_FUNC || ((type_is_sou(t) || t->kind == T_ARRAY) && t->size == 0))
		cc_error(cc, v->pos, "D_OP_INCOMPLETE", "the size of '%s' is not known", ck_nname(cc, v));
}

static void
tracemem(struct cc *cc, struct node *n)
{
	enum { MAX_BYTES = 65536 };
	need_args(cc, n, 2, UINT32_MAX);
	struct node *addr = n->u.call.args, *size = addr->next, *dyn = size->next;
	ck_list(cc, addr);
	if (!ck_is_int(addr) && !ck_is_ptr(addr))
		cc_error(cc, addr->pos, "D_TRACEMEM_ADDR",
		    "tracemem( ) argument #1 must be a pointer or an integer, not '%s'", ck_nname(cc, addr));
	if (!ck_is_int(size))
		cc_error(cc, size->pos, "D_PROTO_ARG", "tracemem( ) argument #2 must be an integer constant, not '%s'",
		    ck_nname(cc, size));
	if (!is_posconst(size) || size->u.num > MAX_BYTES)
		cc_error(cc, size->pos, "D_TRACEMEM_SIZE",
		    "tracemem( ) argument #2 must be a positive integer constant up to %d", (int)MAX_BYTES);
	if (dyn && dyn->next)
		cc_error(cc, dyn->next->pos, "D_TRACEMEM_ARGS", "tracemem( ) takes two or three arguments");
	if (dyn && !ck_is_int(dyn))
		cc_error(cc, dyn->pos, "D_TRACEMEM_DYNSIZE", "tracemem( ) argument #3 must be an integer, not '%s'",
		    ck_nname(cc, dyn));
	n->u.call.arg = (uint64_t)size->u.num;
}

/* stack(frames), ustack(frames, bytes of strings), and jstack() with the same arguments as ustack(). */
static void
stack(struct cc *cc, struct node *n, const struct action *a)
{
	enum { MAX_FRAMES = 0x7fffffff };
	struct node *frames = n->u.call.args, *bytes = frames ? frames->next : NULL;
	bool is_user = a->action != DA_STACK;
	ck_list(cc, frames);
	n->u.call.arg = 0;
	if (!is_user && bytes)
		cc_error(cc, bytes->pos, "D_STACK_PROTO", "stack( ) takes at most one argument: the number of frames");
	if (frames && (!is_posconst(frames) || frames->u.num > MAX_FRAMES))
		cc_error(cc, frames->pos, is_user ? "D_USTACK_FRAMES" : "D_STACK_SIZE",
		    "%s( ) argument #1 must be a positive integer constant: the number of frames", a->name);
	if (bytes && (bytes->kind != N_INT || !ck_is_int(bytes) || bytes->u.num < 0 || bytes->u.num > MAX_FRAMES))
		cc_error(cc, bytes->pos, "D_USTACK_STRSIZE",
		    "%s( ) argument #2 must be a positive integer constant: bytes for strings", a->name);
	if (bytes && bytes->next)
		cc_error(cc, bytes->next->pos, "D_USTACK_PROTO", "%s( ) takes at most two arguments", a->name);
	if (frames)
		n->u.call.arg = (uint64_t)frames->u.num;
	if (bytes)
		n->u.call.arg |= (uint64_t)bytes->u.num << 32;
}

static void
agg_action(struct cc *cc, struct node *n, const char *prefix, unsigned min, unsigned max)
{
	struct node *agg = n->u.call.args, *num = agg ? agg->next : NULL;
	unsigned have = ck_len(agg);
	if (have < min || have > max)
		cc_error(cc, n->pos, ar_printf(cc->ar, "D_%s_PROTO", prefix),
		    "%s( ) prototype mismatch: %u argument%s passed, %s%u expected", n->u.call.name, have,
		    have == 1 ? "" : "s",
		    min == max   ? ""
		    : have < min ? "at least "
				 : "at most ",
		    have < min ? min : max);
	ck_list(cc, agg);
	ck_agg_arg(cc, n, agg, 1, prefix);
	if (num)
		ck_term_int(cc, num);
	if (num && !ck_is_scalar(num))
		cc_error(cc, num->pos, ar_printf(cc->ar, "D_%s_SCALAR", prefix),
		    "%s( ) argument #2 must be a number, not '%s'", n->u.call.name, ck_nname(cc, num));
	if (num && ck_is_int(num))
		ck_convert(cc, num, ck_type_int64(cc));
}

/* Several aggregations of one printa() are joined on their keys. */
static void
same_keys(struct cc *cc, const struct dagg *a, const struct node *n)
{
	const struct dagg *b = n->u.agg.agg;
	if (a->nkeys != b->nkeys)
		cc_error(cc, n->pos, "D_PRINTA_AGGKEY", "printa( ): @%s has %u keys, @%s has %u", a->name, a->nkeys,
		    b->name, b->nkeys);
	for (unsigned i = 0; i < a->nkeys; i++) {
		struct node like = {.kind = N_TYPE, .type = b->keys[i]};
		if (!ck_argcompat(cc, a->keys[i], &like))
			cc_error(cc, n->pos, "D_PRINTA_AGGPROTO", "printa( ): key #%u of @%s is '%s', of @%s '%s'",
			    i + 1, a->name, ck_tname(cc, a->keys[i]), b->name, ck_tname(cc, b->keys[i]));
	}
}

static void
printa(struct cc *cc, struct node *n)
{
	need_args(cc, n, 1, UINT32_MAX);
	struct node *first = n->u.call.args;
	ck_list(cc, first);
	struct node *fmt = first->kind == N_STR ? first : NULL, *aggs = fmt ? first->next : first;
	if (!aggs)
		cc_error(cc, n->pos, "D_PRINTA_PROTO", "printa( ) needs an aggregation after the format");
	unsigned argno = fmt ? 2 : 1;
	for (struct node *a = aggs; a; a = a->next, argno++) {
		ck_agg_arg(cc, n, a, argno, "PRINTA");
		same_keys(cc, aggs->u.agg.agg, a);
	}
	if (!fmt)
		return;
	if (fmt->u.str.len == 0)
		cc_error(cc, fmt->pos, "D_PRINTF_FMT_EMPTY", "printa( ) format string is empty");
	ck_format(cc, n, fmt, NULL, aggs->u.agg.agg);
}

static _Noreturn void
refused(struct cc *cc, const struct node *n, const struct action *a)
{
	const char *why = a->action == DA_PCAP
			      ? "it captures packets at network probes of the kernel, which no engine here has"
			      : "it would stop the whole machine, not the traced process";
	cc_error(cc, n->pos, "D_FUNC_UNDEF", "%s( ) is not supported: %s", a->name, why);
}

void
ck_action(struct cc *cc, struct node *n, const struct action *a, bool is_stmt)
{
	struct types *ts = cc->lang->types;
	if (a->flags & AF_REFUSED)
		refused(cc, n, a);
	n->u.call.action = a->action;
	n->u.call.subr = a->subr;
	n->u.call.kind = a->kind;
	n->type = a->kind == 0 ? type_void(ts) : a->kind <= DK_JSTACK ? type_stack(ts) : type_sym(ts);
	if (a->kind && !is_stmt)
		n->u.call.action = NONE;
	if (a->proto) {
		ck_list(cc, n->u.call.args);
		ck_args(cc, a->name, ck_proto(cc, a->name, a->proto), n->u.call.args, n->pos);
		/* The consumer gets the text itself, not its address. */
		for (struct node *s = n->u.call.args; s && a->action == DA_SETOPT; s = s->next)
			ck_to_string(cc, s);
		return;
	}
	switch (a->action) {
	case DA_PRINTF:
	case DA_SYSTEM:
	case DA_FREOPEN:
	case DA_ALERT:
		printf_like(cc, n, a);
		break;
	case DA_PRINTA:
		printa(cc, n);
		break;
	case DA_TRACE:
		one_value(cc, n, "D_TRACE_VOID", "D_TRACE_DYN");
		break;
	case DA_PRINT:
		one_value(cc, n, "D_PRINT_VOID", "D_PRINT_DYN");
		break;
	case DA_TRACEMEM:
		tracemem(cc, n);
		break;
	case DA_STACK:
	case DA_USTACK:
	case DA_JSTACK:
		stack(cc, n, a);
		break;
	case DA_CLEAR:
		agg_action(cc, n, "CLEAR", 1, 1);
		break;
	case DA_DENORMALIZE:
		agg_action(cc, n, "NORMALIZE", 1, 1);
		break;
	case DA_NORMALIZE:
		agg_action(cc, n, "NORMALIZE", 2, 2);
		break;
	case DA_TRUNC:
		agg_action(cc, n, "TRUNC", 1, 2);
		break;
	}
}
