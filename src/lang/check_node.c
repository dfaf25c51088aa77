/* Making, copying and naming nodes for the checker. */
#include "lang/check_priv.h"

void
ck_become(struct node *n, const struct node *m)
{
	struct node *next = n->next;
	*n = *m;
	n->next = next;
}

struct node *
ck_copy(struct cc *cc, const struct node *n)
{
	struct node *c = node_new(cc, n->kind, n->pos);
	*c = *n;
	c->next = NULL;
	return c;
}

/* Clears n and gives it a new kind. Its place, its list and its depth stay. */
static void
blank(struct node *n, enum node_kind kind, struct type *t)
{
	struct node fresh = {.kind = kind, .pos = n->pos, .next = n->next, .depth = n->depth, .type = t};
	*n = fresh;
}

void
ck_make_int(struct node *n, struct type *t, int64_t v)
{
	blank(n, N_INT, t);
	n->u.num = v;
	n->is_const = true;
}

struct node *
ck_int(struct cc *cc, struct pos pos, struct type *t, int64_t v)
{
	struct node *n = node_new(cc, N_INT, pos);
	ck_make_int(n, t, v);
	return n;
}

struct node *
ck_op(struct cc *cc, struct pos pos, enum op op, struct node *a, struct node *b, struct type *t)
{
	struct node *n = node_new(cc, b ? N_OP2 : N_OP1, pos);
	n->type = t;
	n->u.op.op = op;
	n->u.op.a = a;
	n->u.op.b = b;
	uint16_t deep = b && b->depth > a->depth ? b->depth : a->depth;
	n->depth = (uint16_t)(deep + 1);
	return n;
}

void
ck_wrap(struct cc *cc, struct node *n, enum node_kind kind, enum op op, struct type *t)
{
	struct node *in = ck_copy(cc, n);
	blank(n, kind, t);
	n->u.op.op = op;
	n->u.op.a = in;
	n->depth = (uint16_t)(in->depth + 1);
}

unsigned
ck_len(const struct node *list)
{
	unsigned n = 0;
	for (; list; list = list->next)
		n++;
	return n;
}

/* A copy that may outlive the source: text is copied too if `ar` is not the compilation's arena. */
struct copier {
	struct cc *cc;
	struct arena *ar;
	struct node *const *args;
};

static const char *
copy_text(const struct copier *c, const char *s)
{
	return !s || c->ar == c->cc->ar ? s : ar_strdup(c->ar, s);
}

static struct node *copy_tree(const struct copier *c, const struct node *n);

static struct node *
copy_list(const struct copier *c, const struct node *n)
{
	struct node *head = NULL, **tail = &head;
	for (; n; n = n->next) {
		*tail = copy_tree(c, n);
		tail = &(*tail)->next;
	}
	return head;
}

