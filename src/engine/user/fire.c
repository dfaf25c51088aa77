/*
 * One event: its clauses in order, what happens when one faults, and what
 * exit() keeps from running.
 */
#include "engine/user/user.h"

#include <signal.h>
#include <time.h>

ET_HOT uint64_t
eng_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

ET_HOT uint64_t
run_time(struct run *r)
{
	if (!r->ts)
		r->ts = eng_now();
	return r->ts;
}

/* exit() ends everything but END and the errors of END; a clause that called it runs to its end. */
static inline bool
may_run(const struct engine *e, const struct probe_ent *p)
{
	int state = atomic_load_explicit(&e->state, memory_order_acquire);
	if (state == ENG_RUNNING)
		return true;
	return state != ENG_SETUP && (p->kind == PROBE_END || p->kind == PROBE_ERROR);
}

static inline void run_clauses(struct run *r);

/* The ERROR probe fires inside the firing that faulted, with clause-locals of its own. */
static ET_COLD void
fire_error(struct run *r, uint32_t epid, const struct rec_fault *rf)
{
	struct engine *e = r->e;
	if (e->error_probe < 0)
		return;
	struct firing f = {.probe = (unsigned)e->error_probe,
	    .shard = r->f->shard,
	    .thread = r->f->thread,
	    .nargs = 6,
	    .args = {0, epid, rf->action, rf->pc, (uint64_t)r->fault, rf->value},
	    .ops = r->f->ops,
	    .ctx = r->f->ctx};
	struct run inner = {.e = e,
	    .sh = r->sh,
	    .f = &f,
	    .p = &e->probes[e->error_probe],
	    .depth = 1,
	    .fault = -1,
	    .scratch = r->scratch,
	    .ts = r->ts};
	run_clauses(&inner);
	r->raise |= inner.raise;
}

static ET_COLD void
handle_fault(struct run *r, uint32_t pc)
{
	const struct dobj_clause *c = r->c->d;
	struct dobj_line l = dobj_line_of(r->e->o, c, c->code + pc);
	uint32_t epid = r->epid + (l.group - c->group);
	struct rec_fault rf = {.action = l.action, .pc = pc * (uint32_t)sizeof(struct dif_insn), .value = r->illval};

	r->rec = NULL;
	atomic_fetch_add_explicit(&r->sh->errors, 1, memory_order_relaxed);
	if (r->p->kind == PROBE_ERROR) {
		count_drop(r->sh, ENG_DROP_DBLERROR);
		return;
	}
	run_time(r);
	fire_error(r, epid, &rf);
	rec_error(r, epid, r->fault, &rf);
}

static ET_COLD void
clear_locals(struct run *r)
{
	memset(r->lscalars, 0, r->e->nlscalars * sizeof r->lscalars[0]);
	memset(r->lmem, 0, r->e->lsize);
}

static inline __attribute__((always_inline)) void
run_clauses(struct run *r)
{
	const struct probe_ent *p = r->p;
	struct engine *e = r->e;

	r->lscalars = r->sh->lscalars[r->depth];
	r->lmem = r->sh->lmem[r->depth];
	if (p->locals)
		clear_locals(r);
	for (uint32_t i = 0; i < p->nbound; i++) {
		if (i && !r->depth && !may_run(e, p))
			break;
		const struct bound *b = &p->bound[i];
		r->c = &e->clauses[b->clause];
		r->epid = b->epid;
		r->scratch_used = 0;
		r->norec = false;
		r->spec = 0;
		r->rec = NULL;
		r->fault = -1;
		int pc = interp(r, r->c);
		if (ET_UNLIKELY(pc >= 0))
			handle_fault(r, (uint32_t)pc);
	}
}

static ET_COLD void
raise_signals(const struct engine *e, uint64_t signals)
{
	for (int s = 1; s <= 64; s++)
		if (signals >> (s - 1) & 1)
			kill(e->pid, s);
}

ET_HOT void
eng_fire(struct engine *e, struct firing *f)
{
	if (ET_UNLIKELY(f->probe >= e->nprobes || f->shard >= e->conf.nshards))
		return;
	const struct probe_ent *p = &e->probes[f->probe];
	struct shard *sh = &e->shards[f->shard];
	struct run r;
	r.e = e;
	r.sh = sh;
	r.f = f;
	r.p = p;
	r.depth = 0;
	r.ts = 0;
	r.vts = 0;
	r.wall = 0;
	r.args_known = 0;
	r.raise = 0;
	r.work = 0;
	r.scratch = sh->scratch;

	spin_lock(&sh->lock);
	if (ET_LIKELY(may_run(e, p))) {
		sh->bi->have = 0;
		run_clauses(&r);
	}
	spin_unlock(&sh->lock);
	if (ET_UNLIKELY(r.raise))
		raise_signals(e, r.raise);
}
