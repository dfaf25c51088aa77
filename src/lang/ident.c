/* Names: variables and when they are created, probe arguments, built-in variables, and the meaning of [] after a
 * name. */
#include "lang/check_priv.h"

#include "arch/arch.h"

#include <ctype.h>

static struct strmap *
ck_vars(struct cc *cc, enum dobj_scope scope)
{
	switch (scope) {
	case DS_THREAD:
		return &cc->lang->selfs;
	case DS_LOCAL:
		return &cc->lang->locals;
	default:
		return &cc->lang->globals;
	}
}

static enum dobj_scope
scope_of(const struct node *n)
{
	return n->u.ident.scope == SCOPE_SELF ? DS_THREAD : n->u.ident.scope == SCOPE_THIS ? DS_LOCAL : DS_GLOBAL;
}

static const char *
prefix_of(enum dobj_scope scope)
{
	return scope == DS_THREAD ? "self->" : scope == DS_LOCAL ? "this->" : "";
}

static struct dvar *
make_var(struct cc *cc, enum dobj_scope scope, const char *name, struct pos pos, struct type *t)
{
	struct arena *ar = &cc->lang->ar;
	struct dvar *v = AR_NEW(ar, struct dvar);
	v->name = ar_strdup(ar, name);
	v->scope = scope;
	v->type = t;
	v->pos = pos;
	v->pos.file = NULL;
	sm_puts(ck_vars(cc, scope), v->name, v);
	return v;
}

void
ck_var_typed(struct node *n, struct type *t)
{
	n->u.var.var->type = t;
	n->type = t;
}

static void
become_var(struct node *n, struct dvar *v, struct node *keys)
{
	struct node m = {.kind = N_VAR, .pos = n->pos, .depth = n->depth, .type = v->type};
	m.u.var.var = v;
	m.u.var.keys = keys;
	m.is_lvalue = type_base(v->type)->kind != T_ARRAY;
	ck_become(n, &m);
}

/* A clause-local variable that no program can name: one for each `name`. */
struct node *
ck_hidden_var(struct cc *cc, const char *name, struct pos pos, struct type *t)
{
	struct dvar *v = sm_gets(&cc->lang->locals, name);
	struct node *n = node_new(cc, N_IDENT, pos);
	become_var(n, v ? v : make_var(cc, DS_LOCAL, name, pos, t), NULL);
	return n;
}

/* If x is unknown but self->x exists, the hint says so. */
static const char *
undefined_hint(struct cc *cc, enum dobj_scope scope, const char *name)
{
	for (enum dobj_scope s = DS_GLOBAL; s <= DS_LOCAL; s++) {
		if (s != scope && sm_gets(ck_vars(cc, s), name))
			return ar_printf(cc->ar, "did you mean '%s%s'?", prefix_of(s), name);
	}
	if (scope == DS_GLOBAL)
		return ck_hint(cc, bi_near(cc, name, false));
	struct strmap *m = ck_vars(cc, scope);
	VEC(const char *) names = {0};
	for (unsigned i = 0; i < m->n; i++) {
		if (strcmp(m->entries[i].key, name) != 0)
			VEC_PUSH(cc->ar, &names, m->entries[i].key);
	}
	const char *near = near_miss(name, names.at, names.n);
	return near ? ar_printf(cc->ar, "did you mean '%s%s'?", prefix_of(scope), near) : NULL;
}

static _Noreturn void
undefined(struct cc *cc, const struct node *n, enum dobj_scope scope, const char *name, bool is_var)
{
	const char *hint = undefined_hint(cc, scope, name);
	if (is_var || scope != DS_GLOBAL)
		cc_error_hint(cc, n->pos, "D_VAR_UNDEF",
		    hint ? hint : "assign to it in an earlier clause, or declare it",
		    "%s%s has not yet been declared or assigned", prefix_of(scope), name);
	const char *spot = n->pos.off < cc->len ? cc->text + n->pos.off : "";
	if (!hint && spot[0] == '$' && n->pos.len > 1 && n->pos.len < 12 && isdigit((unsigned char)spot[1]))
		hint = ar_printf(cc->ar, "$%.*s is the argument as a string", (int)n->pos.len, spot);
	cc_error_hint(cc, n->pos, "D_IDENT_UNDEF", hint,
	    "failed to resolve '%s': no variable, constant or enumerator of this name", name);
}

