/*
 * Erlang terms: questions to the firing's provider. A term is an address of DIF_R_TERM that only the provider
 * understands. Read as memory it is its text (mem.c), so text() does no work until the text is read.
 */
#include "engine/user/user.h"

static bool
ask(struct activation *r, struct term_query *q)
{
	if (!r->f->ops || !r->f->ops->term)
		return fail(r, DIF_FAULT_ILLOP, q->term);
	/* the provider itself bounds how much of a term is looked at */
	if (!charge(r, 256))
		return false;
	int err = r->f->ops->term(r->f, q);
	return err == 0 || fail(r, (enum dif_fault)err, q->term);
}

static bool
ask_number(struct activation *r, enum dif_subr op, uint64_t term, uint64_t *result)
{
	struct term_query q = {.op = op, .term = term};
	if (!ask(r, &q))
		return false;
	*result = q.result;
	return true;
}

#define ONE(id) \
	SUBR(id) \
	{ \
		UNUSED; \
		return ask_number(r, DIF_SUBR_##id, arg[0], result); \
	}
ONE(TERM_IS_ATOM)
ONE(TERM_IS_BINARY)
ONE(TERM_IS_BITSTRING)
ONE(TERM_IS_BOOLEAN)
ONE(TERM_IS_FLOAT)
ONE(TERM_IS_FUNCTION)
ONE(TERM_IS_INTEGER)
ONE(TERM_IS_LIST)
ONE(TERM_IS_MAP)
ONE(TERM_IS_NUMBER)
ONE(TERM_IS_PID)
ONE(TERM_IS_PORT)
ONE(TERM_IS_REFERENCE)
ONE(TERM_IS_TUPLE)
ONE(TERM_HD)
ONE(TERM_TL)
ONE(TERM_LENGTH)
ONE(TERM_TUPLE_SIZE)
ONE(TERM_MAP_SIZE)
ONE(TERM_BYTE_SIZE)
ONE(TERM_IOLIST_SIZE)
ONE(TERM_INT)

SUBR(TERM_ELEMENT)
{
	UNUSED;
	struct term_query q = {.op = DIF_SUBR_TERM_ELEMENT, .term = arg[1], .num = (int64_t)arg[0]};
	if (!ask(r, &q))
		return false;
	*result = q.result;
	return true;
}

static bool
by_key(struct activation *r, enum dif_subr op, const uint64_t *arg, uint64_t *result)
{
	struct term_query q = {.op = op, .term = arg[1], .num = (int64_t)arg[0], .key = arg[0]};
	struct str s;
	switch (arg[2]) {
	case TERM_KEY_INT:
		q.keykind = TERM_KEY_INT;
		break;
	case TERM_KEY_STRING:
		if (!mem_str(r, arg[0], 0, &s))
			return false;
		q.keykind = TERM_KEY_STRING;
		q.text = s.at;
		q.textlen = s.len;
		break;
	default:
		q.keykind = TERM_KEY_TERM;
	}
	if (!ask(r, &q))
		return false;
	*result = q.result;
	return true;
}

SUBR(TERM_MAP_GET)
{
	UNUSED;
	return by_key(r, DIF_SUBR_TERM_MAP_GET, arg, result);
}

SUBR(TERM_IS_MAP_KEY)
{
	UNUSED;
	return by_key(r, DIF_SUBR_TERM_IS_MAP_KEY, arg, result);
}

/* The bytes may contain NULs; D's strings end there. */
static bool
ask_string(struct activation *r, enum dif_subr op, uint64_t term, uint64_t *result)
{
	struct term_query q = {.op = op, .term = term, .most = r->e->strsize};
	return ask(r, &q) && scratch_str(r, q.mem, strnlen(q.mem, q.len), result);
}

SUBR(TERM_ATOM)
{
	UNUSED;
	return ask_string(r, DIF_SUBR_TERM_ATOM, arg[0], result);
}

SUBR(TERM_BINARY)
{
	UNUSED;
	return ask_string(r, DIF_SUBR_TERM_BINARY, arg[0], result);
}

SUBR(TERM_TEXT)
{
	UNUSED;
	if (!r->f->ops || !r->f->ops->term)
		return fail(r, DIF_FAULT_ILLOP, arg[0]);
	*result = arg[0];
	return true;
}
