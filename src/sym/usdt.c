/* Arguments of USDT probes, in the form of x86-64; see usdt.h. */
#include "sym/usdt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERAND = 256 };

/* Names of a register by width, and its word in struct pt_regs. */
static const struct {
	const char *names[5]; /* 8, 4, 2, 1 bytes; bits 8 … 15 */
	uint8_t word;
} regs[] = {
    {{"rax", "eax", "ax", "al", "ah"}, 10},
    {{"rbx", "ebx", "bx", "bl", "bh"}, 5},
    {{"rcx", "ecx", "cx", "cl", "ch"}, 11},
    {{"rdx", "edx", "dx", "dl", "dh"}, 12},
    {{"rsi", "esi", "si", "sil", NULL}, 13},
    {{"rdi", "edi", "di", "dil", NULL}, 14},
    {{"rbp", "ebp", "bp", "bpl", NULL}, 4},
    {{"rsp", "esp", "sp", "spl", NULL}, 19},
    {{"r8", "r8d", "r8w", "r8b", NULL}, 9},
    {{"r9", "r9d", "r9w", "r9b", NULL}, 8},
    {{"r10", "r10d", "r10w", "r10b", NULL}, 7},
    {{"r11", "r11d", "r11w", "r11b", NULL}, 6},
    {{"r12", "r12d", "r12w", "r12b", NULL}, 3},
    {{"r13", "r13d", "r13w", "r13b", NULL}, 2},
    {{"r14", "r14d", "r14w", "r14b", NULL}, 1},
    {{"r15", "r15d", "r15w", "r15b", NULL}, 0},
    {{"rip", "eip", NULL, NULL, NULL}, USDT_RIP},
};

/* Parses %reg at *s and moves behind it. */
static bool
parse_reg(const char **s, uint8_t *word, uint8_t *shift)
{
	const char *p = *s;
	size_t len = 0;
	if (*p++ != '%')
		return false;
	while (isalnum((unsigned char)p[len]))
		len++;
	for (unsigned i = 0; i < sizeof regs / sizeof *regs; i++)
		for (unsigned k = 0; k < 5; k++)
			if (regs[i].names[k] && strlen(regs[i].names[k]) == len &&
			    strncmp(regs[i].names[k], p, len) == 0) {
				*word = regs[i].word;
				*shift = k == 4 ? 8 : 0;
				*s = p + len;
				return true;
			}
	return false;
}

bool
usdt_number(const char **s, int64_t *v)
{
	char *end;
	const char *digits = **s == '-' || **s == '+' ? *s + 1 : *s;
	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*v = (int64_t)strtoull(digits, &end, 0);
	if (errno)
		return false;
	if (**s == '-')
		*v = (int64_t)(0 - (uint64_t)*v);
	*s = end;
	return true;
}

static bool
is_name(int c, bool first)
{
	return isalpha(c) || c == '_' || c == '.' || c == '$' || (!first && (isdigit(c) || c == '@'));
}

/* Parses numbers and at most one name, added up: "-8", "foo", "16+foo", "foo-4". An empty text is 0. */
static bool
parse_disp(const char **s, int64_t *disp, char *name, size_t size)
{
	uint64_t sum = 0;
	name[0] = '\0';
	while (**s && **s != '(') {
		int64_t v;
		if (usdt_number(s, &v)) {
			sum += (uint64_t)v;
			continue;
		}
		const char *p = **s == '+' ? *s + 1 : *s;
		size_t len = 0;
		while (is_name((unsigned char)p[len], len == 0))
			len++;
		if (!len || len >= size || name[0])
			return false;
		memcpy(name, p, len);
		name[len] = '\0';
		*s = p + len;
	}
	*disp = (int64_t)sum;
	return true;
}

