/*
 * Io-lists, without the VM's own functions for them, because those make a binary of the whole list, however long it is.
 * Here work and depth are bounded.
 */
#ifndef ERLTRACE_IOLIST_H
#define ERLTRACE_IOLIST_H

#include "text.h"

/* *size is its bytes, or TEXT_UNKNOWN_SIZE (text.h) if it is too long to walk. Returns false for what is no io-list. */
bool iolist_length(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, uint32_t *size);
/* Returns its bytes, TEXT_UNKNOWN_SIZE (text.h) if it is too long to walk, or 0 if it is not an io-list. */
uint32_t iolist_size(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t);
/* Copies its bytes into buf, with a NUL; *len is without that. Returns false if it is not an io-list or does not fit
 * in size. */
bool iolist_copy(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size, size_t *len);

#endif
