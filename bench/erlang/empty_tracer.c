/* The floor: an erl_tracer whose callbacks do nothing, so that the cost of the VM's own dispatch can be seen. */
#include <erl_nif.h>

static ERL_NIF_TERM atom_trace, atom_ok;

static ERL_NIF_TERM
enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	(void)argv;
	return atom_trace;
}

static ERL_NIF_TERM
trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	(void)argv;
	return atom_ok;
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
	(void)priv;
	(void)info;
	atom_trace = enif_make_atom(env, "trace");
	atom_ok = enif_make_atom(env, "ok");
	return 0;
}

#define GROUP(g) {"enabled_" #g, 3, enabled, 0}, {"trace_" #g, 5, trace, 0}
static ErlNifFunc functions[] = {
    {"enabled", 3, enabled, 0},
    {"trace", 5, trace, 0},
    GROUP(call),
    GROUP(send),
    GROUP(procs),
    GROUP(running_procs),
};

ERL_NIF_INIT(empty_tracer, functions, load, NULL, NULL, NULL)
