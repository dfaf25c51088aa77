/* See image.h. */
#include "engine/user/image.h"

#include "engine/user/user.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
	struct user_engine e; /* only laid out: its "pointers" into the store are offsets */
	struct shard *shards; /* laid out in the same way */
	const char *at;       /* the mapping */
	size_t size;
	uint64_t torn;
};

static size_t
offset_of(const void *p)
{
	return (size_t)(uintptr_t)p;
}

/* Returns a copy of n bytes of the file at an offset of the layout, or NULL if there is no memory. */
static void *
copy_of(const struct image *im, size_t off, size_t n)
{
	char *copy = malloc(n + 1);
	if (copy)
		memcpy(copy, im->at + off, n);
	return copy;
}

/* -- mapping ----------------------------------------------------------------------------------------------------- */

static void
head_of(const struct image *im, struct store_head *h)
{
	memcpy(h, im->at, sizeof *h);
}

/* The writer may have made smaller what the script does not use. */
static bool
is_asked(const struct store_head *h, const struct eng_conf *c)
{
	return h->bufsize <= c->bufsize && h->aggsize <= c->aggsize && h->dynvarsize <= c->dynvarsize &&
	       h->specsize <= c->specsize && h->scratchsize <= c->scratchsize && h->nspec <= c->nspec;
}

static bool
lay_out(struct image *im, const struct dobj *o, const struct eng_conf *c, const struct store_head *h, struct why *why)
{
	struct user_engine *e = &im->e;
	e->o = o;
	e->conf = *c;
	e->conf.nshards = h->nshards;
	e->conf.bufsize = h->bufsize;
	e->conf.aggsize = h->aggsize;
	e->conf.dynvarsize = h->dynvarsize;
	e->conf.specsize = h->specsize;
	e->conf.scratchsize = h->scratchsize;
	e->conf.nspec = (uint32_t)h->nspec;
	e->strsize = c->sizes.strsize;
	im->shards = calloc(h->nshards, sizeof *im->shards);
	if (!im->shards || !vars_layout(e, why) || !decode_program(e)) {
		why_set(why, "out of memory");
		return false;
	}
	store_layout(e, im->shards);
	return true;
}

struct image *
image_map(int fd, const struct dobj *o, const struct eng_conf *c, struct why *why)
{
	const int needed = F_SEAL_SHRINK | F_SEAL_GROW;
	struct stat st;
	struct store_head h;
	int seals = fcntl(fd, F_GET_SEALS);
	/* without the seals a page could disappear under us */
	if (seals < 0 || (seals & needed) != needed || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size < (off_t)sizeof h) {
		why_set(why, "it is not the memory of an engine");
		return NULL;
	}
	struct image *im = calloc(1, sizeof *im);
	void *at = im ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (at == MAP_FAILED) {
		free(im);
		why_set(why, "it cannot be mapped");
		return NULL;
	}
	im->at = at;
	im->size = (size_t)st.st_size;
	im->e.store.fd = -1;
	head_of(im, &h);
	static const char magic[sizeof h.magic] = STORE_MAGIC;
	if (memcmp(h.magic, magic, sizeof magic) != 0 || h.nonce[0] != c->nonce[0] || h.nonce[1] != c->nonce[1])
		why_set(why, "it is the memory of another engine");
	else if (h.headsize != sizeof h || h.shardsize != sizeof(struct shard) || h.dynsize != dyn_sizeof() ||
		 h.nshards == 0 || h.nshards > IMAGE_MAX_SHARDS || h.size != im->size || !is_asked(&h, c))
		why_set(why, "the library in the node is another build than this command");
	else if (lay_out(im, o, c, &h, why)) {
		if (im->e.store.used == im->size)
			return im;
		why_set(why, "the library in the node has another layout than this command");
	}
	image_unmap(im);
	return NULL;
}

void
image_unmap(struct image *im)
{
	if (!im)
		return;
	munmap((void *)(uintptr_t)im->at, im->size);
	im->e.store.at = NULL;
	store_close(&im->e);
	free(im->shards);
	free(im);
}

bool
image_is_over(const struct image *im)
{
	struct store_head h;
	head_of(im, &h);
	return h.over != 0;
}

enum image_end
image_end(const struct image *im)
{
	struct store_head h;
	head_of(im, &h);
	return h.ending == IMAGE_END_NOT    ? IMAGE_END_NOT
	       : h.ending == IMAGE_END_DONE ? IMAGE_END_DONE
					    : IMAGE_END_BEGUN;
}

uint64_t
image_torn(const struct image *im)
{
	return im->torn;
}

/* Copies the writer's struct shard. Only its numbers are of use, not its pointers. */
static void
shard_at(const struct image *im, unsigned i, struct shard *sh)
{
	memcpy(sh, im->at + im->e.store.shards + i * sizeof *sh, sizeof *sh);
}

/* Returns whether a table or buffer with this number has what the first `seen` drains or snapshots did not give out. */
static bool
is_new(uint64_t no, uint64_t seen)
{
	return !no || no > seen;
}

/* -- records ----------------------------------------------------------------------------------------------------- */

struct image_reading {
	struct image *im;
	unsigned shard;
	void (*fn)(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len);
	void *arg;
};

