/* See guard.h. */
#include "guard.h"

#include "worker.h"

#include <pthread.h>

struct guard {
	ErlNifMonitor monitor;
	ErlNifEnv *env; /* of path */
	ERL_NIF_TERM path;
	bool is_armed; /* with the lock */
};

static ErlNifResourceType *type;
static struct guard *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
guard_gone(ErlNifEnv *env, void *p)
{
	struct guard *g = p;
	(void)env;
	if (g->env)
		enif_free_env(g->env);
}

/* Returns true once, for the current guard. */
static bool
disarm(struct guard *g)
{
	pthread_mutex_lock(&lock);
	bool was = g->is_armed;
	g->is_armed = false;
	if (current == g)
		current = NULL;
	pthread_mutex_unlock(&lock);
	return was;
}

/* As rpc:cast/4 does: {'$gen_cast', {cast, Module, Function, Args, GroupLeader}}. */
static void
call_rescue(ErlNifEnv *env, const struct guard *g)
{
	ErlNifPid rex;
	ErlNifEnv *msg = enif_alloc_env();
	if (!msg)
		return;
	if (enif_whereis_pid(env, enif_make_atom(msg, "rex"), &rex)) {
		ERL_NIF_TERM path = enif_make_list1(msg, enif_make_copy(msg, g->path));
		ERL_NIF_TERM cast =
		    enif_make_tuple5(msg, enif_make_atom(msg, "cast"), enif_make_atom(msg, "erltrace_agent"),
			enif_make_atom(msg, "rescue"), path, enif_make_atom(msg, "user"));
		enif_send(env, &rex, msg, enif_make_tuple2(msg, enif_make_atom(msg, "$gen_cast"), cast));
	}
	enif_free_env(msg);
}

static void
hub_down(ErlNifEnv *env, void *p, ErlNifPid *pid, ErlNifMonitor *monitor)
{
	struct guard *g = p;
	(void)pid;
	(void)monitor;
	if (disarm(g)) {
		call_rescue(env, g);
		enif_release_resource(g);
	}
}

bool
guard_load(ErlNifEnv *env)
{
	static const ErlNifResourceTypeInit init = {.dtor = guard_gone, .down = hub_down};
	type = enif_open_resource_type_x(env, "erltrace_guard", &init, ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
	return type != NULL;
}

static void
end_guard(ErlNifEnv *env)
{
	pthread_mutex_lock(&lock);
	struct guard *g = current;
	if (g)
		g->is_armed = false;
	current = NULL;
	pthread_mutex_unlock(&lock);
	if (g) {
		enif_demonitor_process(env, g, &g->monitor);
		enif_release_resource(g);
	}
}

ERL_NIF_TERM
guard_set(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
	ErlNifPid pid;
	(void)argc;
	end_guard(env);
	worker_hold(0);
	if (!enif_get_local_pid(env, argv[0], &pid))
		return enif_make_atom(env, "ok");
	struct guard *g = enif_alloc_resource(type, sizeof *g);
	if (!g)
		return enif_make_atom(env, "false");
	*g = (struct guard){.env = enif_alloc_env(), .is_armed = true};
	if (g->env)
		g->path = enif_make_copy(g->env, argv[1]);
	pthread_mutex_lock(&lock);
	current = g;
	pthread_mutex_unlock(&lock);
	bool is_set = g->env && enif_monitor_process(env, g, &pid, &g->monitor) == 0;
	if (!is_set && disarm(g))
		enif_release_resource(g);
	return enif_make_atom(env, is_set ? "ok" : "false");
}
