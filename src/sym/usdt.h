/*
 * Where the arguments of a USDT probe are: the text that the compiler left in the note, such as "-4@%edi 8@-16(%rbp)
 * 4@$5" on x86-64, "-4@x0 8@[sp, 16] 4@5" on arm64.
 */
#ifndef ET_SYM_USDT_H
#define ET_SYM_USDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usdt_kind { USDT_NONE, USDT_CONST, USDT_REG, USDT_MEM }; /* NONE: a form that is not supported here */
enum { USDT_NOREG = 0xff, USDT_RIP = 16 };
struct usdt_arg {
	uint8_t kind, size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	uint8_t shift;       /* bits of the register below the value: 8 for %ah */
	uint8_t base, index; /* words of struct pt_regs, or USDT_NOREG */
	uint8_t scale;       /* as a shift */
	int64_t disp;        /* displacement or constant. With base USDT_RIP it counts from the probe itself */
};

/* Finds the address of a name that an operand refers to. Returns false if it is unknown. */
typedef bool usdt_symbol_f(void *arg, const char *name, uint64_t *addr);

/* Parses at most `most` arguments and returns their number. pc is the probe's address in the file. Arguments that
 * make no sense are USDT_NONE. sym may be NULL. */
unsigned usdt_parse(
    const char *text, uint64_t pc, struct usdt_arg *args, unsigned most, usdt_symbol_f *sym, void *symarg);

/* The same for a processor, whichever this is. Arm64's operands have no names. */
unsigned usdt_parse_x86_64(
    const char *text, uint64_t pc, struct usdt_arg *args, unsigned most, usdt_symbol_f *sym, void *symarg);
unsigned usdt_parse_aarch64(const char *text, struct usdt_arg *args, unsigned most);

/* "-4@…": moves behind it. Returns false if there is no such size. */
bool usdt_size(const char **s, struct usdt_arg *a);
bool usdt_number(const char **s, int64_t *v);

#endif
