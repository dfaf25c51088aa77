/* Rows for variables, aggregations and types, made when code first needs them. */
#include "gen/gen_priv.h"

enum { MAX_TYPE_DEPTH = 64, MAX_TUPLE = 8 /* keys of a variable: as many as DTrace has tuple registers */ };

void
data_of(struct cc *cc, struct type *t, struct pos pos, uint8_t *kind, uint8_t *is_signed, uint32_t *size)
{
	struct type *b = type_base(t);
	*is_signed = 0;
	*size = 0;
	switch (b->kind) {
	case T_INT:
	case T_ENUM:
	case T_PTR:
	case T_TERM: /* a handle; only clause-local variables hold one */
	case T_FUNC: {
		struct num n = num_of(t);
		*kind = DK_INT;
		*size = n.size;
		*is_signed = n.is_signed;
		return;
	}
	case T_STRING:
		*kind = DK_STRING;
		return;
	case T_ARRAY:
	case T_STRUCT:
	case T_UNION:
		*kind = DK_BYTES;
		if (b->size == 0)
			cc_error(cc, pos, "D_OP_INCOMPLETE", "the size of type %s is not known", type_text(cc->ar, t));
		if (b->size > MAX_BYTES)
			cc_error(cc, pos, "D_DECL_ARRBIG", "a value of type %s has %llu bytes; the limit is %d",
			    type_text(cc->ar, t), (unsigned long long)b->size, (int)MAX_BYTES);
		*size = (uint32_t)b->size;
		return;
	case T_FLOAT: /* its bits: D only moves and shows them */
		if (b->size > 8)
			break;
		*kind = DK_INT;
		*size = (uint32_t)b->size;
		return;
	default:
		break;
	}
	cc_error(cc, pos, "D_OP_INCOMPAT", "a value of type %s cannot be kept", type_text(cc->ar, t));
}

/* The data of a tuple's element; n is the expression itself, if known. */
static struct dobj_key
key_of(struct cc *cc, struct type *t, const struct node *n, struct pos pos)
{
	struct dobj_key k = {.type = DOBJ_NONE};
	enum type_kind kind = type_base(t)->kind;
	if (kind == T_STACK || kind == T_SYM || kind == T_NAME) {
		k.kind = n ? (uint8_t)n->u.call.kind : (uint8_t)(kind == T_STACK ? DK_STACK : DK_SYM);
		k.arg = n ? n->u.call.arg : 0;
		return k;
	}
	data_of(cc, t, pos, &k.kind, &k.is_signed, &k.size);
	if (k.kind == DK_BYTES)
		k.type = unit_type(cc, t, pos);
	return k;
}

uint32_t
unit_var(struct cc *cc, struct dvar *v, struct pos pos)
{
	struct unit *u = cc->unit;
	if (v->has_id && v->id < u->o.nvars && u->var_of[v->id] == v)
		return v->id;
	struct dobj_var row = {.scope = (uint8_t)v->scope, .assoc = v->is_assoc, .nkeys = v->is_assoc ? v->nkeys : 0};
	row.name = unit_str(cc, v->name);
	data_of(cc, v->type, pos, &row.kind, &row.is_signed, &row.size);
	if (row.nkeys > MAX_TUPLE)
		cc_error(cc, pos, "D_KEY_TYPE", "%s has %u keys; the limit of an associative array is %d", v->name,
		    v->nkeys, (int)MAX_TUPLE);
	struct dobj_key keys[MAX_TUPLE];
	for (unsigned i = 0; i < row.nkeys; i++)
		keys[i] = key_of(cc, v->keys[i], NULL, pos);
	row.key = u->o.nkeys;
	for (unsigned i = 0; i < row.nkeys; i++)
		*unit_add_keys(cc) = keys[i];
	unit_own_var(cc, v);
	*unit_add_vars(cc) = row;
	v->id = u->o.nvars - 1;
	v->has_id = true;
	return v->id;
}

