/*
 * The worker: a thread of the library's own for all that may take longer than a scheduler should stand still.
 *
 * Dirty schedulers would be the usual place. But they are few and others may hold all of them for minutes, and whoever
 * waits for one takes no message meanwhile. So a request goes to the worker, and its result comes as a message: {Ref,
 * Result}. The thread is there while scripts are open or requests wait.
 */
#ifndef ERLTRACE_WORKER_H
#define ERLTRACE_WORKER_H

#include <erl_nif.h>

#include <stdbool.h>

typedef ERL_NIF_TERM worker_fn(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

bool worker_load(void);
/* Does what still waits, and ends the thread. After this nothing of the library runs, and nothing can be asked for. */
void worker_unload(void);

/* Asks for fn(argc, argv). Returns the reference of the message, or {error, Text}. fn gets an environment without a
 * process. It returns 0 if the arguments are wrong; the result is then the atom badarg. If it would have to wait, it
 * returns WORKER_AGAIN: it is called again a little later, and meanwhile the worker does what others ask for. */
#define WORKER_AGAIN (~(ERL_NIF_TERM)0)
ERL_NIF_TERM worker_ask(ErlNifEnv *env, worker_fn *fn, int argc, const ERL_NIF_TERM argv[]);
/* Asks for fn(arg) without an answer. fn returns false if it is to be called again. Returns false if there is no worker
 * or no memory. */
bool worker_do(bool (*fn)(void *arg), void *arg);

/* A script was opened or closed: with the last one the thread ends. */
void worker_hold(int by);
/* Returns true if a long piece of work should end soon, because the library is about to go. */
bool worker_hurries(void);

#endif
