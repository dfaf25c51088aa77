/* Foreign text for a terminal; see tame.h. */
#include "base/tame.h"

size_t
utf8_len(const unsigned char *s, size_t n)
{
	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	size_t want = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (n < want)
		return 0;
	unsigned char lo = 0x80, hi = 0xbf;
	if (s[0] == 0xe0)
		lo = 0xa0;
	else if (s[0] == 0xed)
		hi = 0x9f;
	else if (s[0] == 0xf0)
		lo = 0x90;
	else if (s[0] == 0xf4)
		hi = 0x8f;
	for (size_t i = 1; i < want; i++) {
		if (s[i] < lo || s[i] > hi)
			return 0;
		lo = 0x80;
		hi = 0xbf;
	}
	return want;
}

unsigned
utf8_char(const unsigned char *s, size_t len)
{
	static const unsigned char first[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	unsigned c = s[0] & first[len];
	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

bool
tame_is_hidden(unsigned c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) ||
	       c == 0xfeff;
}

static bool
is_control_byte(unsigned char c)
{
	return c >= 0x80 && c < 0xa0;
}

/* Returns how many bytes from s on can be shown as they are. */
static size_t
plain(const unsigned char *s, size_t n, bool is_utf8)
{
	size_t i = 0;
	while (i < n) {
		size_t len = s[i] < 0x80 ? 1 : is_utf8 ? utf8_len(s + i, n - i) : 0;
		if (len ? tame_is_hidden(utf8_char(s + i, len)) : is_control_byte(s[i]))
			break;
		i += len ? len : 1;
	}
	return i;
}

bool
tame_is_needed(const char *s, size_t n, bool is_utf8)
{
	return plain((const unsigned char *)s, n, is_utf8) < n;
}

void
tame_add(struct sbuf *b, const char *text, size_t n, bool is_utf8)
{
	const unsigned char *s = (const unsigned char *)text;
	for (size_t i = 0; i < n;) {
		size_t ok = plain(s + i, n - i, is_utf8);
		sb_add(b, text + i, ok);
		i += ok;
		if (i == n)
			break;
		size_t len = s[i] < 0x80 ? 1 : is_utf8 ? utf8_len(s + i, n - i) : 0;
		if (len)
			sb_printf(b, "\\u%04x", utf8_char(s + i, len));
		else
			sb_printf(b, "\\x%02x", s[i]);
		i += len ? len : 1;
	}
}
