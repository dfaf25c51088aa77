/*
 * Starting and stopping.
 *
 * et_go() links what was compiled into one object, gives it to the engine, binds clauses to probes, fires BEGIN from
 * this thread and then lets the providers fire. So nothing runs before BEGIN. If BEGIN called exit(), only END still
 * runs.
 */
#include "api/mixed.h"

#include "base/clock.h"
#ifdef ET_WITH_KERNEL
#include "engine/kernel/kernel.h"
#include "sym/syms.h"
#endif

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned
opt_u32(const struct et *h, enum opt_id id)
{
	int64_t v = h->opts.num[id];
	return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (unsigned)v;
}

static uint64_t
opt_u64(const struct et *h, enum opt_id id)
{
	return h->opts.num[id] < 0 ? 0 : (uint64_t)h->opts.num[id];
}

/* The option counts characters; the NUL adds one byte. */
static uint32_t
bytes_of_string(uint32_t characters)
{
	return characters < UINT32_MAX ? characters + 1 : characters;
}

static void
wake(void *arg)
{
	et_wake(arg);
}

static void
on_cut(void *arg)
{
	struct et *h = arg;
	atomic_store(&h->cut, true);
	et_wake(h);
}

static struct eng_conf
configure(struct et *h)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned maxframes = opt_u32(h, OPT_MAXFRAMES);
	struct eng_conf c = {
	    .nshards = cpus > 0 ? (unsigned)cpus : 1,
	    .bufsize = opt_u64(h, OPT_BUFSIZE),
	    .aggsize = opt_u64(h, OPT_AGGSIZE),
	    .dynvarsize = opt_u64(h, OPT_DYNVARSIZE),
	    .specsize = opt_u64(h, OPT_SPECSIZE),
	    .scratchsize = opt_u64(h, OPT_SCRATCHSIZE),
	    .nspec = opt_u32(h, OPT_NSPEC),
	    .sizes =
		{
		    .strsize = bytes_of_string(opt_u32(h, OPT_STRSIZE)),
		    .stackframes = opt_u32(h, OPT_STACKFRAMES),
		    .ustackframes = opt_u32(h, OPT_USTACKFRAMES),
		    .jstackframes = opt_u32(h, OPT_JSTACKFRAMES),
		    .jstackstrsize = opt_u32(h, OPT_JSTACKSTRSIZE),
		},
	    .bufpolicy = (enum eng_bufpolicy)h->opts.num[OPT_BUFPOLICY],
	    .destructive = h->opts.num[OPT_DESTRUCTIVE] != 0,
	    .confined = h->confined != NULL,
	    .bpflogsize = opt_u64(h, OPT_BPFLOGSIZE),
	    .maxoverhead = opt_u32(h, OPT_MAXOVERHEAD),
	    .maxfire = opt_u64(h, OPT_MAXFIRE),
	    .termbytes = opt_u64(h, OPT_TERMBYTES),
	    .termparts = opt_u64(h, OPT_TERMPARTS),
	    .verbose = h->opts.num[OPT_VERBOSE] != 0,
	    .mergeabove = opt_u32(h, OPT_MERGEABOVE),
	    .aggrate = opt_u64(h, OPT_AGGRATE),
	    .counters = h->opts.num[OPT_COUNTERS] != 0,
	    .countpart = opt_u64(h, OPT_COUNTPART),
	    .sample = opt_u64(h, OPT_SAMPLE),
	    .link = h->cluster ? (void *)h->cluster : h->node,
	    .over = wake,
	    .cut = on_cut,
	    .overarg = h,
	};
	uint32_t *frames[] = {&c.sizes.stackframes, &c.sizes.ustackframes, &c.sizes.jstackframes};
	for (unsigned i = 0; i < 3; i++)
		if (maxframes && *frames[i] > maxframes)
			*frames[i] = maxframes;
	return c;
}

/* Returns the bytes of the biggest record in a buffer, or 0 if nothing is recorded. */
static uint64_t
biggest_record(const struct dobj *o)
{
	uint64_t most = 0;
	for (uint32_t i = 0; i < o->ngroups; i++)
		if (o->groups[i].records && ENG_RECORD_HEADER + (uint64_t)o->groups[i].recsize > most)
			most = ENG_RECORD_HEADER + (uint64_t)o->groups[i].recsize;
	return most;
}

