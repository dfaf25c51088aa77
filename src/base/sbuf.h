/*
 * sbuf: a growing byte buffer on the heap, for text of unknown length. Failure is sticky: after a failed allocation,
 * further appends do nothing and `failed` stays set. Check it once at the end.
 */
#ifndef ET_BASE_SBUF_H
#define ET_BASE_SBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sbuf {
	char *at; /* NUL-terminated once anything was appended */
	size_t len, cap;
	bool failed;
};

void sb_free(struct sbuf *b);
void sb_clear(struct sbuf *b); /* keeps the memory */
void sb_add(struct sbuf *b, const void *bytes, size_t n);
void sb_adds(struct sbuf *b, const char *s);
void sb_addc(struct sbuf *b, char c);
void sb_fill(struct sbuf *b, char c, size_t n);
void sb_printf(struct sbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_vprintf(struct sbuf *b, const char *fmt, va_list ap);
/* Appends the rest of the stream, but at most `most` bytes. Returns false if it could not be read, with errno.
 * Running out of memory sets `failed` as usual. */
bool sb_read(struct sbuf *b, FILE *fp, size_t most);
/* Gives the text to the caller, who frees it. Returns NULL if an append failed. */
char *sb_take(struct sbuf *b);

#endif
