/* Arena allocation: bump within chunks that double up to 1 MiB. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { AR_ALIGN = 16, AR_FIRST = 4096, AR_MOST = 1 << 20 };

struct ar_chunk {
	struct ar_chunk *next;
	size_t size; /* bytes of data[] */
	_Alignas(16) char data[];
};

void
ar_init(struct arena *a, jmp_buf *oom)
{
	*a = (struct arena){.oom = oom};
}

void
ar_free(struct arena *a)
{
	ar_reset(a, (struct ar_mark){0});
}

struct ar_mark
ar_mark(const struct arena *a)
{
	return (struct ar_mark){a->chunks, a->cur};
}

void
ar_reset(struct arena *a, struct ar_mark m)
{
	while (a->chunks != m.chunk) {
		struct ar_chunk *c = a->chunks;
		a->chunks = c->next;
		free(c);
	}
	a->cur = m.cur;
	a->end = m.chunk ? m.chunk->data + m.chunk->size : NULL;
}

static void *
out_of_memory(struct arena *a)
{
	if (a->oom)
		longjmp(*a->oom, 1);
	return NULL;
}

void *
ar_alloc(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		return out_of_memory(a);
	size = (size + AR_ALIGN - 1) & ~(size_t)(AR_ALIGN - 1);
	if ((size_t)(a->end - a->cur) < size || !a->cur) {
		size_t want = a->chunks ? a->chunks->size * 2 : AR_FIRST;
		if (want > AR_MOST)
			want = AR_MOST;
		if (want < size)
			want = size;
		struct ar_chunk *c = malloc(sizeof *c + want);
		if (!c)
			return out_of_memory(a);
		c->next = a->chunks;
		c->size = want;
		a->chunks = c;
		a->cur = c->data;
		a->end = c->data + want;
	}
	void *p = a->cur;
	a->cur += size;
	return memset(p, 0, size);
}

void *
ar_grow(struct arena *a, void *old, size_t oldsize, size_t newsize)
{
	void *p = ar_alloc(a, newsize);
	if (p && oldsize)
		memcpy(p, old, oldsize);
	return p;
}

char *
ar_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = ar_alloc(a, n + 1);
	if (p && n)
		memcpy(p, s, n);
	return p;
}

char *
ar_strdup(struct arena *a, const char *s)
{
	return ar_strndup(a, s, strlen(s));
}

static char *
ar_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *p = n < 0 ? NULL : ar_alloc(a, (size_t)n + 1);
	if (p)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

char *
ar_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *p = ar_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}
