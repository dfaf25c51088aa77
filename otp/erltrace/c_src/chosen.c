/* See chosen.h. */
#include "hub.h"
#include "tracer.h"

ERL_NIF_TERM
chosen_loader(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	atomic_store_explicit(&the_hub.loader, argv[0], memory_order_relaxed);
	return enif_make_atom(env, "ok");
}

ERL_NIF_TERM
chosen_nif(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	unsigned one_of;
	(void)argc;
	if (!enif_get_uint(env, argv[1], &one_of))
		return enif_make_badarg(env);
	bool is_loader = argv[0] == atomic_load_explicit(&the_hub.loader, memory_order_relaxed);
	return enif_make_atom(env, is_loader || !chosen_hides(one_of, env, argv[0]) ? "true" : "false");
}

ERL_NIF_TERM
chosen_strays(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ERL_NIF_TERM list = enif_make_list(env, 0);
	(void)argc;
	(void)argv;
	for (unsigned i = 0; i < STRAYS; i++) {
		ERL_NIF_TERM pid = atomic_load_explicit(&the_hub.strays.pid[i], memory_order_relaxed);
		if (!pid)
			continue;
		atomic_store_explicit(&the_hub.strays.pid[i], 0, memory_order_relaxed);
		list = enif_make_list_cell(env, pid, list);
	}
	return list;
}
