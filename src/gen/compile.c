/*
 * The driver. et_compile() is the list of the passes. Whatever fails in them comes back to its one setjmp, which undoes
 * everything.
 */
#include "gen/compile.h"

#include "gen/gen.h"
#include "lang/cpp.h"
#include "lang/front.h"

#include <stdlib.h>
#include <string.h>

/* What one compilation holds. It is one struct, so that it survives the jump. */
struct compilation {
	const struct job *job;
	struct cc cc;
	struct arena tree;
	jmp_buf fail;
	struct lang_mark lang_mark;
	struct unit_mark unit_mark;
	unsigned first_clause;
	bool *arg_used;
	char *preprocessed; /* heap, or NULL */
	struct stability stability;
};

static void
open_run(struct compilation *r)
{
	const struct job *j = r->job;
	struct lang *l = j->lang;
	ar_init(&r->tree, &r->fail);
	l->ar.oom = &r->fail;
	r->lang_mark = lang_mark(l);
	r->unit_mark = unit_mark(j->unit);
	r->first_clause = unit_nclauses(j->unit);
	types_set_strsize(l->types, (uint32_t)j->opts->num[OPT_STRSIZE]);
	r->arg_used = AR_NEWN(&r->tree, bool, j->argc > 0 ? j->argc : 1);
	r->cc.lang = l;
	r->cc.unit = j->unit;
	r->cc.set_option = gen_option;
	r->cc.add_alert = gen_alert;
	r->cc.probes = j->probes;
	r->cc.opts = j->opts;
	r->cc.ar = &r->tree;
	/* Variables keep the place of their declaration, so the file name must live as long as they do. */
	r->cc.file = j->file ? ar_strdup(&l->ar, j->file) : NULL;
	r->cc.text = j->text;
	r->cc.len = j->len;
	r->cc.is_file = j->is_file;
	r->cc.argc = j->argc;
	r->cc.argv = j->argv;
	r->cc.arg_used = r->arg_used;
	r->cc.target = j->target;
	r->cc.pspec = (unsigned)j->pspec;
}

static void
load_libraries(struct compilation *r)
{
	struct lang *l = r->job->lang;
	if (l->libs_loaded)
		return;
	front_libs(&r->cc);
	l->libs_loaded = true;
	/* Libraries stay loaded, even if the program fails. */
	r->lang_mark = lang_mark(l);
	r->unit_mark = unit_mark(r->job->unit);
}

static void
preprocess(struct compilation *r)
{
	const struct job *j = r->job;
	if (!j->opts->num[OPT_CPP])
		return;
	const char *slash = j->is_file && j->file ? strrchr(j->file, '/') : NULL;
	const char *dir = !j->is_file ? NULL : slash ? ar_strndup(&r->tree, j->file, (size_t)(slash - j->file)) : ".";
	if (dir && !*dir)
		dir = "/";
	size_t len = 0;
	r->preprocessed = cpp_run(&r->cc, dir, &len);
	r->cc.text = r->preprocessed;
	r->cc.len = len;
}

static void
compile_clause(struct cc *cc, struct node *clause, void *arg)
{
	stability_add(cc, arg, clause);
	gen_clause(cc, clause);
}

static void
compile_program(struct compilation *r)
{
	front_text(&r->cc, NULL, compile_clause, &r->stability);
}

static void
check_arguments(struct compilation *r)
{
	const struct job *j = r->job;
	if (j->opts->num[OPT_DEFAULTARGS] || j->opts->num[OPT_ARGREF])
		return;
	for (int i = 1; i < j->argc; i++)
		if (!r->arg_used[i])
			cc_error(&r->cc, (struct pos){0}, "D_MACRO_UNUSED",
			    "extraneous argument '%s' ($%d is not used by the program)", j->argv[i], i);
}

static void
report(struct compilation *r, struct compiled *out)
{
	out->clause = r->first_clause;
	out->nclauses = unit_nclauses(r->job->unit) - r->first_clause;
	out->stability = NULL;
	if (r->job->opts->num[OPT_VERBOSE] && !(out->stability = stability_text(&r->stability)))
		longjmp(r->fail, 1);
}

static void
close_run(struct compilation *r)
{
	/* The jump buffer is invalid after this, so the arena must forget it. */
	r->job->lang->ar.oom = NULL;
	ar_free(&r->tree);
	free(r->preprocessed);
}

bool
et_compile(const struct job *j, struct compiled *out, struct diag *d)
{
	struct compilation r = {.job = j};
	*d = (struct diag){0};
	r.cc.diag = d;
	r.cc.fail = &r.fail;
	if (setjmp(r.fail)) {
		lang_undo(j->lang, r.lang_mark);
		unit_undo(j->unit, &r.unit_mark);
		close_run(&r);
		return false;
	}
	open_run(&r);
	load_libraries(&r);
	preprocess(&r);
	compile_program(&r);
	check_arguments(&r);
	report(&r, out);
	close_run(&r);
	return true;
}

bool
et_scan(const struct job *j, const struct scan_fns *fns)
{
	struct compilation r = {.job = j};
	struct diag d = {0};
	volatile bool whole = false;
	r.cc.diag = &d;
	r.cc.fail = &r.fail;
	if (!setjmp(r.fail)) {
		open_run(&r);
		load_libraries(&r);
		preprocess(&r);
		front_scan(&r.cc, fns);
		whole = true;
	}
	lang_undo(j->lang, r.lang_mark);
	unit_undo(j->unit, &r.unit_mark);
	close_run(&r);
	diag_free(&d);
	return whole;
}
