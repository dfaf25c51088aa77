/*
 * Where the arguments of a USDT probe are: the text that the compiler left in the note, such as "-4@%edi 8@-16(%rbp)
 * 4@$5" on x86-64, "-4@x0 8@[sp, 16] 4@5" on arm64.
 */
#ifndef ET_ARCH_USDT_H
#define ET_ARCH_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usdt_kind { USDT_NONE, USDT_CONST, USDT_REG, USDT_MEM }; /* NONE: a form that is not supported here */
enum { USDT_NOREG = 0xff };
struct usdt_arg {
	uint8_t kind, size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	uint8_t shift;       /* bits of the register below the value: 8 for %ah */
	uint8_t base, index; /* words of struct pt_regs, or USDT_NOREG */
	uint8_t scale;       /* as a shift */
	int64_t disp; /* displacement or constant. With the program counter as base it counts from the probe itself */
};

/* Finds the address of a name that an operand refers to. Returns false if it is unknown. */
typedef bool usdt_symbol_f(void *arg, const char *name, uint64_t *addr);

struct arch_code;
/* Parses at most `most` arguments and returns their number. pc is the probe's address in the file. Arguments that
 * make no sense are USDT_NONE. sym may be NULL. */
unsigned usdt_parse(const struct arch_code *arch, const char *text, uint64_t pc, struct usdt_arg *args, unsigned most,
    usdt_symbol_f *sym, void *symarg);

/* Parses a number, which may have a sign, and moves behind it. */
bool usdt_number(const char **s, int64_t *v);

#endif
