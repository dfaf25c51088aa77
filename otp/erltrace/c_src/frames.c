/* See frames.h. */
#include "frames.h"

/* Returns {line, N} of a location, or 0 if there is none. */
static unsigned
line_of(ErlNifEnv *env, ERL_NIF_TERM location, ERL_NIF_TERM line)
{
	ERL_NIF_TERM head;
	const ERL_NIF_TERM *e;
	unsigned n;
	int size;
	for (int i = 0; i < 8 && enif_get_list_cell(env, location, &head, &location); i++)
		if (enif_get_tuple(env, head, &size, &e) && size == 2 && e[0] == line && enif_get_uint(env, e[1], &n))
			return n < DIF_MFA_LINES ? n : 0;
	return 0;
}

unsigned
frames_of(struct hub *h, ErlNifEnv *env, ERL_NIF_TERM trace, uint64_t *frames, unsigned max)
{
	ERL_NIF_TERM head, line = enif_make_atom(env, "line");
	const ERL_NIF_TERM *e;
	unsigned arity, n = 0;
	int size;
	while (n < max && enif_get_list_cell(env, trace, &head, &trace)) {
		if (!enif_get_tuple(env, head, &size, &e) || size < 3 || !mfa_arity(env, e[2], &arity))
			continue;
		const struct mfa *m = mfa_get(h->mfas, env, e[0], e[1], arity);
		if (m)
			frames[n++] =
			    DIF_ADDR(DIF_R_MFA, DIF_MFA(mfa_index(m), size > 3 ? line_of(env, e[3], line) : 0));
	}
	return n;
}