/* Halves the largest of the sizes. Returns false if all are as small as possible. A buffer must hold each record. */
static bool
shrink(struct eng_conf *c, uint64_t record)
{
	struct {
		uint64_t *size, least;
	} sizes[] = {{&c->bufsize, record}, {&c->aggsize, 0}, {&c->dynvarsize, 0}, {&c->specsize, 0}};
	uint64_t *largest = NULL;
	for (unsigned i = 0; i < 4; i++)
		if (*sizes[i].size / 2 >= sizes[i].least && *sizes[i].size > 4096 &&
		    (!largest || *sizes[i].size > *largest))
			largest = sizes[i].size;
	if (largest)
		*largest /= 2;
	return largest;
}

/* Makes the engine. With bufresize=auto it tries again with less memory if there is not enough, as DTrace does. */
static int
make_engine(struct et *h)
{
	struct eng_conf c = configure(h);
	struct why first = {""}, why = {""};
	if (!dobj_layout(&h->obj, &c.sizes, &why))
		return api_fail(h, ET_EENGINE, "%s", why.text);
	uint64_t record = biggest_record(&h->obj);
	if (record > c.bufsize)
		return api_fail(h, ET_EENGINE,
		    "Enabling exceeds size of buffer: a record has %llu bytes, bufsize is %llu; use a larger bufsize, or "
		    "fewer values in one clause",
		    (unsigned long long)record, (unsigned long long)c.bufsize);
	if (h->cluster && h->opts.num[OPT_ENGINE] == ET_ENGINE_KERNEL)
		return api_fail(h, ET_EENGINE,
		    "a script on several nodes runs inside them, not on the kernel engine: run it with one node on each "
		    "machine");
	if (api_engine(h, &h->ops) != 0)
		return -1;
	h->engine = h->ops->create(&h->obj, &c, &first);
	bool may_shrink = h->opts.num[OPT_BUFRESIZE] == 0;
	while (!h->engine && may_shrink && shrink(&c, record))
		h->engine = h->ops->create(&h->obj, &c, &why);
	if (!h->engine)
		return api_fail(h, ET_EENGINE, "%s", first.text[0] ? first.text : "out of memory");
	if (h->ops->kernel && api_is_attached(h) && mixed_open(h, &c) != 0)
		return -1;
	h->nshards = c.nshards;
	h->opts.num[OPT_BUFSIZE] = (int64_t)c.bufsize;
	h->opts.num[OPT_AGGSIZE] = (int64_t)c.aggsize;
	h->opts.num[OPT_DYNVARSIZE] = (int64_t)c.dynvarsize;
	h->opts.num[OPT_SPECSIZE] = (int64_t)c.specsize;
	return 0;
}

struct clause_binding {
	struct et *h;
	unsigned clause;
	bool failed;
	const struct probe *kernel; /* one of the kernel, in a script that runs in a node */
};

static bool
remember(struct et *h, unsigned index, const struct probe *p)
{
	if (index < h->nbound)
		return true;
	if (index >= h->capbound) {
		unsigned cap = h->capbound ? h->capbound : 8;
		while (cap <= index)
			cap *= 2;
		struct et_probe *bound = realloc(h->bound, cap * sizeof *bound);
		if (bound)
			h->bound = bound;
		struct pv_bound *pbound = realloc(h->pbound, cap * sizeof *pbound);
		if (pbound)
			h->pbound = pbound;
		if (!bound || !pbound)
			return false;
		h->capbound = cap;
	}
	while (h->nbound <= index) {
		h->bound[h->nbound] = api_probe(p);
		h->pbound[h->nbound++] = (struct pv_bound){p, index};
	}
	return true;
}

/* A glob means all existing probes; a plain name means exactly that probe. */
static bool
is_named(const struct et *h, unsigned clause, const struct probe *p)
{
	const struct dobj_clause *c = &h->obj.clauses[clause];
	for (uint32_t i = 0; i < c->npdescs; i++)
		if (strcmp(dobj_str(&h->obj, h->obj.pdescs[c->pdesc + i].name), p->names[3]) == 0)
			return true;
	return false;
}

