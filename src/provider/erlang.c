/*
 * The erlang provider: lists the probes of erlang_probes.h for the node that the handle is attached to, and makes
 * function probes as descriptions name them. They fire inside the node (otp/erltrace/c_src), not here.
 */
#include "base/strmap.h"
#include "provider/erlang.h"
#include "provider/erlang_probes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 200000, MAX_ARGS = 12 };

/* D has args[0] to args[9]. */
#define TEN_TERMS "term,term,term,term,term,term,term,term,term,term"

/* "char *,int" → a NULL-terminated list, kept with the probes. */
static const char *const *
arg_types(struct probes *ps, const char *text)
{
	struct arena *ar = probes_arena(ps);
	const char **list = AR_NEWN(ar, const char *, MAX_ARGS + 1);
	for (unsigned n = 0; list && *text && n < MAX_ARGS; n++) {
		size_t len = strcspn(text, ",");
		list[n] = ar_strndup(ar, text, len);
		if (!list[n])
			return NULL;
		text += len + (text[len] == ',');
	}
	return (const char *const *)list;
}

static bool
exists(struct probes *ps, const char *const names[4])
{
	const struct pdesc d = {0, {names[0], names[1], names[2], names[3]}};
	return probes_has(ps, &d);
}

static void
provider_name(const struct erlang_link *link, char *name, size_t size)
{
	if (link->os_pid)
		snprintf(name, size, "erlang%lld", (long long)link->os_pid);
	else
		snprintf(name, size, "erlang");
}

static bool
add(struct probes *ps, const struct provider *pv, const char *module, const char *function, const char *name,
    const char *args, int64_t param)
{
	char provider[32];
	provider_name(probes_erlang(ps), provider, sizeof provider);
	const char *const names[4] = {provider, module, function, name};
	if (exists(ps, names))
		return true;
	const char *const *types = arg_types(ps, args);
	return types && probe_add(ps, pv, names, types, param);
}

/* Without a node there is nothing to provide; erlang_attach() adds the probes. */
static bool
provide(struct probes *ps, const struct provider *pv)
{
	(void)ps;
	(void)pv;
	return true;
}

bool
erlang_attach(struct probes *ps, const struct erlang_link *link)
{
	probes_set_erlang(ps, link);
	bool ok = true;
	for (unsigned i = 0; ok && i < ERL_NROWS; i++)
		ok = add(ps, &provider_erlang, "", "", erl_rows[i].name, erl_rows[i].types, i);
	return ok;
}

const char *
erlang_refusal(const struct probe *p)
{
	if (p->pv != &provider_erlang || p->param < 0 || p->param >= ERL_NROWS)
		return NULL;
	if (p->param == ERLP_DRIVER_EVENT)
		return "never fires: OTP declares it and has nothing that fires it";
	if (erl_rows[p->param].needs.source == ES_NEVER)
		return "never fires: OTP has had none since release 23";
	if (erl_rows[p->param].needs.source == ES_KERNEL)
		return "needs the kernel engine: the tracer does not tell of it, only the USDT probes of an OTP built "
		       "--with-dynamic-trace=systemtap do (-x engine=kernel -p PID)";
	return NULL;
}

const char *const *
erlang_usdt_types(struct probes *ps, const char *name)
{
	static const char term[] = ",term";
	const struct erl_row *r = erl_row_named(name);
	const char *args = r ? r->types : strncmp(name, "user_trace-n", 12) == 0 ? ERL_I4S4 : NULL;
	size_t len = args ? strlen(args) : 0;
	char text[256];
	if (!args)
		return NULL;
	if (len >= sizeof term && strcmp(args + len - (sizeof term - 1), term) == 0)
		len -= sizeof term - 1;
	snprintf(text, sizeof text, "%.*s", (int)len, args);
	return arg_types(ps, text);
}

bool
erlang_is_alias(const char *name, const char *other)
{
	const struct erl_row *r = erl_row_named(name), *both = &erl_rows[ERLP_FUNCTION_ENTRY];
	if (!r)
		return false;
	/* The VM distinguishes local from global calls; the name without either means both. */
	if (r == &erl_rows[ERLP_LOCAL_FUNCTION_ENTRY] || r == &erl_rows[ERLP_GLOBAL_FUNCTION_ENTRY])
		if (strcmp(other, both->name) == 0 || erl_is_alias(both->aliases, other))
			return true;
	return erl_is_alias(r->aliases, other);
}

bool
erlang_tracer_has(const char *name)
{
	const struct erl_row *r = erl_row_named(name);
	return r ? r->needs.source != ES_KERNEL && r->needs.source != ES_NEVER : strncmp(name, "user_trace-n", 12) == 0;
}

