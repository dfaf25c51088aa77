/*
 * Where a script runs: which place its probes say (et_program_where), and which engine runs it if no node is named.
 *
 * -x engine decides. Otherwise it depends on what the script needs. Probes of the kernel, what only the kernel knows
 * (curthread, kernel types, uregs[]), and samples of what runs on the machine (profile-N that looks at the interrupted
 * thread) need the kernel engine. Everything else runs in this process, where it starts faster. A script that needs the
 * kernel is refused if the right to it is missing: the user engine would answer about erltrace itself, which nobody
 * asked for.
 */
#include "api/handle.h"

#ifdef ET_WITH_KERNEL
#include "engine/kernel/kernel.h"
#endif

#include <string.h>
#include <unistd.h>

static const unsigned char builtin_flags[] = {
#define X(id, name, type, flags) [DIF_BI_##id] = (flags),
    DIF_BUILTINS(X)
#undef X
};

static const char *const builtin_names[] = {
#define X(id, name, type, flags) name,
    DIF_BUILTINS(X)
#undef X
};

static const unsigned char subr_flags[] = {
#define X(id, name, proto, operands, flags) [DIF_SUBR_##id] = (flags),
    DIF_SUBRS(X)
#undef X
};

struct need {
	bool kernel;      /* fires there, or looks at what only the kernel has */
	bool thread;      /* looks at the thread that a probe interrupts */
	bool samples;     /* has a probe that interrupts any thread */
	const char *what; /* what it looks at in the kernel; NULL if only its probes are there */
};

static void
look_at_probe(void *arg, const struct probe *p)
{
	struct need *n = arg;
	n->kernel |= p->pv->kernel;
	n->samples |= eng_role_of(p->names[0], p->names[3]) == ROLE_SAMPLE;
}

static bool
is_place(unsigned kind)
{
	switch (kind) {
	case DK_STACK:
	case DK_SYM:
	case DK_MOD:
	case DK_USTACK:
	case DK_JSTACK:
	case DK_USYM:
	case DK_UMOD:
	case DK_UADDR:
		return true;
	default:
		return false;
	}
}

static void
look_at_builtin(struct need *n, int32_t id)
{
	unsigned flags = builtin_flags[id];
	n->thread |= (flags & BIF_THREAD) != 0;
	if (flags & BIF_KERNEL) {
		n->kernel = true;
		n->what = id == DIF_BI_UREGS ? "uregs[]" : "curthread";
	}
}

static void
look_at_aggregation(struct need *n, const struct dobj *o, const struct dobj_agg *a)
{
	for (uint32_t i = 0; i < a->nkeys; i++)
		n->thread |= is_place(o->keys[a->key + i].kind);
}

static void
look_at_code(struct need *n, const struct dobj *o, const struct dobj_clause *c)
{
	for (uint32_t i = 0; i < c->ncode; i++) {
		const struct dif_insn *in = &o->code[c->code + i];
		if (in->op == DIF_LDBI || in->op == DIF_LDBIA) {
			if (!dobj_is_flow(o, c, c->code + i))
				look_at_builtin(n, in->imm);
		} else if ((in->op == DIF_LDARG && in->imm != 2) || in->op == DIF_LDT || in->op == DIF_STT)
			n->thread = true; /* arg2 of profile-N is about the timer */
		else if (in->op == DIF_CALL && subr_flags[in->imm] & SF_LOCK) {
			n->kernel = true;
			n->what = "a lock of the kernel";
		} else if (in->op == DIF_AGG)
			look_at_aggregation(n, o, &o->aggs[in->imm]);
	}
	for (uint32_t g = 0; g < c->ngroups; g++)
		for (uint32_t f = 0; f < o->groups[c->group + g].nfields; f++)
			n->thread |= is_place(o->fields[o->groups[c->group + g].field + f].kind);
	if (c->flags & DC_KERNEL) {
		n->kernel = true;
		n->what = "a type of the kernel";
	}
}

/* Adds what one clause needs to *all. Probes on this process's own timers interrupt nobody else. */
static void
look_at_clause(struct et *h, unsigned clause, struct need *all)
{
	struct need n = {0};
	api_clause_probes(h, &h->obj, clause, look_at_probe, &n);
	look_at_code(&n, &h->obj, &h->obj.clauses[clause]);
	if (n.samples && n.thread) {
		n.kernel = true;
		n.what = "profile-N, which asks about every thread of the machine,";
	}
	all->kernel |= n.kernel;
	if (n.what)
		all->what = n.what;
}