/* Notes a probe that cannot fire here, once. */
static bool
remember_unable(struct et *h, const struct probe *p)
{
	for (unsigned i = 0; i < h->nunable; i++)
		if (h->unable[i] == p)
			return true;
	const struct probe **grown = realloc(h->unable, (h->nunable + 1) * sizeof *grown);
	if (!grown)
		return false;
	h->unable = grown;
	h->unable[h->nunable++] = p;
	return true;
}

static void
bind_one(void *arg, const struct probe *p)
{
	struct clause_binding *b = arg;
	struct et *h = b->h;
	if (b->failed)
		return;
	if (erlang_refusal(p)) {
		b->failed = is_named(h, b->clause, p) && !remember_unable(h, p);
		return;
	}
	if (api_is_attached(h) && p->pv->kernel && !h->mixed) {
		b->kernel = b->kernel ? b->kernel : p;
		return;
	}
	enum eng_role role = eng_role_of(p->names[0], p->names[3]);
	/* The others fire whatever happens: a script that has only these left shows nothing. */
	h->able |= role == ROLE_EVENT || role == ROLE_SAMPLE;
	int index = h->ops->bind(h->engine, p->id, p->names, b->clause);
	if (index < 0 || !remember(h, (unsigned)index, p) || !api_matched(h, (unsigned)index) ||
	    !mixed_bind(h, p, (unsigned)index, b->clause)) {
		b->failed = true;
		return;
	}
	if (role == ROLE_BEGIN)
		h->begin = index;
	else if (role == ROLE_END)
		h->end = index;
}

/* What the clauses of a script with two halves cannot do. */
static int
check_clause(struct et *h, unsigned clause)
{
	const struct dobj_clause *c = &h->obj.clauses[clause];
	if (!h->mixed || !(c->flags & DC_TERM))
		return 0;
	return api_fail(h, ET_EPROVIDER,
	    "line %u: args[] has Erlang terms there, and a script with probes of the kernel runs in the kernel, where terms "
	    "cannot be looked into. Of a function arg0 is the process, arg1 the function and arg2 the depth, as for "
	    "function-entry; to look at terms, run these clauses as a script of their own",
	    c->line);
}

static int
bind_all(struct et *h)
{
	for (struct et_prog *p = h->progs; p; p = p->next) {
		for (unsigned i = 0; p->enabled && i < p->nclauses; i++) {
			struct clause_binding b = {.h = h, .clause = p->clause + i};
			if (check_clause(h, b.clause) != 0)
				return -1;
			if (api_clause_probes(h, &h->obj, b.clause, bind_one, &b) < 0)
				return -1;
			if (b.failed)
				return api_fail(h, ET_ENOMEM, "out of memory for enabling probes");
			if (b.kernel)
				return api_fail(h, ET_EPROVIDER,
				    "%s:%s:%s:%s is a probe of the kernel, and a script on several nodes, or with -x engine=user, "
				    "runs inside them: name one node of this machine",
				    b.kernel->names[0], b.kernel->names[1], b.kernel->names[2], b.kernel->names[3]);
			h->speculates |= (h->obj.clauses[b.clause].flags & (DC_SPECULATES | DC_COMMITS)) != 0;
		}
	}
	if (h->nunable && !h->able)
		return api_fail(h, ET_EPROVIDER, "%s:::%s %s", h->unable[0]->names[0], h->unable[0]->names[3],
		    erlang_refusal(h->unable[0]));
	return 0;
}

/* One message for each probe that the script names and that cannot fire here. */
static int
tell_unable(struct et *h)
{
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < h->nunable; i++)
		rc = cs_unable(&h->cs, h->unable[i]->names[0], h->unable[i]->names[3], erlang_refusal(h->unable[i]));
	return rc;
}

/* With -xbpflog the verifier's log is part of the message. */
static int
fail_starting(struct et *h, enum et_error err, const char *what, const char *name, const char *why)
{
	const char *log = h->opts.num[OPT_BPFLOG] && h->ops->log ? h->ops->log(h->engine) : NULL;
	return api_fail(h, err, "%s%s%s%s%s%s", name ? what : "", name ? name : "",
	    name ? " provider could not be started: " : "", why[0] ? why : "out of memory", log ? "\n" : "",
	    log ? log : "");
}