struct function_query {
	struct probes *ps;
	const struct provider *pv;
	const struct pdesc *d;
	bool elixir;       /* the module was written as Elixir writes it */
	unsigned n, added; /* functions, probes */
	bool failed;
};

static bool
add_function(void *arg, const char *module, const char *function)
{
	struct function_query *a = arg;
	static const struct {
		const char *name, *args;
		int64_t param;
	} kinds[] = {
	    {"entry", NULL, ERLP_ENTRY}, {"return", "term", ERLP_RETURN}, {"exception", "term,term", ERLP_EXCEPTION}};
	char entry_args[] = TEN_TERMS;
	const char *slash = strrchr(function, '/');
	unsigned long arity = slash ? strtoul(slash + 1, NULL, 10) : 0;
	if (arity < 10)
		entry_args[arity ? arity * 5 - 1 : 0] = '\0';
	if (a->elixir && strncmp(module, "Elixir.", 7) == 0)
		module += 7;
	if (++a->n > MAX_FUNCTIONS)
		return false;
	for (unsigned i = 0; i < 3 && !a->failed; i++)
		if (probe_glob(a->d->names[3] ? a->d->names[3] : "", kinds[i].name) && ++a->added)
			a->failed = !add(a->ps, a->pv, module, function, kinds[i].name,
			    kinds[i].args ? kinds[i].args : entry_args, kinds[i].param);
	return !a->failed;
}

/* Names to be near to: modules, or the functions of one. */
struct near_names {
	struct arena *ar;
	bool modules;
	const char **list;
	size_t n, size;
};

static bool
add_name(void *arg, const char *module, const char *function)
{
	struct near_names *c = arg;
	const char *name = c->modules ? module : function;
	if (c->modules && strncmp(name, "Elixir.", 7) == 0)
		name += 7;
	if (c->n == c->size) {
		size_t size = c->size ? c->size * 2 : 256;
		const char **grown = realloc(c->list, size * sizeof *grown);
		if (!grown)
			return false;
		c->list = grown;
		c->size = size;
	}
	return (c->list[c->n] = ar_strndup(c->ar, name, strlen(name))) && ++c->n;
}

/* "seq" for "seq/2": the arity is missing. */
static const char *
with_arity(const char *word, const struct near_names *c)
{
	size_t len = strlen(word);
	for (size_t i = 0; !strchr(word, '/') && i < c->n; i++)
		if (strncmp(c->list[i], word, len) == 0 && c->list[i][len] == '/')
			return c->list[i];
	return NULL;
}

/* A function that is named in full, lists:seq/2, need not exist yet: its probes exist before its module does. */
static bool
is_full(const char *module, const char *function)
{
	const char *slash = strrchr(function, '/');
	size_t digits = slash ? strspn(slash + 1, "0123456789") : 0;
	return digits && digits < 4 && !slash[1 + digits] && atoi(slash + 1) < 256 && slash > function &&
	       slash - function < 256 && strlen(module) < 256 && !strpbrk(module, "*?[\\") &&
	       !strpbrk(function, "*?[\\");
}

/* Finds what is near to a function: "sqe/2", or "sqe" and a glob for any arity. Changes the list. */
static const char *
near_function(const char *word, struct near_names *c)
{
	size_t len = strlen(word);
	bool any_arity = len > 2 && strcmp(word + len - 2, "/*") == 0;
	const char *name = any_arity ? ar_strndup(c->ar, word, len - 2) : word;
	const char *near = any_arity ? NULL : with_arity(word, c);
	if (near || strpbrk(name, "*?["))
		return near;
	for (size_t i = 0; any_arity && i < c->n; i++) {
		const char *slash = strrchr(c->list[i], '/');
		if (slash)
			c->list[i] = ar_strndup(c->ar, c->list[i], (size_t)(slash - c->list[i]));
	}
	return near_miss(name, c->list, c->n);
}

/* A name as somebody would write it: without the backslashes that keep its characters from being globs. */
static const char *
without_escapes(struct arena *ar, const char *name)
{
	char *plain = ar_strdup(ar, name), *to = plain;
	for (const char *from = plain; *from; *to++ = *from++)
		from += *from == '\\' && from[1];
	*to = '\0';
	return plain;
}

