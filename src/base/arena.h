/*
 * Arena: memory that is freed all at once.
 *
 * Ownership: whatever ar_* returns belongs to the arena and lives until ar_free() (or ar_reset() to an earlier mark).
 * Nothing is freed singly. Failure: allocation never returns NULL. When memory runs out the arena jumps to *oom, which
 * the owner set before the first allocation. Only if oom is NULL, ar_alloc() returns NULL and the caller checks.
 */
#ifndef ET_BASE_ARENA_H
#define ET_BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct ar_chunk;

struct arena {
	struct ar_chunk *chunks; /* newest first */
	char *cur, *end;         /* free room in the newest chunk */
	jmp_buf *oom;            /* where to go when memory runs out */
};

struct ar_mark {
	struct ar_chunk *chunk;
	char *cur;
};

void ar_init(struct arena *a, jmp_buf *oom);
void ar_free(struct arena *a);

/* Frees everything allocated after the mark. */
struct ar_mark ar_mark(const struct arena *a);
void ar_reset(struct arena *a, struct ar_mark m);

/* Zeroed, aligned to 16 bytes. */
void *ar_alloc(struct arena *a, size_t size);
void *ar_grow(struct arena *a, void *old, size_t oldsize, size_t newsize);
char *ar_strdup(struct arena *a, const char *s);
char *ar_strndup(struct arena *a, const char *s, size_t n);
char *ar_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define AR_NEW(a, T) ((T *)ar_alloc((a), sizeof(T)))
#define AR_NEWN(a, T, n) ((T *)ar_alloc((a), sizeof(T) * (size_t)(n)))

/* A growing array in an arena: VEC(struct node *) v; VEC_PUSH(ar, &v, n). */
#define VEC(T) \
	struct { \
		T *at; \
		unsigned n, cap; \
	}
#define VEC_PUSH(a, v, x) \
	do { \
		if ((v)->n == (v)->cap) { \
			unsigned vec_cap_ = (v)->cap ? (v)->cap * 2 : 8; \
			(v)->at = ar_grow((a), (v)->at, (v)->cap * sizeof *(v)->at, vec_cap_ * sizeof *(v)->at); \
			(v)->cap = vec_cap_; \
		} \
		(v)->at[(v)->n++] = (x); \
	} while (0)

#endif
