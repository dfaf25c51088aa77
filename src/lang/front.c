/* One text through parser and checker. */
#include "lang/front.h"

#include "lang/check.h"
#include "lang/parse.h"

/* The tree of each clause is freed before the next is read, so memory does not grow with the program. */
void
front_text(struct cc *cc, const struct libdeps *libs, clause_fn *clause, void *arg)
{
	struct parser *p = parse_open(cc);
	parse_lexer(p)->libs = libs;
	for (;;) {
		struct ar_mark m = ar_mark(cc->ar);
		if (cc->probes && probes_stopped(cc->probes))
			longjmp(*cc->fail, 1); /* the caller interrupted it and knows why */
		struct node *n = parse_top(p);
		if (!n)
			break;
		for (struct node *next; n; n = next) {
			next = n->next;
			check_top(cc, n);
			if (n->kind == N_CLAUSE && clause)
				clause(cc, n, arg);
		}
		ar_reset(cc->ar, m);
	}
	check_alerts(cc);
	pragma_finish(parse_lexer(p));
	if (!parse_saw_any(p) && !cc->is_lib && !cc->opts->num[OPT_EMPTY])
		cc_error_hint(cc, (struct pos){0}, "D_EMPTY", "write at least one clause, such as BEGIN { }",
		    "empty D program specified");
}

/* Declarations are checked, because what follows is parsed by them. */
void
front_scan(struct cc *cc, const struct scan_fns *fns)
{
	struct parser *p = parse_open(cc);
	cc->scan = fns;
	for (struct node *n; (n = parse_top(p));)
		for (struct node *next; n; n = next) {
			next = n->next;
			if (n->kind != N_CLAUSE) {
				check_top(cc, n);
				continue;
			}
			for (const struct node *d = n->u.clause.pdescs; d; d = d->next)
				fns->description(fns->arg, &d->u.pdesc);
		}
}
