/* Subroutines on paths. They look only at the text. */
#include "engine/user/user.h"

static size_t
trim(const char *s, size_t len)
{
	while (len > 0 && s[len - 1] == '/')
		len--;
	return len;
}

SUBR(BASENAME)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	if (s.len == 0)
		return scratch_str(r, ".", 1, result);
	size_t end = trim(s.at, s.len), from = end;
	if (end == 0)
		return scratch_str(r, "/", 1, result);
	while (from > 0 && s.at[from - 1] != '/')
		from--;
	return scratch_str(r, s.at + from, end - from, result);
}

SUBR(DIRNAME)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	size_t end = trim(s.at, s.len);
	if (end == 0)
		return scratch_str(r, s.len ? "/" : ".", 1, result);
	while (end > 0 && s.at[end - 1] != '/')
		end--;
	if (end == 0)
		return scratch_str(r, ".", 1, result);
	end = trim(s.at, end);
	return end ? scratch_str(r, s.at, end, result) : scratch_str(r, "/", 1, result);
}

static bool
is_dots(const char *s, size_t n, size_t dots)
{
	return n == dots && memcmp(s, "..", dots) == 0;
}

/* Returns whether ".." can take away the last component of `to`. */
static bool
can_go_up(const char *to, size_t n)
{
	return n > 0 && !is_dots(to, n, 2) && !(n >= 3 && memcmp(to + n - 3, "/..", 3) == 0);
}

/* The result has one slash between components, no ".", and no ".." that can be resolved. "" stays "". */
SUBR(CLEANPATH)
{
	UNUSED;
	struct str s;
	if (!mem_str(r, arg[0], 0, &s))
		return false;
	char *to = scratch_new0(r, s.len + 2, result);
	if (!to || !charge(r, 4 * s.len))
		return false;
	size_t root = s.len && s.at[0] == '/', n = root;
	if (root)
		to[0] = '/';
	for (size_t i = 0, end; i < s.len; i = end + 1) {
		const char *slash = memchr(s.at + i, '/', s.len - i);
		end = slash ? (size_t)(slash - s.at) : s.len;
		size_t len = end - i;
		if (len == 0 || is_dots(s.at + i, len, 1))
			continue;
		if (is_dots(s.at + i, len, 2)) {
			if (n > root && can_go_up(to + root, n - root)) {
				while (n > root && to[n - 1] != '/')
					n--;
				if (n > root)
					n--;
				continue;
			}
			if (root)
				continue;
		}
		if (n > root)
			to[n++] = '/';
		memcpy(to + n, s.at + i, len);
		n += len;
	}
	if (n == 0 && s.len)
		to[n++] = '.';
	memset(to + n, 0, s.len + 2 - n);
	return true;
}
