/*
 * Io-lists, without the VM's own functions for them: those make a binary of the
 * whole list, however long it is. Here work and depth are bounded.
 */
#ifndef ERLTRACE_IOLIST_H
#define ERLTRACE_IOLIST_H

#include "text.h"

/* Its bytes; TEXT_UNKNOWN_SIZE (text.h): it is too long to walk; 0: it is none. */
uint32_t iolist_size(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t);
/* Its bytes into buf, and a NUL; *len without that. False: it is none, or does not fit in size. */
bool iolist_copy(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size, size_t *len);

#endif