/* (base), (base,index), (base,index,scale), (,index,scale) */
static bool
parse_address(const char **s, struct usdt_arg *a)
{
	uint8_t shift = 0;
	int64_t scale = 1;
	if (**s != '(')
		return **s == '\0';
	(*s)++;
	if (**s == '%' && (!parse_reg(s, &a->base, &shift) || shift))
		return false;
	if (**s == ',') {
		(*s)++;
		if (!parse_reg(s, &a->index, &shift) || shift || a->index == USDT_RIP)
			return false;
		if (**s == ',') {
			(*s)++;
			if (!usdt_number(s, &scale))
				return false;
		}
	}
	a->scale = scale == 1 ? 0 : scale == 2 ? 1 : scale == 4 ? 2 : scale == 8 ? 3 : 0xff;
	return **s == ')' && (*s)[1] == '\0' && a->scale != 0xff;
}

static bool
parse_operand(const char *s, uint64_t pc, struct usdt_arg *a, usdt_symbol_f *sym, void *symarg)
{
	char name[128];
	uint64_t addr = 0;
	if (*s == '$') {
		s++;
		a->kind = USDT_CONST;
		return usdt_number(&s, &a->disp) && !*s;
	}
	if (*s == '%') {
		a->kind = USDT_REG;
		return parse_reg(&s, &a->base, &a->shift) && !*s;
	}
	a->kind = USDT_MEM;
	if (!*s || !parse_disp(&s, &a->disp, name, sizeof name) || !parse_address(&s, a))
		return false;
	if (name[0]) {
		if (!sym || !sym(symarg, name, &addr))
			return false;
		a->disp = (int64_t)((uint64_t)a->disp + addr);
		/* An address of the file. It is made relative to the probe, so that it holds wherever the process
		 * loads the file. */
		if (a->base == USDT_RIP || a->base == USDT_NOREG) {
			a->disp = (int64_t)((uint64_t)a->disp - pc);
			if (a->base == USDT_NOREG)
				a->base = USDT_RIP;
		}
		return true;
	}
	/* A number relative to the instruction pointer cannot be used: the note does not say which instruction it
	 * counts from. */
	return a->base != USDT_RIP;
}

bool
usdt_size(const char **s, struct usdt_arg *a)
{
	const char *at = strchr(*s, '@');
	int64_t n;
	a->size = 8;
	if (!at)
		return true;
	const char *p = *s;
	/* An @ may also belong to a symbol's version. */
	if (*p != '-' && !isdigit((unsigned char)*p))
		return true;
	a->is_signed = *p == '-';
	if (!usdt_number(&p, &n) || p != at)
		return false; /* 8f@: floating point */
	if (n < 0)
		n = -n;
	if (n != 1 && n != 2 && n != 4 && n != 8)
		return false;
	a->size = (uint8_t)n;
	*s = at + 1;
	return true;
}

unsigned
usdt_parse(const char *text, uint64_t pc, struct usdt_arg *args, unsigned most, usdt_symbol_f *sym, void *symarg)
{
#ifdef __aarch64__
	(void)pc;
	(void)sym;
	(void)symarg;
	return usdt_parse_aarch64(text, args, most);
#else
	return usdt_parse_x86_64(text, pc, args, most, sym, symarg);
#endif
}

unsigned
usdt_parse_x86_64(const char *text, uint64_t pc, struct usdt_arg *args, unsigned most, usdt_symbol_f *sym, void *symarg)
{
	unsigned n = 0;
	while (n < most) {
		char word[MAX_OPERAND];
		text += strspn(text, " \t");
		size_t len = strcspn(text, " \t");
		if (!len)
			break;
		struct usdt_arg *a = &args[n++];
		*a = (struct usdt_arg){.base = USDT_NOREG, .index = USDT_NOREG, .size = 8};
		const char *s = word;
		if (len < sizeof word) {
			memcpy(word, text, len);
			word[len] = '\0';
		}
		if (len >= sizeof word || !usdt_size(&s, a) || !parse_operand(s, pc, a, sym, symarg))
			*a = (struct usdt_arg){.base = USDT_NOREG, .index = USDT_NOREG, .size = 8};
		text += len;
	}
	return n;
}
