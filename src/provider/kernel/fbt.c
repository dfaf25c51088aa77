/*
 * The fbt provider: entry and return of the kernel's functions. The functions are those that the kernel's BTF describes
 * and, if tracefs is mounted, that can be traced. Functions of modules are those that tracefs lists.
 *
 * entry: arg0 … are the arguments; args[] have their types, except for modules. return: arg0 is 0 (Linux does not tell
 * from which instruction a function returned), arg1 is the value.
 *
 * A few functions are traced by programs of type fentry and fexit, one each, which the kernel calls with the function's
 * own arguments. Many functions, those of modules, and those without such a program are traced by kprobes, which know
 * six arguments. Locked-down kernels refuse both: there the provider has no probes, and says so when one is asked for.
 */
#include "provider/kernel/named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FENTRY_MOST = 64, MAX_ENABLED = 500, REG_ARGS = 6 };

/* probe.param: the address of one of these, which lives with the probes. */
struct function {
	uint32_t id; /* its type; 0 if unknown, for a module's */
	unsigned nargs;
	bool at_return, by_kprobe;
};

/* ---- listing ---- */

/* The functions that can be traced, one per line ("name" or "name [module]"); none if that is unknown. */
struct traceable {
	char *text;
	char **names; /* of the kernel itself, sorted */
	size_t n;
	char **others; /* of modules: the name, and behind its NUL "[module]" */
	size_t nothers;
};

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
traceable_read(struct traceable *t)
{
	size_t len = 0, cap = 0;
	FILE *f = fopen("/sys/kernel/tracing/available_filter_functions", "re");
	*t = (struct traceable){0};
	if (!f)
		return true;
	bool ok = true;
	for (size_t n = 1; ok && n; len += n) {
		if (cap - len < 2) {
			char *more = realloc(t->text, cap = cap ? cap * 2 : 1 << 20);
			ok = more != NULL;
			t->text = more ? more : t->text;
		}
		n = ok ? fread(t->text + len, 1, cap - len - 1, f) : 0;
	}
	fclose(f);
	size_t lines = 0;
	for (size_t i = 0; ok && i < len; i++)
		lines += t->text[i] == '\n';
	if (!ok || !(t->names = calloc(lines + 1, sizeof *t->names)) ||
	    !(t->others = calloc(lines + 1, sizeof *t->others)))
		return false;
	t->text[len] = '\0';
	for (char *line = t->text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		const char *space = strpbrk(line, " \t");
		if (!space)
			t->names[t->n++] = line;
		else if (end[-1] == ']' && strchr(space, '[')) {
			line[strcspn(line, " \t")] = '\0';
			end[-1] = '\0';
			t->others[t->nothers++] = line;
		}
	}
	qsort(t->names, t->n, sizeof *t->names, by_text);
	return true;
}

static void
traceable_free(struct traceable *t)
{
	free(t->names);
	free(t->others);
	free(t->text);
}

static bool
is_traceable(const struct traceable *t, const char *name)
{
	return !t->n || bsearch(&name, t->names, t->n, sizeof *t->names, by_text);
}

static const char *
text_of(struct probes *ps, const struct kbtf *b, uint32_t type)
{
	char text[128];
	kbtf_text(b, type, text, sizeof text);
	return ar_strdup(probes_arena(ps), text);
}

static bool
add(struct probes *ps, const struct provider *pv, const struct kbtf *b, uint32_t id, const char *name, bool at_return,
    bool by_kprobe)
{
	const char *const names[4] = {"fbt", "vmlinux", name, at_return ? "return" : "entry"};
	const struct pdesc exact = {0, {names[0], names[1], names[2], names[3]}};
	if (probes_has(ps, &exact))
		return true;
	const struct btf_type *proto = kbtf_type(b, kbtf_type(b, id)->type);
	const struct btf_param *params = (const struct btf_param *)(const void *)(proto + 1);
	unsigned n = BTF_INFO_VLEN(proto->info);
	const char **types = ar_alloc(probes_arena(ps), (n + 3) * sizeof *types);
	struct function *f = AR_NEW(probes_arena(ps), struct function);
	if (!types || !f)
		return false;
	*f = (struct function){id, n, at_return, by_kprobe};
	unsigned ntypes = 0;
	if (at_return) {
		types[ntypes++] = "int";
		if (proto->type)
			types[ntypes++] = text_of(ps, b, proto->type);
	} else {
		for (; ntypes < n && ntypes < RT_NARGS; ntypes++)
			types[ntypes] = text_of(ps, b, params[ntypes].type);
	}
	for (unsigned i = 0; i < ntypes; i++)
		if (!types[i])
			return false;
	types[ntypes] = NULL;
	struct probe *p = probe_add(ps, pv, names, types, (int64_t)(uintptr_t)f);
	if (p)
		p->argnames = at_return ? "none,result" : named_params(ps, b, params, n);
	return p && p->argnames;
}

