/* Waiting for a socket, so that whoever waits can be told to stop. */
#ifndef ET_NODE_WAIT_H
#define ET_NODE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns whether something can be read or written. Returns false at the deadline (ms, monotonic), or when *stop is
 * set; stop may be NULL. A signal does not end the waiting. */
bool node_wait(int fd, short events, uint64_t deadline, const atomic_bool *stop);

#endif
