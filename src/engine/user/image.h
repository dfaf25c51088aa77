/*
 * The memory of a user engine as another process sees it. If the engine's process died, what it had gathered can be
 * read from here.
 *
 * The writer (store.c) has all of its memory in a file without a name whose size is sealed. The reader maps that file
 * read-only. It knows the layout because it has the same object and configuration. It trusts nothing in the file: the
 * writer may have died in the middle of a line, or be an enemy. Everything is copied before it is looked at, and every
 * length and link is checked.
 *
 * A writer that dies in the middle leaves at most one entry per shard (or per stripe of dynamic variables) half
 * written. It marks an entry while it writes more than one word of it. Records and new entries are counted only when
 * they are whole.
 *
 * Aggregations and records that a consumer has taken stay in memory until it comes again, because only then is it sure
 * that it got them. Each table and buffer has the number of the drain or snapshot that gave it out, counted from 1.
 */
#ifndef ET_ENGINE_USER_IMAGE_H
#define ET_ENGINE_USER_IMAGE_H

#include "engine/engine.h"

enum { IMAGE_MAX_SHARDS = 4096 };

/* The writer's side: returns a descriptor of the file, or -1 if the memory is not in a file. */
int image_fd(const struct engine *e);
/* How many drains and snapshots there were. */
uint64_t image_drains(const struct engine *e);
uint64_t image_snaps(const struct engine *e);

/* How far END has come. */
enum image_end { IMAGE_END_NOT, IMAGE_END_BEGUN, IMAGE_END_DONE };

struct image;

/* Maps the file if it is one of ours with this nonce, object and configuration. Returns NULL if not; `why` says what
 * is wrong. */
struct image *image_map(
    int fd, const struct dobj *o, const struct eng_conf *c, struct why *why); /* uses c->nonce, but not c->nshards */
void image_unmap(struct image *im);
/* Returns whether the engine was destroyed: nobody writes any more. */
bool image_is_over(const struct image *im);

/* Ask before reading the records: if END is done, they include all of its records. */
enum image_end image_end(const struct image *im);

/* Gives the records that the first `seen` drains did not give out, with len bytes of data each. */
void image_records(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len), void *arg);
/* Gives aggregations in the same way. */
void image_aggs(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);
/* Sets drops, errors and exit(). The rest of *s stays as it is. */
void image_status(const struct image *im, struct eng_status *s);
/* Copies variables to an engine of this process with the same object and sizes: global ones, and those of the thread
 * that BEGIN and END run in. */
void image_variables(struct image *im, struct engine *heir);
/* The number of entries that were left out until now because they were half written. */
uint64_t image_torn(const struct image *im);

#endif
