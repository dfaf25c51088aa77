/*
 * The fbt provider: entry and return of the kernel's functions, by programs of type fentry and fexit, which the kernel
 * calls with the function's arguments as they are. The functions are those that the kernel's BTF describes and, where
 * tracefs is mounted, that can be traced.
 *
 * entry: arg0 … are the arguments, args[] have their types. return: arg0 is 0 (Linux does not tell from which
 * instruction a function returned), arg1 the value.
 *
 * Each probe has a program of its own, so that a description that matches many functions is refused. Kernels that are
 * locked down refuse such programs: there the provider has no probes, and says so when one is asked for.
 */
#include "engine/kernel/pv_named.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ENABLED = 500 };

/* probe.param: the address of one of these, which lives with the probes. */
struct function {
	uint32_t id; /* its type */
	unsigned nargs;
	bool at_return;
};

/* ---- listing ---- */

/* The functions that can be traced, one a line ("name" or "name [module]"), sorted; NULL: nobody tells. */
struct traceable {
	char *text;
	char **names;
	size_t n;
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
	if (!ok || !(t->names = calloc(lines + 1, sizeof *t->names)))
		return false;
	t->text[len] = '\0';
	for (char *line = t->text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (!strchr(line, ' '))
			t->names[t->n++] = line;
	}
	qsort(t->names, t->n, sizeof *t->names, by_text);
	return true;
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
add(struct probes *ps, const struct provider *pv, const struct kbtf *b, uint32_t id, const char *name, bool at_return)
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
	*f = (struct function){id, n, at_return};
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
	return probe_add(ps, pv, names, types, (int64_t)(uintptr_t)f) != NULL;
}

/* Whether the kernel takes a program for the function: 0 or errno. */
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
say_refused(int err, char *why, size_t whylen)
{
	if (err == EPERM && geteuid() == 0)
		snprintf(why, whylen,
		    "this kernel does not let functions of its own be traced (fentry programs: %s): it is locked down, or "
		    "CAP_BPF or CAP_PERFMON is missing; tracepoints (sdt:::) can be",
		    strerror(err));
	else if (err == EPERM)
		snprintf(why, whylen,
		    "tracing the kernel is not permitted: run erltrace as root, or give it CAP_BPF and "
		    "CAP_PERFMON");
	else
		snprintf(why, whylen, "this kernel's functions cannot be traced: fentry programs: %s", strerror(err));
}

static bool
on_demand(struct probes *ps, const struct provider *pv, const struct pdesc *d, char *why, size_t whylen)
{
	bool named = d->names[0] && strcmp(d->names[0], "fbt") == 0, ok = true, tried = false;
	const char *module = d->names[1] ? d->names[1] : "", *function = d->names[2] ? d->names[2] : "",
		   *name = d->names[3] ? d->names[3] : "";
	struct kbtf *b = kbtf_open(NULL);
	struct traceable t = {0};
	if (!b) {
		if (named)
			snprintf(why, whylen, "this kernel does not tell its types (" KBTF_PATH ")");
		return true;
	}
	for (uint32_t id = 1; ok && probe_glob(module, "vmlinux") && id <= kbtf_count(b); id++) {
		const struct btf_type *f = kbtf_type(b, id);
		const char *s = f && BTF_INFO_KIND(f->info) == BTF_KIND_FUNC ? kbtf_name(b, f->name_off) : "";
		const struct btf_type *proto = *s ? kbtf_type(b, f->type) : NULL;
		if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO || !probe_glob(function, s))
			continue;
		if (!tried) {
			int err = try_program(id);
			/* A function that this one cannot be traced says nothing of the others; no permission does. */
			if (err == EPERM || err == EACCES || err == EOPNOTSUPP || err == ENOSYS) {
				if (named)
					say_refused(err, why, whylen);
				break;
			}
			tried = true;
			if (!(ok = traceable_read(&t)))
				break;
		}
		if (!is_traceable(&t, s))
			continue;
		if (probe_glob(name, "entry"))
			ok = add(ps, pv, b, id, s, false);
		if (ok && probe_glob(name, "return"))
			ok = add(ps, pv, b, id, s, true);
	}
	free(t.names);
	free(t.text);
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

static bool
attach(struct engine *e, const struct pv_bound *bound, unsigned nbound, char *why, size_t whylen)
{
	if (nbound > MAX_ENABLED) {
		snprintf(why, whylen, "%u functions match: %d can be traced at once; name them more closely", nbound,
		    MAX_ENABLED);
		return false;
	}
	for (unsigned i = 0; i < nbound; i++) {
		const struct function *f = (const struct function *)(uintptr_t)bound[i].probe->param;
		struct kern_tp tp = {.name = bound[i].probe->names[2], .nargs = f->nargs, .all = !f->at_return};
		tp.args[0] = (struct kern_arg){.what = KA_NUMBER, .n = 0};
		tp.args[1] = (struct kern_arg){.what = KA_RAW, .n = f->nargs};
		if (!kern_attach_function(e, &tp, f->id, f->at_return, bound[i].index, why, whylen))
			return false;
	}
	return true;
}

const struct provider provider_fbt = {
    .name = "fbt", .on_demand = on_demand, .claims = claims, .attach = attach, .stability = "Private/Private/Unknown"};
