/* How long instructions of x86-64 are. A probe may be set only where one begins. */
#ifndef ET_SYM_X86_H
#define ET_SYM_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length of the instruction at p, of which n bytes may be read, or 0 if it is unknown. */
unsigned x86_length(const uint8_t *p, size_t n);
/* Returns whether an instruction begins at `at`, counting from the beginning of a function. */
bool x86_begins(const uint8_t *code, size_t n, size_t at);

#endif
