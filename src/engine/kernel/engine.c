/* The kernel engine's life: create, bind, start, fire from this process, stop, destroy. */
#include "engine/kernel/kern.h"
#include "engine/kernel/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- create ---- */

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
destroy(struct engine *engine)
{
	struct kernel_engine *e = kernel_of(engine);
	if (!e)
		return;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	kern_progs_close(e);
	free(e->progs);
	while (e->nfds)
		close_fd(&e->fds[--e->nfds]);
	for (uint32_t i = 0; i < e->nprobes; i++) {
		close_fd(&e->probes[i].prog);
		free(e->probes[i].bound);
	}
	for (uint32_t i = 0; e->vars && i < e->o->nvars; i++)
		close_fd(&e->vars[i].map);
	kern_aggs_free(e);
	if (e->ctl)
		munmap(e->ctl, e->ctl_len);
	if (e->states)
		munmap(e->states, e->states_len);
	if (e->fired)
		munmap((void *)(uintptr_t)e->fired, e->fired_len);
	if (e->ring_ctl)
		munmap(e->ring_ctl, page);
	if (e->ring_data)
		munmap(e->ring_data, page + 2 * e->ring_size);
	for (unsigned i = 0; i < RT_NMAPS; i++)
		close_fd(&e->maps[i]);
	close_fd(&e->btf);
	close_fd(&e->stats);
	kern_held_free(e);
	image_close(&e->im);
	kbtf_close(e->kernel_types);
	free(e->keys);
	free(e->vars);
	free(e->probes);
	free(e->epids);
	free(e->cdata);
	free(e->fds);
	free(e->log);
	free(e->notes);
	free(e);
}

/* Returns the highest possible CPU number plus one, because states are indexed by that number. "0-3,8" gives 9. */
static uint32_t
possible_cpus(void)
{
	char text[256] = "";
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	if (f) {
		if (!fgets(text, sizeof text, f))
			text[0] = '\0';
		fclose(f);
	}
	size_t at = strlen(text);
	while (at && (text[at - 1] < '0' || text[at - 1] > '9'))
		text[--at] = '\0';
	while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	unsigned long last = strtoul(text + at, NULL, 10);
	if (text[at])
		return (uint32_t)last + 1;
	long n = sysconf(_SC_NPROCESSORS_CONF);
	return n > 0 ? (uint32_t)n : 1;
}

static uint32_t
largest_record(const struct dobj *o)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < o->ngroups; i++)
		if (o->groups[i].recsize > most)
			most = o->groups[i].recsize;
	return most;
}

static bool
check_conf(const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	uint32_t record = largest_record(o);
	if (record > RT_MAXREC * RT_BIG)
		why_set(why,
		    "a record of %u bytes is over the limit of %d: use a smaller strsize, fewer stack frames or fewer values in "
		    "one clause",
		    record, RT_MAXREC * RT_BIG);
	else if (c->nshards == 0)
		why_set(why, "an engine needs at least one shard");
	else if (c->sizes.strsize < 1 || c->sizes.strsize > RT_MAXSTR * RT_BIG + 1)
		why_set(why,
		    "strsize is %u: in the kernel it can be 1 to %d, as every CPU has memory for many strings of that size",
		    c->sizes.strsize - 1, RT_MAXSTR * RT_BIG);
	else if (c->nspec > RT_MAXSPEC)
		why_set(why, "nspec is %u: in the kernel it can be at most %d", c->nspec, RT_MAXSPEC);
	else
		return true;
	return false;
}

static struct engine *
create(const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	if (!check_conf(o, c, why))
		return NULL;
	struct kernel_engine *e = calloc(1, sizeof *e);
	if (!e) {
		why_set(why, "out of memory");
		return NULL;
	}
	e->o = o;
	e->conf = *c;
	e->scale = c->sizes.strsize > RT_MAXSTR + 1 || largest_record(o) > RT_MAXREC ? RT_BIG : 1;
	/* 4k is what people write, and one character less than they asked for is better than a refusal. */
	uint32_t most = RT_IN(e, RT_MAXSTR);
	e->strsize = c->sizes.strsize < most ? c->sizes.strsize : most;
	e->ncpus = possible_cpus();
	e->error_probe = -1;
	e->nepids = 1;
	e->btf = e->stats = -1;
	for (unsigned i = 0; i < RT_NMAPS; i++)
		e->maps[i] = -1;
	if (!image_open(&e->im, e->scale > 1, why) || !kern_layout(e, why) || !kern_maps(e, why)) {
		destroy((struct engine *)e);
		return NULL;
	}
	e->ctl->nspec = c->nspec;
	return (struct engine *)e;
}

