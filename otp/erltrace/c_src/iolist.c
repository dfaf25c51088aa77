/* See iolist.h. */
#include "iolist.h"

#include "bits.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

struct iolist_walk {
	ErlNifEnv *env;
	char *buf; /* NULL if only the size is wanted */
	size_t len, size;
	struct look *look;
};

enum result { DONE, NO_IOLIST, TOO_LONG };

static enum result
add(struct iolist_walk *w, const void *bytes, size_t n)
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
add_binary(struct iolist_walk *w, ERL_NIF_TERM t)
{
	struct bits b;
	if (!w->buf && bits_of(t, &b)) {
		w->len += b.nbits / 8;
		return DONE;
	}
	if (bits_of(t, &b)) {
		size_t n = b.nbits / 8;
		if (n > w->size - w->len || look_bytes(w->look, n) < n)
			return TOO_LONG;
		unsigned char *to = (unsigned char *)w->buf + w->len;
		const unsigned char *at = bits_bytes(&b, to, &n);
		if (at != to)
			return add(w, at, n);
		w->len += n;
		return DONE;
	}
	ErlNifBinary whole;
	if (!w->buf) {
		w->look->over = true;
		return TOO_LONG;
	}
	return enif_inspect_binary(w->env, t, &whole) ? add(w, whole.data, whole.size) : NO_IOLIST;
}

static enum result
walk(struct iolist_walk *w, ERL_NIF_TERM t, unsigned depth)
{
	enum result r = DONE;
	ERL_NIF_TERM head;
	unsigned c;
	if (depth > MAX_DEPTH) {
		w->look->over = true;
		return TOO_LONG;
	}
	while (r == DONE && enif_get_list_cell(w->env, t, &head, &t)) {
		if (!look_part(w->look))
			return TOO_LONG;
		if (enif_get_uint(w->env, head, &c)) {
			unsigned char byte = (unsigned char)c;
			r = c < 256 ? add(w, &byte, 1) : NO_IOLIST;
		} else
			r = walk(w, head, depth + 1);
	}
	if (r != DONE || enif_is_empty_list(w->env, t))
		return r;
	return enif_is_binary(w->env, t) ? add_binary(w, t) : NO_IOLIST;
}

bool
iolist_length(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, uint32_t *size)
{
	struct iolist_walk w = {.env = env, .look = l};
	enum result r = walk(&w, t, 0);
	*size = r == DONE && w.len < TEXT_UNKNOWN_SIZE ? (uint32_t)w.len : TEXT_UNKNOWN_SIZE;
	return r != NO_IOLIST;
}

uint32_t
iolist_size(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t)
{
	uint32_t size;
	return iolist_length(env, l, t, &size) ? size : 0;
}

bool
iolist_copy(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size, size_t *len)
{
	struct iolist_walk w = {.env = env, .look = l, .buf = buf, .size = size - 1};
	if (walk(&w, t, 0) != DONE)
		return false;
	buf[w.len] = '\0';
	*len = w.len;
	return true;
}
