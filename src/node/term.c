/* See term.h. */
#include "node/term.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	VERSION = 131,
	MAX_ATOM = 255,            /* characters; up to four bytes each */
	MAX_REF_WORDS = 5,         /* what ei has room for */
	OLD_FLOAT = 31,            /* text */
	FUN_HEAD = 1 + 16 + 4 + 4, /* behind its size: arity, hash, index, number of free variables */
};

struct in {
	const unsigned char *at;
	size_t left;
};

static bool
skip(struct in *in, size_t n)
{
	if (n > in->left)
		return false;
	in->at += n;
	in->left -= n;
	return true;
}

/* A number of `bytes` bytes, big-endian. */
static bool
number(struct in *in, unsigned bytes, size_t *n)
{
	*n = 0;
	if (bytes > in->left)
		return false;
	for (unsigned i = 0; i < bytes; i++)
		*n = *n << 8 | in->at[i];
	return skip(in, bytes);
}

/* A length of `bytes` bytes, followed by that many bytes plus `more`. */
static bool
counted(struct in *in, unsigned bytes, size_t more, size_t most)
{
	size_t n;
	return number(in, bytes, &n) && n <= most && skip(in, more) && skip(in, n);
}

static bool
atom(struct in *in)
{
	size_t tag;
	if (!number(in, 1, &tag))
		return false;
	switch (tag) {
	case ERL_ATOM_EXT:
		return counted(in, 2, 0, MAX_ATOM);
	case ERL_SMALL_ATOM_EXT:
		return counted(in, 1, 0, MAX_ATOM);
	case ERL_ATOM_UTF8_EXT:
		return counted(in, 2, 0, MAX_ATOM * 4);
	case ERL_SMALL_ATOM_UTF8_EXT:
		return counted(in, 1, 0, MAX_ATOM);
	default:
		return false;
	}
}

static bool
reference(struct in *in, size_t creation)
{
	size_t words;
	return number(in, 2, &words) && words >= 1 && words <= MAX_REF_WORDS && atom(in) && skip(in, creation) &&
	       skip(in, words * 4);
}

static bool
pid(struct in *in)
{
	size_t tag;
	if (!number(in, 1, &tag) || (tag != ERL_PID_EXT && tag != ERL_NEW_PID_EXT))
		return false;
	return atom(in) && skip(in, tag == ERL_PID_EXT ? 9 : 12);
}

static bool
small_number(struct in *in)
{
	size_t tag;
	if (!number(in, 1, &tag) || (tag != ERL_SMALL_INTEGER_EXT && tag != ERL_INTEGER_EXT))
		return false;
	return skip(in, tag == ERL_SMALL_INTEGER_EXT ? 1 : 4);
}

/* A fun up to its free variables, which end where its own size says, because ei jumps there. */
static bool
fun(struct in *in, size_t *free_vars, const unsigned char **end)
{
	struct in head = *in;
	size_t size;
	if (!number(&head, 4, &size) || size < 4 + FUN_HEAD || size > in->left)
		return false;
	*end = in->at + size;
	struct in body = {head.at, size - 4};
	if (!skip(&body, FUN_HEAD - 4) || !number(&body, 4, free_vars) || !atom(&body) || !small_number(&body) ||
	    !small_number(&body) || !pid(&body) || *free_vars > body.left)
		return false;
	return skip(in, (size_t)(body.at - in->at));
}

/* What is open at one depth. */
struct level {
	size_t left;              /* terms that still belong here */
	const unsigned char *end; /* of a fun: where the last of them must end */
};

