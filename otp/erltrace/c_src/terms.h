/*
 * Erlang terms as values of D: the tracer's answers to the engine's questions (struct term_query). A term that a clause
 * can reach has a row in its event. The clause holds the row's number and the event's number, so that a handle that
 * outlives its event is recognised as stale.
 *
 * Work on any term is bounded: a term that is too large to be looked at in microseconds is refused with a fault.
 */
#ifndef ERLTRACE_TERMS_H
#define ERLTRACE_TERMS_H

#include "event.h"

/* Returns the term's address for the engine, or 0 if the event's table is full. */
uint64_t terms_add(struct event *ev, ERL_NIF_TERM t);
int terms_query(struct event *ev, struct term_query *q);

#endif
