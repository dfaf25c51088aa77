/* See worker.h. */
#include "worker.h"

#include "base/clock.h"
#include "base/wake.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { WORKER_ARGS = 4, WORKER_STACK = 1 << 20, WORKER_PAUSE = 100000 }; /* ns, before something is tried again */

struct worker_job {
	struct worker_job *next;
	/* a request: */
	ErlNifEnv *env; /* NULL if the job is quiet(arg), which has no answer */
	ErlNifPid from;
	ERL_NIF_TERM ref, argv[WORKER_ARGS];
	int argc;
	worker_fn *fn;
	/* or: */
	bool (*quiet)(void *arg);
	void *arg;
	bool waits; /* it was tried, and is to be tried again */
};

static struct {
	pthread_mutex_t lock;
	struct wake wake;
	struct worker_job *first, **last;
	pthread_t thread;
	bool is_loaded, has_thread, has_ended; /* has_ended: it only has to be joined */
	int holds;
	atomic_bool ending;
} w = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
job_free(struct worker_job *j)
{
	if (j->env)
		enif_free_env(j->env);
	free(j);
}

/* Returns false if it is not done yet. */
static bool
job_run(struct worker_job *j)
{
	if (!j->env)
		return j->quiet(j->arg);
	ERL_NIF_TERM result = j->fn(j->env, j->argc, j->argv);
	if (result == WORKER_AGAIN)
		return false;
	if (!result)
		result = enif_make_atom(j->env, "badarg");
	enif_send(NULL, &j->from, j->env, enif_make_tuple2(j->env, j->ref, result));
	return true;
}

/* The lock is held, for this and the next two. */
static void
put(struct worker_job *j)
{
	j->next = NULL;
	*w.last = j;
	w.last = &j->next;
}

/* Takes the first job, or the first that was not tried yet. Returns NULL if there is none. */
static struct worker_job *
take(bool is_new)
{
	for (struct worker_job **at = &w.first, *j; (j = *at); at = &j->next) {
		if (is_new && j->waits)
			continue;
		if (!(*at = j->next))
			w.last = at;
		return j;
	}
	return NULL;
}

static struct worker_job *
next_job(void)
{
	struct worker_job *j = take(true);
	if (j)
		return j;
	wake_wait(&w.wake, &w.lock, w.first ? (int64_t)mono_ns() + WORKER_PAUSE : WAKE_NEVER);
	j = take(true);
	return j ? j : take(false);
}

static void *
work(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "et-worker");
	pthread_mutex_lock(&w.lock);
	while (w.first || (w.holds && !w.ending)) {
		struct worker_job *j = next_job();
		if (!j)
			continue;
		pthread_mutex_unlock(&w.lock);
		bool is_done = job_run(j);
		if (is_done)
			job_free(j);
		pthread_mutex_lock(&w.lock);
		if (!is_done) {
			j->waits = true;
			put(j);
		}
	}
	w.has_ended = true;
	pthread_mutex_unlock(&w.lock);
	return NULL;
}

/* The lock is held. Joining takes no time, because the thread has nothing left to do. */
static void
join_ended(void)
{
	if (w.has_thread && w.has_ended) {
		pthread_join(w.thread, NULL);
		w.has_thread = w.has_ended = false;
	}
}

/* The lock is held. */
static bool
ensure_thread(void)
{
	join_ended();
	if (w.has_thread)
		return true;
	pthread_attr_t attr;
	sigset_t all, before;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WORKER_STACK);
	sigfillset(&all); /* signals are for the VM */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w.has_thread = pthread_create(&w.thread, &attr, work, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return w.has_thread;
}

/* Returns whether the worker has taken the job. */
static bool
enqueue(struct worker_job *j)
{
	pthread_mutex_lock(&w.lock);
	bool taken = w.is_loaded && !w.ending && ensure_thread();
	if (taken) {
		put(j);
		wake_all(&w.wake);
	}
	pthread_mutex_unlock(&w.lock);
	return taken;
}

bool
worker_load(void)
{
	pthread_mutex_lock(&w.lock);
	w.last = &w.first;
	w.is_loaded = true;
	w.ending = false;
	w.holds = 0;
	pthread_mutex_unlock(&w.lock);
	return true;
}

void
worker_unload(void)
{
	pthread_mutex_lock(&w.lock);
	w.ending = true;
	bool has_thread = w.has_thread;
	w.has_thread = false;
	wake_all(&w.wake);
	pthread_mutex_unlock(&w.lock);
	if (has_thread)
		pthread_join(w.thread, NULL);
	pthread_mutex_lock(&w.lock);
	w.has_ended = w.is_loaded = false;
	pthread_mutex_unlock(&w.lock);
}

ERL_NIF_TERM
worker_ask(ErlNifEnv *env, worker_fn *fn, int argc, const ERL_NIF_TERM argv[])
{
	static const char why[] = "the library's thread could not be started: out of memory, or too many threads";
	ERL_NIF_TERM ref = enif_make_ref(env), text;
	struct worker_job *j = calloc(1, sizeof *j);
	if (j && (j->env = enif_alloc_env())) {
		enif_self(env, &j->from);
		j->fn = fn;
		j->argc = argc;
		j->ref = enif_make_copy(j->env, ref);
		for (int i = 0; i < argc && i < WORKER_ARGS; i++)
			j->argv[i] = enif_make_copy(j->env, argv[i]);
		if (enqueue(j))
			return ref;
	}
	if (j)
		job_free(j);
	memcpy(enif_make_new_binary(env, sizeof why - 1, &text), why, sizeof why - 1);
	return enif_make_tuple2(env, enif_make_atom(env, "error"), text);
}

bool
worker_do(bool (*fn)(void *arg), void *arg)
{
	struct worker_job *j = calloc(1, sizeof *j);
	if (!j)
		return false;
	j->quiet = fn;
	j->arg = arg;
	if (enqueue(j))
		return true;
	free(j);
	return false;
}

void
worker_hold(int by)
{
	pthread_mutex_lock(&w.lock);
	w.holds += by;
	wake_all(&w.wake);
	join_ended();
	pthread_mutex_unlock(&w.lock);
}

bool
worker_hurries(void)
{
	return atomic_load_explicit(&w.ending, memory_order_relaxed);
}