static _Noreturn void
bad_reference(struct cc *cc, const struct node *n, const char *is, const char *name, const char *as)
{
	cc_error(cc, n->pos, "D_IDENT_BADREF", "%s '%s' may not be referenced as %s", is, name, as);
}

/* A use of a variable without an index. */
static void
scalar_var(struct cc *cc, struct node *n, struct dvar *v, enum use use)
{
	if (v->is_assoc)
		bad_reference(cc, n, "associative array", v->name, "scalar");
	if (type_base(v->type)->kind == T_DYN) {
		if (use == USE_STEP)
			v->type = ck_type_int64(cc);
		else if (use != USE_ASSIGN)
			undefined(cc, n, v->scope, v->name, true);
	}
	become_var(n, v, NULL);
}

static int
arg_number(const char *name)
{
	return strncmp(name, "arg", 3) == 0 && name[3] >= '0' && name[3] <= '9' && !name[4] ? name[3] - '0' : -1;
}

static int
param_number(struct cc *cc, const char *name)
{
	for (unsigned i = 0; cc->scope && i < cc->scope->n; i++) {
		if (cc->scope->names[i] && strcmp(cc->scope->names[i], name) == 0)
			return (int)i;
	}
	return -1;
}

static void
become_arg(struct node *n, int number, struct type *t)
{
	struct node m = {.kind = N_ARG, .pos = n->pos, .depth = n->depth, .type = t};
	m.u.arg.n = number;
	m.is_lvalue = true;
	ck_become(n, &m);
}

static void
become_param(struct cc *cc, struct node *n, int number)
{
	struct node m = {.kind = N_PARAM, .pos = n->pos, .depth = n->depth, .type = cc->scope->types[number]};
	m.u.arg.n = number;
	ck_become(n, &m);
}

static void
become_builtin(struct cc *cc, struct node *n, enum dif_builtin id, struct node *index)
{
	struct node m = {.kind = N_BUILTIN, .pos = n->pos, .depth = n->depth, .type = bi_type(cc, id)};
	m.u.bi.id = id;
	m.u.bi.index = index;
	m.is_lvalue = true;
	ck_become(n, &m);
}

static _Noreturn void
constant_changed(struct cc *cc, const struct node *n, const char *name)
{
	cc_error(
	    cc, n->pos, "D_OP_WRITE", "'%s' is a constant of the language or an inline: it cannot be changed", name);
}

/* Names that are not variables of the program. Returns false if the name is unknown. */
static bool
known_name(struct cc *cc, struct node *n, const char *name, enum use use)
{
	const struct node *inl = sm_gets(&cc->lang->inlines, name);
	int64_t value;
	struct type *t;
	int i;
	if (inl) {
		/* An inline that is another name of a variable may be changed if the variable may. */
		bool is_alias = inl->u.inl.expr->kind == N_VAR;
		if (use != USE_READ && !is_alias)
			constant_changed(cc, n, name);
		if (inl->u.inl.has_params)
			bad_reference(cc, n, "inline with parameters", name, "scalar");
		ck_inline_expand(cc, n, inl, NULL);
		n->is_lvalue = is_alias;
	} else if ((i = arg_number(name)) >= 0) {
		become_arg(n, i, ck_type_int64(cc));
	} else if (!bi_is_later(cc, name) && (i = bi_var(name)) >= 0) {
		if (bi_flags((enum dif_builtin)i) & BIF_ARRAY)
			bad_reference(cc, n, "array", name, "scalar");
		become_builtin(cc, n, (enum dif_builtin)i, NULL);
	} else if (strcmp(name, "args") == 0 || strcmp(name, "regs") == 0) {
		bad_reference(cc, n, "array", name, "scalar");
	} else if (bi_const(name, &value)) {
		if (use != USE_READ)
			constant_changed(cc, n, name);
		ck_make_int(n, ck_type_int(cc), value);
		if (ck_cut(n->type, value) != value)
			n->type = ck_type_int64(cc);
	} else if (type_enumerator(cc->lang->types, name, &t, &value)) {
		ck_make_int(n, t, value);
	} else {
		return false;
	}
	return true;
}

