/*
 * Functions that were seen: their text, and which scripts want their calls.
 *
 * The table has fixed memory and only grows; it lives as long as the hub. Finding takes no lock. Atoms never move or
 * die, so an entry stays valid.
 */
#ifndef ERLTRACE_MFA_H
#define ERLTRACE_MFA_H

#include <erl_nif.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* MFA_VALUE: a return probe whose clauses look at the value, which only {return_trace} gives. */
enum mfa_sort { MFA_ENTRY, MFA_RETURN, MFA_EXCEPTION, MFA_VALUE, MFA_NSORTS };

struct sub; /* hub.h */

struct mfa {
	ERL_NIF_TERM m, f, a;                 /* a: the arity, a word as atoms are */
	atomic_uint next;                     /* index in the chain, 0 ends */
	uint32_t index;                       /* its own */
	uint32_t len;                         /* of text */
	uint8_t arity;                        /* at most 255 */
	uint8_t is_native;                    /* a BIF or a NIF: enum mfa_native */
	const char *text;                     /* module:function/arity */
	struct sub *_Atomic subs[MFA_NSORTS]; /* sub_list of hub.h */
};

enum mfa_native { MFA_ERLANG, MFA_BIF, MFA_NIF };

struct mfas;

struct mfas *mfas_new(void);
void mfas_free(struct mfas *t);
/* Returns the arity that a number or a list of arguments stands for, or false. It looks at no more elements than
 * there can be. */
bool mfa_arity(ErlNifEnv *env, ERL_NIF_TERM t, unsigned *arity);
/* Finds or adds. Returns NULL if it is not a function or the table is full. */
struct mfa *mfa_get(struct mfas *t, ErlNifEnv *env, ERL_NIF_TERM m, ERL_NIF_TERM f, unsigned arity);
/* The same for {Module, Function, Arity or Args}. */
struct mfa *mfa_of(struct mfas *t, ErlNifEnv *env, ERL_NIF_TERM mfa);
static inline uint32_t
mfa_index(const struct mfa *m)
{
	return m->index;
}
struct mfa *mfa_at(struct mfas *t, uint32_t index);
/* Indexes are below this. */
uint32_t mfas_count(struct mfas *t);
/* Forgets a script's interest in all functions. */
void mfas_forget(struct mfas *t, unsigned script, struct sub **removed);

#endif
