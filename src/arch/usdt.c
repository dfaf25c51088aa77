/* Arguments of USDT probes: what is the same on all processors. See usdt.h. */
#include "arch/usdt.h"

#include "arch/code.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERAND = 256 };

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

/* "-4@…": moves behind it. Returns false if there is no such size. */
static bool
parse_size(const char **s, struct usdt_arg *a)
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

/* The length of the first operand. */
static size_t
operand_length(const char *text, bool brackets)
{
	size_t len = 0;
	for (bool inside = false; text[len] && (inside || (text[len] != ' ' && text[len] != '\t')); len++)
		inside = brackets && (text[len] == '[' || (inside && text[len] != ']'));
	return len;
}

unsigned
usdt_parse(const struct arch_code *arch, const char *text, uint64_t pc, struct usdt_arg *args, unsigned most,
    usdt_symbol_f *sym, void *symarg)
{
	static const struct usdt_arg none = {.base = USDT_NOREG, .index = USDT_NOREG, .size = 8};
	unsigned n = 0;
	while (n < most) {
		char word[MAX_OPERAND];
		text += strspn(text, " \t");
		size_t len = operand_length(text, arch->brackets);
		if (!len)
			break;
		struct usdt_arg *a = &args[n++];
		const char *s = word;
		*a = none;
		if (len < sizeof word) {
			memcpy(word, text, len);
			word[len] = '\0';
		}
		if (len >= sizeof word || !parse_size(&s, a) || !arch->operand(s, pc, a, sym, symarg))
			*a = none;
		text += len;
	}
	return n;
}
