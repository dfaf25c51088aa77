/* The option table: lookup, parsing of values, and when each may still change. */
#include "base/opts.h"
#include "base/strmap.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct opt_row {
	const char *name;
	enum opt_kind kind;
	int64_t dflt;
	unsigned flags;
};

static const struct opt_row rows[OPT_COUNT] = {
#define X(id, name, kind, dflt, flags) [OPT_##id] = {name, kind, dflt, flags},
    ET_OPTS(X)
#undef X
};

static const char *const names[OPT_COUNT] = {
#define X(id, name, kind, dflt, flags) [OPT_##id] = name,
    ET_OPTS(X)
#undef X
};

struct opt_word {
	const char *text;
	int64_t value;
};

/* DTrace's words; an empty value unsets a flag. */
static const struct opt_word flag_words[] = {{"on", 1}, {"yes", 1}, {"enable", 1}, {"enabled", 1}, {"true", 1},
    {"set", 1}, {"off", 0}, {"no", 0}, {"disable", 0}, {"disabled", 0}, {"false", 0}, {"unset", 0}, {"", 0}, {NULL, 0}};
static const struct opt_word policy_words[] = {{"switch", 0}, {"ring", 1}, {"fill", 2}, {NULL, 0}};
static const struct opt_word resize_words[] = {{"auto", 0}, {"manual", 1}, {NULL, 0}};
static const struct opt_word engine_words[] = {{"", 0}, {"user", 1}, {"kernel", 2}, {NULL, 0}};

/* Texts that accept only a few words. */
static const struct {
	enum opt_id id;
	const char *words[6], *wants;
} text_words[] = {
    {OPT_ENCODING, {"ascii", "utf8", "none"}, "ascii, utf8 or none"},
    {OPT_EVALTIME, {"exec", "preinit", "postinit", "main"}, "exec, preinit, postinit or main"},
    {OPT_LINKMODE, {"kernel", "primary", "dynamic", "static"}, "kernel, primary, dynamic or static"},
    {OPT_LINKTYPE, {"dof", "elf"}, "dof or elf"},
    {OPT_STDC, {"a", "c", "s", "t"}, "a, c, s or t"},
};

void
opts_init(struct opts *o)
{
	memset(o, 0, sizeof *o);
	for (unsigned i = 0; i < OPT_COUNT; i++)
		o->num[i] = rows[i].dflt;
}

void
opts_free(struct opts *o)
{
	for (unsigned i = 0; i < OPT_COUNT; i++)
		free(o->str[i]);
	opts_init(o);
}

/* Returns the row, or OPT_COUNT. */
static unsigned
find(const char *name)
{
	for (unsigned i = 0; i < OPT_COUNT; i++)
		if (strcmp(rows[i].name, name) == 0)
			return i;
	return OPT_COUNT;
}

const char *
opts_near(const char *name)
{
	return near_miss(name, names, OPT_COUNT);
}

bool
opts_is_outside(const char *name)
{
	unsigned id = find(name);
	return id != OPT_COUNT && (rows[id].flags & OF_OUTSIDE) != 0;
}

const char *
opts_wants(const char *name)
{
	unsigned id = find(name);
	if (id == OPT_COUNT)
		return "nothing";
	switch (rows[id].kind) {
	case OK_FLAG:
		return "on or off";
	case OK_INT:
		return "a number up to 2147483647";
	case OK_SIZE:
		return id == OPT_STRSIZE ? "a size of at least 1, such as 512 or 4k"
					 : "a size, such as 512, 4k, 16m or 1g";
	case OK_RATE:
		return "a rate, such as 100ms, 1s, 5m or 10hz";
	case OK_POLICY:
		return "switch, ring or fill";
	case OK_RESIZE:
		return "auto or manual";
	case OK_ENGINE:
		return "user or kernel";
	case OK_STRING:
	case OK_LIST:
		break;
	}
	for (unsigned i = 0; i < sizeof text_words / sizeof *text_words; i++) {
		if (text_words[i].id == id)
			return text_words[i].wants;
	}
	return id == OPT_VERSION ? "a version of D, such as 1.0 or 2.0.1" : "a text of one line";
}

static bool
parse_word(const struct opt_word *w, const char *s, int64_t *value)
{
	for (; w->text; w++)
		if (strcasecmp(w->text, s) == 0) {
			*value = w->value;
			return true;
		}
	return false;
}

/* Parses a non-negative number of any C base. *end gets what follows it. */
static bool
parse_number(const char *s, int64_t *value, const char **end)
{
	if (!isdigit((unsigned char)*s))
		return false;
	char *e;
	errno = 0;
	unsigned long long v = strtoull(s, &e, 0);
	if (errno || v > INT64_MAX)
		return false;
	*value = (int64_t)v;
	*end = e;
	return true;
}