static struct node *
copy_tree(const struct copier *c, const struct node *n)
{
	if (!n)
		return NULL;
	if (n->kind == N_PARAM && c->args) {
		struct copier plain = {c->cc, c->ar, NULL};
		return copy_tree(&plain, c->args[n->u.arg.n]);
	}
	struct node *d = AR_NEW(c->ar, struct node);
	*d = *n;
	d->next = NULL;
	switch (n->kind) {
	case N_INT:
	case N_TYPE:
	case N_PARAM:
	case N_PDESC:
	case N_CLAUSE:
	case N_XLATOR:
	case N_INLINE:
	case N_PROVIDER:
	case N_PRAGMA:
		break;
	case N_DECL:
		d->u.decl.name = copy_text(c, n->u.decl.name);
		break;
	case N_STR:
		d->u.str.at = copy_text(c, n->u.str.at);
		break;
	case N_IDENT:
		d->u.ident.name = copy_text(c, n->u.ident.name);
		break;
	case N_SYMBOL:
		d->u.symbol.object = copy_text(c, n->u.symbol.object);
		d->u.symbol.name = copy_text(c, n->u.symbol.name);
		break;
	case N_INDEX:
		d->u.index.base = copy_tree(c, n->u.index.base);
		d->u.index.args = copy_list(c, n->u.index.args);
		break;
	case N_VAR:
		d->u.var.keys = copy_list(c, n->u.var.keys);
		break;
	case N_BUILTIN:
		d->u.bi.index = copy_tree(c, n->u.bi.index);
		break;
	case N_ARG:
		d->u.arg.index = copy_tree(c, n->u.arg.index);
		break;
	case N_OP1:
	case N_OP2:
	case N_CAST:
		d->u.op.a = copy_tree(c, n->u.op.a);
		d->u.op.b = n->kind == N_OP2 ? copy_tree(c, n->u.op.b) : NULL;
		break;
	case N_EXPRSTMT:
		d->u.op.a = copy_tree(c, n->u.op.a);
		break;
	case N_COND:
		d->u.cond.a = copy_tree(c, n->u.cond.a);
		d->u.cond.b = copy_tree(c, n->u.cond.b);
		d->u.cond.c = copy_tree(c, n->u.cond.c);
		break;
	case N_IF:
		d->u.cond.a = copy_tree(c, n->u.cond.a);
		d->u.cond.b = copy_list(c, n->u.cond.b);
		d->u.cond.c = copy_list(c, n->u.cond.c);
		break;
	case N_MEMBER:
		d->u.member.obj = copy_tree(c, n->u.member.obj);
		d->u.member.name = copy_text(c, n->u.member.name);
		break;
	case N_CALL:
		d->u.call.name = copy_text(c, n->u.call.name);
		d->u.call.args = copy_list(c, n->u.call.args);
		break;
	case N_XLATE:
		d->u.xlate.expr = copy_tree(c, n->u.xlate.expr);
		break;
	case N_AGG:
		d->u.agg.name = copy_text(c, n->u.agg.name);
		d->u.agg.keys = copy_list(c, n->u.agg.keys);
		break;
	case N_AGGSTMT:
		d->u.aggstmt.agg = copy_tree(c, n->u.aggstmt.agg);
		d->u.aggstmt.call = copy_tree(c, n->u.aggstmt.call);
		break;
	}
	return d;
}

struct node *
ck_clone(struct cc *cc, struct arena *ar, const struct node *n, struct node *const *args)
{
	return copy_tree(&(struct copier){cc, ar, args}, n);
}

struct node *
ck_clone_list(struct cc *cc, struct arena *ar, const struct node *n, struct node *const *args)
{
	return copy_list(&(struct copier){cc, ar, args}, n);
}

struct type *
ck_type_named(struct cc *cc, const char *text)
{
	struct type *t = type_parse(cc, text);
	if (!t)
		cc_error(cc, (struct pos){0}, "D_TYPE_ERR",
		    "the type '%s' is not known; a D library that declares it is missing", text);
	return t;
}

static struct type *
common_type(struct cc *cc, unsigned i, const char *text)
{
	if (!cc->lang->ids[i])
		cc->lang->ids[i] = ck_type_named(cc, text);
	return cc->lang->ids[i];
}

struct type *
ck_type_int(struct cc *cc)
{
	return common_type(cc, 0, "int");
}

struct type *
ck_type_int64(struct cc *cc)
{
	return common_type(cc, 1, "int64_t");
}

struct type *
ck_type_uint64(struct cc *cc)
{
	return common_type(cc, 2, "uint64_t");
}

const char *
ck_tname(struct cc *cc, struct type *t)
{
	return type_text(cc->ar, t);
}

const char *
ck_nname(struct cc *cc, const struct node *n)
{
	if (n->kind == N_AGG)
		return "aggregation";
	if (n->kind == N_XLATE)
		return "translated structure";
	if (n->kind == N_CALL && n->u.call.fn >= 0 && ck_is_dyn(n))
		return "result of an aggregating function";
	return type_text(cc->ar, n->type);
}

const char *
ck_hint(struct cc *cc, const char *near)
{
	return near ? ar_printf(cc->ar, "did you mean '%s'?", near) : NULL;
}
