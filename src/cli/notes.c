/*
 * What a user should know about a script besides its output: before it starts, that it concerns very many functions,
 * and what that costs; at the end, which of its probes never fired.
 */
#include "cli/cli.h"

#include "base/sbuf.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 100, NAMED = 8 };

/* -- before ------------------------------------------------------------------------------------------------------ */

struct reach {
	const char **names; /* module and function alternate */
	size_t n, room;
	bool all; /* one of the probes that mean every function */
	bool returns, failed;
};

static bool
means_all(const char *name)
{
	static const char *const names[] = {"function-entry", "local-function-entry", "global-function-entry",
	    "function-return", "function_entry", "local-function_entry", "global-function_entry", "function_return"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static int
look(struct et *h, const struct et_probe *p, void *arg)
{
	struct reach *r = arg;
	(void)h;
	if (strncmp(p->provider, "erlang", 6) != 0)
		return 0;
	r->all |= !*p->module && means_all(p->name);
	r->returns |= strcmp(p->name, "entry") != 0 && strstr(p->name, "-entry") == NULL;
	if (!*p->module)
		return 0;
	if (r->n + 2 > r->room) {
		size_t room = r->room ? r->room * 2 : 256;
		const char **more = realloc(r->names, room * sizeof *more);
		r->failed = !more;
		if (!more)
			return 1;
		r->names = more;
		r->room = room;
	}
	r->names[r->n++] = p->module;
	r->names[r->n++] = p->function;
	return 0;
}

static int
by_names(const void *x, const void *y)
{
	const char *const *a = x, *const *b = y;
	int module = strcmp(a[0], b[0]);
	return module ? module : strcmp(a[1], b[1]);
}

/* 4112 as 4,112 */
static void
thousands(char *text, size_t size, unsigned n)
{
	if (n < 1000)
		snprintf(text, size, "%u", n);
	else if (n < 1000000)
		snprintf(text, size, "%u,%03u", n / 1000, n % 1000);
	else
		snprintf(text, size, "%u,%03u,%03u", n / 1000000, n / 1000 % 1000, n % 1000);
}

/* What that costs. The numbers are those of the VM's own dispatch to a tracer, which no script can avoid:
 * docs/erlang.md. */
static void
say_cost(const struct cli *c, const char *what, bool returns, bool counts)
{
	int64_t most = 0, counters = 0;
	char guard[96] = "";
	et_getopt(c->h, "maxoverhead", &most, NULL);
	if (most)
		snprintf(guard, sizeof guard, "; past %d%% of a scheduler tracing ends by itself (-x maxoverhead)",
		    (int)most);
	et_getopt(c->h, "counters", &counters, NULL);
	const char *cost = returns              ? "1 us, with its return"
			   : counts && counters ? "10 ns where the VM counts it (from OTP 27 on), otherwise 0.5 us"
						: "0.5 us";
	cli_error(c, "%s: each call costs the node about %s%s", what, cost, guard);
}

/* For those who ran a script by its name and have not read its description. A sample or a part is the way out, so who
 * has taken that knows. */
static void
say_script_costs(struct cli *c)
{
	char costs[200];
	const struct cli_prog *p = &c->progs[0];
	if (c->nprogs != 1 || p->kind != PROG_READY || c->calls || c->is_top || cli_has_opt(c, "sample") ||
	    cli_has_opt(c, "countpart") || !cli_script_costs(p->text, costs, sizeof costs))
		return;
	cli_error(c, "%s %s; `%s scripts %s` says more", p->arg, costs, c->pname, p->arg);
}

void
cli_say_reach(struct cli *c)
{
	struct reach r = {0};
	bool is_narrowed = false, counts = true;
	for (unsigned i = 0; i < c->nprogs && !r.failed; i++) {
		et_program_probes(c->h, c->progs[i].prog, look, &r);
		char *narrowed = et_program_narrowed(c->h, c->progs[i].prog);
		is_narrowed |= narrowed && *narrowed;
		free(narrowed);
		counts &= et_program_counts(c->h, c->progs[i].prog) == 1;
	}
	if (r.all && !is_narrowed)
		say_cost(c, "matches every function of the node", r.returns, false);
	else if (r.n / 2 >= MANY) {
		unsigned functions = 0, modules = 0;
		qsort(r.names, r.n / 2, 2 * sizeof *r.names, by_names);
		for (size_t i = 0; i < r.n; i += 2) {
			bool new_module = !i || strcmp(r.names[i], r.names[i - 2]) != 0;
			modules += new_module;
			functions += new_module || strcmp(r.names[i + 1], r.names[i - 1]) != 0;
		}
		char f[32], m[32], what[128];
		thousands(f, sizeof f, functions);
		thousands(m, sizeof m, modules);
		snprintf(what, sizeof what, "matches %s functions in %s module%s", f, m, modules == 1 ? "" : "s");
		if (functions >= MANY)
			say_cost(c, what, r.returns, counts && !r.all);
	}
	free(r.names);
	say_script_costs(c);
}

/* -- afterwards -------------------------------------------------------------------------------------------------- */

struct unfired {
	struct sbuf text;
	int n, named; /* descriptions; of these, each once */
};

static void
add_unfired(void *arg, const char *description)
{
	struct unfired *u = arg;
	size_t len = strlen(description);
	u->n++;
	for (const char *at = u->named ? u->text.at : NULL; at && (at = strstr(at, description)); at++)
		if ((at == u->text.at || at[-1] == ' ') && (!at[len] || at[len] == ','))
			return;
	if (u->named++ < NAMED)
		sb_printf(&u->text, "%s%s", u->named > 1 ? ", " : "", description);
}

void
cli_say_unfired(struct cli *c)
{
	struct unfired u = {0};
	/* `top` looks at whatever happens, and shows that nothing did */
	if (c->is_top)
		return;
	int all = et_unfired(c->h, add_unfired, &u);
	/* A ready-made script covers more than a node does at one time, so it is mentioned only if nothing at all
	 * fired. */
	bool is_ready = c->nprogs == 1 && c->progs[0].kind == PROG_READY;
	if (u.n && !u.text.failed && (!is_ready || u.n == all)) {
		char more[32] = "";
		if (u.named > NAMED)
			snprintf(more, sizeof more, " and %d more", u.named - NAMED);
		/* who ran a script by its name did not write the descriptions */
		if (is_ready && !c->calls)
			cli_error(c, "%s: nothing that it looks at has happened (never fired: %s%s)", c->progs[0].arg,
			    u.text.at, more);
		else if (!c->calls)
			cli_error(c, "never fired: %s%s", u.text.at, more);
	}
	if (c->calls && all >= 0)
		cli_say_uncalled(c, u.n < all);
	sb_free(&u.text);
}
