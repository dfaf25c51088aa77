/*
 * Code about arm64; see code.h.
 *
 * Operands of USDT probes: "4@x0" and "4@w0" are registers, "8@5" is a constant, and "8@[sp, 16]", "8@[x0]",
 * "8@[x0, x1]" and "4@[x0, x1, lsl 2]" are in memory.
 */
#include "arch/aarch64.h"

#include "arch/code.h"

#include <ctype.h>
#include <string.h>

enum { REGISTERS = 31 };

static void
skip(const char **s)
{
	while (**s == ' ' || **s == '\t' || **s == '#')
		(*s)++;
}

/* x0 … x30, w0 … w30, sp, wsp; fp and lr are other names of two. */
static bool
parse_reg(const char **s, uint8_t *word)
{
	static const struct {
		const char *name;
		uint8_t word;
	} others[] = {{"sp", PTW_SP}, {"wsp", PTW_SP}, {"fp", PTW_FP}, {"lr", PTW_LR}};
	const char *p = *s;
	size_t len = 0;
	while (isalnum((unsigned char)p[len]))
		len++;
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (strlen(others[i].name) == len && strncmp(others[i].name, p, len) == 0) {
			*word = others[i].word;
			*s = p + len;
			return true;
		}
	if ((*p != 'x' && *p != 'w') || len < 2 || len > 3 || !isdigit((unsigned char)p[1]) ||
	    (len == 3 && !isdigit((unsigned char)p[2])))
		return false;
	int n = p[1] - '0';
	if (len == 3)
		n = 10 * n + (p[2] - '0');
	if (n >= REGISTERS || (len == 3 && p[1] == '0'))
		return false;
	*word = (uint8_t)n;
	*s = p + len;
	return true;
}

/* Behind the base: ", 16" or ", x1" or ", x1, lsl 3" */
static bool
parse_offset(const char **s, struct usdt_arg *a)
{
	int64_t by = 0;
	skip(s);
	if (usdt_number(s, &a->disp))
		return true;
	if (!parse_reg(s, &a->index) || a->index == PTW_SP)
		return false;
	skip(s);
	if (**s != ',')
		return true;
	(*s)++;
	skip(s);
	if (strncmp(*s, "lsl", 3) != 0)
		return false;
	*s += 3;
	skip(s);
	if (!usdt_number(s, &by) || by < 0 || by > 3)
		return false;
	a->scale = (uint8_t)by;
	return true;
}

static bool
arm_operand(const char *s, uint64_t pc, struct usdt_arg *a, usdt_symbol_f *sym, void *symarg)
{
	(void)pc, (void)sym, (void)symarg; /* operands have no names */
	if (*s == '[') {
		s++;
		skip(&s);
		a->kind = USDT_MEM;
		if (!parse_reg(&s, &a->base))
			return false;
		skip(&s);
		if (*s == ',') {
			s++;
			if (!parse_offset(&s, a))
				return false;
			skip(&s);
		}
		return *s == ']' && s[1] == '\0';
	}
	skip(&s);
	if (usdt_number(&s, &a->disp)) {
		a->kind = USDT_CONST;
		return !*s;
	}
	a->kind = USDT_REG;
	return parse_reg(&s, &a->base) && !*s;
}

static bool
arm_begins(const uint8_t *code, size_t n, size_t at)
{
	(void)code;
	return at % 4 == 0 && at < n;
}

/* They leave the stack as it is. */
static int
arm_jumps(const uint8_t *expression, size_t n)
{
	(void)expression, (void)n;
	return -1;
}

const struct arch_code arch_aarch64 = {arm_begins, arm_operand, true, arm_jumps, "%s%d@[x0, %d]"};
