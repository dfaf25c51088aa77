/* See event.h. */
#include "event.h"

#include "base/clock.h"
#include "sites.h"
#include "terms.h"
#include "text.h"

#include <string.h>

/* In the shard; text is cut where it ends. */
char *
ev_room(struct event *ev, size_t *room)
{
	*room = HUB_TEXT - ev->shard->text_used;
	if (*room > HUB_ARGTEXT)
		*room = HUB_ARGTEXT;
	return ev->shard->text + ev->shard->text_used;
}

void
ev_use_room(struct event *ev, size_t used)
{
	ev->shard->text_used += used;
}

size_t
ev_mfa_text(ErlNifEnv *env, ERL_NIF_TERM t, char *buf, size_t size)
{
	const ERL_NIF_TERM *e;
	int n;
	unsigned arity;
	buf[0] = '\0';
	if (!enif_get_tuple(env, t, &n, &e) || n != 3 || !enif_is_atom(env, e[0]) || !enif_is_atom(env, e[1]) ||
	    !mfa_arity(env, e[2], &arity))
		return 0;
	return text_mfa(env, e[0], e[1], arity, buf, size);
}

static inline struct leaf *
leaf_of(const struct event *ev, ERL_NIF_TERM t)
{
	return &ev->shard->leaves[(t >> 4) % HUB_LEAVES];
}

/* Makes the leaf hold another term. Returns false if the term has no such text, or if the leaf must stay as it is. */
static ET_COLD bool
leaf_take(struct event *ev, struct leaf *l, ERL_NIF_TERM t)
{
	ErlNifPid pid;
	char text[HUB_LEAFTEXT + 8];
	if (l->shown == ev->count || (!enif_get_local_pid(ev->env, t, &pid) && !enif_is_atom(ev->env, t)))
		return false;
	struct look look; /* of its own, because what is kept must not depend on what else the event looked at */
	look_init(&look, 8, 2 * sizeof text);
	size_t n = text_term(ev->env, &look, t, text, sizeof text);
	if (n >= HUB_LEAFTEXT || look.over)
		return false;
	l->term = t;
	l->len = (uint8_t)n;
	memcpy(l->text, text, n + 1);
	return true;
}

/*
 * Local pids and atoms are words that mean the same for as long as the VM runs, so their text is kept. A leaf that this
 * event has shown to a clause stays as it is until the event is over.
 */
ET_HOT const char *
ev_leaf(struct event *ev, ERL_NIF_TERM t, size_t *len)
{
	struct leaf *l = leaf_of(ev, t);
	if (l->term != t && !leaf_take(ev, l, t))
		return NULL;
	l->shown = ev->count;
	*len = l->len;
	return l->text;
}

/* Text that is not kept anywhere, in the shard's room. */
static ET_COLD int
make_text(struct event *ev, unsigned n)
{
	size_t room, used;
	char *buf = ev_room(ev, &room);
	if (room < 64)
		return DIF_FAULT_NOSCRATCH;
	if (ev->arg[n].how == EV_REASON)
		used = text_reason(ev->env, &ev->look, ev->arg[n].term, buf, room);
	else if (ev->arg[n].how == EV_MFA)
		used = ev_mfa_text(ev->env, ev->arg[n].term, buf, room);
	else
		used = text_term(ev->env, &ev->look, ev->arg[n].term, buf, room);
	ev->arg[n].text = buf;
	ev->arg[n].len = used + 1;
	ev_use_room(ev, used + 1);
	return 0;
}

/* Text that was asked for before is taken as it is. */
ET_HOT int
ev_arg_text(struct event *ev, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	if (ET_UNLIKELY(n >= 10 || !(ev->has & 1u << n) || ev->arg[n].how == EV_NUMBER))
		return DIF_FAULT_BADADDR;
	if (!ev->arg[n].text && ev->arg[n].how == EV_TERM) {
		ev->arg[n].text = ev_leaf(ev, ev->arg[n].term, &ev->arg[n].len);
		ev->arg[n].len++;
		ev->arg[n].fixed = ev->arg[n].text != NULL;
	} else if (!ev->arg[n].text) {
		const struct mfa *m = ev->arg[n].how == EV_MFA ? mfa_of(ev->hub->mfas, ev->env, ev->arg[n].term) : NULL;
		if (m) {
			ev->arg[n].text = m->text;
			ev->arg[n].len = m->len + 1;
		}
		ev->arg[n].fixed = m != NULL;
	}
	if (ev->arg[n].fixed && ev->arg[n].how == EV_TERM)
		*same = (struct eng_same){ev->arg[n].term, EV_SAME_TERM};
	else if (ev->arg[n].fixed)
		*same = (struct eng_same){(uintptr_t)ev->arg[n].text, EV_SAME_TEXT};
	int err = ev->arg[n].text ? 0 : make_text(ev, n);
	*mem = ev->arg[n].text;
	*len = ev->arg[n].len;
	return err;
}

