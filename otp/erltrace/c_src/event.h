/*
 * An event on its way into the engines: the probe, the process and raw
 * arguments. Arguments that are text stay terms until a clause looks at them.
 *
 * An event lives on the stack of the callback that made it, with its shard
 * locked. Nothing of it is kept.
 */
#ifndef ERLTRACE_EVENT_H
#define ERLTRACE_EVENT_H

#include "hub.h"
#include "text.h"

/* How an argument becomes text. */
enum ev_how {
	EV_NUMBER, /* it is not text */
	EV_TERM,
	EV_REASON,
	EV_MFA,    /* {Module, Function, Arity or Args}; anything else gives "" */
	EV_STATIC, /* text that is there already */
};

enum { EV_SAME_TERM = 1, EV_SAME_TEXT }; /* struct eng_same: a word of the VM; the address of text that never changes */
/* Of what a clause looks at: the terms of a function by name. */
enum { EV_TERM_LOOKS = ((1 << DIF_NARGS) - 1) & ~((1 << DIF_TERM_ARGS) - 1) };
enum { EV_TERMS = 64 }; /* terms that the clauses of one event can reach */

struct event {
	struct firing f; /* its ctx is the event, because the ERROR probe fires with its own firing */
	struct eng_budget budget;
	struct look look;   /* at terms */
	unsigned look_told; /* bit: a script that knows of look.over */
	struct metered metered;
	ERL_NIF_TERM tag;      /* the VM's name for what happened; 0 if the VM did not report it */
	bool brief;            /* it was only asked about: fire_asked() in tracer.c */
	uint32_t mfa;          /* the function that it is about; 0 if none or unknown */
	uint64_t count;        /* of the shard's events */
	const struct sub *sub; /* whose clauses run now */
	struct hub *hub;
	struct hub_shard *shard;
	ErlNifEnv *env;
	ERL_NIF_TERM tracee;
	unsigned has;           /* bit n: arg[n] is set */
	const uint64_t *frames; /* the stack, if it is known: nframes frames, innermost first */
	unsigned nframes;
	unsigned depth; /* of the call that the event is about, from 1; 0 if unknown */
	struct {
		enum ev_how how;
		ERL_NIF_TERM term;
		const char *text; /* once made */
		size_t len;       /* with the NUL */
		bool fixed;       /* once made: the same term, or the same address, always has the same text */
	} arg[DIF_NARGS];
	/* See terms.h. */
	unsigned nterms;
	struct {
		ERL_NIF_TERM term;
		const char *text;   /* once made */
		uint32_t len, most; /* with the NUL; what there was room for */
	} terms[EV_TERMS];
};

extern const struct firing_ops ev_ops;
/* tracee is 0 for an event without a process. */
static inline void
ev_init(struct event *ev, struct hub *h, struct hub_shard *s, unsigned shard, ErlNifEnv *env, ERL_NIF_TERM tracee)
{
	ev->has = 0;
	ev->f.probe = 0;
	ev->f.nargs = 0;
	ev->f.shard = shard;
	ev->f.locked = true;
	ev->f.thread = tracee ? tracee : UINT64_MAX;
	ev->f.ops = &ev_ops;
	ev->f.ctx = ev;
	ev->f.budget = &ev->budget;
	ev->f.more = 0;
	ev->nterms = 0;
	ev->depth = 0;
	ev->nframes = 0;
	ev->hub = h;
	ev->shard = s;
	ev->env = env;
	ev->tracee = tracee;
	s->text_used = 0;
	ev->count = atomic_load_explicit(&s->events, memory_order_relaxed) + 1;
	atomic_store_explicit(
	    &s->events, ev->count, memory_order_release); /* after all of the one before: hub_passed() */
	eng_budget_init(&ev->budget);
	look_init(&ev->look, atomic_load_explicit(&h->termparts, memory_order_relaxed),
	    atomic_load_explicit(&h->termbytes, memory_order_relaxed));
	ev->look_told = 0;
	ev->tag = 0;
	ev->brief = false;
	ev->mfa = 0;
	ev->metered.weight = 0;
	ev->metered.nfired = 0;
	if (ET_UNLIKELY(--s->turns.until <= 1))
		meter_turn(ev, &s->turns);
}

