/*
 * Erlang terms as values of D: the tracer's answers to the engine's questions
 * (struct term_query). A term that a clause can reach has a row in its event;
 * what the clause holds is the row's number and the event's, so that a handle kept
 * longer than its event is seen to be stale.
 *
 * Work on any term is bounded: what is too large to be looked at in
 * microseconds is refused with a fault.
 */
#ifndef ERLTRACE_TERMS_H
#define ERLTRACE_TERMS_H

#include "event.h"

/* The term's address for the engine; 0: the event's table is full. */
uint64_t terms_add(struct event *ev, ERL_NIF_TERM t);
int terms_query(struct event *ev, struct term_query *q);

#endif