uint32_t
unit_agg(struct cc *cc, struct dagg *a, struct node *keys, struct pos pos)
{
	struct unit *u = cc->unit;
	if (a->has_id && a->id < u->o.naggs && u->agg_of[a->id] == a) {
		/* A later use may have made a column of numbers wider. */
		for (unsigned i = 0; i < a->nkeys; i++) {
			struct dobj_key *k = &u->o.keys[u->o.aggs[a->id].key + i];
			if (k->kind == DK_INT)
				*k = key_of(cc, a->keys[i], NULL, pos);
		}
		return a->id;
	}
	if (a->fn < 0)
		cc_error(cc, pos, "D_AGG_FUNC", "@%s is never assigned an aggregating function", a->name);
	if (a->nkeys > DOBJ_MAXKEYS)
		cc_error(
		    cc, pos, "D_KEY_TYPE", "@%s has %u keys; the limit is %d", a->name, a->nkeys, (int)DOBJ_MAXKEYS);
	struct dobj_agg row = {.fn = (uint32_t)a->fn, .nkeys = a->nkeys};
	row.name = unit_str(cc, a->name);
	memcpy(row.par, a->par, sizeof row.par);
	struct dobj_key rows[DOBJ_MAXKEYS];
	for (unsigned i = 0; i < a->nkeys; i++) {
		const struct node *n = keys ? keys : a->key_nodes ? a->key_nodes[i] : NULL;
		rows[i] = key_of(cc, a->keys[i], n, pos);
		keys = keys ? keys->next : NULL;
	}
	row.key = u->o.nkeys;
	for (unsigned i = 0; i < a->nkeys; i++)
		*unit_add_keys(cc) = rows[i];
	unit_own_agg(cc, a);
	*unit_add_aggs(cc) = row;
	a->id = u->o.naggs - 1;
	a->has_id = true;
	return a->id;
}

static enum dobj_typekind
row_kind(enum type_kind k)
{
	switch (k) {
	case T_INT:
		return DT_INT;
	case T_FLOAT:
		return DT_FLOAT;
	case T_STRING:
		return DT_STRING;
	case T_PTR:
	case T_TERM:
		return DT_PTR;
	case T_ARRAY:
		return DT_ARRAY;
	case T_STRUCT:
		return DT_STRUCT;
	case T_UNION:
		return DT_UNION;
	case T_ENUM:
		return DT_ENUM;
	case T_FUNC:
		return DT_FUNC;
	default:
		return DT_VOID;
	}
}

static uint32_t
type_row(struct cc *cc, struct type *t, unsigned depth, struct pos pos)
{
	struct unit *u = cc->unit;
	struct type *b = type_base(t);
	uint32_t found;
	if (unit_find_type(u, t, &found))
		return found;
	if (depth > MAX_TYPE_DEPTH)
		cc_error(cc, pos, "D_UNKNOWN", "type %s is nested more than %d deep: it cannot be shown",
		    type_text(cc->ar, t), (int)MAX_TYPE_DEPTH);
	struct dobj_type row = {.kind = row_kind(b->kind), .is_signed = b->is_signed, .ref = DOBJ_NONE};
	row.name = unit_str(cc, type_text(cc->ar, t));
	row.size = b->size > UINT32_MAX || b->kind == T_STRING ? 0 : (uint32_t)b->size;
	if (b->kind == T_ARRAY) {
		row.ref = type_row(cc, b->ref, depth + 1, pos);
		row.nelems = b->nelems > UINT32_MAX ? 0 : (uint32_t)b->nelems;
	} else if (b->kind == T_STRUCT || b->kind == T_UNION) {
		for (struct member *m = b->members; m; m = m->next)
			type_row(cc, m->type, depth + 1, pos);
		row.member = u->o.nmembers;
		for (struct member *m = b->members; m; m = m->next, row.nmembers++) {
			uint32_t name = unit_str(cc, m->name ? m->name : ""), type = 0;
			unit_find_type(u, m->type, &type);
			*unit_add_members(cc) = (struct dobj_member){name, type, m->offset, m->bits, 0};
		}
	} else if (b->kind == T_ENUM) {
		row.member = u->o.nmembers;
		for (struct enumerator *e = b->enums; e; e = e->next, row.nmembers++) {
			uint32_t name = unit_str(cc, e->name);
			*unit_add_members(cc) = (struct dobj_member){name, DOBJ_NONE, 0, 0, e->value};
		}
	}
	*unit_own_type(cc, t) = row;
	return u->o.ntypes - 1;
}

uint32_t
unit_type(struct cc *cc, struct type *t, struct pos pos)
{
	return type_row(cc, t, 0, pos);
}