/* What was looked at is part of the event's time. */
static inline void
pay(struct event *ev)
{
	ev->budget.left -= ev->look.work;
	ev->look.work = 0;
}

static ET_HOT int
arg_memory(struct firing *f, unsigned n, const void **mem, size_t *len, struct eng_same *same)
{
	int err = ev_arg_text(f->ctx, n, mem, len, same);
	pay(f->ctx);
	return err;
}

/* Who only counts by a text needs no text. */
static ET_HOT struct eng_same
arg_same(struct firing *f, unsigned n)
{
	const struct event *ev = f->ctx;
	struct eng_same unknown = {0, 0};
	if (ET_UNLIKELY(n >= 10 || !(ev->has & 1u << n)))
		return unknown;
	ERL_NIF_TERM t = ev->arg[n].term;
	if (ev->arg[n].how == EV_TERM)
		return leaf_of(ev, t)->term == t ? (struct eng_same){t, EV_SAME_TERM} : unknown;
	if (ev->arg[n].how == EV_STATIC)
		return ev->arg[n].fixed ? (struct eng_same){(uintptr_t)ev->arg[n].text, EV_SAME_TEXT} : unknown;
	const struct mfa *m = ev->arg[n].how == EV_MFA ? mfa_of(ev->hub->mfas, ev->env, t) : NULL;
	return m ? (struct eng_same){(uintptr_t)m->text, EV_SAME_TEXT} : unknown;
}

/* The process as text, apart from the arguments. */
int
ev_process_text(struct event *ev, const void **mem, size_t *len)
{
	size_t room;
	const char *kept = ev->tracee ? ev_leaf(ev, ev->tracee, len) : NULL;
	if (kept) {
		*mem = kept;
		++*len;
		return 0;
	}
	char *buf = ev_room(ev, &room);
	if (room < 64)
		return DIF_FAULT_NOSCRATCH;
	size_t used = ev->tracee ? text_term(ev->env, &ev->look, ev->tracee, buf, room) : 0;
	if (!used)
		buf[0] = '\0';
	ev->shard->text_used += used + 1;
	*mem = buf;
	*len = used + 1;
	return 0;
}

const char *
ev_function(const struct event *ev)
{
	if (ev->mfa)
		return mfa_at(ev->hub->mfas, ev->mfa)->text;
	const struct thread *t = thread_own();
	if (!ev->tracee || atomic_load_explicit(&t->process, memory_order_relaxed) != ev->tracee)
		return NULL;
	return (const char *)(uintptr_t)atomic_load_explicit(&t->mfa, memory_order_relaxed);
}

static int
function_text(const struct event *ev, const void **mem, size_t *len)
{
	const char *text = ev_function(ev);
	*mem = text ? text : "";
	*len = strlen(*mem) + 1;
	return 0;
}

/* What only the VM knows. DIF_FAULT_ILLOP makes the engine answer. */
static ET_HOT int
builtin(struct firing *f, enum dif_builtin id, uint64_t index, uint64_t *num, const void **mem, size_t *len)
{
	struct event *ev = f->ctx;
	(void)index;
	switch (id) {
	case DIF_BI_NODE:
		*mem = atomic_load_explicit(&ev->hub->node, memory_order_acquire);
		*len = strlen(*mem) + 1;
		return 0;
	case DIF_BI_EPROC:
		return ev_process_text(ev, mem, len);
	case DIF_BI_EMFA:
		return function_text(ev, mem, len);
	case DIF_BI_STACKDEPTH:
		*num = ev->depth;
		return 0;
	case DIF_BI_VTIMESTAMP:
		if (!ev->tracee)
			return DIF_FAULT_ILLOP;
		*num = procs_ran(ev->hub->procs, ev->tracee, mono_ns());
		return 0;
	default:
		return DIF_FAULT_ILLOP;
	}
}

static int
term(struct firing *f, struct term_query *q)
{
	int err = terms_query(f->ctx, q);
	pay(f->ctx);
	return err;
}