/* Reads one term without its parts; *parts terms that belong to it follow. */
static bool
one(struct in *in, size_t *parts, const unsigned char **end)
{
	size_t tag, n;
	*parts = 0;
	*end = NULL;
	if (!in->left)
		return false;
	switch (tag = in->at[0]) {
	case ERL_ATOM_EXT:
	case ERL_SMALL_ATOM_EXT:
	case ERL_ATOM_UTF8_EXT:
	case ERL_SMALL_ATOM_UTF8_EXT:
		return atom(in);
	case ERL_PID_EXT:
	case ERL_NEW_PID_EXT:
		return pid(in);
	default:
		break;
	}
	skip(in, 1);
	switch (tag) {
	case ERL_SMALL_INTEGER_EXT:
		return skip(in, 1);
	case ERL_INTEGER_EXT:
		return skip(in, 4);
	case ERL_FLOAT_EXT:
		/* ei reads it as text, so it must end inside */
		return in->left >= OLD_FLOAT && memchr(in->at, 0, OLD_FLOAT) && skip(in, OLD_FLOAT);
	case NEW_FLOAT_EXT:
		return skip(in, 8);
	case ERL_SMALL_BIG_EXT:
		return counted(in, 1, 1, UINT8_MAX);
	case ERL_LARGE_BIG_EXT:
		return counted(in, 4, 1, INT_MAX / 8);
	case ERL_STRING_EXT:
		return counted(in, 2, 0, UINT16_MAX);
	case ERL_BINARY_EXT:
		return counted(in, 4, 0, INT_MAX - 1);
	case ERL_BIT_BINARY_EXT:
		return in->left >= 5 && in->at[4] >= 1 && in->at[4] <= 8 && counted(in, 4, 1, INT_MAX / 8);
	case ERL_REFERENCE_EXT:
		return atom(in) && skip(in, 5);
	case ERL_NEW_REFERENCE_EXT:
		return reference(in, 1);
	case ERL_NEWER_REFERENCE_EXT:
		return reference(in, 4);
	case ERL_PORT_EXT:
		return atom(in) && skip(in, 5);
	case ERL_NEW_PORT_EXT:
		return atom(in) && skip(in, 8);
	case ERL_V4_PORT_EXT:
		return atom(in) && skip(in, 12);
	case ERL_EXPORT_EXT:
		/* NOLINTNEXTLINE(misc-redundant-expression): the module and the function */
		return atom(in) && atom(in) && small_number(in);
	case ERL_NEW_FUN_EXT:
		return fun(in, parts, end);
	case ERL_NIL_EXT:
		return true;
	case ERL_SMALL_TUPLE_EXT:
		return number(in, 1, parts);
	case ERL_LARGE_TUPLE_EXT:
		return number(in, 4, parts) && *parts <= in->left;
	case ERL_LIST_EXT: /* its tail too */
		return number(in, 4, &n) && n < in->left && (*parts = n + 1);
	case ERL_MAP_EXT:
		return number(in, 4, &n) && n <= in->left / 2 && ((*parts = n * 2) || true);
	default: /* compressed, from the cache of a distribution header, of one node only, funs of old, or unknown */
		return false;
	}
}

size_t
term_len(const char *at, size_t len)
{
	struct level open[TERM_DEPTH];
	unsigned depth = 0;
	struct in in = {(const unsigned char *)at, len};
	open[0] = (struct level){1, NULL};
	for (;;) {
		struct level *l = &open[depth];
		if (!l->left) {
			if (l->end && l->end != in.at)
				return 0;
			if (!depth)
				return len - in.left;
			depth--;
			continue;
		}
		size_t parts;
		const unsigned char *end;
		l->left--;
		if (!one(&in, &parts, &end))
			return 0;
		if (!parts && (!end || end == in.at))
			continue;
		if (depth + 1 == TERM_DEPTH)
			return 0;
		open[++depth] = (struct level){parts, end};
	}
}

size_t
term_len_versioned(const char *at, size_t len)
{
	if (!len || (unsigned char)at[0] != VERSION)
		return 0;
	size_t n = term_len(at + 1, len - 1);
	return n ? n + 1 : 0;
}

bool
term_skip(const ei_x_buff *x, int *index)
{
	/* it is inside bytes that were validated, at most TERM_PAD before the buffer's end */
	size_t n = *index < x->buffsz ? term_len(x->buff + *index, (size_t)(x->buffsz - *index)) : 0;
	*index += (int)n;
	return n > 0;
}

bool
term_field(const ei_x_buff *x, int map, const char *name, int *index)
{
	char key[MAXATOMLEN_UTF8];
	int n;
	*index = map;
	if (ei_decode_map_header(x->buff, index, &n))
		return false;
	for (; n > 0; n--) {
		bool is_name = ei_decode_atom_as(x->buff, index, key, sizeof key, ERLANG_UTF8, NULL, NULL) == 0;
		if (is_name && strcmp(key, name) == 0)
			return true;
		if ((!is_name && !term_skip(x, index)) || !term_skip(x, index))
			return false;
	}
	return false;
}

char *
term_read_text(const ei_x_buff *x, int *index)
{
	int type, size;
	long len;
	if (ei_get_type(x->buff, index, &type, &size) || type != ERL_BINARY_EXT)
		return NULL;
	char *text = calloc(1, (size_t)size + 1);
	if (!text || ei_decode_binary(x->buff, index, text, &len)) {
		free(text);
		return NULL;
	}
	for (char *c = text; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f)
			*c = '?';
	return text;
}
