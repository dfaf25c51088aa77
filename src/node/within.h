/*
 * Calls that may never come back. Files and memory of somebody else's process can be on a file system that this process
 * serves (FUSE): whoever reads them waits as long as it likes, and only SIGKILL ends that. So a thread makes such
 * calls.
 */
#ifndef ET_NODE_WITHIN_H
#define ET_NODE_WITHIN_H

#include <stdatomic.h>
#include <stdbool.h>

/* Calls fn(arg) in a thread of its own, which has no signals. Returns true if it has ended. Returns false after ms, if
 * *stop is set (it may be NULL), or if there can be no thread: then arg, which malloc() made, is freed as soon as the
 * call ends, after drop(arg). */
bool within(unsigned ms, const atomic_bool *stop, void (*fn)(void *arg), void (*drop)(void *arg), void *arg);

#endif
