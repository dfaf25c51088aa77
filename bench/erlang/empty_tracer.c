/*
 * The lower bound: an erl_tracer whose callbacks do nothing, which shows the cost of the VM's own dispatch. And the
 * clock to measure it: CPU time of the scheduler's thread, which other programs on the machine do not add to.
 */
#include <erl_nif.h>

#include <time.h>

static ERL_NIF_TERM atom_trace, atom_trace_status, atom_discard, atom_ok;

/* The tracer's state is the tag that is asked for; [] (not an atom) means all. */
static ERL_NIF_TERM
enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	return argv[0] == argv[1] || !enif_is_atom(env, argv[1]) || argv[0] == atom_trace_status ? atom_trace
												 : atom_discard;
}

static ERL_NIF_TERM
trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)env;
	(void)argc;
	(void)argv;
	return atom_ok;
}

static ERL_NIF_TERM
cpu_time(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	struct timespec t;
	(void)argc;
	(void)argv;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return enif_make_int64(env, (ErlNifSInt64)t.tv_sec * 1000000000 + t.tv_nsec);
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
	(void)priv;
	(void)info;
	atom_trace = enif_make_atom(env, "trace");
	atom_trace_status = enif_make_atom(env, "trace_status");
	atom_discard = enif_make_atom(env, "discard");
	atom_ok = enif_make_atom(env, "ok");
	return 0;
}

#define GROUP(g) \
	{"enabled_" #g, 3, enabled, 0}, \
	{ \
		"trace_" #g, 5, trace, 0 \
	}
static ErlNifFunc functions[] = {
    {"enabled", 3, enabled, 0},
    {"trace", 5, trace, 0},
    GROUP(call),
    GROUP(send),
    GROUP(procs),
    GROUP(running_procs),
    {"cpu_time", 0, cpu_time, 0},
};

ERL_NIF_INIT(empty_tracer, functions, load, NULL, NULL, NULL)