void
ck_ident(struct cc *cc, struct node *n, enum use use)
{
	enum dobj_scope scope = scope_of(n);
	const char *name = n->u.ident.name;
	if (scope == DS_GLOBAL) {
		int param = param_number(cc, name);
		if (param >= 0) {
			become_param(cc, n, param);
			return;
		}
	}
	struct dvar *v = sm_gets(ck_vars(cc, scope), name);
	if (v) {
		scalar_var(cc, n, v, use);
		return;
	}
	if (scope == DS_GLOBAL && known_name(cc, n, name, use))
		return;
	bool is_function = action_find(name) || aggfn_find(name) >= 0 || subr_is_reserved(name);
	if (scope == DS_GLOBAL && !bi_is_later(cc, name) && (is_function || (use == USE_READ && subr_find(name) >= 0)))
		bad_reference(cc, n, "function", name, "scalar");
	if (use == USE_READ || use == USE_CHANGE)
		undefined(cc, n, scope, name, use == USE_CHANGE);
	v = make_var(cc, scope, name, n->pos, use == USE_STEP ? ck_type_int64(cc) : type_dyn(cc->lang->types));
	become_var(n, v, NULL);
}

static void
one_index(struct cc *cc, const char *name, const struct node *n, struct node *args)
{
	if (ck_len(args) != 1)
		cc_error(cc, n->pos, "D_PROTO_LEN", "%s[ ] prototype mismatch: %u keys passed, 1 expected", name,
		    ck_len(args));
	ck_list(cc, args);
}

static void
need_const_index(struct cc *cc, const char *name, const struct node *index)
{
	if (index->kind != N_INT || !ck_is_int(index))
		cc_error(cc, index->pos, "D_PROTO_ARG",
		    "%s[ ] index must be an integer constant, not an expression of type '%s'", name,
		    ck_nname(cc, index));
}

static const char *
pdesc_text(struct cc *cc)
{
	if (!cc->pdesc)
		return "";
	const struct pdesc *d = &cc->pdesc->u.pdesc;
	if (d->id)
		return ar_printf(cc->ar, "%u", d->id);
	return ar_printf(cc->ar, "%s:%s:%s:%s", d->names[0] ? d->names[0] : "", d->names[1] ? d->names[1] : "",
	    d->names[2] ? d->names[2] : "", d->names[3] ? d->names[3] : "");
}

static void
args_element(struct cc *cc, struct node *n, struct node *index)
{
	one_index(cc, "args", n, index);
	need_const_index(cc, "args", index);
	if (!cc->pdesc)
		cc_error(cc, n->pos, "D_ARGS_NONE", "args[ ] may not be referenced outside of a probe clause");
	if (!cc->probe)
		cc_error_hint(cc, n->pos, "D_ARGS_MULTI", "use arg0, arg1 ...",
		    "args[ ] may not be referenced because '%s' matches no probe whose arguments could be known",
		    pdesc_text(cc));
	if (cc->args_differ)
		cc_error_hint(cc, n->pos, "D_ARGS_MULTI", "use arg0, arg1 ...",
		    "args[ ] may not be referenced because the probes of '%s' do not all have the same arguments",
		    pdesc_text(cc));
	/* A single probe may know more about its arguments than its provider says for all of its probes. */
	const char *const *types = cc->probe_is_one ? probes_args(cc->probes, cc->probe).types : cc->probe->argtypes;
	int64_t i = index->u.num;
	int64_t have = 0;
	while (types && types[have])
		have++;
	if (i < 0 || i >= have)
		cc_error_hint(cc, index->pos, "D_ARGS_IDX",
		    have ? NULL : "its arguments have no types: use arg0, arg1 ...",
		    "index %lld is out of range for args[ ] of %s, which has %lld", (long long)i, pdesc_text(cc),
		    (long long)have);
	/* "struct task_struct * : psinfo_t *": the type that the probe gives, and the type that D shows. */
	const char *colon = strstr(types[i], " : ");
	const char *given = colon ? ar_strndup(cc->ar, types[i], (size_t)(colon - types[i])) : types[i];
	struct type *t = type_parse(cc, given), *to = colon ? type_parse(cc, colon + 3) : NULL;
	if (!t || (colon && !to))
		cc_error(cc, n->pos, "D_ARGS_TYPE", "the type '%s' of args[%lld] is not known", types[i], (long long)i);
	become_arg(n, (int)i + (probe_has_terms(cc->probe) ? DIF_TERM_ARGS : 0), t);
	if (!to)
		return;
	struct node m = {.kind = N_XLATE, .pos = n->pos, .depth = n->depth + 1};
	m.u.xlate.to = to;
	m.u.xlate.expr = ck_copy(cc, n);
	ck_become(n, &m);
	ck_xlate(cc, n);
}