/* The shadow stack, or if there is none, the function that the event is about. Frames are mfas by index. */
static unsigned
stack(struct firing *f, enum dobj_kind kind, uint64_t *pcs, unsigned max)
{
	struct event *ev = f->ctx;
	unsigned n = 0;
	(void)kind;
	if (ev->nframes) {
		n = ev->nframes < max ? ev->nframes : max;
		memcpy(pcs, ev->frames, n * sizeof *pcs);
		return n;
	}
	if (ev->tracee)
		n = procs_stack(ev->hub->procs, ev->tracee, pcs, max);
	for (unsigned i = 0; !n && max && i < 10; i++) {
		if (!(ev->has & 1u << i) || ev->arg[i].how != EV_MFA)
			continue;
		const struct mfa *m = mfa_of(ev->hub->mfas, ev->env, ev->arg[i].term);
		if (m)
			pcs[n++] = mfa_index(m);
	}
	for (unsigned i = 0; i < n; i++)
		pcs[i] = DIF_ADDR(DIF_R_MFA, DIF_MFA(pcs[i], 0));
	return n;
}

const struct firing_ops ev_ops = {
    .builtin = builtin, .argmem = arg_memory, .argsame = arg_same, .stack = stack, .term = term};

void
ev_term(struct event *ev, unsigned n, ERL_NIF_TERM t)
{
	uint64_t at = terms_add(ev, t);
	ev_num(ev, n, at);
}

/* The script is told once for each event. */
static ET_COLD void
tell_look(struct event *ev, struct script *s)
{
	if (!(ev->look_told & 1u << s->index))
		atomic_fetch_add_explicit(&s->terms, 1, memory_order_relaxed);
	ev->look_told |= 1u << s->index;
}

/*
 * A program in the kernel may interrupt this at any instruction, on this thread. So the word of the process is 0 while
 * its text is not complete. The text comes from the shard's leaves: no event is under way, because the lock is ours.
 */
ET_HOT void
ev_running(struct hub_shard *s, ErlNifEnv *env, ERL_NIF_TERM process)
{
	struct thread *t = thread_own();
	struct leaf *l = &s->leaves[(process >> 4) % HUB_LEAVES];
	atomic_store_explicit(&t->process, 0, memory_order_relaxed);
	atomic_store_explicit(&t->mfa, 0, memory_order_relaxed);
	if (!process) {
		thread_show(t);
		return;
	}
	if (l->term != process) {
		struct look look;
		char text[HUB_LEAFTEXT + 8];
		look_init(&look, 1, sizeof text);
		size_t n = text_term(env, &look, process, text, sizeof text);
		if (n >= HUB_LEAFTEXT) {
			thread_show(t);
			return;
		}
		l->term = process;
		l->len = (uint8_t)n;
		memcpy(l->text, text, n + 1);
	}
	if (l->len >= NODE_EPROC) {
		thread_show(t);
		return;
	}
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(t->eproc, l->text, NODE_EPROC);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&t->process, process, memory_order_relaxed);
	thread_show(t);
}

ET_HOT void
ev_run(struct event *ev, struct script *s)
{
	if (ET_LIKELY(s->way == RUN_ENGINE))
		engine_user.fire(s->engine, &ev->f);
	else
		site_fire(ev, s, ev->sub);
}

/* Without a tag, it is not an event of the VM's: of the code server then what it has done with code. */
static bool
hides(const struct event *ev, const struct script *s)
{
	return ev->tracee && chosen_hides(s->one_of, ev->env, ev->tracee) &&
	       (ev->tag || ev->tracee != atomic_load_explicit(&ev->hub->loader, memory_order_relaxed));
}

ET_HOT void
ev_fire(struct event *ev, const struct sub *list)
{
	pay(ev); /* for the size of a message */
	for (; list; list = list->next) {
		struct script *s = &ev->hub->scripts[list->script];
		if (!s->running || atomic_load_explicit(&s->over, memory_order_relaxed))
			continue;
		if (ET_UNLIKELY(s->one_of > 1) && hides(ev, s))
			continue;
		ev->f.probe = list->probe;
		ev->sub = list;
		if (ET_UNLIKELY(ev->metered.weight || ev->budget.began))
			meter_fire(ev, s, list->probe);
		else {
			ev_run(ev, s);
			if (ET_UNLIKELY(ev->budget.began))
				meter_long(ev, s, list->probe);
		}
		if (ET_UNLIKELY(ev->look.over))
			tell_look(ev, s);
	}
}
