/*
 * END without the node: what is left of an engine whose node is gone. The clauses of END run here, in an engine of our
 * own, so that they print what was collected until then. Aggregations are the consumer's. Variables were the node's:
 * they are read from its memory where that can be had, and begin again with 0 where not.
 */
#ifndef ET_NODE_ORPHAN_H
#define ET_NODE_ORPHAN_H

#include "engine/user/image.h"

struct orphan;

/* All of it is copied but the object and the names, which outlive it. NULL: out of memory. */
struct orphan *orphan_new(const struct dobj *o, const struct eng_conf *c, const char *node);
void orphan_free(struct orphan *p);
/* As the node's engine was bound, in the same order: probes get the same numbers. */
bool orphan_bind(struct orphan *p, uint32_t id, const char *const names[4], unsigned clause);
/* The variables as the node left them. */
void orphan_inherit(struct orphan *p, struct image *from);
bool orphan_fire(struct orphan *p, unsigned probe);
/* What the clauses left. Records have the epid that the node's engine gave to the same probe and clauses. */
void orphan_drain(struct orphan *p, const struct eng_epid *epids, unsigned nepids,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg);
void orphan_snap(struct orphan *p,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);

#endif
