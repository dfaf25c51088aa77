/*
 * json(text, path) finds an element of a JSON text. The path has member names separated by dots, and array elements by
 * number in brackets: "a.b[0].c". A string is returned without its quotes and with its escapes undone (\u stays as it
 * is), anything else as written. The result is NULL if there is no such element, or if the text is wrong as far as it
 * was read.
 *
 * One pass without recursion: values are skipped by counting brackets.
 */
#include "engine/user/user.h"

struct scan {
	const char *at, *end;
};

static char
peek(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
		s->at++;
	return s->at < s->end ? *s->at : '\0';
}

/* Moves past a string and gives what is between the quotes. */
static bool
scan_string(struct scan *s, struct str *out)
{
	if (peek(s) != '"')
		return false;
	out->at = ++s->at;
	for (; s->at < s->end && *s->at != '"'; s->at++) {
		if (*s->at == '\\' && ++s->at == s->end)
			return false;
	}
	if (s->at >= s->end)
		return false;
	out->len = (size_t)(s->at++ - out->at);
	return true;
}

static bool
scan_word(struct scan *s)
{
	const char *from = s->at;
	while (s->at < s->end &&
	       (*s->at == '+' || *s->at == '-' || *s->at == '.' || *s->at == '_' || (*s->at >= '0' && *s->at <= '9') ||
		   ((*s->at | 0x20) >= 'a' && (*s->at | 0x20) <= 'z')))
		s->at++;
	return s->at > from;
}

/* Moves past a value of any kind and gives its text. */
static bool
scan_value(struct scan *s, struct str *out)
{
	struct str inner;
	char c = peek(s);
	out->at = s->at;
	if (c == '"') {
		if (!scan_string(s, &inner))
			return false;
	} else if (c == '{' || c == '[') {
		unsigned depth = 0;
		do {
			c = peek(s);
			if (c == '"') {
				if (!scan_string(s, &inner))
					return false;
				continue;
			}
			if (c == '\0')
				return false;
			depth += c == '{' || c == '[';
			depth -= c == '}' || c == ']';
			s->at++;
		} while (depth);
	} else if (!scan_word(s)) {
		return false;
	}
	out->len = (size_t)(s->at - out->at);
	return true;
}

/* Goes to the member or element. s is then before its value. */
static bool
enter_member(struct scan *s, const struct str *name)
{
	struct str key, skipped;
	if (peek(s) != '{')
		return false;
	do {
		s->at++;
		if (!scan_string(s, &key) || peek(s) != ':')
			return false;
		s->at++;
		if (key.len == name->len && memcmp(key.at, name->at, key.len) == 0)
			return true;
		if (!scan_value(s, &skipped))
			return false;
	} while (peek(s) == ',');
	return false;
}

static bool
enter_element(struct scan *s, uint64_t index)
{
	struct str skipped;
	if (peek(s) != '[')
		return false;
	do {
		s->at++;
		if (index-- == 0)
			return peek(s) != ']';
		if (!scan_value(s, &skipped))
			return false;
	} while (peek(s) == ',');
	return false;
}

/* Takes one step of the path. Returns false if it leads nowhere. */
static bool
step(struct scan *path, struct scan *s)
{
	if (*path->at == '[') {
		uint64_t index = 0;
		const char *from = ++path->at;
		for (; path->at < path->end && *path->at >= '0' && *path->at <= '9'; path->at++)
			if (index < UINT32_MAX)
				index = index * 10 + (uint64_t)(*path->at - '0');
		if (path->at == from || path->at == path->end || *path->at != ']')
			return false;
		path->at++;
		if (path->at < path->end && *path->at == '.')
			path->at++;
		return enter_element(s, index);
	}
	struct str name = {path->at, 0};
	while (path->at < path->end && *path->at != '.' && *path->at != '[')
		path->at++;
	name.len = (size_t)(path->at - name.at);
	if (path->at < path->end && *path->at == '.')
		path->at++;
	return enter_member(s, &name);
}

static bool
unescape(struct activation *r, struct str s, uint64_t *result)
{
	char *to = scratch_new0(r, s.len + 1, result);
	if (!to)
		return false;
	for (const char *at = s.at, *end = s.at + s.len; at < end; at++) {
		static const char from[] = "bfnrt\"\\/", into[] = "\b\f\n\r\t\"\\/";
		const char *known = *at == '\\' && at + 1 < end ? memchr(from, at[1], sizeof from - 1) : NULL;
		*to++ = known ? into[known - from] : *at;
		at += known != NULL;
	}
	return true;
}

bool
subr_JSON(struct activation *r, const uint64_t *arg, unsigned nargs, uint64_t *result)
{
	(void)nargs;
	struct str text, elem, value;
	if (!mem_str(r, arg[0], 0, &text) || !mem_str(r, arg[1], 1, &elem))
		return false;
	if (!charge(r, 4 * (text.len + elem.len)))
		return false;
	struct scan s = {text.at, text.at + text.len}, path = {elem.at, elem.at + elem.len};
	*result = 0;
	if (path.at == path.end)
		return true;
	while (path.at < path.end)
		if (!step(&path, &s))
			return true;
	if (!scan_value(&s, &value))
		return true;
	if (value.at[0] == '"')
		return unescape(r, (struct str){value.at + 1, value.len - 2}, result);
	return scratch_str(r, value.at, value.len, result);
}
