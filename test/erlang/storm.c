/*
 * storm:threads(Pid, Threads, Messages): threads that are none of the VM's, all at once. Each sends messages to the
 * process. Returns when all have ended, with how many messages were sent.
 */
#include <erl_nif.h>

#include <stdatomic.h>
#include <time.h>

struct storm {
	ErlNifPid to;
	int messages;
	atomic_int running, sent;
};

static void *
blow(void *arg)
{
	struct storm *s = arg;
	ErlNifEnv *env = enif_alloc_env();
	for (int i = 0; i < s->messages; i++) {
		ERL_NIF_TERM text = enif_make_string(env, "some words of a thread", ERL_NIF_LATIN1);
		ERL_NIF_TERM ref = enif_make_ref(env);
		ERL_NIF_TERM message = enif_make_tuple3(env, enif_make_atom(env, "storm"), text, ref);
		if (enif_send(NULL, &s->to, env, message))
			atomic_fetch_add(&s->sent, 1);
		enif_clear_env(env);
		enif_thread_type();
	}
	enif_free_env(env);
	/* they live at the same time, so that each has an address of its own */
	atomic_fetch_sub(&s->running, 1);
	while (atomic_load(&s->running) > 0)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	return NULL;
}

static ERL_NIF_TERM
threads(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	enum { MOST = 256 };
	struct storm s = {0};
	ErlNifTid ids[MOST];
	int n, made = 0;
	(void)argc;
	if (!enif_get_local_pid(env, argv[0], &s.to) || !enif_get_int(env, argv[1], &n) || n > MOST ||
	    !enif_get_int(env, argv[2], &s.messages))
		return enif_make_badarg(env);
	atomic_store(&s.running, n);
	while (made < n && enif_thread_create("storm", &ids[made], blow, &s, NULL) == 0)
		made++;
	atomic_fetch_sub(&s.running, n - made);
	for (int i = 0; i < made; i++)
		enif_thread_join(ids[i], NULL);
	return enif_make_int(env, atomic_load(&s.sent));
}

static ErlNifFunc functions[] = {{"threads", 3, threads, ERL_NIF_DIRTY_JOB_IO_BOUND}};

ERL_NIF_INIT(storm, functions, NULL, NULL, NULL, NULL)
