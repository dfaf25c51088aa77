/* Format strings, piece by piece. Widths have a limit, so that no format can ask for gigabytes of blanks. */
#include "base/fmt.h"

#include <string.h>

void
fmt_open(struct fmt_iter *it, const char *text, size_t len)
{
	*it = (struct fmt_iter){.cur = text, .end = text + len};
}

static int
bad(struct fmt_iter *it, struct fmt_piece *p, const char *cur, const char *why)
{
	p->len = (size_t)(cur - p->at);
	it->why = why;
	it->cur = it->end;
	return -1;
}

static int
class_of(char conv, uint8_t size)
{
	switch (conv) {
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
	case 'p':
		return size == FMT_SZ_LD || size == FMT_SZ_W ? -1 : FMT_C_INT;
	case 'c':
		return size == FMT_SZ_NONE || size == FMT_SZ_W || size == FMT_SZ_L ? FMT_C_CHAR : -1;
	case 's':
		return size == FMT_SZ_NONE || size == FMT_SZ_W || size == FMT_SZ_L ? FMT_C_STR : -1;
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		return size == FMT_SZ_NONE || size == FMT_SZ_LD || size == FMT_SZ_L ? FMT_C_FLOAT : -1;
	}
	if (size != FMT_SZ_NONE)
		return -1;
	switch (conv) {
	case 'C':
		return FMT_C_CHAR;
	case 'S':
		return FMT_C_STR;
	case 'a':
	case 'A':
		return FMT_C_ADDR;
	case 'k':
		return FMT_C_STACK;
	case 'T':
	case 'Y':
		return FMT_C_TIME;
	case 'I':
	case 'P':
		return FMT_C_NET;
	case 'n':
		return FMT_C_NONE;
	}
	return -1;
}

static bool
add_size(struct fmt_piece *p, char c)
{
	uint8_t old = p->size;
	switch (c) {
	case 'h':
		p->size = old == FMT_SZ_H ? FMT_SZ_HH : FMT_SZ_H;
		return old == FMT_SZ_NONE || old == FMT_SZ_H;
	case 'l':
		p->size = old == FMT_SZ_L ? FMT_SZ_LL : FMT_SZ_L;
		return old == FMT_SZ_NONE || old == FMT_SZ_L;
	case 'L':
		p->size = FMT_SZ_LD;
		break;
	case 'w':
		p->size = FMT_SZ_W;
		break;
	case 'j':
		p->size = FMT_SZ_J;
		break;
	case 'z':
		p->size = FMT_SZ_Z;
		break;
	case 't':
		p->size = FMT_SZ_T;
		break;
	}
	return old == FMT_SZ_NONE;
}

/* Reads one conversion; cur is after its %. Flags, width and precision may come in any order, as in DTrace. */
static int
conversion(struct fmt_iter *it, struct fmt_piece *p, const char *cur)
{
	bool dot = false, digits = false;
	p->number = ++it->number;
	for (; cur < it->end; cur++) {
		switch (*cur) {
		case '-':
			p->flags = (uint8_t)((p->flags | FMT_LEFT) & ~FMT_ZERO);
			continue;
		case '+':
			p->flags |= FMT_PLUS;
			continue;
		case ' ':
			p->flags |= FMT_SPACE;
			continue;
		case '#':
			p->flags |= FMT_ALT;
			continue;
		case '\'':
			p->flags |= FMT_GROUP;
			continue;
		case '@':
			p->flags |= FMT_AGG;
			continue;
		case '?': /* as wide as a pointer in hexadecimal */
			p->width = 16;
			continue;
		case '.':
			if (dot)
				return bad(it, p, cur + 1, "a conversion has more than one '.'");
			dot = p->has_prec = true;
			digits = false;
			continue;
		case '*':
			if (dot ? p->star_prec : p->star_width)
				return bad(
				    it, p, cur + 1, "a conversion has more than one '*' for its width or precision");
			*(dot ? &p->star_prec : &p->star_width) = true;
			continue;
		case '$':
			return bad(it, p, cur + 1, "positional conversions (%n$) are not part of D");
		case 'h':
		case 'l':
		case 'L':
		case 'w':
		case 'j':
		case 'z':
		case 't':
			if (!add_size(p, *cur))
				return bad(it, p, cur + 1, "a conversion has sizes that do not go together");
			continue;
		}
		if (*cur == '0' && !dot && !digits) {
			p->flags = (uint8_t)((p->flags | FMT_ZERO) & ~FMT_LEFT);
			continue;
		}
		if (*cur < '0' || *cur > '9')
			break;
		int n = 0;
		for (; cur < it->end && *cur >= '0' && *cur <= '9'; cur++) {
			n = n * 10 + (*cur - '0');
			if (n > FMT_MAXWIDTH)
				return bad(it, p, cur + 1, "a width or precision is larger than 65535");
		}
		cur--;
		*(dot ? &p->prec : &p->width) = n;
		digits = true;
	}
	if (cur == it->end)
		return bad(it, p, cur, "the format ends inside a conversion; write %% for a percent sign");
	if (*cur == '%')
		return bad(it, p, cur + 1, "%% takes no flags, width or precision");
	int cls = class_of(*cur, p->size);
	if (cls < 0)
		return bad(it, p, cur + 1, "there is no such conversion");
	p->conv = *cur;
	p->cls = (uint8_t)cls;
	p->len = (size_t)(cur + 1 - p->at);
	it->cur = cur + 1;
	return 1;
}

int
fmt_next(struct fmt_iter *it, struct fmt_piece *p)
{
	const char *cur = it->cur;
	*p = (struct fmt_piece){.at = cur};
	if (cur == it->end)
		return 0;
	if (*cur == '%') {
		if (it->end - cur < 2 || cur[1] != '%')
			return conversion(it, p, cur + 1);
		p->at++;
		p->len = 1;
		it->cur = cur + 2;
		return 1;
	}
	const char *percent = memchr(cur, '%', (size_t)(it->end - cur));
	it->cur = percent ? percent : it->end;
	p->len = (size_t)(it->cur - cur);
	return 1;
}

bool
fmt_takes_value(const struct fmt_piece *p)
{
	return p->conv && p->cls != FMT_C_NONE;
}
