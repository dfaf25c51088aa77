/*
 * How to get from a function of an ELF file to its caller without frame pointers: the file's unwinding data (.eh_frame)
 * as a table with one row for each place from which another rule holds. A program in the kernel can search such a
 * table.
 *
 * Only what walking needs is in it: where the caller's stack is, and where the return address and the registers that
 * src/arch names were saved. The file is another's, so everything is checked, and what is not understood becomes a row
 * that says so.
 */
#ifndef ET_SYM_UNWIND_H
#define ET_SYM_UNWIND_H

#include "sym/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* END: nobody called this function. PLT: jumps to other libraries; `cfa` is what struct arch_code says of them. */
enum unwind_base { UNWIND_UNKNOWN, UNWIND_SP, UNWIND_FP, UNWIND_END, UNWIND_PLT };
enum { UNWIND_LOST = 0x7fff };

/* The caller's stack pointer (CFA) is base + a distance. The others tell where something was saved, in bytes from the
 * CFA: 0 if it was not saved, so the register has it still; UNWIND_LOST if that cannot be said. */
struct unwind_row {
	uint32_t pc;     /* address in the file from which on it holds */
	int32_t cfa;     /* bytes from the base, in all bits but the lowest UNWIND_BASE_BITS; these are the base */
	int16_t ra;      /* the return address */
	int16_t fp;      /* the frame pointer */
	int16_t process; /* the register in which Erlang code has its process … */
	int16_t stack;   /* … and its stack, if it is another than the processor's */
};
enum { UNWIND_BASE_BITS = 3 };

static inline enum unwind_base
unwind_base(const struct unwind_row *r)
{
	return (enum unwind_base)(r->cfa & ((1 << UNWIND_BASE_BITS) - 1));
}

static inline int32_t
unwind_distance(const struct unwind_row *r)
{
	return r->cfa >> UNWIND_BASE_BITS;
}

struct unwind {
	struct unwind_row *rows; /* ascending, on the heap */
	size_t n;
	uint64_t delta; /* what to add to an offset in the file to get an address in it, for the part with code */
};

/* Reads an open file. `off` is the offset in it of a mapping with code. Returns false if there is no such data, or no
 * memory for it. */
bool unwind_read(struct unwind *u, int fd, uint64_t off, struct spending *sp);

#endif
