/*
 * One event: runs its clauses in order, handles faults, and obeys exit().
 */
#include "base/clock.h"
#include "engine/user/image.h"
#include "engine/user/user.h"
#include "object/aggval.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

uint64_t
eng_cpu_now(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Counts a late firing. Rare ones do not matter: the count starts again each minute. */
static ET_COLD void
count_late(struct activation *r)
{
	struct user_engine *e = r->e;
	uint64_t now = mono_ns();
	if (now - atomic_load_explicit(&e->late_since, memory_order_relaxed) > 60000000000u) {
		atomic_store_explicit(&e->late_since, now, memory_order_relaxed);
		atomic_store_explicit(&e->late, 0, memory_order_relaxed);
	}
	int running = ENG_RUNNING;
	if (atomic_fetch_add_explicit(&e->late, 1, memory_order_relaxed) + 1 != LATE_MOST ||
	    !atomic_compare_exchange_strong(&e->state, &running, ENG_EXITING))
		return;
	why_set(&e->why,
	    "%d events took longer than maxfire allows (%g ms), the last at %.40s:%.40s:%.80s:%.40s, and tracing was ended; let "
	    "the clauses do less, or allow more with -x maxfire=TIME",
	    LATE_MOST, (double)e->conf.maxfire / 1e6, r->p->names[0], r->p->names[1], r->p->names[2], r->p->names[3]);
	atomic_store_explicit(&e->too_late, true, memory_order_release);
	if (e->conf.over)
		e->conf.over(e->conf.overarg);
}

/*
 * The clock is the thread's CPU time, so that a thread that lost its processor does not count as slow. An eighth of the
 * time is held back for what is done before the first look and between two looks.
 */
ET_COLD bool
fire_look(struct activation *r)
{
	struct eng_budget *b = r->budget;
	uint64_t now = eng_cpu_now(), most = r->e->conf.maxfire;
	b->left = ENG_LOOK;
	if (!b->began)
		b->began = now;
	if (!b->over && now - b->began <= most - most / 8)
		return true;
	/* it is the script's fault only if it took a good part of the time itself */
	if (!b->over && now - (r->began ? r->began : b->began) > most / 2)
		count_late(r);
	b->over = true;
	b->left = 0;
	return fail(r, DIF_FAULT_TIMEOUT, now - b->began);
}

static void run_clauses(struct activation *r);

/* The ERROR probe fires inside the firing that faulted, with its own clause-locals. */
static ET_COLD void
fire_error(struct activation *r, uint32_t epid, const struct rec_fault *rf)
{
	struct user_engine *e = r->e;
	if (e->error_probe < 0)
		return;
	struct firing f = {.probe = (unsigned)e->error_probe,
	    .shard = r->f->shard,
	    .thread = r->f->thread,
	    .nargs = 6,
	    .args = {0, epid, rf->action, rf->pc, (uint64_t)r->fault, rf->value},
	    .ops = r->f->ops,
	    .ctx = r->f->ctx};
	struct activation inner = {.e = e,
	    .sh = r->sh,
	    .f = &f,
	    .p = &e->probes[e->error_probe],
	    .depth = 1,
	    .fault = -1,
	    .scratch = r->scratch,
	    .budget = r->budget,
	    .began = r->began,
	    .ts = r->ts};
	run_clauses(&inner);
	r->raise |= inner.raise;
	r->cuts |= inner.cuts;
}

ET_COLD void
fire_fault(struct activation *r, uint32_t pc)
{
	const struct dobj_clause *c = r->c->d;
	struct dobj_line l = dobj_line_of(r->e->o, c, c->code + pc);
	uint32_t epid = r->epid + (l.group - c->group);
	struct rec_fault rf = {.action = l.action, .pc = pc * (uint32_t)sizeof(struct dif_insn), .value = r->illval};

	r->rec = NULL;
	atomic_fetch_add_explicit(&r->sh->errors, 1, memory_order_relaxed);
	run_time(r);
	if (r->p->role == ROLE_ERROR && r->fault != DIF_FAULT_TIMEOUT) {
		count_drop(r->sh, ENG_DROP_DBLERROR);
		return;
	}
	if (!r->budget->over)
		fire_error(r, epid, &rf);
	rec_error(r, epid, r->fault, &rf);
}

static ET_COLD bool
clear_locals(struct activation *r)
{
	return mem_zero(r, r->lscalars, r->e->nlscalars * sizeof r->lscalars[0]) && mem_zero(r, r->lmem, r->e->lsize);
}

ET_COLD void
fire_leave_out(struct activation *r, uint32_t n)
{
	atomic_fetch_add_explicit(&r->sh->drops[ENG_DROP_LATE], n, memory_order_relaxed);
}

static inline __attribute__((always_inline)) void
run_all(struct activation *r, struct user_engine *e, struct shard *sh, const struct probe_ent *p, unsigned depth)
{
	r->lscalars = sh->lscalars[depth];
	r->lmem = sh->lmem[depth];
	r->fault = -1;
	if (ET_UNLIKELY(p->locals) && !clear_locals(r)) {
		fire_leave_out(r, p->nbound);
		return;
	}
	interp(r, e, p->bound, p->bound + p->nbound);
}

static ET_COLD void
run_clauses(struct activation *r)
{
	run_all(r, r->e, r->sh, r->p, r->depth);
}

/* A process that reads this memory after our death must know whether END is still to run. */
static ET_COLD void
run_end(struct activation *r)
{
	atomic_store_explicit(&r->e->head->ending, IMAGE_END_BEGUN, memory_order_relaxed);
	store_order();
	run_clauses(r);
	store_order();
	atomic_store_explicit(&r->e->head->ending, IMAGE_END_DONE, memory_order_relaxed);
}

/* The lock of a shard: its own, or the caller's. */
static inline void
lock_shard(struct user_engine *e, struct shard *sh, unsigned i)
{
	const struct eng_locks *l = &e->conf.locks;
	if (ET_UNLIKELY(i < l->n))
		l->lock(l->arg, i);
	else
		spin_lock(&sh->lock);
}

static inline void
unlock_shard(struct user_engine *e, struct shard *sh, unsigned i)
{
	const struct eng_locks *l = &e->conf.locks;
	if (ET_UNLIKELY(i < l->n))
		l->unlock(l->arg, i);
	else
		spin_unlock(&sh->lock);
}

static bool
try_shard(struct user_engine *e, struct shard *sh)
{
	const struct eng_locks *l = &e->conf.locks;
	unsigned i = (unsigned)(sh - e->shards);
	return i < l->n ? l->trylock(l->arg, i) : spin_trylock(&sh->lock);
}

void
shard_leave(struct user_engine *e, struct shard *sh)
{
	if (!e->still)
		unlock_shard(e, sh, (unsigned)(sh - e->shards));
}

/* See turn.c. */
static inline void
begin_turn(struct shard *sh)
{
	uint32_t turn = atomic_load_explicit(&sh->turn, memory_order_relaxed) + 1;
	if (ET_UNLIKELY(atomic_load_explicit(&sh->fences, memory_order_relaxed)))
		atomic_exchange(&sh->turn, turn);
	else
		atomic_store_explicit(&sh->turn, turn, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (ET_UNLIKELY(atomic_load(&sh->wanted) != sh->used))
		turn_switch(sh);
}

static inline void
end_turn(struct shard *sh)
{
	uint32_t turn = atomic_load_explicit(&sh->turn, memory_order_relaxed) + 1;
	atomic_store_explicit(&sh->turn, turn, memory_order_release);
}

/* Once no firing comes any more, there is nobody to keep out. */
bool
shard_visit(struct user_engine *e, struct shard *sh)
{
	if (!e->still && !try_shard(e, sh))
		return false;
	if (sh->used != atomic_load_explicit(&sh->wanted, memory_order_relaxed))
		turn_switch(sh);
	return true;
}

static ET_COLD void
raise_signals(const struct user_engine *e, uint64_t signals)
{
	for (int s = 1; s <= 64; s++)
		if (signals >> (s - 1) & 1)
			kill(e->pid, s);
}

static ET_HOT __attribute__((noinline)) void
fire_in_full(struct user_engine *e, struct shard *sh, struct probe_ent *p, struct firing *f)
{
	struct activation r;
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
	r.thread_hash = 0;
	r.found.var = NULL;
	r.cuts = false;
	r.budget = f->budget;
	r.began = 0;
	r.scratch = sh->scratch;
	struct eng_budget own;
	if (!r.budget) {
		r.budget = &own;
		eng_budget_init(&own);
	} else if (ET_UNLIKELY(r.budget->began)) {
		r.began = eng_cpu_now();
	}

	if (!f->locked)
		lock_shard(e, sh, f->shard);
	begin_turn(sh);
	if (ET_LIKELY(may_run(e, p))) {
		/* read by all but written once, so the cache line stays shared */
		if (ET_UNLIKELY(!atomic_load_explicit(&p->fired, memory_order_relaxed)))
			atomic_store_explicit(&p->fired, true, memory_order_relaxed);
		sh->bi_have = 0;
		if (ET_UNLIKELY(p->role == ROLE_END))
			run_end(&r);
		else
			run_all(&r, e, sh, p, 0);
		if (ET_UNLIKELY(r.cuts))
			agg_cut(e);
	}
	end_turn(sh);
	if (!f->locked)
		unlock_shard(e, sh, f->shard);
	if (ET_UNLIKELY(r.cuts && e->conf.cut))
		e->conf.cut(e->conf.overarg);
	if (ET_UNLIKELY(r.raise))
		raise_signals(e, r.raise);
}

/*
 * A firing that only counts under a key which the last firings had too: all of it is here. Returns false, and has done
 * nothing, if it is not so simple after all.
 */
static inline bool
count_directly(struct user_engine *e, struct shard *sh, const struct probe_ent *p, struct firing *f)
{
	struct eng_same same;
	if (ET_UNLIKELY(!f->locked || !f->budget || f->budget->over))
		return false;
	if (p->count_by & BY_NAME)
		same = (struct eng_same){(uintptr_t)p->names[p->count_by & 3], ENG_SAME_NAME};
	else if (f->ops && f->ops->argsame)
		same = f->ops->argsame(f, p->count_by & 15);
	else
		return false;
	if (!same.kind)
		return false;
	begin_turn(sh);
	uint64_t *words = NULL;
	if (ET_LIKELY(atomic_load_explicit(&e->state, memory_order_acquire) == ENG_RUNNING &&
		      atomic_load_explicit(&p->fired, memory_order_relaxed)))
		words = agg_recall(sh, e, p->counts, same);
	if (words)
		aggval_add_count(words, f->more);
	end_turn(sh);
	return words;
}

static ET_HOT __attribute__((noinline)) void
fire_count(struct user_engine *e, struct shard *sh, struct probe_ent *p, struct firing *f)
{
	if (ET_UNLIKELY(!count_directly(e, sh, p, f)))
		fire_in_full(e, sh, p, f);
}

/* Nothing here needs a register to be saved: both ways go on by a jump. */
ET_HOT void
eng_fire(struct engine *engine, struct firing *f)
{
	struct user_engine *e = user_of(engine);
	if (ET_UNLIKELY(f->probe >= e->nprobes || f->shard >= e->conf.nshards))
		return;
	struct probe_ent *p = &e->probes[f->probe];
	struct shard *sh = &e->shards[f->shard];
	if (p->counts)
		fire_count(e, sh, p, f);
	else
		fire_in_full(e, sh, p, f);
}
