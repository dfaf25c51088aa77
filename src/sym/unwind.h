/*
 * How to get from a function of an ELF file to its caller without frame pointers: the file's unwinding data (.eh_frame)
 * as a table with one row for each place from which another rule holds. A program in the kernel can search such a
 * table.
 *
 * Only what walking needs is in it: where the caller's stack is, and where rbp and r13 were saved. The file is
 * another's, so everything is checked, and what is not understood becomes a row that says so.
 */
#ifndef ET_SYM_UNWIND_H
#define ET_SYM_UNWIND_H

#include "sym/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* END: nobody called this function. PLT: jumps to other libraries, 16 bytes each; behind the first `cfa` bytes of a
 * jump there is one word more on the stack. */
enum unwind_base { UNWIND_UNKNOWN, UNWIND_SP, UNWIND_BP, UNWIND_END, UNWIND_PLT };
enum { UNWIND_LOST = 0x7fff };

/* The caller's stack pointer (CFA) is base + cfa, and the return address is in the word below it. */
struct unwind_row {
	uint32_t pc;   /* address in the file from which on it holds */
	int32_t cfa;   /* bytes */
	int16_t bp;    /* where rbp was saved, from the CFA; 0 if it was not; UNWIND_LOST if that cannot be said */
	int16_t r13;   /* the same for r13 */
	uint16_t base; /* enum unwind_base */
	uint16_t pad;
};

struct unwind {
	struct unwind_row *rows; /* ascending, on the heap */
	size_t n;
	uint64_t delta; /* what to add to an offset in the file to get an address in it, for the part with code */
};

/* Reads an open file. `off` is the offset in it of a mapping with code. Returns false if there is no such data, or no
 * memory for it. */
bool unwind_read(struct unwind *u, int fd, uint64_t off, struct spending *sp);

#endif
