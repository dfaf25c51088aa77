/*
 * All memory of an engine is allocated and freed here.
 *
 * The store is one block for everything whose size is known when the engine is made: shards with their buffers and
 * tables, and variables. store_place() lists what is in it. It is called twice: first to learn the size, then to give
 * everything its place. What comes with bindings, and the decoded program, is in separate blocks from eng_alloc().
 *
 * If the configuration asks for it, the store is a file without a name, mapped shared, so that another process can read
 * it after this one has died: see image.h. Its size is sealed: nobody can take a page of it away from us.
 */
#include "engine/user/image.h"
#include "engine/user/user.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
/* A gap between two objects of the store, so that writing past one of them is found. */
enum { GAP = CACHE_LINE };
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
#endif

static size_t
lines(size_t n)
{
	return (n + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
}

/* ---- blocks ---- */

struct block {
	struct block *next;
};

void *
eng_alloc(struct user_engine *e, size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	size_t bytes = sizeof(struct block) + CACHE_LINE + lines(size);
	if (e->conf.memory && e->store.size + e->blocks_size + bytes > e->conf.memory)
		return NULL;
	struct block *b = calloc(1, bytes);
	if (!b)
		return NULL;
	b->next = e->blocks;
	e->blocks = b;
	e->blocks_size += bytes;
	uintptr_t at = ((uintptr_t)(b + 1) + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1);
	return (void *)at;
}

/* ---- the store ---- */

void *
store_take(struct store *s, size_t size)
{
	size_t at = s->used;
	if (size > SIZE_MAX / 4 || s->used > SIZE_MAX / 4) {
		s->used = SIZE_MAX / 2; /* too large: it cannot be had */
		return NULL;
	}
	s->used += lines(size) + GAP;
	if (!s->at)
		return (void *)(uintptr_t)at;
	ASAN_POISON_MEMORY_REGION(s->at + at + lines(size), GAP);
	return s->at + at;
}

/* Places everything in the store, in this order. */
static void
store_place(struct user_engine *e, struct shard *shards)
{
	struct store *s = &e->store;
	s->used = 0;
	e->head = store_take(s, sizeof *e->head);
	s->shards = s->used;
	void *at = store_take(s, e->conf.nshards * sizeof *e->shards);
	e->shards = s->at ? at : shards;
	e->gscalars = store_take(s, (e->ngscalars + 1) * sizeof *e->gscalars);
	e->gmem = store_take(s, e->gsize + 8);
	e->spec = store_take(s, (e->conf.nspec + 1) * sizeof *e->spec);
	e->spec_next = store_take(s, (e->conf.nspec + 1) * sizeof *e->spec_next);
	dyn_place(e);
	size_t keybuf = keybuf_size(e);
	for (unsigned i = 0; i < e->conf.nshards; i++) {
		struct shard *sh = &e->shards[i];
		agg_place(e, sh);
		buf_place(e, sh);
		for (unsigned k = 0; k < 2; k++) {
			sh->tmp[k] = store_take(s, e->strsize + 8);
			sh->lscalars[k] = store_take(s, (e->nlscalars + 1) * sizeof(uint64_t));
			sh->lmem[k] = store_take(s, e->lsize + 8);
		}
		sh->scratch = store_take(s, (size_t)e->conf.scratchsize + 8);
		sh->keybuf = store_take(s, keybuf);
		sh->bi = store_take(s, sizeof *sh->bi);
	}
}

void
store_layout(struct user_engine *e, struct shard *shards)
{
	e->store.at = NULL;
	store_place(e, shards);
}

/* Maps a file that cannot change its size. Returns false if that is not possible; then plain memory must do. */
static bool
store_share(struct store *s)
{
	int fd = memfd_create("erltrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return false;
	void *at = MAP_FAILED;
	if (ftruncate(fd, (off_t)s->size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		at = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		close(fd);
		return false;
	}
	s->fd = fd;
	s->at = at;
	return true;
}

/* calloc() gives large blocks as untouched pages: what is never used costs no memory. */
bool
store_open(struct user_engine *e)
{
	struct store *s = &e->store;
	struct shard *shards = calloc(e->conf.nshards, sizeof *shards);
	s->fd = -1;
	if (!shards)
		return false;
	store_layout(e, shards);
	free(shards);
	e->shards = NULL;
	if (s->used >= SIZE_MAX / 2)
		return false;
	s->size = s->used;
	if (e->conf.memory && s->size + e->blocks_size > e->conf.memory)
		return false;
	if (!e->conf.outlives || !store_share(s)) {
		if (!(s->block = calloc(1, s->size + CACHE_LINE)))
			return false;
		s->at = s->block + (CACHE_LINE - ((uintptr_t)s->block & (CACHE_LINE - 1)));
	}
	store_place(e, NULL);
	*e->head = (struct store_head){.magic = STORE_MAGIC,
	    .nshards = e->conf.nshards,
	    .shardsize = sizeof(struct shard),
	    .headsize = sizeof *e->head,
	    .dynsize = (uint32_t)dyn_sizeof(),
	    .size = s->size,
	    .nonce = {e->conf.nonce[0], e->conf.nonce[1]},
	    .bufsize = e->conf.bufsize,
	    .aggsize = e->conf.aggsize,
	    .dynvarsize = e->conf.dynvarsize,
	    .specsize = e->conf.specsize,
	    .scratchsize = e->conf.scratchsize,
	    .nspec = e->conf.nspec};
	return true;
}

int
image_fd(const struct engine *engine)
{
	const struct user_engine *e = user_of(engine);
	return e->store.fd;
}

uint64_t
image_drains(const struct engine *engine)
{
	const struct user_engine *e = user_of(engine);
	return e->ndrains;
}

uint64_t
image_snaps(const struct engine *engine)
{
	const struct user_engine *e = user_of(engine);
	return e->nsnaps;
}

void
store_close(struct user_engine *e)
{
	struct store *s = &e->store;
	for (struct block *b = e->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	if (s->at)
		ASAN_UNPOISON_MEMORY_REGION(s->at, s->size);
	if (s->at && !s->block) {
		atomic_store_explicit(&e->head->over, 1, memory_order_release);
		munmap(s->at, s->size);
		close(s->fd);
	}
	free(s->block);
}
