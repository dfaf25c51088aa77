/* Subroutines on strings. If the result is a part of the operand, it is an address inside it. */
#include "engine/user/user.h"

SUBR(STRLEN)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	*result = s.len;
	return true;
}

/* As in C, the NUL belongs to the string. */
SUBR(STRCHR)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	char c = (char)arg[1];
	const char *at = c ? memchr(s.at, c, s.len) : s.at + s.len;
	*result = at ? arg[0] + (uint64_t)(at - s.at) : 0;
	return true;
}

SUBR(STRRCHR)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	char c = (char)arg[1];
	const char *at = c ? memrchr(s.at, c, s.len) : s.at + s.len;
	*result = at ? arg[0] + (uint64_t)(at - s.at) : 0;
	return true;
}

/*
 * Finds where t begins in s. The result is NULL if it does not, or on a fault. The search goes in pieces that overlap
 * by all but one byte of t: the worst strings take ten nanoseconds per byte.
 */
static bool
search(struct activation *r, const char *s, size_t len, const struct str *t, const char **at)
{
	size_t piece = t->len > PAGE ? t->len : PAGE;
	for (*at = NULL; len >= t->len; s += piece, len -= piece) {
		size_t n = len - t->len < piece ? len : piece + t->len - (t->len > 0);
		if (!charge(r, 4 * n + 32))
			return false;
		if ((*at = memmem(s, n, t->at, t->len)) || n == len)
			break;
	}
	return true;
}

SUBR(STRSTR)
{
	UNUSED;
	struct str s, t;
	if (!mem_str(r, arg[0], 0, &s) || !mem_str(r, arg[1], 1, &t))
		return false;
	const char *at;
	if (!search(r, s.at, s.len, &t, &at))
		return false;
	*result = at ? arg[0] + (uint64_t)(at - s.at) : 0;
	return true;
}

/* Positions are Perl's: index() takes a negative one as 0, rindex() takes one past the end as the end. */
SUBR(INDEX)
{
	UNUSED;
	struct str s, t;
	if (!mem_str(r, arg[0], 0, &s) || !mem_str(r, arg[1], 1, &t))
		return false;
	int64_t pos = nargs > 2 ? (int64_t)arg[2] : 0, len = (int64_t)s.len;
	if (pos < 0)
		pos = 0;
	if (pos > len)
		pos = len;
	const char *at;
	if (!search(r, s.at + pos, s.len - (size_t)pos, &t, &at))
		return false;
	*result = at ? (uint64_t)(at - s.at) : UINT64_MAX;
	return true;
}

SUBR(RINDEX)
{
	UNUSED;
	struct str s, t;
	if (!mem_str(r, arg[0], 0, &s) || !mem_str(r, arg[1], 1, &t))
		return false;
	int64_t len = (int64_t)s.len, pos = nargs > 2 ? (int64_t)arg[2] : len;
	*result = UINT64_MAX;
	if (pos < 0) {
		if (t.len == 0)
			*result = 0;
		return true;
	}
	if (t.len > s.len)
		return true;
	if (pos > len - (int64_t)t.len)
		pos = len - (int64_t)t.len;
	for (; pos >= 0; pos--)
		if (!t.len || s.at[pos] == t.at[0]) {
			if (!charge(r, 8 + t.len))
				return false;
			if (memcmp(s.at + pos, t.at, t.len) == 0) {
				*result = (uint64_t)pos;
				break;
			}
		}
	return true;
}

SUBR(STRJOIN)
{
	UNUSED;
	struct str s, t;
	if (!mem_str(r, arg[0], 0, &s) || !mem_str(r, arg[1], 1, &t))
		return false;
	size_t max = r->e->strsize - 1, tail = t.len < max - s.len ? t.len : max - s.len;
	char *to = scratch_new(r, s.len + tail + 1, result);
	if (!to || !charge(r, s.len + tail))
		return false;
	memcpy(to, s.at, s.len);
	memcpy(to + s.len, t.at, tail);
	memset(to + s.len + tail, 0, up8(s.len + tail + 1) - (s.len + tail));
	return true;
}

/*
 * A negative start counts from the end. A start before the string moves to its beginning and shortens the length. A
 * negative length leaves off that many bytes at the end.
 */
SUBR(SUBSTR)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	__int128 len = (__int128)s.len, from = (int64_t)arg[1],
		 n = nargs > 2 ? (int64_t)arg[2] : (int64_t)r->e->strsize;
	if (from < 0) {
		from += len;
		if (from < 0 && from + n > 0) {
			n += from;
			from = 0;
		}
	}
	if (from < 0 || from >= len)
		from = n = 0;
	else if (n < 0)
		n += len - from;
	if (n < 0)
		n = 0;
	if (n > len - from)
		n = len - from;
	return scratch_str(r, s.at + (size_t)from, (size_t)n, result);
}

struct charset {
	uint64_t has[4];
};

