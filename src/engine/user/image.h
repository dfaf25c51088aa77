/*
 * The memory of a user engine as another process sees it: what the engine had gathered when its process died can be
 * read from here.
 *
 * The writer (store.c) has all of its memory in a file without a name that cannot be cut or grown any more. The reader
 * maps that file read-only. It knows the layout because it has the same object and configuration; what it finds in the
 * file it believes in nothing: the writer may have died in the middle of a line, or be an enemy. Everything is copied
 * before it is looked at, and every length and link is checked.
 *
 * Who dies in the middle leaves at most one entry a shard (or stripe of dynamic variables) half written. The writer
 * marks it while it writes more than one word of it; records and new entries are counted in when they are whole.
 *
 * Aggregations and records that a consumer has taken stay in memory until it comes again, because only then it is
 * sure that it got them. Each table and buffer says by which taking it was given out, counted from 1.
 */
#ifndef ET_ENGINE_USER_IMAGE_H
#define ET_ENGINE_USER_IMAGE_H

#include "engine/engine.h"

enum { IMAGE_MAX_SHARDS = 4096 };

/* The writer's side: a descriptor of the file; -1: the memory is the process's own. */
int image_fd(const struct engine *e);
/* How many drains and snapshots there were. */
uint64_t image_drains(const struct engine *e);
uint64_t image_snaps(const struct engine *e);

/* How far END has come. */
enum image_end { IMAGE_END_NOT, IMAGE_END_BEGUN, IMAGE_END_DONE };

struct image;

/* Maps the file, when it is one of ours with this nonce, object and configuration. NULL: `why` says what is wrong. */
struct image *image_map(
    int fd, const struct dobj *o, const struct eng_conf *c, struct why *why); /* c->nonce, not c->nshards */
void image_unmap(struct image *im);
/* The engine has been destroyed: nobody writes any more. */
bool image_is_over(const struct image *im);

/* Asked before the records are read: when END is done they have all of its. */
enum image_end image_end(const struct image *im);

/* Records that were not given out by the first `seen` drains; len bytes of data. */
void image_records(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len), void *arg);
/* Aggregations, in the same way. */
void image_aggs(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg);
/* Drops, errors and exit(); the rest of *s stays as it is. */
void image_status(const struct image *im, struct eng_status *s);
/* Gives the variables to an engine of this process with the same object and sizes: global ones, and those of the thread
 * that BEGIN and END run in. */
void image_variables(struct image *im, struct engine *heir);
/* Entries that were left out until now because they were half written. */
uint64_t image_torn(const struct image *im);

#endif