static void
builtin_element(struct cc *cc, struct node *n, enum dif_builtin id, struct node *index)
{
	const char *name = bi_name(id);
	one_index(cc, name, n, index);
	if (id == DIF_BI_UREGS) {
		need_const_index(cc, name, index);
		if (index->u.num < 0 || index->u.num > ARCH_UREGS_LAST)
			cc_error_hint(cc, index->pos, "D_REGS_IDX", ARCH_UREGS_HINT,
			    "index %lld is out of range for uregs[ ]", (long long)index->u.num);
	} else if (!ck_is_int(index)) {
		cc_error(cc, index->pos, "D_PROTO_ARG", "%s[ ] index must be an integer, not '%s'", name,
		    ck_nname(cc, index));
	}
	ck_convert(cc, index, ck_type_int64(cc));
	become_builtin(cc, n, id, index);
}

static struct type *
key_type(struct cc *cc, const char *what, struct node *k, unsigned i, bool is_agg)
{
	struct type *t = type_base(k->type);
	switch (t->kind) {
	case T_VOID:
	case T_DYN:
	case T_FUNC:
	case T_FLOAT:
		cc_error(cc, k->pos, "D_KEY_TYPE", "a value of type '%s' may not be a key: key #%u of %s",
		    ck_nname(cc, k), i + 1, what);
	case T_STACK:
	case T_SYM:
	case T_NAME:
		if (!is_agg)
			cc_error(cc, k->pos, "D_CG_EXPR", "%s() may only be a key of an aggregation, not of %s",
			    k->u.call.name, what);
		return k->type;
	case T_ARRAY:
		return type_is_strcompat(t) ? type_string(cc->lang->types) : k->type;
	case T_TERM:
		return type_string(cc->lang->types);
	case T_INT:
	case T_ENUM:
		/* Associative arrays compare the whole number, whatever type the first key happened to have. */
		return is_agg ? k->type : t->is_signed ? ck_type_int64(cc) : ck_type_uint64(cc);
	case T_STRUCT:
	case T_UNION:
		if (t->size == 0)
			cc_error(cc, k->pos, "D_KEY_TYPE", "a value of incomplete type '%s' may not be a key",
			    ck_nname(cc, k));
		return k->type;
	default:
		return k->type;
	}
}

void
ck_keys(struct cc *cc, const char *what, struct node *keys, struct type ***types, unsigned *ntypes, bool is_agg,
    struct pos pos)
{
	unsigned n = ck_len(keys), i = 0;
	ck_list(cc, keys);
	for (struct node *k = keys; k && is_agg; k = k->next)
		ck_no_address(cc, k, "a key of an aggregation");
	if (n > DOBJ_MAXKEYS)
		cc_error(cc, pos, "D_PROTO_LEN", "%s has %u keys; the most is %d", what, n, (int)DOBJ_MAXKEYS);
	if (!*types) {
		struct type **t = AR_NEWN(&cc->lang->ar, struct type *, n ? n : 1);
		for (struct node *k = keys; k; k = k->next, i++)
			t[i] = key_type(cc, what, k, i, is_agg);
		*types = t;
		*ntypes = n;
	}
	if (n != *ntypes)
		cc_error(cc, pos, "D_PROTO_LEN", "%s prototype mismatch: %u key%s passed, %u expected", what, n,
		    n == 1 ? "" : "s", *ntypes);
	i = 0;
	for (struct node *k = keys; k; k = k->next, i++) {
		if (is_agg && type_is_int((*types)[i]) && ck_is_int(k)) {
			/* All uses share a column, which is as wide as the widest use. */
			ck_cut_node(cc, k);
			if (type_base(k->type)->size > type_base((*types)[i])->size)
				(*types)[i] = key_type(cc, what, k, i, is_agg);
			continue;
		}
		struct type *t = type_base((*types)[i]);
		bool ok = !ck_is_dyn(k) && !ck_is_void(k) && ck_argcompat(cc, t, k);
		if (ok && (t->kind == T_ARRAY || t->kind == T_PTR) && type_base(k->type)->kind == T_ARRAY)
			ok = type_same(t, k->type);
		if (!ok)
			cc_error(cc, k->pos, ck_is_dyn(k) || ck_is_void(k) ? "D_KEY_TYPE" : "D_PROTO_ARG",
			    "%s key #%u is incompatible with its first use: '%s' is not '%s'", what, i + 1,
			    ck_nname(cc, k), ck_tname(cc, (*types)[i]));
		ck_convert(cc, k, (*types)[i]);
	}
}