/* Records from..to of a buffer of the layout. */
static void
read_records(struct image_reading *rd, const struct recbuf *b, size_t from, size_t to)
{
	char *copy = copy_of(rd->im, offset_of(b->at) + from, to - from);
	for (size_t at = 0, n = to - from; copy && at < n;) {
		struct rec_hdr h;
		struct rec_fault rf;
		if (n - at < sizeof h) {
			rd->im->torn++;
			break;
		}
		memcpy(&h, copy + at, sizeof h);
		if (h.size < sizeof h || h.size % 8 || h.size > n - at ||
		    (h.fault >= 0 && h.size < sizeof h + sizeof rf)) {
			rd->im->torn++; /* what follows it cannot be found */
			break;
		}
		struct eng_rec r = {.epid = h.epid,
		    .cpu = h.cpu,
		    .cut = h.cut,
		    .time = h.time,
		    .data = copy + at + sizeof h,
		    .fault = h.fault};
		if (h.fault >= 0) {
			memcpy(&rf, r.data, sizeof rf);
			r.fault_action = rf.action;
			r.fault_pc = rf.pc;
			r.fault_value = rf.value;
		}
		rd->fn(rd->arg, rd->shard, &r, h.size - (uint32_t)sizeof h);
		at += h.size;
	}
	free(copy);
}

/* A buffer: `mine` as it is laid out, `theirs` as the writer left it. */
static void
read_buffer(struct image_reading *rd, const struct recbuf *mine, const struct recbuf *theirs)
{
	size_t off = theirs->off, tail = theirs->tail, end = theirs->end;
	if (off > mine->size || off % 8) {
		rd->im->torn++;
		return;
	}
	if (theirs->wrapped && off <= tail && tail < end && end <= mine->size && tail % 8 == 0 && end % 8 == 0)
		read_records(rd, mine, tail, end);
	read_records(rd, mine, 0, off);
}

void
image_records(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned shard, const struct eng_rec *r, uint32_t len), void *arg)
{
	for (unsigned i = 0; i < im->e.conf.nshards; i++) {
		struct image_reading rd = {im, i, fn, arg};
		const struct shard *mine = &im->shards[i];
		struct shard sh;
		shard_at(im, i, &sh);
		unsigned now = sh.active[TURN_BUF] & 1;
		if (im->e.conf.bufpolicy != BUF_SWITCH) {
			if (!sh.buf[0].given || sh.buf[0].no > seen)
				read_buffer(&rd, &mine->buf[0], &sh.buf[0]);
			continue;
		}
		/* the one that firings do not use is the older one */
		if (is_new(sh.buf[!now].no, seen))
			read_buffer(&rd, &mine->buf[!now], &sh.buf[!now]);
		if (is_new(sh.buf[now].no, seen))
			read_buffer(&rd, &mine->buf[now], &sh.buf[now]);
	}
}

/* -- aggregations ------------------------------------------------------------------------------------------------ */

static void
read_table(struct image *im, const struct aggtab *mine, const struct aggtab *theirs,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg)
{
	if (theirs->top > mine->size || theirs->top % 8) {
		im->torn++;
		return;
	}
	char *copy = copy_of(im, offset_of(mine->at), theirs->top);
	if (copy)
		im->torn += agg_walk(&im->e, copy, theirs->top, theirs->busy, fn, arg);
	free(copy);
}

void
image_aggs(struct image *im, uint64_t seen,
    void (*fn)(void *arg, unsigned agg, const void *key, size_t keylen, const uint64_t *words), void *arg)
{
	for (unsigned i = 0; i < im->e.conf.nshards; i++) {
		struct shard sh;
		shard_at(im, i, &sh);
		for (unsigned k = 0; k < 2; k++)
			if (is_new(sh.agg[k].no, seen))
				read_table(im, &im->shards[i].agg[k], &sh.agg[k], fn, arg);
	}
}

/* -- the rest ---------------------------------------------------------------------------------------------------- */

void
image_status(const struct image *im, struct eng_status *s)
{
	struct store_head h;
	head_of(im, &h);
	memset(s->drops, 0, sizeof s->drops);
	s->errors = 0;
	for (unsigned i = 0; i < im->e.conf.nshards; i++) {
		struct shard sh;
		shard_at(im, i, &sh);
		for (unsigned d = 0; d < ENG_NDROPS; d++)
			s->drops[d] += sh.drops[d];
		s->errors += sh.errors;
	}
	if (h.exited) {
		s->exiting = true;
		s->exit_status = h.exit_status;
	}
}

struct giving {
	struct image *im;
	struct user_engine *heir;
};

/* BEGIN and END run in this thread: see script_fire(). */
static bool
is_of_end(const char *key, size_t keylen)
{
	uint64_t thread;
	if (keylen < 8)
		return false;
	memcpy(&thread, key, 8);
	return thread == UINT64_MAX;
}

static void
give(void *arg, uint32_t var, const char *key, size_t keylen, const char *value, size_t room)
{
	const struct giving *g = arg;
	if (var >= g->heir->o->nvars)
		return; /* this belongs to the engine */
	const struct var *v = &g->heir->vars[var];
	bool dynamic = v->scope == DS_THREAD ? is_of_end(key, keylen) : v->scope == DS_GLOBAL && v->assoc;
	if (dynamic && v->size <= room && keylen <= key_max(g->heir, v->key, v->nkeys) + 8)
		dyn_put(g->heir, v, key, keylen, value);
}

void
image_variables(struct image *im, struct engine *engine)
{
	struct user_engine *heir = user_of(engine);
	const struct user_engine *e = &im->e;
	struct giving g = {im, heir};
	memcpy((void *)heir->gscalars, im->at + offset_of(e->gscalars), e->ngscalars * sizeof *e->gscalars);
	memcpy(heir->gmem, im->at + offset_of(e->gmem), e->gsize);
	size_t dyn = offset_of(e->dyn), heads = offset_of(e->dynheads), mem = offset_of(e->dynmem);
	/* they lie one behind the other, before those of the first shard */
	char *copy = copy_of(im, dyn, offset_of(im->shards[0].agg[0].at) - dyn);
	if (copy)
		im->torn += dyn_walk(&im->e, copy, copy + (heads - dyn), copy + (mem - dyn), give, &g);
	free(copy);
}
