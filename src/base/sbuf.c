#include "base/sbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
sb_free(struct sbuf *b)
{
	free(b->at);
	*b = (struct sbuf){0};
}

void
sb_clear(struct sbuf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->at)
		b->at[0] = '\0';
}

/* Makes room for n more bytes and the NUL. */
static bool
reserve(struct sbuf *b, size_t n)
{
	if (b->failed || n > SIZE_MAX / 4) {
		b->failed = true;
		return false;
	}
	if (b->cap - b->len > n)
		return true;
	size_t cap = b->cap ? b->cap : 128;
	while (cap - b->len <= n)
		cap *= 2;
	char *at = realloc(b->at, cap);
	if (!at) {
		b->failed = true;
		return false;
	}
	b->at = at;
	b->cap = cap;
	return true;
}

void
sb_add(struct sbuf *b, const void *bytes, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->at + b->len, bytes, n);
	b->len += n;
	b->at[b->len] = '\0';
}

void
sb_adds(struct sbuf *b, const char *s)
{
	sb_add(b, s, strlen(s));
}

void
sb_addc(struct sbuf *b, char c)
{
	sb_add(b, &c, 1);
}

void
sb_fill(struct sbuf *b, char c, size_t n)
{
	if (!reserve(b, n))
		return;
	memset(b->at + b->len, c, n);
	b->len += n;
	b->at[b->len] = '\0';
}

void
sb_vprintf(struct sbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n < 0)
		b->failed = true;
	else if (reserve(b, (size_t)n)) {
		vsnprintf(b->at + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void
sb_printf(struct sbuf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	sb_vprintf(b, fmt, ap);
	va_end(ap);
}

bool
sb_read(struct sbuf *b, FILE *fp, size_t most)
{
	char chunk[16384];
	size_t n;
	for (; !b->failed && most; most -= n) {
		n = fread(chunk, 1, most < sizeof chunk ? most : sizeof chunk, fp);
		if (!n)
			break;
		sb_add(b, chunk, n);
	}
	return !ferror(fp);
}

char *
sb_take(struct sbuf *b)
{
	if (!b->failed && !b->at)
		reserve(b, 0);
	char *at = b->failed ? NULL : b->at;
	if (!at)
		free(b->at);
	else
		at[b->len] = '\0';
	*b = (struct sbuf){0};
	return at;
}
