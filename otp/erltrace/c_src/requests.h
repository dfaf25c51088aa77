/*
 * Requests to servers, as gen:call/4 and gen:send_request/3 make them (gen_server, gen_statem, Elixir's GenServer and
 * their kin): the client sends {'$gen_call', {Client, Tag}, Request}, the server sends {Tag, Reply}.
 *
 *   request-send   the client sends it
 *   request-start  the server takes it up: the behaviour's own function is called with it (special.h)
 *   request-stop   the server has finished with that message, replied or not; so it has when it takes up another
 *   request-reply  the reply is sent, by whomever
 *   request-done   the reply is in the client's queue
 *
 * The tag is what tells requests apart. Its reference is argument `ref` of the probes, whatever form the tag has. It is
 * found here, so that programs in the kernel have it too.
 */
#ifndef ERLTRACE_REQUESTS_H
#define ERLTRACE_REQUESTS_H

#include "event.h"

void requests_load(ErlNifEnv *env);

/* A message was sent: it may be a request or a reply. */
void request_sent(struct event *ev, ERL_NIF_TERM to, ERL_NIF_TERM message);
/* A message came into the queue of the event's process: it may be a reply. */
void request_answered(struct event *ev, ERL_NIF_TERM message);
/* The event's process begins with a request, or goes on to something else. */
void request_started(struct event *ev, ERL_NIF_TERM client, ERL_NIF_TERM tag, ERL_NIF_TERM request);
void request_stopped(struct event *ev);

#endif
