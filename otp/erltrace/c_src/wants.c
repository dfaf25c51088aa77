/* See wants.h. */
#include "wants.h"

#include "level.h"

#include <string.h>

/* Atoms of a text, separated by blanks, before a list. */
static ERL_NIF_TERM
add_atoms(ErlNifEnv *env, ERL_NIF_TERM list, const char *text)
{
	for (size_t len; (len = strcspn(text, " ")); text += len, text += *text == ' ')
		list = enif_make_list_cell(env, enif_make_atom_len(env, text, len), list);
	return list;
}

ERL_NIF_TERM
wants_list(ErlNifEnv *env, const struct script *row)
{
	static const struct {
		unsigned want;
		const char *atom;
	} names[] = {
	    {WANT(ES_SEND) | WANT(ES_ALL), "send"},
	    {WANT(ES_SEND) | WANT(ES_ALL), "sends"}, /* all of them */
	    {WANT(ES_RECEIVE) | WANT(ES_PORTRECV) | WANT_SIGNAL | WANT(ES_ALL), "receive"},
	    {WANT(ES_RECEIVE) | WANT(ES_ALL), "messages"}, /* receive of processes: all messages */
	    {WANT(ES_CALL) | WANT(ES_RETURN) | WANT(ES_CODE) | WANT(ES_USER) | WANT_LOADS | WANT_SIGNAL | WANT_SLEEP,
		"call"},
	    {WANT_SHADOW, "return_to"},
	    {WANT_CALLERS, "callers"},
	    {WANT(ES_PROCS) | WANT_EXIT | WANT_SIGNAL | WANT(ES_ALL), "procs"},
	    {WANT(ES_RUNNING) | WANT_RUN | WANT_UNBLOCK | WANT_SAMPLE | WANT_SLOT | WANT_WHERE | WANT(ES_ALL),
		"running_procs"},
	    {WANT_SLOT, "exiting"}, /* the end of a process's last slice: without it nobody tells that it is over */
	    {WANT(ES_GC) | WANT(ES_ALL), "garbage_collection"},
	    {WANT(ES_PORTS) | WANT(ES_PORTRECV) | WANT(ES_ALL), "ports"},
	    {WANT(ES_SEQ), "seq_trace"},
	    {WANT(ES_DIST), "monitor_nodes"},
	    {WANT(ES_CODE), "code"},
	    {WANT(ES_USER), "user"},
	    {WANT_TOKEN, "token"},
	    {WANT_ARGS, "arguments"},
	    {WANT_SIGNAL, "exit_signals"},
	    {WANT_SLEEP, "hibernate"},
	    {WANT_READ, "samples"},
	    {WANT_LOADS, "loads"},
	};
	ERL_NIF_TERM list = enif_make_list(env, 0);
	if (!row)
		return list;
	for (unsigned i = 0; i < ERL_NROWS; i++)
		if (row->probes[i] && erl_rows[i].needs.atoms)
			list = add_atoms(env, list, erl_rows[i].needs.atoms);
	if (row->stacks)
		list = enif_make_list_cell(
		    env, enif_make_tuple2(env, enif_make_atom(env, "frames"), enif_make_uint(env, row->stacks)), list);
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (row->wants & names[i].want &&
		    (names[i].want != WANT_CALLERS || row->stacks || !levels_known())) /* depths are known without */
			list = enif_make_list_cell(env, enif_make_atom(env, names[i].atom), list);
	if (row->one_of > 1 && chosen_only(row->wants) && !enif_is_empty_list(env, list))
		list = enif_make_list_cell(
		    env, enif_make_tuple2(env, enif_make_atom(env, "one_of"), enif_make_uint(env, row->one_of)), list);
	return list;
}
