/* block:io(File), block:cpu(File): hold a dirty scheduler until the file exists. */
#include <erl_nif.h>

#include <time.h>
#include <unistd.h>

static ERL_NIF_TERM
wait_for(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	char path[1024];
	(void)argc;
	if (enif_get_string(env, argv[0], path, sizeof path, ERL_NIF_LATIN1) <= 0)
		return enif_make_badarg(env);
	while (access(path, F_OK) != 0)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	return enif_make_atom(env, "ok");
}

static ErlNifFunc functions[] = {
    {"io", 1, wait_for, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"cpu", 1, wait_for, ERL_NIF_DIRTY_JOB_CPU_BOUND},
};

ERL_NIF_INIT(block, functions, NULL, NULL, NULL, NULL)
