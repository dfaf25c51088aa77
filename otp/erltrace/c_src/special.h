/*
 * Calls and signals that have probes of their own: exit signals, hibernation,
 * loading of code. The hub sets patterns on the functions concerned; their match
 * specification's result is {erltrace, What, Caller}, where What is
 *   {exit, To, Node, Reason}        erlang:exit/2
 *   {hibernate, {M, F, Arity}}      erlang:hibernate/3
 *   {code, delete | purge, Module}  primitives of the code server
 *   {user, Arguments}               OTP's own dyntrace
 *   {request, Client, Tag, Request} a server takes up a request: requests.h
 *   {request}                       … and anything else
 */
#ifndef ERLTRACE_SPECIAL_H
#define ERLTRACE_SPECIAL_H

#include "event.h"

void special_load(ErlNifEnv *env);

/* News for the hub's process, which knows more about modules than a callback can. Sent when no lock is held. */
struct news {
	ERL_NIF_TERM what; /* 0 if none; load, delete or purge */
	ERL_NIF_TERM module, process;
};
void special_tell(ErlNifEnv *env, const struct news *n);

/* Handles a call with this match specification result. Returns the caller, or 0. */
ERL_NIF_TERM special_call(struct event *ev, ERL_NIF_TERM result, struct news *n);
/* return_from of erlang:load_module/2, erlang:finish_loading/1 and gen_server:try_handle_call/4. */
void special_returned(struct event *ev, ERL_NIF_TERM mfa, ERL_NIF_TERM value, struct news *n);

/* A link breaks, then a process that traps exits gets a message. One that does not trap them dies, and the VM does
 * not say of what. */
void special_unlinked(struct event *ev, ERL_NIF_TERM from);
void special_received(struct event *ev, ERL_NIF_TERM message);

#endif