static void
fire(struct et *h, int probe)
{
	struct firing f = {.probe = (unsigned)probe, .thread = (uint64_t)gettid()};
	h->ops->fire(h->engine, &f);
}

static bool
start_provider(struct et *h, const struct provider *pv, const struct pv_bound *bound, unsigned n, struct why *why)
{
	struct pv_start s = {pv, h->engine, h->ops, h->nshards, bound, n, NULL};
	if (pv->kernel && !h->ops->kernel) {
		why_set(why, "its probes are seen by the kernel engine only (-x engine=kernel)");
		return false;
	}
	if (!pv->start(&s, why))
		return false;
	if (s.run)
		h->running[h->nrunning++] = (struct running){pv, s.run};
	return true;
}

/* Starts the providers of the bound probes, or lets an engine elsewhere do it. */
static int
start_providers(struct et *h)
{
	struct why refused = {""};
	if (h->ops->go)
		return h->ops->go(h->engine, &refused) ? 0 : api_fail(h, ET_EPROVIDER, "%s", refused.text);
	unsigned nproviders = 0;
	while (provider_table[nproviders])
		nproviders++;
	h->running = calloc(nproviders + 1, sizeof *h->running);
	struct pv_bound *mine = malloc((h->nbound + 1) * sizeof *mine);
	int rc = 0;
	if (!h->running || !mine) {
		free(mine);
		return api_fail(h, ET_ENOMEM, "out of memory");
	}
	for (unsigned i = 0; rc == 0 && i < nproviders; i++) {
		const struct provider *pv = provider_table[i];
		struct why why = {""};
		unsigned n = 0;
		for (unsigned k = 0; k < h->nbound; k++)
			if (h->pbound[k].probe->pv == pv)
				mine[n++] = h->pbound[k];
		if (n && pv->start && !start_provider(h, pv, mine, n, &why))
			rc = fail_starting(h, ET_EPROVIDER, "the ", pv->name, why.text);
	}
	free(mine);
	return rc == 0 ? mixed_go(h) : rc;
}

static void
stop_providers(struct et *h)
{
	mixed_stop(h);
	while (h->nrunning) {
		struct running *r = &h->running[--h->nrunning];
		r->pv->stop(r->run);
	}
}

static int
check_programs(struct et *h)
{
	bool any = false;
	for (struct et_prog *p = h->progs; p; p = p->next) {
		any |= p->enabled;
		for (unsigned i = 0; p->enabled && i < p->nclauses; i++)
			if (h->obj.clauses[p->clause + i].flags & DC_DESTRUCTIVE && !h->opts.num[OPT_DESTRUCTIVE])
				return api_fail(
				    h, ET_EDESTRUCTIVE, "destructive actions not allowed: use -w or -xdestructive");
	}
	return any ? 0 : api_fail(h, ET_ENOPROG, "no program is enabled");
}

static int
link_programs(struct et *h)
{
	struct why why = {""};
	if (h->has_object)
		return 0;
	if (api_object(h, &h->obj) != 0)
		return -1;
	if (!dobj_verify(&h->obj, &why))
		return api_fail(h, ET_EOBJECT, "the compiler made an invalid object: %s", why.text);
	return 0;
}

static int
make(struct et *h)
{
	struct why why = {""};
	if (link_programs(h) != 0 || check_programs(h) != 0 || make_engine(h) != 0 || bind_all(h) != 0)
		return -1;
	if (!api_is_attached(h) || h->mixed)
		api_use_symbols(h);
	h->has_cs = true;
	if (!cs_init(&h->cs, h, &h->obj, &h->opts, &h->on))
		return api_fail(h, ET_ENOMEM, "out of memory");
	if (!cs_use_engine(&h->cs, h->engine, h->ops))
		return api_fail(h, ET_ENOMEM, "out of memory");
	h->cs.probes = h->bound;
	h->cs.nprobes = h->nbound;
	h->cs.nshards = h->nshards;
	h->cs.interrupted = &h->interrupted;
	/* In the kernel processes are known only to a script that has them traced. */
	h->cs.tells_process =
	    api_is_attached(h) && dobj_has_flow(&h->obj) && (!h->ops->kernel || dobj_has_erlang(&h->obj));
	if (!h->ops->start(h->engine, &why))
		return fail_starting(h, ET_EENGINE, NULL, NULL, why.text);
	return 0;
}