/* ---- bind ---- */

static bool
make_room(void **array, uint32_t n, uint32_t *cap, size_t row)
{
	if (n < *cap)
		return true;
	uint32_t bigger = *cap ? *cap * 2 : 8;
	void *p = realloc(*array, bigger * row);
	if (!p)
		return false;
	*array = p;
	*cap = bigger;
	return true;
}

static int
find_probe(struct kernel_engine *e, uint32_t id, const char *const names[4])
{
	/* Clauses come one after the other with their probes in order of id, so mostly it is the last one. */
	for (uint32_t i = e->nprobes; i-- > 0;)
		if (e->probes[i].id == id)
			return (int)i;
	if (!make_room((void **)&e->probes, e->nprobes, &e->capprobes, sizeof *e->probes))
		return -1;
	struct kprobe *p = &e->probes[e->nprobes];
	*p = (struct kprobe){.id = id,
	    .role = eng_role_of(names[0], names[3]),
	    .names = {names[0], names[1], names[2], names[3]},
	    .prog = -1};
	if (p->role == ROLE_ERROR)
		e->error_probe = (int)e->nprobes;
	return (int)e->nprobes++;
}

static int
bind(struct engine *engine, uint32_t probe_id, const char *const names[4], unsigned clause)
{
	struct kernel_engine *e = kernel_of(engine);
	if (clause >= e->o->nclauses || e->ctl->state != RT_SETUP)
		return -1;
	int index = find_probe(e, probe_id, names);
	if (index < 0)
		return -1;
	struct kprobe *p = &e->probes[index];
	const struct dobj_clause *c = &e->o->clauses[clause];
	if (!make_room((void **)&p->bound, p->nbound, &p->cap, sizeof *p->bound))
		return -1;
	uint32_t first = e->nepids;
	for (uint32_t i = 0; i < c->ngroups; i++) {
		if (!make_room((void **)&e->epids, e->nepids, &e->capepids, sizeof *e->epids)) {
			e->nepids = first;
			return -1;
		}
		const struct dobj_group *g = &e->o->groups[c->group + i];
		if (p->role == ROLE_END && g->records)
			e->end_reserve += RT_REC_COST + kern_up8(g->recsize);
		e->epids[e->nepids++] =
		    (struct eng_epid){.probe = (unsigned)index, .clause = clause, .group = c->group + i};
	}
	p->bound[p->nbound++] = (struct kbound){.clause = clause, .epid = first};
	return index;
}

/* ---- run ---- */

/* Whether this process fires the probe. */
static bool
is_fired_here(const struct kprobe *p)
{
	return p->role == ROLE_BEGIN || p->role == ROLE_END || p->role == ROLE_TICK;
}

static bool
start(struct engine *engine, struct why *why)
{
	struct kernel_engine *e = kernel_of(engine);
	if (e->ctl->state != RT_SETUP) {
		why_set(why, "the engine has been started before");
		return false;
	}
	e->btf = sys_btf_load(e->im.btf, e->im.btflen);
	if (e->btf < 0) {
		if (errno == EPERM)
			sys_not_permitted(why);
		else
			why_set(why, "the kernel does not take the runtime's types: %s", strerror(errno));
		return false;
	}
	if (!kern_maps_start(e, why))
		return false;
	for (unsigned i = 0; i < e->nprobes; i++) {
		struct kern_use use = {
		    .place = KP_FIRE, .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .probes = &i, .nprobes = 1};
		if (is_fired_here(&e->probes[i]) && (e->probes[i].prog = kern_load(e, &use, why)) < 0)
			return false;
	}
	e->ctl->state = RT_RUNNING;
	return true;
}