/* Nothing has these names. Says what was probably meant, as far as the node can tell, otherwise what is missing. */
static void
find_near(struct probes *ps, const struct erlang_link *link, const char *module, const char *function)
{
	struct why ignored;
	char text[1024];
	struct near_names c = {.ar = probes_arena(ps)};
	const char *near = NULL;
	if (strpbrk(module, "*?[")) {
		snprintf(
		    text, sizeof text, "no function of the loaded modules matches '%.200s:%.200s'", module, function);
		probes_set_hint(ps, text);
		return;
	}
	if (link->functions(link->ctx, module, "", add_name, &c, &ignored) && c.n) {
		const char *name = without_escapes(c.ar, function);
		near = near_function(name, &c);
		if (near)
			snprintf(text, sizeof text, "%s:%s", module, near);
		else
			snprintf(text, sizeof text,
			    "the module %.200s has no function '%.200s'; -l -m 'erlang*:%.200s' lists its functions",
			    module, name, module);
	} else {
		c.modules = true;
		/* every module has this one */
		if (link->functions(link->ctx, "*", "module_info/0", add_name, &c, &ignored) &&
		    (near = near_miss(module, c.list, c.n)))
			snprintf(text, sizeof text, "%s", near);
		else
			snprintf(text, sizeof text, "the node has no module '%.200s'%s", module,
			    is_full(module, function) ? "; -Z waits until it is loaded" : "");
	}
	free(c.list);
	if (near)
		probes_set_near(ps, text);
	else
		probes_set_hint(ps, text);
}

/* In "lists:seq {" the name of the probe is missing, so that module and function were taken for function and name. */
static const char *
meant(struct probes *ps, const struct pdesc *d)
{
	const struct erlang_link *link = probes_erlang(ps);
	const char *module = d->names[2] ? d->names[2] : "", *function = d->names[3] ? d->names[3] : "";
	struct near_names c = {.ar = probes_arena(ps)};
	struct why ignored;
	char text[1024];
	if (!link || (d->names[1] && d->names[1][0]) || !module[0] || strpbrk(module, "*?[\\/") || !function[0] ||
	    strpbrk(function, "*?[\\"))
		return NULL;
	const char *full =
	    link->functions(link->ctx, module, "", add_name, &c, &ignored) ? with_arity(function, &c) : NULL;
	if (full)
		snprintf(text, sizeof text, "%s:%s:entry", module, full);
	free(c.list);
	return full ? ar_strndup(c.ar, text, strlen(text)) : NULL;
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	const struct erlang_link *link = probes_erlang(ps);
	const char *module = d->names[1] ? d->names[1] : "", *name = d->names[3] ? d->names[3] : "";
	const char *function = d->names[2] ? d->names[2] : "";
	unsigned n;
	int end = 0;
	if (!link)
		return true;
	if (!module[0]) {
		for (unsigned i = 0; i < ERL_NROWS; i++)
			if (erl_is_alias(erl_rows[i].aliases, name))
				return add(ps, pv, "", "", name, erl_rows[i].types, i);
		if (sscanf(name, "user_trace-n%u%n", &n, &end) == 1 && !name[end] && n < ERL_USER_TRACES)
			return add(ps, pv, "", "", name, ERL_I4S4, ERLP_USER_TRACE_N);
		return true;
	}
	struct function_query a = {.ps = ps,
	    .pv = pv,
	    .d = d,
	    .elixir = isupper((unsigned char)module[0]) != 0 && strncmp(module, "Elixir.", 7) != 0};
	if (!link->functions(link->ctx, module, function, add_function, &a, why))
		return false;
	static const char *const kinds[] = {"entry", "return", "exception"};
	if (a.n && !a.added) {
		probes_set_near(ps, near_miss(name, kinds, 3));
		if (!near_miss(name, kinds, 3))
			probes_set_hint(ps, "the probes of a function are entry, return and exception");
	} else if (!a.n && probes_later(ps) && is_full(module, function))
		add_function(&a, module, function);
	else if (!a.n)
		find_near(ps, link, module, function);
	if (a.n > MAX_FUNCTIONS) {
		why_set(why, "more than %d functions match; name them more closely", MAX_FUNCTIONS);
		return false;
	}
	return !a.failed;
}

static bool
claims(struct probes *ps, const struct pdesc *d)
{
	char provider[32];
	const struct erlang_link *link = probes_erlang(ps);
	if (!link)
		return false;
	/* lists:seq/2:entry can only mean a function, but ::: must not mean all functions */
	if (!d->names[0] || !d->names[0][0])
		return d->names[1] && d->names[1][0];
	provider_name(link, provider, sizeof provider);
	return probe_glob(d->names[0], provider);
}

const struct provider provider_erlang = {
    .name = "erlang",
    .provide = provide,
    .on_demand = on_demand,
    .claims = claims,
    .meant = meant,
    .stability = "Evolving/Evolving/Common",
};
