/*
 * A clause: predicate, statements, END. Straight runs of statements are groups with one record each; `if` separates
 * groups.
 */
#include "gen/gen_priv.h"

#include <string.h>

static void
begin_group(struct gen *g)
{
	struct unit *u = g->u;
	*unit_add_groups(g->cc) = (struct dobj_group){.act = u->o.nacts, .field = u->o.nfields};
	g->group = u->o.ngroups - 1;
	g->action = 0;
	g->is_open = false;
}

static void
end_group(struct gen *g)
{
	struct unit *u = g->u;
	struct dobj_group *grp = &u->o.groups[g->group];
	if (g->is_open && (g->cc->opts->num[OPT_FLOWINDENT] || g->u->sets_flow))
		gen_flow(g);
	if (g->is_open)
		g_emit(g, DIF_RECE, 0, 0, 0, 0);
	g->is_open = false;
	grp->nacts = u->o.nacts - grp->act;
	grp->nfields = u->o.nfields - grp->field;
}

/* Code that is not an action: predicates and conditions. It counts as action 0 of the group that follows. */
static void
mark_condition(struct gen *g, struct pos pos)
{
	g->pos = pos;
	*unit_add_lines(g->cc) = (struct dobj_line){g->u->o.ncode, 0, g->u->o.ngroups, pos.line, pos.col};
}

static bool
is_action(const struct node *n)
{
	static const unsigned flags[] = {
#define X(id, name, proto, operands, flags) flags,
	    DIF_SUBRS(X)
#undef X
	};
	if (n->kind != N_CALL)
		return false;
	int subr = n->u.call.subr;
	return n->u.call.action >= 0 || (subr >= 0 && subr < DIF_NSUBRS && flags[subr] & SF_ACTION);
}

static void
gen_statement(struct gen *g, struct node *n)
{
	if (n->kind == N_AGGSTMT) {
		gen_aggregate(g, n);
	} else if (is_action(n->u.op.a)) {
		gen_action(g, n->u.op.a);
	} else {
		gen_note(g, DA_EXPR, n->pos);
		gen_effect(g, n->u.op.a);
	}
}

static void gen_statements(struct gen *g, struct node *list);

static void
gen_if(struct gen *g, struct node *n)
{
	struct label otherwise = {-1}, end = {-1};
	mark_condition(g, n->u.cond.a->pos);
	gen_branch(g, n->u.cond.a, false, &otherwise);
	gen_statements(g, n->u.cond.b);
	if (n->u.cond.c)
		g_branch(g, DIF_BA, 0, 0, &end);
	g_bind(g, &otherwise);
	if (n->u.cond.c)
		gen_statements(g, n->u.cond.c);
	g_bind(g, &end);
}

static void
gen_statements(struct gen *g, struct node *list)
{
	bool in_group = false;
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_IF) {
			if (in_group)
				end_group(g);
			in_group = false;
			gen_if(g, n);
			continue;
		}
		if (!in_group)
			begin_group(g);
		in_group = true;
		gen_statement(g, n);
	}
	if (in_group)
		end_group(g);
}

static void
gen_descriptions(struct gen *g, struct node *list, struct dobj_clause *row)
{
	row->pdesc = g->u->o.npdescs;
	g->is_erlang = true;
	for (struct node *n = list; n; n = n->next, row->npdescs++) {
		struct dobj_pdesc d = {.id = n->u.pdesc.id};
		g->is_erlang &= n->u.pdesc.names[0] && strncmp(n->u.pdesc.names[0], "erlang", 6) == 0;
		d.prov = unit_str(g->cc, n->u.pdesc.names[0]);
		d.mod = unit_str(g->cc, n->u.pdesc.names[1]);
		d.func = unit_str(g->cc, n->u.pdesc.names[2]);
		d.name = unit_str(g->cc, n->u.pdesc.names[3]);
		*unit_add_pdescs(g->cc) = d;
	}
}

/* A speculate() without another statement speculates the default action. */
static bool
speculates_only(const struct unit *u, uint32_t group, const struct node *body)
{
	if (!body || body->next || body->kind == N_IF || u->o.ngroups != group + 1 || u->o.groups[group].nacts != 1)
		return false;
	return u->o.acts[u->o.groups[group].act].kind == DA_SPECULATE;
}

unsigned
gen_clause(struct cc *cc, struct node *clause)
{
	struct unit *u = cc->unit;
	struct gen g = {.cc = cc, .u = u, .code = u->o.ncode, .first_group = u->o.ngroups, .pos = clause->pos};
	struct dobj_clause row = {.code = u->o.ncode, .group = u->o.ngroups, .line = clause->pos.line};
	uint32_t first_line = u->o.nlines;
	struct label end = {-1};
	row.file = unit_str(cc, clause->pos.file);
	gen_descriptions(&g, clause->u.clause.pdescs, &row);
	if (clause->u.clause.pred) {
		mark_condition(&g, clause->u.clause.pred->pos);
		gen_branch(&g, clause->u.clause.pred, false, &end);
	}
	gen_statements(&g, clause->u.clause.body);
	if (speculates_only(u, row.group, clause->u.clause.body)) {
		gen_default(&g);
		end_group(&g);
	}
	if (u->o.ngroups == row.group) {
		begin_group(&g);
		if (!clause->u.clause.body) {
			g.pos = clause->pos;
			gen_default(&g);
		}
		end_group(&g);
	}
	g_bind(&g, &end);
	g_emit(&g, DIF_END, 0, 0, 0, 0);
	row.ncode = u->o.ncode - row.code;
	if (row.ncode > DIF_MAXCODE)
		cc_error_hint(cc, clause->pos, "D_UNKNOWN", "write it as several clauses for the same probe",
		    "the clause compiles to %u instructions; the limit is %d", row.ncode, (int)DIF_MAXCODE);
	row.ngroups = u->o.ngroups - row.group;
	row.nslots = g.nslots;
	row.flags = g.flags;
	/* Conditions without a group after them belong to the last group. */
	for (uint32_t i = first_line; i < u->o.nlines; i++)
		if (u->o.lines[i].group >= u->o.ngroups)
			u->o.lines[i].group = u->o.ngroups - 1;
	*unit_add_clauses(cc) = row;
	return u->o.nclauses - 1;
}