static void
assoc_element(struct cc *cc, struct node *n, struct dvar *v, struct node *keys, enum use use)
{
	const char *what = ar_printf(cc->ar, "%s%s[ ]", prefix_of(v->scope), v->name);
	if (!keys)
		cc_error(cc, n->pos, "D_PROTO_LEN", "%s needs at least one key", what);
	ck_keys(cc, what, keys, &v->keys, &v->nkeys, false, n->pos);
	if (type_base(v->type)->kind == T_DYN) {
		if (use == USE_STEP)
			v->type = ck_type_int64(cc);
		else if (use != USE_ASSIGN)
			undefined(cc, n, v->scope, v->name, true);
	}
	become_var(n, v, keys);
}

/* E1[E2] is *(E1 + E2) for everything that is not a variable of its own kind. */
static void
pointer_element(struct cc *cc, struct node *n)
{
	struct node *base = n->u.index.base, *index = n->u.index.args;
	if (!index || index->next)
		cc_error(cc, n->pos, "D_ARR_BADREF", "a value that is not an associative array is indexed by %u keys",
		    ck_len(index));
	struct node *sum = ck_op(cc, n->pos, OP_ADD, base, index, NULL);
	struct node m = {.kind = N_OP1, .pos = n->pos, .depth = n->depth};
	m.u.op.op = OP_DEREF;
	m.u.op.a = sum;
	ck_become(n, &m);
	ck_expr(cc, n, USE_READ);
}

/* A name without a variable. Returns false if it is not an array of the language or of the program. */
static bool
known_array(struct cc *cc, struct node *n, const char *name, struct node *args)
{
	const struct node *inl = sm_gets(&cc->lang->inlines, name);
	int i = bi_var(name);
	if (inl && inl->u.inl.has_params)
		ck_inline_expand(cc, n, inl, args);
	else if (strcmp(name, "args") == 0)
		args_element(cc, n, args);
	else if (strcmp(name, "regs") == 0)
		cc_error_hint(cc, n->pos, "D_VAR_UNSUP", "use uregs[ ]", "regs[ ] is not supported");
	else if (i >= 0 && (bi_flags((enum dif_builtin)i) & BIF_ARRAY))
		builtin_element(cc, n, (enum dif_builtin)i, args);
	else if (inl || i >= 0 || arg_number(name) >= 0)
		pointer_element(cc, n);
	else
		return false;
	return true;
}

void
ck_index(struct cc *cc, struct node *n, enum use use)
{
	struct node *base = n->u.index.base, *args = n->u.index.args;
	if (base->kind == N_AGG)
		cc_error(cc, n->pos, "D_AGG_MDIM",
		    "@%s may not be used as an array of several dimensions; put all keys in one [ ]", base->u.agg.name);
	if (base->kind != N_IDENT) {
		pointer_element(cc, n);
		return;
	}
	enum dobj_scope scope = scope_of(base);
	const char *name = base->u.ident.name;
	if (scope == DS_GLOBAL && param_number(cc, name) >= 0) {
		pointer_element(cc, n);
		return;
	}
	struct dvar *v = sm_gets(ck_vars(cc, scope), name);
	if (v && !v->is_assoc && type_base(v->type)->kind != T_DYN) {
		pointer_element(cc, n);
		return;
	}
	if (!v) {
		if (scope == DS_GLOBAL && known_array(cc, n, name, args))
			return;
		if (scope == DS_LOCAL)
			cc_error_hint(cc, n->pos, "D_ARR_LOCAL",
			    "use self-> or a global variable, or declare this->x as an array of fixed size",
			    "clause-local variables may not be used as associative arrays: this->%s", name);
		if (use == USE_READ || use == USE_CHANGE)
			undefined(cc, n, scope, name, true);
		v = make_var(cc, scope, name, base->pos, type_dyn(cc->lang->types));
		v->is_assoc = true;
	}
	if (!v->is_assoc) {
		if (use == USE_READ || use == USE_CHANGE)
			undefined(cc, n, scope, name, true);
		bad_reference(cc, n, "scalar", name, "associative array");
	}
	assoc_element(cc, n, v, args, use);
}

