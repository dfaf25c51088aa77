/*
 * Where the arguments of a USDT probe are: the text that the compiler left in the note, such as "-4@%edi 8@-16(%rbp)
 * 4@$5". x86-64 only.
 */
#ifndef ET_SYM_USDT_H
#define ET_SYM_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usdt_kind { USDT_NONE, USDT_CONST, USDT_REG, USDT_MEM }; /* NONE: a form that cannot be read here */
enum { USDT_NOREG = 0xff, USDT_RIP = 16 };
struct usdt_arg {
	uint8_t kind, size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	uint8_t shift;       /* bits of the register below it: 8 for %ah */
	uint8_t base, index; /* words of struct pt_regs, or USDT_NOREG */
	uint8_t scale;       /* as a shift */
	int64_t disp;        /* or the constant. With base USDT_RIP: from the probe itself */
};

/* The address of a name that an operand refers to; false: not known. */
typedef bool usdt_symbol_f(void *arg, const char *name, uint64_t *addr);

/* At most `most` arguments; their number. pc is the probe's address in the file. Those that make no sense are
 * USDT_NONE. sym may be NULL. */
unsigned usdt_parse(
    const char *text, uint64_t pc, struct usdt_arg *args, unsigned most, usdt_symbol_f *sym, void *symarg);

#endif