#ifdef ET_WITH_KERNEL
static bool
is_user_address(unsigned kind)
{
	return kind == DK_USTACK || kind == DK_USYM || kind == DK_UMOD || kind == DK_UADDR;
}

static void
know_vm(void *arg, int64_t pid, const struct sym_vm *vm, const struct sym_code *files, unsigned nfiles)
{
	struct et *h = arg;
	kern_know_vm(h->engine, pid, vm, files, nfiles);
}

/* Code of Erlang VMs comes and goes too. */
static void
follow(struct et *h)
{
	if (h->watch)
		syms_follow(h->syms, know_vm, h);
}

/* Addresses in processes are shown when the processes may have ended, so their mappings are recorded from now on. */
static void
watch_processes(struct et *h)
{
	bool places = false;
	if (!h->ops->kernel || h->opts.num[OPT_NORESOLVE])
		return;
	for (uint32_t i = 0; i < h->obj.nkeys; i++)
		places |= is_user_address(h->obj.keys[i].kind);
	for (uint32_t i = 0; i < h->obj.nfields; i++)
		places |= is_user_address(h->obj.fields[i].kind);
	struct syms *s = places ? api_syms(h) : NULL;
	if (!s)
		return;
	h->watch = kern_watch_start(s, NULL, NULL);
	if (h->target > 0)
		syms_catch(s, h->target);
	else
		syms_catch_vms(s);
	follow(h);
}
#endif

int
et_go(struct et *h)
{
	if (h->state != HS_OPEN)
		return api_fail(h, ET_EORDER, "tracing can be started once only");
	if (make(h) != 0) {
		api_unmake(h);
		return -1;
	}
	struct eng_status st;
	h->opts.going = true;
	h->state = HS_GOING;
	h->last_switch = h->last_agg = h->last_status = h->last_clean = mono_ns();
#ifdef ET_WITH_KERNEL
	watch_processes(h);
#endif
	if (h->begin >= 0)
		fire(h, h->begin);
	h->ops->status(h->engine, &st);
	if (tell_unable(h) != 0 || (!st.exiting && start_providers(h) != 0)) {
		stop_providers(h);
		h->ops->stop(h->engine);
		api_unmake(h);
		h->opts.going = false;
		h->state = HS_OPEN;
		return -1;
	}
	return 0;
}

static void
stop_watching(struct et *h)
{
#ifdef ET_WITH_KERNEL
	kern_watch_stop(h->watch);
#endif
	h->watch = NULL;
}

void
api_watch(struct et *h)
{
#ifdef ET_WITH_KERNEL
	kern_watch_flush(h->watch);
	follow(h);
#else
	(void)h;
#endif
}

void
api_status(struct et *h, struct eng_status *st)
{
	h->ops->status(h->engine, st);
	mixed_status(h, st);
}

void
api_halt(struct et *h)
{
	struct eng_status st;
	stop_providers(h);
	h->ops->stop(h->engine);
	h->ops->status(h->engine, &st);
	h->exited = st.exiting;
	h->filled = st.filled;
	if (h->end >= 0)
		fire(h, h->end);
	stop_watching(h);
	h->state = HS_STOPPED;
}

int
et_stop(struct et *h)
{
	if (h->state == HS_OPEN)
		return api_fail(h, ET_EORDER, "tracing was not started");
	if (h->state == HS_GOING)
		api_halt(h);
	return 0;
}

void
api_unmake(struct et *h)
{
	stop_watching(h);
	if (h->has_cs)
		cs_free(&h->cs);
	h->has_cs = false;
	mixed_close(h);
	if (h->engine)
		h->ops->destroy(h->engine);
	h->engine = NULL;
	free(h->bound);
	free(h->pbound);
	free(h->running);
	free(h->unable);
	h->unable = NULL;
	h->nunable = 0;
	h->able = false;
	h->bound = NULL;
	h->pbound = NULL;
	h->running = NULL;
	free(h->matched);
	h->matched = NULL;
	h->nmatched = h->capmatched = 0;
	h->nbound = h->capbound = h->nrunning = 0;
	h->begin = h->end = -1;
	if (!h->has_object) {
		dobj_free(&h->obj);
		h->obj = (struct dobj){0};
	}
}