/* An argument of type term. */
void ev_term(struct event *ev, unsigned n, ERL_NIF_TERM term);

/* For another probe with other arguments. */
static inline void
ev_again(struct event *ev)
{
	ev->has = 0;
	ev->depth = 0;
	ev->f.nargs = 0;
}

static inline void
ev_num(struct event *ev, unsigned n, uint64_t value)
{
	ev->arg[n].how = EV_NUMBER;
	ev->has |= 1u << n;
	unsigned have = (unsigned)ev->f.nargs;
	for (; have < n; have++)
		ev->f.args[have] = 0; /* those that are left out */
	if (have == n)
		ev->f.nargs = (int)n + 1;
	ev->f.args[n] = value;
}

/* What an argument is that has text. */
static inline uint64_t
ev_address(unsigned n)
{
	return DIF_ADDR(DIF_R_ARG, (uint64_t)n << 40);
}

static inline void
ev_text(struct event *ev, unsigned n, enum ev_how how, ERL_NIF_TERM term)
{
	ev_num(ev, n, ev_address(n));
	ev->arg[n].how = how;
	ev->arg[n].term = term;
	ev->arg[n].text = NULL;
}

static inline void
ev_static(struct event *ev, unsigned n, const char *text, size_t len)
{
	ev_num(ev, n, ev_address(n));
	ev->arg[n].how = EV_STATIC;
	ev->arg[n].text = text;
	ev->arg[n].len = len + 1;
	ev->arg[n].fixed = false;
}

/* A function that the table has. */
static inline void
ev_mfa(struct event *ev, unsigned n, const struct mfa *m)
{
	ev_static(ev, n, m->text, m->len);
	ev->arg[n].fixed = true;
}

/* Which arguments the subscribers look at. */
static inline unsigned
ev_looks(const struct sub *list)
{
	unsigned args = 0;
	for (; list; list = list->next)
		args |= list->args;
	return args;
}

/* Returns 0 and the text of argument n, or a dif_fault. */
int ev_arg_text(struct event *ev, unsigned n, const void **mem, size_t *len, struct eng_same *same);
/* The text of the process that the event is about; "" if there is none. */
int ev_process_text(struct event *ev, const void **mem, size_t *len);
/* The function that the process is in, as far as that is known: the one that the event is about, or the one with which
 * the process was scheduled in on this thread (WANT_WHERE). Returns NULL if unknown. */
const char *ev_function(const struct event *ev);
/* A process runs on this thread from now on, 0 if none does. The shard is locked. */
void ev_running(struct hub_shard *s, ErlNifEnv *env, ERL_NIF_TERM process);
/* Runs the clauses of one script, for ev->sub. */
void ev_run(struct event *ev, struct script *s);
/* Runs the clauses of all subscribers. */
void ev_fire(struct event *ev, const struct sub *list);
/* The event is over: its shard is free. */
static inline void
ev_end(struct event *ev)
{
	if (ET_UNLIKELY(ev->metered.weight || ev->budget.began))
		meter_end(ev);
	hub_leave(ev->shard);
}

/* Returns the kept text of a local pid or an atom; *len is without its NUL. Returns NULL if it is neither or does
 * not fit. */
const char *ev_leaf(struct event *ev, ERL_NIF_TERM t, size_t *len);
/* Writes the text of a function; "" if it is none. For those for which the table has no room. Returns its length. */
size_t ev_mfa_text(ErlNifEnv *env, ERL_NIF_TERM t, char *buf, size_t size);
/* Returns room for text that lives as long as the event; the second function says how much was used. */
char *ev_room(struct event *ev, size_t *room);
void ev_use_room(struct event *ev, size_t used);

#endif