/* The functions of modules that a description asks for. */
static bool
add_others(struct probes *ps, const struct provider *pv, const struct pdesc *d, const struct traceable *t)
{
	for (size_t i = 0; i < t->nothers; i++) {
		const char *name = t->others[i], *module = strchr(name + strlen(name) + 1, '[');
		if (!module || !probe_glob(d->names[1] ? d->names[1] : "", ++module) ||
		    !probe_glob(d->names[2] ? d->names[2] : "", name))
			continue;
		for (unsigned at_return = 0; at_return < 2; at_return++) {
			const char *const names[4] = {"fbt", module, name, at_return ? "return" : "entry"};
			const struct pdesc exact = {0, {names[0], names[1], names[2], names[3]}};
			if (!probe_glob(d->names[3] ? d->names[3] : "", names[3]) || probes_has(ps, &exact))
				continue;
			struct function *f = AR_NEW(probes_arena(ps), struct function);
			if (!f)
				return false;
			*f = (struct function){.nargs = REG_ARGS, .at_return = at_return != 0, .by_kprobe = true};
			if (!probe_add(ps, pv, names, NULL, (int64_t)(uintptr_t)f))
				return false;
		}
	}
	return true;
}

/* Tries whether the kernel accepts a program for the function. Returns 0 or errno. */
static int
try_program(uint32_t function)
{
	static const struct bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
	int fd = sys_prog_load(
	    BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY | (uint64_t)function << 32, nothing, 2, 0, NULL, 0, NULL, 0);
	int err = errno;
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : err;
}

static void
say_refused(int err, struct why *why)
{
	if (err == EPERM && geteuid() == 0)
		why_set(why,
		    "this kernel does not allow tracing its own functions (fentry programs: %s): it is locked down, or "
		    "CAP_BPF or CAP_PERFMON is missing; its tracepoints (sdt:::) can be traced",
		    strerror(err));
	else if (err == EPERM)
		why_set(why, "tracing the kernel is not permitted: run erltrace as root, or give it CAP_BPF and "
			     "CAP_PERFMON");
	else
		why_set(why, "this kernel's functions cannot be traced: fentry programs: %s", strerror(err));
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, struct why *why)
{
	bool named = d->names[0] && strcmp(d->names[0], "fbt") == 0, ok = true, tried = false, by_kprobe = false;
	const char *module = d->names[1] ? d->names[1] : "", *function = d->names[2] ? d->names[2] : "",
		   *name = d->names[3] ? d->names[3] : "";
	struct why reason;
	struct kbtf *b = kbtf_open(NULL, &reason);
	struct traceable t = {0};
	if (!b) {
		if (named)
			why_set(why, "this kernel does not tell its types (%s)", reason.text);
		return true;
	}
	for (uint32_t id = 1; ok && probe_glob(module, "vmlinux") && id <= kbtf_count(b); id++) {
		if (probes_stopped(ps)) {
			ok = false;
			break;
		}
		const struct btf_type *f = kbtf_type(b, id);
		const char *s = f && BTF_INFO_KIND(f->info) == BTF_KIND_FUNC ? kbtf_name(b, f->name_off) : "";
		const struct btf_type *proto = *s ? kbtf_type(b, f->type) : NULL;
		if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO || !probe_glob(function, s))
			continue;
		if (!tried) {
			int err = try_program(id);
			/* If this function cannot be traced, that says nothing about the others; a missing
			 * permission does. */
			by_kprobe = err == EPERM || err == EACCES || err == EOPNOTSUPP || err == ENOSYS;
			if (by_kprobe && kern_has_kprobes() == KERN_KPROBES_NONE) {
				if (named)
					say_refused(err, why);
				break;
			}
			tried = true;
			/* The kernel takes long to list them. For a single name, attaching tells too. */
			if (strpbrk(function, "*?[\\") || !*function)
				ok = traceable_read(&t);
			if (!ok)
				break;
		}
		if (!is_traceable(&t, s))
			continue;
		if (probe_glob(name, "entry"))
			ok = add(ps, pv, b, id, s, false, by_kprobe);
		if (ok && probe_glob(name, "return"))
			ok = add(ps, pv, b, id, s, true, by_kprobe);
	}
	/* A glob for the module means the kernel itself, unless it says more. */
	if (ok && *module && strcmp(module, "vmlinux") != 0 && strcmp(module, "*") != 0 &&
	    kern_has_kprobes() != KERN_KPROBES_NONE && (t.text || traceable_read(&t)))
		ok = add_others(ps, pv, d, &t);
	traceable_free(&t);
	kbtf_close(b);
	return ok;
}