static void
declare_assoc(struct cc *cc, const struct node *n, struct dvar *v, struct type *t)
{
	v->is_assoc = true;
	v->type = t->ref;
	for (struct param *p = t->params; p; p = p->next)
		v->nkeys++;
	v->keys = AR_NEWN(&cc->lang->ar, struct type *, v->nkeys ? v->nkeys : 1);
	unsigned i = 0;
	for (struct param *p = t->params; p; p = p->next) {
		struct node like = {.kind = N_TYPE, .type = p->type, .pos = n->pos};
		if (ck_is_void(&like) || ck_is_dyn(&like) || ck_is_term(&like))
			cc_error_hint(cc, n->pos, "D_DECL_PROTO_TYPE",
			    ck_is_term(&like) ? "declare it a string: a term that is a key becomes its text" : NULL,
			    "key #%u of '%s' may not be of type '%s'", i + 1, v->name, ck_tname(cc, p->type));
		v->keys[i++] = p->type;
	}
}

static bool
same_keys(const struct dvar *v, struct type *t)
{
	unsigned i = 0;
	for (struct param *p = t->params; p; p = p->next, i++) {
		if (i >= v->nkeys || !type_same(v->keys[i], p->type))
			return false;
	}
	return i == v->nkeys;
}

/* int x; self string s; int a[int, string]; — the same declaration may come again. */
void
ck_declare(struct cc *cc, struct node *n)
{
	const char *name = n->u.decl.name;
	enum dobj_scope scope = n->u.decl.scope;
	struct type *t = type_base(n->u.decl.type);
	bool is_assoc = t->kind == T_ARRAY && t->is_assoc;
	if (is_assoc && scope == DS_LOCAL)
		cc_error(cc, n->pos, "D_DECL_LOCASSC",
		    "this->%s cannot be an associative array: clause-local variables have no keys", name);
	struct type *vt = is_assoc ? t->ref : n->u.decl.type;
	enum type_kind k = type_base(vt)->kind;
	if (k == T_VOID)
		cc_error(cc, n->pos, "D_DECL_VOIDOBJ", "cannot declare '%s' of type void", name);
	if (k == T_DYN || k == T_STACK || k == T_SYM || k == T_NAME)
		cc_error(cc, n->pos, "D_DECL_DYNOBJ", "cannot declare '%s' of type '%s'", name, ck_tname(cc, vt));
	if (k == T_TERM && scope != DS_LOCAL)
		cc_error_hint(cc, n->pos, "D_DECL_DYNOBJ", "declare it a string, which keeps the text, or use this->",
		    "cannot declare '%s%s' of type 'term': a term lives only as long as its firing", prefix_of(scope),
		    name);
	if (k != T_FUNC && type_base(vt)->size == 0)
		cc_error(cc, n->pos, "D_DECL_INCOMPLETE", "cannot declare '%s': the type '%s' is incomplete", name,
		    ck_tname(cc, vt));
	struct dvar *v = sm_gets(ck_vars(cc, scope), name);
	if (v) {
		if (v->is_assoc != is_assoc || !type_same(v->type, vt) || (is_assoc && !same_keys(v, t)))
			cc_error(cc, n->pos, "D_DECL_IDRED",
			    "'%s%s' was declared before with another type: '%s', now '%s'", prefix_of(scope), name,
			    ck_tname(cc, v->type), ck_tname(cc, vt));
		return;
	}
	if (scope == DS_GLOBAL && !bi_is_later(cc, name) &&
	    (sm_gets(&cc->lang->inlines, name) || bi_var(name) >= 0 || arg_number(name) >= 0 ||
		strcmp(name, "args") == 0 || action_find(name) || aggfn_find(name) >= 0 || subr_is_of_d(name)))
		cc_error(cc, n->pos, "D_DECL_IDRED", "'%s' is already a name of the language or an inline", name);
	if (k == T_FUNC)
		cc_error(
		    cc, n->pos, "D_DECL_FUNCTYPE", "D has no functions of the program; '%s' cannot be declared", name);
	v = make_var(cc, scope, name, n->pos, vt);
	v->is_declared = true;
	if (is_assoc)
		declare_assoc(cc, n, v, t);
}
