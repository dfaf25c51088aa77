/* See cluster.h: peers, their threads and jobs, attaching, and what the compiler asks the nodes. */
#include "node/cluster.h"

#include "base/clock.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOOK_MS = 50,      /* how late it is noticed that attaching should end */
	SILENT_MS = 3000,  /* who has not answered for this long … */
	SILENT_END = 1000, /* … gets only so much more at the end */
};

/* -- jobs -------------------------------------------------------------------------------------------------------- */

static void *
work(void *arg)
{
	struct peer *p = arg;
	struct cluster *c = p->c;
	pthread_mutex_lock(&c->lock);
	for (;;) {
		while (!p->job && !p->quit)
			pthread_cond_wait(&p->begin, &c->lock);
		if (!p->job)
			break;
		peer_job *job = p->job;
		pthread_mutex_unlock(&c->lock);
		job(p, p->arg);
		pthread_mutex_lock(&c->lock);
		p->job = NULL;
		pthread_cond_signal(&c->finished);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void
give(struct peer *p, peer_job *job, void *arg)
{
	p->job = job;
	p->arg = arg;
	p->since = mono_ms();
	pthread_cond_signal(&p->begin);
}

void
peer_give(struct peer *p, peer_job *job)
{
	pthread_mutex_lock(&p->c->lock);
	give(p, job, NULL);
	pthread_mutex_unlock(&p->c->lock);
}

static void
wait_some(struct cluster *c, unsigned ms)
{
	uint64_t until = mono_ns() + ms * 1000000u;
	struct timespec t = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
	pthread_cond_timedwait(&c->finished, &c->lock, &t);
}

/* Returns the first peer that has not done the job yet, or NULL. Those that are free get it. */
static struct peer *
go_on(struct cluster *c, peer_job *job, void *arg)
{
	struct peer *waits = NULL;
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if (!p->done && !p->job) {
			give(p, job, arg);
			p->done = true; /* as soon as it has no job */
		}
		if (p->job && !waits)
			waits = p;
	}
	return waits;
}

/* Whether attaching ends for all: one has failed, or nobody wants it any more. */
static bool
is_over(struct cluster *c)
{
	bool over = c->attaching && c->stop && atomic_load(c->stop);
	for (unsigned i = 0; c->attaching && i < c->n; i++)
		over |= !c->peers[i]->job && c->peers[i]->done && !c->peers[i]->ok;
	return over;
}

/* Whoever wants to stop a beginning that hangs waits no longer than for a node that is silent. */
static bool
is_interrupted(const struct cluster *c, unsigned ms, uint64_t *since)
{
	if (ms != CLUSTER_START_MS || !c->stop || !atomic_load(c->stop))
		return false;
	if (!*since)
		*since = mono_ms();
	return mono_ms() - *since >= SILENT_END;
}

void
cluster_run(struct cluster *c, peer_job *job, void *arg, unsigned ms)
{
	uint64_t began = mono_ms(), interrupted = 0;
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		p->done = false;
		p->was_silent = p->job && began - p->since >= SILENT_MS;
	}
	while (go_on(c, job, arg)) {
		wait_some(c, LOOK_MS);
		bool over = is_over(c) || is_interrupted(c, ms, &interrupted);
		uint64_t took = mono_ms() - began;
		for (unsigned i = 0; i < c->n; i++) {
			struct peer *p = c->peers[i];
			if (p->job && (over || took >= (p->was_silent ? SILENT_END : ms)))
				atomic_store(&p->given_up, true);
		}
	}
	pthread_mutex_unlock(&c->lock);
}

/* Waits until none of those that got a job has it any more, but not longer than ms. */
static void
wait_for_given(struct cluster *c, unsigned ms)
{
	for (uint64_t now = mono_ms(), end = now + ms; now < end; now = mono_ms()) {
		bool waits = false;
		for (unsigned i = 0; i < c->n; i++)
			waits |= c->peers[i]->done && c->peers[i]->job;
		if (!waits)
			break;
		wait_some(c, (unsigned)(end - now));
	}
}

void
cluster_try(struct cluster *c, peer_job *job, unsigned ms)
{
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < c->n; i++) {
		struct peer *p = c->peers[i];
		if ((p->done = !p->job && !p->rests))
			give(p, job, NULL);
	}
	wait_for_given(c, ms);
	pthread_mutex_unlock(&c->lock);
}

bool
peer_try(struct peer *p, peer_job *job, unsigned ms)
{
	struct cluster *c = p->c;
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < c->n; i++)
		c->peers[i]->done = false;
	p->done = true;
	give(p, job, NULL);
	wait_for_given(c, ms);
	bool finished = !p->job;
	pthread_mutex_unlock(&c->lock);
	return finished;
}