static uint64_t
load_word(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void
fire(struct engine *engine, struct firing *f)
{
	struct kernel_engine *e = kernel_of(engine);
	if (f->probe >= e->nprobes || e->probes[f->probe].prog < 0)
		return;
	uint64_t ctx[RT_NARGS + 1] = {0};
	for (int i = 0; i < f->nargs && i < RT_NARGS; i++)
		ctx[i] = f->args[i];
	ctx[RT_NARGS] = (uint64_t)f->nargs;
	bool was = load_word(&e->ctl->exited) || load_word(&e->ctl->filled);
	uint64_t cuts = load_word(&e->ctl->active) >> RT_CUT_SHIFT;
	if (sys_test_run(e->probes[f->probe].prog, ctx, sizeof ctx) < 0)
		__atomic_fetch_add(&e->ctl->drops[ENG_DROP_PRINCIPAL], 1, __ATOMIC_RELAXED);
	if (!was && e->conf.over && (load_word(&e->ctl->exited) || load_word(&e->ctl->filled)))
		e->conf.over(e->conf.overarg);
	if (e->conf.cut && load_word(&e->ctl->active) >> RT_CUT_SHIFT != cuts)
		e->conf.cut(e->conf.overarg);
}

/* No firing begins once the state says so; this waits for those that run. */
static void
stop(struct engine *engine)
{
	struct kernel_engine *e = kernel_of(engine);
	__atomic_store_n(&e->ctl->state, RT_STOPPED, __ATOMIC_SEQ_CST);
	kern_progs_close(e);
	while (e->nfds)
		close_fd(&e->fds[--e->nfds]);
	kern_wait(e);
}

static void
status(struct engine *engine, struct eng_status *s)
{
	struct kernel_engine *e = kernel_of(engine);
	*s = (struct eng_status){0};
	for (unsigned i = 0; i < ENG_NDROPS; i++)
		s->drops[i] = load_word(&e->ctl->drops[i]);
	s->drops[ENG_DROP_PRINCIPAL] += load_word(&e->ctl->lost_nested) + kern_missed(e);
	s->errors = load_word(&e->ctl->errors);
	s->exiting = load_word(&e->ctl->exited) != 0;
	s->exit_status = (int)load_word(&e->ctl->status);
	s->filled = load_word(&e->ctl->filled) != 0;
	s->metered = e->stats >= 0;
	s->spent = s->metered ? kern_spent(e) : 0;
	s->notes = e->notes;
}

/* It costs two looks at a clock for each run of a program, so it is only done on request. */
static void
meter(struct engine *engine)
{
	struct kernel_engine *e = kernel_of(engine);
	if (e->stats < 0)
		e->stats = sys_enable_stats();
}

/* Forgets self-> of a thread that ends, because its number may come again. */
static void
thread_exit(struct engine *engine, uint64_t thread)
{
	struct kernel_engine *e = kernel_of(engine);
	for (uint32_t i = 0; i < e->o->nvars; i++)
		if (e->vars[i].scope == DS_THREAD && !e->vars[i].assoc)
			sys_map_delete(e->vars[i].map, &thread);
}

static bool
fired(struct engine *engine, unsigned probe)
{
	struct kernel_engine *e = kernel_of(engine);
	return !e->fired || probe >= e->nprobes || __atomic_load_n(&e->fired[probe], __ATOMIC_RELAXED);
}

/* The consumer commits and discards as it drains. */
static void
clean(struct engine *engine)
{
	(void)engine;
}

static const struct eng_epid *
epid(struct engine *engine, uint32_t n)
{
	struct kernel_engine *e = kernel_of(engine);
	return n > 0 && n < e->nepids ? &e->epids[n] : NULL;
}

static const char *
last_log(struct engine *engine)
{
	struct kernel_engine *e = kernel_of(engine);
	return e->log;
}

/* Names of Erlang processes. */
static void
names(struct engine *engine, unsigned source, const char *const *pids, unsigned n,
    void (*fn)(void *arg, unsigned i, const char *name), void *arg)
{
	struct kernel_engine *e = kernel_of(engine);
	if (e->half)
		e->half_ops->names(e->half, source, pids, n, fn, arg);
}

#define KERNEL_OPS \
	.name = "kernel", .kernel = true, .create = create, .bind = bind, .start = start, .fire = fire, \
	.sample = kern_attach_profile, .stop = stop, .drain = kern_drain, .snap = kern_snap, .status = status, \
	.meter = meter, .thread_exit = thread_exit, .clean = clean, .epid = epid, .fired = fired, .log = last_log, \
	.destroy = destroy

const struct engine_ops engine_kernel = {KERNEL_OPS};
const struct engine_ops engine_kernel_node = {KERNEL_OPS, .names = names};