bool
opt_parse_size(const char *s, int64_t *bytes)
{
	int64_t v;
	const char *end;
	if (!parse_number(s, &v, &end))
		return false;
	unsigned shift = 0;
	switch (*end) {
	case 'k':
	case 'K':
		shift = 10;
		break;
	case 'm':
	case 'M':
		shift = 20;
		break;
	case 'g':
	case 'G':
		shift = 30;
		break;
	case 't':
	case 'T':
		shift = 40;
		break;
	default:
		break;
	}
	if (shift)
		end++;
	if (*end || v > INT64_MAX >> shift)
		return false;
	*bytes = v << shift;
	return true;
}

bool
opt_parse_rate(const char *s, int64_t *ns)
{
	static const struct opt_word units[] = {{"ns", 1}, {"nsec", 1}, {"us", 1000}, {"usec", 1000}, {"ms", 1000000},
	    {"msec", 1000000}, {"s", 1000000000}, {"sec", 1000000000}, {"m", 60 * 1000000000LL},
	    {"min", 60 * 1000000000LL}, {"h", 3600 * 1000000000LL}, {"hour", 3600 * 1000000000LL},
	    {"d", 86400 * 1000000000LL}, {"day", 86400 * 1000000000LL}, {"hz", 0}, {"", 0}, {NULL, 0}};
	int64_t v, mul;
	const char *end;
	if (!parse_number(s, &v, &end) || !parse_word(units, end, &mul))
		return false;
	if (mul == 0) {
		*ns = v ? 1000000000 / v : 0;
		return v <= 1000000000;
	}
	if (v > INT64_MAX / mul)
		return false;
	*ns = v * mul;
	return true;
}

/* x.y[.z], for the existing versions of D: 1 and 2. */
static bool
is_version(const char *s)
{
	enum { MAJORS = 2, MOST = 4095 };
	unsigned parts = 0;
	for (;;) {
		int64_t v;
		const char *end;
		if (!parse_number(s, &v, &end) || v > (parts ? MOST : MAJORS) || (v == 0 && !parts) || ++parts > 3)
			return false;
		if (!*end)
			return parts > 1;
		if (*end != '.')
			return false;
		s = end + 1;
	}
}

static bool
text_allowed(unsigned id, const char *s)
{
	if (strchr(s, '\n') || (id == OPT_VERSION && !is_version(s)))
		return false;
	for (unsigned i = 0; i < sizeof text_words / sizeof *text_words; i++) {
		if (text_words[i].id != id)
			continue;
		for (unsigned w = 0; text_words[i].words[w]; w++)
			if (strcmp(text_words[i].words[w], s) == 0)
				return true;
		return false;
	}
	return true;
}

static enum opt_result
set_text(struct opts *o, unsigned id, const char *value)
{
	const char *before = rows[id].kind == OK_LIST && o->str[id] ? o->str[id] : NULL;
	size_t blen = before ? strlen(before) + 1 : 0, vlen = strlen(value);
	char *s = malloc(blen + vlen + 1);
	if (!s)
		return OPT_NOMEM;
	if (before) {
		memcpy(s, before, blen);
		s[blen - 1] = '\n';
	}
	memcpy(s + blen, value, vlen + 1);
	free(o->str[id]);
	o->str[id] = s;
	return OPT_OK;
}

static bool
parse_value(unsigned id, const char *value, int64_t *num)
{
	const char *end;
	switch (rows[id].kind) {
	case OK_FLAG:
		if (!value) {
			*num = 1;
			return true;
		}
		if (parse_word(flag_words, value, num))
			return true;
		if (!parse_number(value, num, &end) || *end)
			return false;
		*num = *num != 0;
		return true;
	case OK_INT:
		return value && parse_number(value, num, &end) && !*end && *num <= INT32_MAX;
	case OK_SIZE:
		return value && opt_parse_size(value, num) && (*num > 0 || id != OPT_STRSIZE);
	case OK_RATE:
		return value && opt_parse_rate(value, num);
	case OK_POLICY:
		return value && parse_word(policy_words, value, num);
	case OK_RESIZE:
		return value && parse_word(resize_words, value, num);
	case OK_ENGINE:
		return value && parse_word(engine_words, value, num);
	case OK_STRING:
	case OK_LIST:
		break;
	}
	return value && text_allowed(id, value);
}

enum opt_result
opts_set(struct opts *o, const char *name, const char *value)
{
	unsigned id = find(name);
	if (id == OPT_COUNT)
		return OPT_UNKNOWN;
	int64_t num = o->num[id];
	if (!parse_value(id, value, &num))
		return OPT_BADVALUE;
	if (o->going && !(rows[id].flags & OF_DYNAMIC))
		return OPT_TOOLATE;
	if (rows[id].kind == OK_STRING || rows[id].kind == OK_LIST) {
		enum opt_result r = set_text(o, id, value);
		if (r != OPT_OK)
			return r;
	}
	o->num[id] = num;
	o->set[id] = true;
	return OPT_OK;
}

enum opt_result
opts_get(const struct opts *o, const char *name, int64_t *num, const char **str)
{
	unsigned id = find(name);
	if (id == OPT_COUNT)
		return OPT_UNKNOWN;
	if (num)
		*num = o->num[id];
	if (str)
		*str = o->str[id];
	return OPT_OK;
}