uint64_t
peer_is_late(struct peer *p)
{
	pthread_mutex_lock(&p->c->lock);
	uint64_t ms = p->job ? mono_ms() - p->since + 1 : 0;
	pthread_mutex_unlock(&p->c->lock);
	return ms;
}

bool
peer_is_idle(struct peer *p)
{
	return peer_is_late(p) == 0;
}

struct peer *
cluster_failed(struct cluster *c, struct why *why)
{
	struct peer *failed = NULL;
	/* One that failed by itself has the reason; the others were only stopped by that. */
	for (unsigned i = 0; i < c->n; i++)
		if (!c->peers[i]->ok && (!failed || atomic_load(&failed->given_up)))
			failed = c->peers[i];
	if (failed)
		*why = failed->why;
	return failed;
}

/* -- attaching ---------------------------------------------------------------------------------------------------- */

void
peer_connect(struct peer *p, void *arg)
{
	(void)arg;
	const struct node_conf conf = {
	    .name = p->name, .cookie = p->c->cookie, .dir = p->c->dir, .stop = &p->given_up, .tunnel = p->c->tunnel};
	p->link = node_connect(&conf, &p->why);
	p->ok = p->link != NULL;
	if (p->ok) {
		node_ask_name(p->link); /* a host may have several names */
		clock_compare(p);
	}
}

void
peer_attach(struct peer *p, void *arg)
{
	(void)arg;
	p->ok = node_attach(p->link, &p->why);
	p->link->sock.stop = &p->given_up;
	p->link->taken.lock = &p->c->lock;
	snprintf(p->provider, sizeof p->provider, "erlang%lld", (long long)p->link->os_pid);
}

void
peer_close(struct peer *p, void *arg)
{
	(void)arg;
	node_close(p->link);
	p->link = NULL;
}

struct peer *
peer_new(struct cluster *c, const char *name)
{
	struct peer *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->c = c;
	p->watched = UINT64_MAX;
	snprintf(p->name, sizeof p->name, "%s", name);
	pthread_cond_init(&p->begin, NULL);
	/* signals are for the handle's thread */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool ok = pthread_create(&p->thread, NULL, work, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ok)
		return p;
	pthread_cond_destroy(&p->begin);
	free(p);
	return NULL;
}

void
peer_free(struct peer *p)
{
	struct cluster *c = p->c;
	pthread_mutex_lock(&c->lock);
	p->quit = true;
	pthread_cond_signal(&p->begin);
	pthread_mutex_unlock(&c->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->begin);
	sb_free(&p->text);
	sb_free(&p->pids);
	sb_free(&p->nodes);
	sb_free(&p->records);
	sb_free(&p->aggs);
	free(p->epids);
	free(p->fired);
	free(p->frames);
	free(p->plan);
	free(p);
}

bool
cluster_add(struct cluster *c, struct peer *p)
{
	struct peer **grown = realloc(c->peers, (c->n + 1) * sizeof *grown);
	if (!grown)
		return false;
	c->peers = grown;
	c->peers[c->n++] = p;
	return true;
}

static bool
are_different(struct cluster *c, struct why *why)
{
	for (unsigned i = 0; i < c->n; i++)
		for (unsigned k = 0; k < i; k++)
			if (strcmp(c->peers[i]->link->name, c->peers[k]->link->name) == 0) {
				why_set(why, "node %s is given twice", c->peers[i]->link->name);
				return false;
			}
	return true;
}

static char *
copy_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

static struct cluster *
cluster_new(const struct cluster_conf *conf)
{
	struct cluster *c = calloc(1, sizeof *c);
	pthread_condattr_t monotonic;
	if (!c)
		return NULL;
	c->first = UINT_MAX;
	c->begin = -1;
	c->cookie = copy_of(conf->cookie);
	c->dir = copy_of(conf->dir);
	c->stop = conf->stop;
	c->join = conf->join;
	c->tunnel = conf->tunnel;
	ar_init(&c->ar, NULL);
	sm_init(&c->functions, &c->ar);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->finished, &monotonic);
	pthread_condattr_destroy(&monotonic);
	bool ok = (c->cookie || !conf->cookie) && (c->dir || !conf->dir) && (!c->join || (c->joining = join_new()));
	for (unsigned i = 0; ok && i < conf->n; i++) {
		struct peer *p = peer_new(c, conf->names[i]);
		ok = p && cluster_add(c, p);
		if (p && !ok)
			peer_free(p);
	}
	if (ok)
		return c;
	cluster_close(c);
	return NULL;
}

