/* See iolist.h. */
#include "iolist.h"

#include "text.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_PARTS = 16384 };

struct walk {
	ErlNifEnv *env;
	char *buf; /* NULL: only the size is wanted */
	size_t len, size;
	unsigned parts;
};

enum result { DONE, NO_IOLIST, TOO_LONG };

static enum result
add(struct walk *w, const void *bytes, size_t n)
{
	if (w->buf) {
		if (n > w->size - w->len)
			return TOO_LONG;
		memcpy(w->buf + w->len, bytes, n);
	}
	w->len += n;
	return DONE;
}

static enum result
walk(struct walk *w, ERL_NIF_TERM t, unsigned depth)
{
	enum result r = DONE;
	ERL_NIF_TERM head;
	ErlNifBinary b;
	unsigned c;
	if (depth > MAX_DEPTH)
		return TOO_LONG;
	while (r == DONE && enif_get_list_cell(w->env, t, &head, &t)) {
		if (w->parts++ == MAX_PARTS)
			return TOO_LONG;
		if (enif_get_uint(w->env, head, &c)) {
			unsigned char byte = (unsigned char)c;
			r = c < 256 ? add(w, &byte, 1) : NO_IOLIST;
		} else
			r = walk(w, head, depth + 1);
	}
	if (r != DONE || enif_is_empty_list(w->env, t))
		return r;
	return enif_inspect_binary(w->env, t, &b) ? add(w, b.data, b.size) : NO_IOLIST;
}

uint32_t
iolist_size(ErlNifEnv *env, ERL_NIF_TERM t)
{
	struct walk w = {.env = env};
	enum result r = walk(&w, t, 0);
	if (r == NO_IOLIST)
		return 0;
	return r == DONE && w.len < TEXT_UNKNOWN_SIZE ? (uint32_t)w.len : TEXT_UNKNOWN_SIZE;
}

bool
iolist_copy(ErlNifEnv *env, ERL_NIF_TERM t, char *buf, size_t size, size_t *len)
{
	struct walk w = {.env = env, .buf = buf, .size = size - 1};
	if (walk(&w, t, 0) != DONE)
		return false;
	buf[w.len] = '\0';
	*len = w.len;
	return true;
}
