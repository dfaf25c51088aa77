/*
 * The syscall provider: entry and return of every system call, on the kernel engine. One program on each side serves
 * all calls, which are distinguished by number.
 *
 * entry: arg0 … arg5 are the call's arguments. return: arg0 and arg1 are its result, -1 if it failed; then errno says
 * why.
 *
 * The types of args[] at entry are those of the kernel's function for the call (__do_sys_NAME) if it is in BTF,
 * otherwise those of a table. BTF is read only when somebody asks for the types of a call.
 */
#include "engine/kernel/kern.h"
#include "provider/provider.h"
#include "provider/kernel/syscall_args.h"
#include "provider/provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name and number of each system call of this machine: made by the build from its headers. */
static const struct {
	const char *name;
	uint32_t nr;
} calls[] = {
#include "syscalls.inc"
};

enum { NCALLS = sizeof calls / sizeof *calls, CALL_ARGS = 6, TYPE_LEN = 128 };

static const struct pair {
	const char *call, *text;
} known[] =
    {
#define X(call, args) {call, args},
	SYSCALL_ARGS(X)},
  renamed[] = {SYSCALL_RENAMED(X)
#undef X
};

static const char *const of_result[] = {"long", "long", NULL};

static int
by_call(const void *name, const void *row)
{
	return strcmp(name, ((const struct pair *)row)->call);
}

/* Splits "int fd, char *buf" into types and names. Returns NULL if there is no memory. */
static const char *const *
split(struct arena *ar, const char *text, const char **names)
{
	const char **types = AR_NEWN(ar, const char *, CALL_ARGS + 1);
	char *all = ar_strdup(ar, ""), *more;
	unsigned n = 0;
	for (const char *end; types && all && *text && n < CALL_ARGS; text = end + strspn(end, ", ")) {
		end = text + strcspn(text, ",");
		const char *name = end;
		while (name > text && name[-1] != ' ' && name[-1] != '*')
			name--;
		size_t len = (size_t)(name - text);
		types[n] = ar_strndup(ar, text, len - (len && text[len - 1] == ' '));
		more = ar_printf(ar, "%s%s%.*s", all, n ? "," : "", (int)(end - name), name);
		all = types[n++] ? more : NULL;
	}
	*names = all;
	if (!types || !all)
		return NULL;
	types[n] = NULL;
	return types;
}

/* probe.param: number of the call, twice; odd at its return */
static bool
provide(struct probes *ps, const struct provider *pv)
{
	for (unsigned i = 0; i < NCALLS; i++) {
		const char *const entry[4] = {"syscall", "vmlinux", calls[i].name, "entry"};
		const char *const ret[4] = {"syscall", "vmlinux", calls[i].name, "return"};
		const struct pair *row =
		    bsearch(calls[i].name, known, sizeof known / sizeof *known, sizeof *known, by_call);
		const char *names = NULL;
		const char *const *types = row ? split(probes_arena(ps), row->text, &names) : NULL;
		struct probe *in = !row || types ? probe_add(ps, pv, entry, types, (int64_t)calls[i].nr * 2) : NULL;
		struct probe *out = in ? probe_add(ps, pv, ret, of_result, (int64_t)calls[i].nr * 2 + 1) : NULL;
		if (!out)
			return false;
		in->argnames = names;
		out->argnames = "result,result";
	}
	return true;
}

/* ---- what BTF tells of them ---- */

struct described {
	struct arena *ar;
	const struct kbtf *b;
	struct probe_args calls[NCALLS]; /* without types if not described */
};

static const char *
function_name(const char *call)
{
	const struct pair *r = bsearch(call, renamed, sizeof renamed / sizeof *renamed, sizeof *renamed, by_call);
	return r ? r->text : call;
}

static void
on_function(void *arg, const char *name, const struct btf_param *params, unsigned n)
{
	struct described *d = arg;
	for (unsigned i = 0; i < NCALLS; i++) {
		if (n > CALL_ARGS || strcmp(function_name(calls[i].name), name) != 0)
			continue;
		char args[CALL_ARGS * (TYPE_LEN + 64)] = "", type[TYPE_LEN];
		size_t len = 0;
		for (unsigned k = 0; k < n; k++) {
			kbtf_text(d->b, params[k].type, type, sizeof type);
			len += (size_t)snprintf(args + len, sizeof args - len, "%s%s %.60s", k ? ", " : "", type,
			    kbtf_name(d->b, params[k].name_off));
		}
		struct probe_args *a = &d->calls[i];
		a->types = split(d->ar, args, &a->names);
		a->source = ar_printf(d->ar, "the kernel's BTF, function __do_sys_%s", name);
	}
}

static struct described *
describe(struct probes *ps, const struct provider *pv)
{
	void **state = probes_state(ps, pv);
	struct described *d = state ? *state : NULL;
	struct kbtf *b;
	if (d || !state || !(d = AR_NEW(probes_arena(ps), struct described)))
		return d;
	memset(d, 0, sizeof *d);
	d->ar = probes_arena(ps);
	*state = d;
	if ((b = kbtf_open(NULL, NULL))) {
		d->b = b;
		kbtf_functions(b, "__do_sys_", on_function, d);
		kbtf_close(b);
		d->b = NULL;
	}
	return d;
}

static void
args_of(struct probes *ps, const struct probe *p, struct probe_args *a)
{
	const struct described *d = p->param & 1 ? NULL : describe(ps, p->pv);
	for (unsigned i = 0; d && i < NCALLS; i++)
		if (calls[i].nr == p->param / 2) {
			const struct probe_args *b = &d->calls[i];
			if (b->types)
				*a = *b;
			else if (a->types)
				a->source = ar_printf(probes_arena(ps),
				    "erltrace's table of system calls: the kernel's BTF has no function __do_sys_%s",
				    function_name(calls[i].name));
			return;
		}
}

static bool
attach_side(struct engine *e, const struct pv_bound *bound, unsigned nbound, bool entry, struct why *why)
{
	unsigned n = 0, *probes = calloc(nbound, sizeof *probes);
	uint32_t *numbers = calloc(nbound, sizeof *numbers);
	bool ok = probes && numbers;
	if (!ok)
		why_set(why, "out of memory");
	for (unsigned i = 0; ok && i < nbound; i++) {
		if ((bound[i].probe->param & 1) == entry)
			continue;
		probes[n] = bound[i].index;
		numbers[n++] = (uint32_t)(bound[i].probe->param / 2);
	}
	if (ok && n)
		ok = kern_attach_syscalls(e, probes, numbers, n, entry ? KP_SYS_ENTER : KP_SYS_EXIT, why);
	free(probes);
	free(numbers);
	return ok;
}

/* Returns first: an entry that is seen has its return seen. */
static bool
start(struct pv_start *s, struct why *why)
{
	return attach_side(s->engine, s->bound, s->nbound, false, why) &&
	       attach_side(s->engine, s->bound, s->nbound, true, why);
}

const struct provider provider_syscall = {.name = "syscall",
    .provide = provide,
    .kernel = true,
    .start = start,
    .args = args_of,
    .stability = "Evolving/Evolving/Common"};