static bool
claims(struct probes *ps, const struct pdesc *d)
{
	(void)ps;
	return named_claims(d, "fbt");
}

/* ---- attaching ---- */

static const struct function *
function_of(const struct pv_bound *b)
{
	return (const struct function *)(uintptr_t)b->probe->param;
}

/* Six arguments are in registers; the others are on the kernel's stack, whose layout is unknown. */
static bool
reads_too_many(struct engine *e, const struct pv_bound *b, struct why *why)
{
	for (unsigned i = REG_ARGS; !function_of(b)->at_return && i < RT_NARGS; i++)
		if (kern_reads_arg(e, b->index, i)) {
			why_set(why,
			    "arg%u cannot be read: kprobes, which trace modules and more than %d functions at once, know six "
			    "arguments",
			    i, FENTRY_MOST);
			return true;
		}
	return false;
}

static bool
attach_kprobes(struct engine *e, const struct pv_bound *bound, unsigned nbound, bool at_return, struct why *why)
{
	struct kern_kprobe *k = malloc(nbound * sizeof *k);
	unsigned n = 0;
	bool ok = k != NULL;
	if (!ok)
		why_set(why, "out of memory");
	for (unsigned i = 0; ok && i < nbound; i++) {
		if (function_of(&bound[i])->at_return != at_return)
			continue;
		k[n++] = (struct kern_kprobe){bound[i].index, bound[i].probe->names[2]};
		ok = !reads_too_many(e, &bound[i], why);
	}
	ok = ok && (!n || kern_attach_kprobes(e, k, n, at_return, why));
	free(k);
	return ok;
}

static bool
attach_fentry(struct engine *e, const struct pv_bound *b, struct why *why)
{
	const struct function *f = function_of(b);
	struct kern_tp tp = {.name = b->probe->names[2], .nargs = f->nargs, .all = !f->at_return};
	tp.args[0] = (struct kern_arg){.what = KA_NUMBER, .n = 0};
	tp.args[1] = (struct kern_arg){.what = KA_RAW, .n = f->nargs};
	return kern_attach_function(e, &tp, f->id, f->at_return, b->index, why);
}

static bool
start(struct pv_start *s, struct why *why)
{
	enum kern_kprobes kprobes = kern_has_kprobes();
	bool ok = true;
	if (s->nbound > FENTRY_MOST && kprobes == KERN_KPROBES_MANY)
		return attach_kprobes(s->engine, s->bound, s->nbound, false, why) &&
		       attach_kprobes(s->engine, s->bound, s->nbound, true, why);
	if (s->nbound > MAX_ENABLED) {
		why_set(why, "%u functions match: %d can be traced at once on this kernel; name them more closely",
		    s->nbound, MAX_ENABLED);
		return false;
	}
	for (unsigned i = 0; ok && i < s->nbound; i++) {
		const struct function *f = function_of(&s->bound[i]);
		ok = !f->by_kprobe && attach_fentry(s->engine, &s->bound[i], why);
		if (!ok && kprobes != KERN_KPROBES_NONE)
			ok = attach_kprobes(s->engine, &s->bound[i], 1, f->at_return, why);
	}
	return ok;
}

const struct provider provider_fbt = {.name = "fbt",
    .on_demand = on_demand,
    .claims = claims,
    .kernel = true,
    .start = start,
    .stability = "Private/Private/Unknown"};
