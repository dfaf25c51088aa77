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

/* How an argument becomes text. */
enum ev_how {
	EV_NUMBER, /* it is none */
	EV_TERM,
	EV_REASON,
	EV_MFA,    /* {Module, Function, Arity or Args}; anything else: "" */
	EV_STATIC, /* text that is there already */
};

struct event {
	struct firing f; /* first: the engine hands it back */
	struct hub *hub;
	struct shard *shard;
	ErlNifEnv *env;
	ERL_NIF_TERM tracee;
	unsigned has; /* bit n: arg[n] is set */
	struct {
		enum ev_how how;
		ERL_NIF_TERM term;
		const char *text; /* once made */
		size_t len;       /* with the NUL */
	} arg[10];
};

/* tracee 0: an event without a process. */
void ev_init(struct event *ev, struct hub *h, struct shard *s, unsigned shard, ErlNifEnv *env, ERL_NIF_TERM tracee);
void ev_num(struct event *ev, unsigned n, uint64_t value);
void ev_text(struct event *ev, unsigned n, enum ev_how how, ERL_NIF_TERM term);
void ev_static(struct event *ev, unsigned n, const char *text, size_t len);
/* For another probe with other arguments. */
void ev_again(struct event *ev);

/* Which arguments the subscribers look at. */
static inline unsigned
ev_looks(const struct sub *list)
{
	unsigned args = 0;
	for (; list; list = list->next)
		args |= list->args;
	return args;
}

/* Runs the clauses of all subscribers. */
void ev_fire(struct event *ev, const struct sub *list);

uint64_t ev_clock(void);

#endif
