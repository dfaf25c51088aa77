/*
 * Code about a processor that runs on any: where its instructions begin, operands in notes of USDT probes, and what of
 * unwinding data is its own.
 * Every build has that of all processors, so that tests and fuzz targets reach it everywhere; ARCH_CODE is the
 * machine's own.
 */
#ifndef ET_ARCH_CODE_H
#define ET_ARCH_CODE_H

#include "arch/usdt.h"

struct arch_code {
	/* Whether an instruction begins at `at`, counting from the beginning of a function. n bytes of it may be read.
	 */
	bool (*begins)(const uint8_t *code, size_t n, size_t at);
	/* Parses an operand behind its size. Arguments as those of usdt_parse(). */
	bool (*operand)(const char *s, uint64_t pc, struct usdt_arg *a, usdt_symbol_f *sym, void *symarg);
	/* What may be within an operand although it separates operands elsewhere: spaces between '[' and ']'. */
	bool brackets;
	/* In the unwinding data of a linker's jumps to other libraries, 16 bytes each: behind how many bytes of a jump
	 * there is one word more on the stack. -1 if the expression is none of those. */
	int (*jumps)(const uint8_t *expression, size_t n);
	/* How a USDT note writes an argument that is N bytes from where the first argument register points: printf's
	 * format for sign, size and N. */
	const char *site_argument;
};
extern const struct arch_code arch_x86_64, arch_aarch64;

/* Returns the length of the instruction at p, of which n bytes may be read, or 0 if it is unknown. */
unsigned x86_length(const uint8_t *p, size_t n);

#endif