static struct charset
charset_of(const struct str *s)
{
	struct charset set = {{0}};
	for (size_t i = 0; i < s->len; i++)
		set.has[(unsigned char)s->at[i] / 64] |= 1ULL << (unsigned char)s->at[i] % 64;
	return set;
}

static bool
is_one_of(const struct charset *set, char c)
{
	return set->has[(unsigned char)c / 64] >> (unsigned char)c % 64 & 1;
}

/*
 * The rest after a token, from its delimiter on, stays with the thread. strtok(NULL) goes on with it. If nothing is
 * left, the result is NULL.
 */
SUBR(STRTOK)
{
	UNUSED;
	struct str s, set;
	size_t used = r->scratch_used;
	uint64_t left = 0;
	if (!mem_str(r, arg[1], 1, &set))
		return false;
	char *copy = scratch_new(r, r->e->strsize, result);
	if (!copy)
		return false;
	if (!arg[0]) {
		if (!dyn_strtok_get(r, copy)) {
			*result = 0;
			r->scratch_used = used;
			return true;
		}
		s = (struct str){copy, strnlen(copy, r->e->strsize - 1)};
	} else if (!mem_str(r, arg[0], 0, &s)) {
		return false;
	}
	if (!charge(r, 2 * (s.len + set.len)))
		return false;
	struct charset ends = charset_of(&set);
	size_t from = 0, to;
	while (from < s.len && is_one_of(&ends, s.at[from]))
		from++;
	for (to = from; to < s.len && !is_one_of(&ends, s.at[to]); to++)
		;
	if (from == s.len) {
		*result = 0;
		r->scratch_used = used;
		return dyn_strtok_put(r, 0);
	}
	if (to < s.len && !scratch_str(r, s.at + to, s.len - to, &left))
		return false;
	bool ok = dyn_strtok_put(r, left);
	memmove(copy, s.at + from, to - from);
	memset(copy + (to - from), 0, up8(to - from + 1) - (to - from));
	r->scratch_used = used + up8(to - from + 1);
	return ok;
}

static unsigned
digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'Z')
		return (unsigned)(c - 'A') + 10;
	return 99;
}

static bool
base_of(struct activation *r, const uint64_t *arg, unsigned nargs, unsigned *base)
{
	*base = 10;
	if (nargs > 1) {
		if ((int64_t)arg[1] < 2 || (int64_t)arg[1] > 36)
			return fail(r, DIF_FAULT_ILLOP, 0);
		*base = (unsigned)arg[1];
	}
	return true;
}

SUBR(STRTOLL)
{
	UNUSED;
	struct str s;
	unsigned base;
	if (!base_of(r, arg, nargs, &base) || !mem_str(r, arg[0], 0, &s))
		return false;
	size_t i = 0;
	while (i < s.len && (s.at[i] == ' ' || (s.at[i] >= '\t' && s.at[i] <= '\r')))
		i++;
	bool minus = i < s.len && s.at[i] == '-';
	if (i < s.len && (s.at[i] == '-' || s.at[i] == '+'))
		i++;
	if (base == 16 && i + 2 < s.len && s.at[i] == '0' && (s.at[i + 1] | 0x20) == 'x' && digit(s.at[i + 2]) < 16)
		i += 2;
	uint64_t v = 0;
	for (; i < s.len && digit(s.at[i]) < base; i++)
		v = v * base + digit(s.at[i]);
	*result = minus ? 0 - v : v;
	return true;
}

/* Only base 10 has a sign. Bases 8 and 16 are written as in C. */
SUBR(LLTOSTR)
{
	UNUSED;
	char text[72], *at = text + sizeof text;
	unsigned base;
	if (!base_of(r, arg, nargs, &base))
		return false;
	bool minus = base == 10 && (int64_t)arg[0] < 0;
	uint64_t v = minus ? 0 - arg[0] : arg[0];
	do
		*--at = "0123456789abcdefghijklmnopqrstuvwxyz"[v % base];
	while (v /= base);
	if (base == 16)
		*--at = 'x';
	if (base == 16 || (base == 8 && *at != '0'))
		*--at = '0';
	if (minus)
		*--at = '-';
	return scratch_str(r, at, (size_t)(text + sizeof text - at), result);
}

static bool
map_case(struct activation *r, uint64_t addr, char from, char to, uint64_t *result)
{
	struct str s;
	if (!mem_str(r, addr, 0, &s) || !scratch_str(r, s.at, s.len, result))
		return false;
	char *at = r->scratch + DIF_OFFSET(*result);
	for (size_t i = 0; i < s.len; i++)
		if (at[i] >= from && at[i] <= from + 25)
			at[i] = (char)(at[i] - from + to);
	return true;
}

SUBR(TOLOWER)
{
	UNUSED;
	return map_case(r, arg[0], 'A', 'a', result);
}

SUBR(TOUPPER)
{
	UNUSED;
	return map_case(r, arg[0], 'a', 'A', result);
}
