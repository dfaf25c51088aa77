/*
 * Erlang terms as text, and their size.
 *
 * Everything here is safe on any term: work and depth are bounded, and what does not fit is cut with "...". Nothing is
 * kept.
 */
#ifndef ERLTRACE_TEXT_H
#define ERLTRACE_TEXT_H

#include <erl_nif.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much one event may still look at, for all its terms together. */
struct look {
	unsigned parts, bytes;
	bool over;     /* there was more than it may look at */
	unsigned work; /* units of struct eng_budget, for what was looked at */
};
enum { LOOK_CELLS = 8 }; /* this many cells of a list count as one part if they are only counted */
enum { LOOK_PART = 16 }; /* units of work */

static inline void
look_init(struct look *l, unsigned parts, unsigned bytes)
{
	l->parts = parts;
	l->bytes = bytes;
	l->over = false;
	l->work = 0;
}

static inline bool
look_part(struct look *l)
{
	l->work += LOOK_PART;
	if (l->parts) {
		l->parts--;
		return true;
	}
	l->over = true;
	return false;
}

/* Returns how many of n bytes may be looked at. */
static inline size_t
look_bytes(struct look *l, size_t n)
{
	if (n > l->bytes) {
		n = l->bytes;
		l->over = true;
	}
	l->bytes -= (unsigned)n;
	l->work += (unsigned)n;
	return n;
}

/* Writes Erlang's own syntax, at most size bytes including the NUL. Returns the length without it. */
size_t text_term(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size);
/* An exit reason as the VM's own probes show it: kill is killed. */
size_t text_reason(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t, char *buf, size_t size);
/* module:function/arity */
size_t text_mfa(ErlNifEnv *env, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity, char *buf, size_t size);

enum { TEXT_UNKNOWN_SIZE = 0xffffffffu };
/* Returns heap words of a term, as the VM counts them for a message, or TEXT_UNKNOWN_SIZE if it is too large to
 * walk. */
uint32_t text_words(ErlNifEnv *env, struct look *l, ERL_NIF_TERM t);

#endif
