/* See within.h. */
#include "node/within.h"

#include "base/clock.h"
#include "base/wake.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { LOOK_MS = 50 };

/* Whoever looks at it last frees it: the thread if nobody waits any more, otherwise who waits. */
struct errand {
	pthread_mutex_t lock;
	struct wake ended;
	void (*fn)(void *arg), (*drop)(void *arg);
	void *arg;
	bool has_ended, is_alone;
};

static void
errand_free(struct errand *c)
{
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static void
give_up(struct errand *c)
{
	c->drop(c->arg);
	free(c->arg);
	errand_free(c);
}

static void *
work(void *arg)
{
	struct errand *c = arg;
	c->fn(c->arg);
	pthread_mutex_lock(&c->lock);
	c->has_ended = true;
	bool is_alone = c->is_alone;
	wake_all(&c->ended);
	pthread_mutex_unlock(&c->lock);
	if (is_alone)
		give_up(c);
	return NULL;
}

static bool
start(struct errand *c, pthread_t *thread)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool ok = pthread_create(thread, NULL, work, c) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

bool
within(unsigned ms, const atomic_bool *stop, void (*fn)(void *arg), void (*drop)(void *arg), void *arg)
{
	pthread_t thread;
	struct errand *c = calloc(1, sizeof *c);
	if (!c) {
		drop(arg);
		free(arg);
		return false;
	}
	*c = (struct errand){.fn = fn, .drop = drop, .arg = arg};
	pthread_mutex_init(&c->lock, NULL);
	if (!start(c, &thread)) {
		give_up(c);
		return false;
	}
	uint64_t deadline = mono_ms() + ms;
	pthread_mutex_lock(&c->lock);
	for (uint64_t now; !c->has_ended && (now = mono_ms()) < deadline && !(stop && atomic_load(stop));) {
		uint64_t until = now + LOOK_MS < deadline ? now + LOOK_MS : deadline;
		wake_wait(&c->ended, &c->lock, (int64_t)until * 1000000);
	}
	bool ended = c->has_ended;
	c->is_alone = !ended;
	pthread_mutex_unlock(&c->lock);
	if (!ended) {
		pthread_detach(thread);
		return false;
	}
	pthread_join(thread, NULL);
	errand_free(c);
	return true;
}
