/*
 * Stability attributes: a program is as stable as the least stable thing that it uses. -v shows them, and option amin
 * sets a minimum.
 */
#include "base/sbuf.h"
#include "lang/front.h"

#include <string.h>

static const char *const stabs[] = {
    "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard"};
static const char *const classes[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
enum { NSTABS = sizeof stabs / sizeof stabs[0], NCLASSES = sizeof classes / sizeof classes[0] };

/* D itself. */
static const struct attrs stable = {NSTABS - 2, NSTABS - 2, NCLASSES - 1};

static bool
take(const char **s, const char *const *names, uint8_t n, uint8_t *at)
{
	size_t len = strcspn(*s, "/");
	for (uint8_t i = 0; i < n; i++) {
		if (strlen(names[i]) == len && memcmp(names[i], *s, len) == 0) {
			*at = i;
			*s += len + ((*s)[len] == '/');
			return true;
		}
	}
	return false;
}

/* "Stable/Evolving/ISA" */
static bool
parse(const char *s, struct attrs *a)
{
	return take(&s, stabs, NSTABS, &a->name) && take(&s, stabs, NSTABS, &a->data) &&
	       take(&s, classes, NCLASSES, &a->class) && !*s;
}

static uint8_t
least(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

static void
lower(struct attrs *a, const struct attrs *by)
{
	a->name = least(a->name, by->name);
	a->data = least(a->data, by->data);
	a->class = least(a->class, by->class);
}

/* The state of measuring one clause. */
struct measure {
	struct cc *cc;
	bool has_amin;
	struct attrs amin;
	struct attrs found;
};

static void
use(struct measure *m, const char *what, const struct attrs *a, struct pos pos)
{
	lower(&m->found, a);
	if (m->has_amin && (a->name < m->amin.name || a->data < m->amin.data || a->class < m->amin.class))
		cc_error(m->cc, pos, "D_ATTR_MIN", "attributes for %s (%s/%s/%s) are less than predefined minimum",
		    what, stabs[a->name], stabs[a->data], classes[a->class]);
}

/* Visits everything below a node. The parser bounds the depth. */
static void
walk(struct measure *m, const struct node *n)
{
	static const struct attrs kernel = {NSTABS - 2, 1, NCLASSES - 1};
	struct attrs a;
	for (; n; n = n->next) {
		switch (n->kind) {
		case N_BUILTIN:
			if (n->u.bi.id == DIF_BI_CURTHREAD)
				use(m, "curthread", &kernel, n->pos);
			walk(m, n->u.bi.index);
			break;
		case N_VAR:
			if (n->u.var.var->attrs && parse(n->u.var.var->attrs, &a))
				use(m, n->u.var.var->name, &a, n->pos);
			walk(m, n->u.var.keys);
			break;
		case N_ARG:
			walk(m, n->u.arg.index);
			break;
		case N_OP2:
			walk(m, n->u.op.b);
			walk(m, n->u.op.a);
			break;
		case N_OP1:
		case N_CAST:
		case N_EXPRSTMT:
			walk(m, n->u.op.a);
			break;
		case N_COND:
		case N_IF:
			walk(m, n->u.cond.a);
			walk(m, n->u.cond.b);
			walk(m, n->u.cond.c);
			break;
		case N_MEMBER:
			walk(m, n->u.member.obj);
			break;
		case N_CALL:
			walk(m, n->u.call.args);
			break;
		case N_AGG:
			walk(m, n->u.agg.keys);
			break;
		case N_AGGSTMT:
			walk(m, n->u.aggstmt.agg);
			walk(m, n->u.aggstmt.call);
			break;
		default:
			break;
		}
	}
}

void
stability_add(struct cc *cc, struct stability *st, const struct node *clause)
{
	const char *amin = cc->opts->str[OPT_AMIN];
	struct measure m = {.cc = cc, .has_amin = amin && *amin, .found = stable};
	struct attrs probe;
	if (!m.has_amin && !cc->opts->num[OPT_VERBOSE])
		return;
	if (m.has_amin && !parse(amin, &m.amin))
		cc_error_hint(cc, (struct pos){0}, "D_ATTR_MIN", "three words such as Evolving/Evolving/Common",
		    "option amin is not a set of stability attributes: %s", amin);
	if (!st->is_set)
		st->probes = st->statements = stable;
	st->is_set = true;
	const char *attrs = cc->probe && cc->probe->pv ? cc->probe->pv->stability : NULL;
	if (attrs && parse(attrs, &probe)) {
		use(&m, "probe description", &probe, clause->pos);
		lower(&st->probes, &probe);
	}
	m.found = stable;
	walk(&m, clause->u.clause.pred);
	walk(&m, clause->u.clause.body);
	lower(&st->statements, &m.found);
}

static void
show(struct sbuf *b, const char *what, const struct attrs *a)
{
	sb_printf(b, "\tMinimum %s Attributes\n", what);
	sb_printf(b, "\t\tIdentifier Names: %s\n", stabs[a->name]);
	sb_printf(b, "\t\tData Semantics:   %s\n", stabs[a->data]);
	sb_printf(b, "\t\tDependency Class: %s\n", classes[a->class]);
}

char *
stability_text(const struct stability *st)
{
	struct sbuf b = {0};
	show(&b, "Probe Description", st->is_set ? &st->probes : &stable);
	sb_addc(&b, '\n');
	show(&b, "Statement", st->is_set ? &st->statements : &stable);
	return sb_take(&b);
}
