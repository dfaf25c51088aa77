/*
 * Known waits. hold:block(Ms) keeps its scheduler for so long. hold:keep(Ms, Pid) holds a lock on a dirty scheduler,
 * says so to the process, and goes on holding it for so long after somebody has come for it with hold:take().
 */
#include <erl_nif.h>

#include <stdatomic.h>
#include <time.h>

static ErlNifMutex *lock;
static atomic_int taking;

static void
nap(int ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	while (nanosleep(&left, &left) != 0)
		;
}

static ERL_NIF_TERM
keep(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	int ms;
	ErlNifPid to;
	(void)argc;
	if (!enif_get_int(env, argv[0], &ms) || !enif_get_local_pid(env, argv[1], &to))
		return enif_make_badarg(env);
	enif_mutex_lock(lock);
	enif_send(env, &to, NULL, enif_make_atom(env, "held"));
	while (!atomic_load(&taking))
		nap(1);
	nap(ms);
	atomic_store(&taking, 0);
	enif_mutex_unlock(lock);
	return enif_make_atom(env, "ok");
}

static ERL_NIF_TERM
take(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	(void)argc;
	(void)argv;
	atomic_store(&taking, 1);
	enif_mutex_lock(lock);
	enif_mutex_unlock(lock);
	return enif_make_atom(env, "ok");
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
	(void)env;
	(void)priv;
	(void)info;
	lock = enif_mutex_create("hold");
	return lock == NULL;
}

static ErlNifFunc functions[] = {
    {"keep", 2, keep, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"take", 0, take, 0},
};

ERL_NIF_INIT(hold, functions, load, NULL, NULL, NULL)
