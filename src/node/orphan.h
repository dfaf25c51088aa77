/*
 * END without the node: what is left of an engine whose node is gone. The clauses of END run here, in our own engine,
 * so that they print what was collected until then. The consumer has the aggregations. The variables were in the node:
 * they are read from its memory if possible, otherwise they begin with 0.
 */
#ifndef ET_NODE_ORPHAN_H
#define ET_NODE_ORPHAN_H

#include "engine/user/image.h"

struct orphan;

/* Everything is copied except the object and the names, which must outlive it. Returns NULL if memory ran out. */
struct orphan *orphan_new(const struct dobj *o, const struct eng_conf *c, const char *node);
void orphan_free(struct orphan *p);
/* Binds as the node's engine was bound, in the same order, so that probes get the same numbers. */
bool orphan_bind(struct orphan *p, uint32_t id, const char *const names[4], unsigned clause);
/* The variables as the node left them. */
void orphan_inherit(struct orphan *p, struct image *from);
bool orphan_fire(struct orphan *p, unsigned probe);
/* Gives what the clauses left. Records have the epid that the node's engine gave to the same probe and clauses. */
void orphan_drain(struct orphan *p, const struct eng_epid *epids, unsigned nepids,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r), void *arg);
void orphan_snap(struct orphan *p,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);

#endif
