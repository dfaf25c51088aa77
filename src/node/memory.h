/*
 * The memory of the engine in a node of this machine, mapped here too (engine/user/image.h): when the node dies, what
 * it had gathered is still there.
 *
 * It is reached through the node's descriptor in /proc, which its user and root may open. A node in a container knows
 * itself by another process id; it is found by the ids of its namespaces. The nonce proves that it is the right one,
 * whatever the node has told us.
 */
#ifndef ET_NODE_MEMORY_H
#define ET_NODE_MEMORY_H

#include "engine/user/image.h"

struct memory {
	struct image *image;
	int pidfd; /* of the node's process; -1 if unknown */
};

/* Returns false on failure; `why` says why. */
bool memory_open(
    struct memory *m, int64_t os_pid, int fd, const struct dobj *o, const struct eng_conf *c, struct why *why);
void memory_close(struct memory *m);
/* Waits until nobody writes to it any more, but not longer than ms. */
void memory_wait(const struct memory *m, unsigned ms);

#endif
