/* Unpacking with liblzma, which is loaded when it is needed; see xz.h. */
#include "sym/xz.h"

#include <stdlib.h>

#if __has_include(<lzma.h>)
#include <dlfcn.h>
#include <lzma.h>
#include <pthread.h>

enum { PIECE = 64 << 10, MAX_MEMORY = 48 << 20, MAX_UNPACKED = 64 << 20 };

static struct {
	lzma_ret (*decoder)(lzma_stream *s, uint64_t memlimit, uint32_t flags);
	lzma_ret (*code)(lzma_stream *s, lzma_action action);
	void (*end)(lzma_stream *s);
} lib;
static bool lib_is_there;

#ifdef ET_STATIC /* it is inside the command */
static void
load(void)
{
	lib.decoder = lzma_stream_decoder;
	lib.code = lzma_code;
	lib.end = lzma_end;
	lib_is_there = true;
}

#else
/* The library stays loaded until the process ends. */
static void
load(void)
{
	void *so = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
	if (!so)
		return;
	*(void **)&lib.decoder = dlsym(so, "lzma_stream_decoder");
	*(void **)&lib.code = dlsym(so, "lzma_code");
	*(void **)&lib.end = dlsym(so, "lzma_end");
	lib_is_there = lib.decoder && lib.code && lib.end;
}
#endif

/* Makes room for one more piece. */
static bool
grow(char **to, size_t *cap, size_t used)
{
	if (*cap - used >= PIECE)
		return true;
	size_t bigger = *cap ? *cap * 2 : 4 * PIECE;
	char *p = bigger <= MAX_UNPACKED ? realloc(*to, bigger) : NULL;
	if (!p)
		return false;
	*to = p;
	*cap = bigger;
	return true;
}

char *
xz_unpack(const void *packed, size_t n, struct spending *sp, size_t *len)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret r = LZMA_OK;
	char *out = NULL;
	size_t cap = 0;
	*len = 0;
	pthread_once(&once, load);
	if (!lib_is_there || lib.decoder(&s, MAX_MEMORY, 0) != LZMA_OK)
		return NULL;
	s.next_in = packed;
	s.avail_in = n;
	/* Unpacks a piece at a time, so that a few bytes that expand to many cost no more than the budget has. */
	while (r == LZMA_OK && grow(&out, &cap, *len) && spend_look(sp)) {
		s.next_out = (uint8_t *)out + *len;
		s.avail_out = PIECE;
		r = lib.code(&s, LZMA_FINISH);
		size_t got = PIECE - s.avail_out;
		*len += got;
		if (!spend(sp, SPEND_BYTES, got))
			break;
	}
	lib.end(&s);
	if (r != LZMA_STREAM_END) {
		free(out);
		return NULL;
	}
	return out;
}

#else
char *
xz_unpack(const void *packed, size_t n, struct spending *sp, size_t *len)
{
	(void)packed;
	(void)n;
	(void)sp;
	*len = 0;
	return NULL;
}
#endif
