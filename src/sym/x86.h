/* How long instructions of x86-64 are: a probe may stand only where one begins. */
#ifndef ET_SYM_X86_H
#define ET_SYM_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the instruction at p, of which n may be looked at; 0: none that is known. */
unsigned x86_length(const uint8_t *p, size_t n);
/* Whether an instruction begins at `at`, counting from the beginning of a function. */
bool x86_begins(const uint8_t *code, size_t n, size_t at);

#endif