struct cluster *
cluster_attach(const struct cluster_conf *conf, struct why *why)
{
	struct cluster *c = cluster_new(conf);
	if (!c) {
		why_set(why, "there is not enough memory, or no thread, for each node");
		return NULL;
	}
	c->attaching = true;
	/* all are reached before anything is done to one */
	cluster_run(c, peer_connect, NULL, CLUSTER_START_MS);
	bool ok = !cluster_failed(c, why) && are_different(c, why);
	if (ok) {
		cluster_run(c, peer_attach, NULL, CLUSTER_START_MS);
		ok = !cluster_failed(c, why);
	}
	c->attaching = false;
	if (ok)
		return c;
	cluster_close(c);
	return NULL;
}

void
cluster_close(struct cluster *c)
{
	if (!c)
		return;
	cluster_run(c, peer_close, NULL, CLUSTER_END_MS);
	for (unsigned i = 0; i < c->n; i++)
		peer_free(c->peers[i]);
	join_free(c->joining);
	pthread_cond_destroy(&c->finished);
	pthread_mutex_destroy(&c->lock);
	ar_free(&c->ar);
	free(c->bindings);
	free(c->cookie);
	free(c->dir);
	free(c->peers);
	free(c);
}

/* -- functions ---------------------------------------------------------------------------------------------------- */

struct asked {
	const char *module, *function;
};

static bool
note_function(void *arg, const char *module, const char *function)
{
	struct sbuf *b = arg;
	sb_add(b, module, strlen(module) + 1);
	sb_add(b, function, strlen(function) + 1);
	return !b->failed;
}

static void
functions_of_one(struct peer *p, void *arg)
{
	const struct asked *a = arg;
	sb_clear(&p->text);
	p->ok = node_functions(p->link, a->module, a->function, note_function, &p->text, &p->why);
	if (p->text.failed) {
		why_set(&p->why, "out of memory");
		p->ok = false;
	}
}

bool
cluster_functions(struct cluster *c, const char *module, const char *function,
    bool (*fn)(void *arg, const char *module, const char *function), void *arg, struct why *why)
{
	struct asked a = {module, function};
	cluster_run(c, functions_of_one, &a, CLUSTER_START_MS);
	if (cluster_failed(c, why))
		return false;
	bool more = true;
	for (unsigned i = 0; i < c->n; i++) {
		const struct sbuf *b = &c->peers[i]->text;
		for (size_t at = 0; more && at < b->len;) {
			const char *name = b->at + at + strlen(b->at + at) + 1;
			more = fn(arg, b->at + at, name);
			at = (size_t)(name - b->at) + strlen(name) + 1;
		}
	}
	return true;
}

/* Returns the number of a function in all nodes, plus one; 0 if there is no memory for it. */
static uint32_t
number_of(struct cluster *c, const char *text)
{
	size_t len = strlen(text);
	jmp_buf oom;
	pthread_mutex_lock(&c->lock);
	volatile uintptr_t number = (uintptr_t)sm_get(&c->functions, text, len);
	c->ar.oom = &oom;
	if (setjmp(oom) == 0 && !number && c->functions.n < DIF_MFA_NUMBER(UINT32_MAX)) {
		uintptr_t next = c->functions.n + 1;
		sm_put(&c->functions, ar_strndup(&c->ar, text, len), len, (void *)next);
		number = next;
	}
	pthread_mutex_unlock(&c->lock);
	return (uint32_t)number;
}

uint64_t
peer_frame(struct peer *p, uint64_t addr)
{
	if (DIF_REGION(addr) != DIF_R_MFA)
		return addr;
	size_t number = DIF_MFA_NUMBER(DIF_OFFSET(addr));
	if (number >= p->nframes) {
		uint32_t *grown = realloc(p->frames, (number + 256) * sizeof *grown);
		if (!grown)
			return 0;
		memset(grown + p->nframes, 0, (number + 256 - p->nframes) * sizeof *grown);
		p->frames = grown;
		p->nframes = number + 256;
	}
	if (!p->frames[number]) {
		const char *text = node_symbol(p->link, DIF_ADDR(DIF_R_MFA, DIF_MFA(number, 0)));
		p->frames[number] = number_of(p->c, text ? text : "?");
	}
	return p->frames[number] ? DIF_ADDR(DIF_R_MFA, DIF_MFA(p->frames[number] - 1, DIF_MFA_LINE(DIF_OFFSET(addr))))
				 : 0;
}

const char *
cluster_symbol(struct cluster *c, uint64_t addr)
{
	size_t number = DIF_MFA_NUMBER(DIF_OFFSET(addr));
	unsigned line = (unsigned)DIF_MFA_LINE(DIF_OFFSET(addr));
	const char *text = NULL;
	if (DIF_REGION(addr) != DIF_R_MFA)
		return NULL;
	pthread_mutex_lock(&c->lock);
	if (number < c->functions.n)
		text = c->functions.entries[number].key; /* stays where it is */
	pthread_mutex_unlock(&c->lock);
	if (!text || !line)
		return text;
	snprintf(c->frame, sizeof c->frame, "%s:%u", text, line);
	return c->frame;
}