static bool
needs_kernel(struct et *h, const char **what)
{
	struct need n = {0};
	if (h->opts.num[OPT_ENGINE])
		return h->opts.num[OPT_ENGINE] == ET_ENGINE_KERNEL;
	for (struct et_prog *p = h->progs; p; p = p->next)
		for (unsigned i = 0; p->enabled && i < p->nclauses; i++)
			look_at_clause(h, p->clause + i, &n);
	*what = n.what;
	return n.kernel;
}

int
api_kernel_engine(struct et *h, const struct engine_ops **ops)
{
#ifdef ET_WITH_KERNEL
	*ops = &engine_kernel;
	return h->confined ? api_fail(h, ET_EENGINE, "%s", h->confined) : 0;
#else
	(void)ops;
	return api_fail(
	    h, ET_EENGINE, "this erltrace was built without the kernel engine: build it where clang is installed");
#endif
}

int
api_local_engine(struct et *h, const struct engine_ops **ops)
{
	const char *what = NULL;
	*ops = &engine_user;
	if (!needs_kernel(h, &what))
		return 0;
#ifdef ET_WITH_KERNEL
	struct why why;
	*ops = &engine_kernel;
	if (h->confined)
		return api_fail(h, ET_EENGINE, "%s", h->confined);
	if (what && !kern_is_permitted(&why))
		return api_fail(h, ET_EENGINE,
		    "%s needs the kernel engine: %s. With -x engine=user the script runs in erltrace and sees only "
		    "erltrace's own threads",
		    what, why.text);
	return 0;
#else
	return api_fail(h, ET_EENGINE,
	    "%s%sthis erltrace was built without the kernel engine: build it where clang is installed",
	    what ? what : "", what ? " needs the kernel engine, and " : "");
#endif
}

/* -- by the descriptions alone -------------------------------------------------------------------------------------
 */

/* Providers that have a process id behind their names: erlang, pid. */
static bool
is_of_provider(const char *name, const char *provider)
{
	size_t n = strlen(provider);
	return strncmp(name, provider, n) == 0 && strspn(name + n, "0123456789") == strlen(name + n);
}

struct scanned {
	enum et_where where;
	bool node; /* uses what only a node has, whatever probe fires */
};

static void
look_at_description(void *arg, const struct pdesc *d)
{
	enum et_where *where = &((struct scanned *)arg)->where;
	const char *name = d->names[0] ? d->names[0] : "";
	const char *erlang = provider_erlang.name;
	if (strncmp(name, erlang, strlen(erlang)) == 0)
		*where |= ET_WHERE_NODE;
	for (unsigned i = 0; provider_table[i]; i++)
		if (provider_table[i]->kernel && is_of_provider(name, provider_table[i]->name))
			*where |= ET_WHERE_KERNEL;
}

static void
look_at_name(void *arg, const char *name)
{
	struct scanned *s = arg;
	for (unsigned i = 0; i < DIF_NBUILTINS; i++)
		s->node |= builtin_flags[i] & BIF_NODE && strcmp(builtin_names[i], name) == 0;
}

enum et_where
et_program_where(struct et *h, const char *text, const char *name, enum et_probespec spec, unsigned cflags, int argc,
    const char *const *argv)
{
	struct scanned s = {0};
	const struct scan_fns fns = {look_at_description, look_at_name, &s};
	h->opts.num[OPT_CPP] = (cflags & ET_C_CPP) != 0;
	h->opts.num[OPT_DEFAULTARGS] = 1;
	const struct job job = {
	    .lang = h->lang,
	    .unit = h->unit,
	    .probes = h->probes,
	    .opts = &h->opts,
	    .file = name ? name : "<command line>",
	    .text = text,
	    .len = strlen(text),
	    .argc = argc,
	    .argv = argv,
	    .target = getpid(), /* any process: it is not looked at */
	    .pspec = api_pspec(spec),
	    .is_file = name != NULL,
	};
	bool whole = et_scan(&job, &fns);
	if (s.node && s.where == ET_WHERE_ANY)
		s.where = ET_WHERE_NODE;
	return whole || s.where != ET_WHERE_ANY ? s.where : ET_WHERE_BOTH;
}
