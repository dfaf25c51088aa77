/*
 * How often functions are called, from a slice of time. Counting every call of a hot function would cost the node more
 * than the function does. So another script, beside the one that runs, counts for 20 ms the functions that samples have
 * found.
 */
#include "cli/live.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE_MS = 20, MOST_MS = 3000 };

/* Adds lists:seq/2 or 'Elixir.Shop':'all?'/1 as fields of a description. Returns false if it is not the name of a
 * function. */
static bool
add_function(struct sbuf *b, const char *name)
{
	bool quoted = *name == '\'';
	const char *colon = quoted ? strstr(name + 1, "':") : strchr(name, ':');
	if (!colon)
		return false;
	const char *function = colon + (quoted ? 2 : 1), *slash = strrchr(function, '/');
	int module_len = (int)(colon - name) - quoted;
	if (!slash)
		return false;
	bool fquoted = *function == '\'';
	int len = (int)(slash - function) - 2 * fquoted;
	if (module_len <= 0 || len <= 0)
		return false;
	sb_printf(b, "erlang*:'%.*s':'%.*s%s':entry", module_len, name + quoted, len, function + fquoted, slash);
	return true;
}

static char *
program(const char *const *names, unsigned n)
{
	struct sbuf b = {0};
	for (unsigned i = 0; i < n; i++)
		if (add_function(&b, names[i]))
			sb_printf(&b, " { @calls[%u] = count(); }\n", i);
	/* arg2: how late it is, ns */
	sb_printf(&b, "tick-%dms { @late = max(arg2); exit(0); }\n", SLICE_MS);
	return sb_take(&b);
}

struct counts {
	double *rates;
	unsigned n;
	double late; /* ns */
};

static enum et_aggwalk
on_count(struct et_aggdata *d, void *arg)
{
	struct counts *c = arg;
	if (strcmp(d->name, "late") == 0)
		c->late = (double)d->raw;
	else if (d->nkeys == 1 && d->keys[0].num >= 0 && d->keys[0].num < c->n)
		c->rates[d->keys[0].num] = (double)d->raw;
	return ET_AGGWALK_NEXT;
}

/* Of several nodes the first must do. */
static int
attach(const struct cli *c, struct et *h)
{
	return c->node ? et_attach(h, c->node, c->cookie) : cli_connect(c, h);
}

static bool
run(const struct cli *c, struct et *h, const char *text, FILE *none)
{
	enum et_workstatus s = ET_WORKSTATUS_OKAY;
	struct et_prog *p = NULL;
	uint64_t began = mono_ms();
	bool ok = et_setopt(h, "quiet", NULL) == 0 && et_setopt(h, "bufsize", "64k") == 0 &&
		  et_setopt(h, "aggsize", "64k") == 0 && attach(c, h) == 0 &&
		  (p = et_program_strcompile(h, text, ET_PROBESPEC_NAME, ET_C_LIST, 0, NULL)) &&
		  et_program_exec(h, p, NULL) == 0 && et_go(h) == 0;
	while (ok && s == ET_WORKSTATUS_OKAY) {
		et_sleep(h);
		s = et_work(h, none, NULL, NULL, NULL);
		if (mono_ms() - began > MOST_MS)
			et_interrupt(h);
	}
	return ok && s == ET_WORKSTATUS_DONE;
}

bool
slice_calls(const struct cli *c, const char *const *names, unsigned n, double *rates)
{
	struct counts counts = {.rates = rates, .n = n};
	int err;
	for (unsigned i = 0; i < n; i++)
		rates[i] = 0;
	struct et *h = n ? et_open(ET_VERSION, &err) : NULL;
	char *text = h ? program(names, n) : NULL;
	bool ok =
	    text && run(c, h, text, cli_live_out(c)) && et_aggregate_walk(h, ET_AGGSORT_NONE, on_count, &counts) == 0;
	for (unsigned i = 0; ok && i < n; i++)
		rates[i] /= ((double)SLICE_MS * 1e6 + counts.late) / 1e9;
	free(text);
	et_close(h);
	return ok;
}
