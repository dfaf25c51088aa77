/* Shared by the two halves of the verifier: tables (verify.c) and code (verify_code.c). */
#ifndef ET_OBJECT_VERIFY_H
#define ET_OBJECT_VERIFY_H

#include "object/dobj.h"

struct verifier {
	const struct dobj *o;
	struct why *why;
	uint32_t *work; /* one number for each instruction or type, whichever are more */
};

/* Always false: `return v_fail(v, …)`. */
bool v_fail(struct verifier *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether [first, first + n) lies within a table of `rows`. */
bool v_range(uint32_t first, uint32_t n, uint32_t rows);
bool verify_code(struct verifier *v, uint32_t clause);

#endif
