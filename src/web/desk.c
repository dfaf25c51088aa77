/*
 * Work that takes time but is not tracing: compiling without running, listing probes, asking whether nodes are alive.
 *
 * Threads are started as they are needed, up to DESK_MOST. A job has a deadline. Past it the page gets an answer,
 * whatever the thread does, and the library is interrupted. The same happens when the page is gone. A newer question of
 * the same kind from the same page replaces one that still waits. A newer script to check also replaces the one that is
 * being checked. A page has at most two jobs running, so that one page does not keep the others waiting. With --kernel
 * a job may look at all processes of the machine and take tens of megabytes, depending on what they have mapped, so at
 * most LOOKS such jobs run at a time.
 *
 * A question about the nodes becomes one job per node, so that a silent node does not delay the answers about the
 * others.
 */
#include "web/web.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 256, PROBES = 4000, DESK_MOST = 16, A_CLIENT = 2, LOOKS = 4 };

/* One question about all nodes. */
struct round {
	unsigned left; /* jobs that are not done */
	bool answered;
	uint64_t client;
	long long req;
	struct sbuf texts[WEB_NODES]; /* what is known of each node, without the braces, in the order of the nodes */
};

struct desk_job {
	struct desk_job *next;
	enum desk_kind kind;
	uint64_t client;
	long long req;
	char *text;
	const char *node; /* belongs to the configuration; or NULL */
	struct round *round;
	unsigned place; /* index in the round */
	atomic_bool stop;

	/* guarded by the desk's lock */
	bool answered; /* it was too late, or nobody waits for it any more */
	uint64_t due;  /* ms */
	struct et *h;  /* for interrupting it; NULL if it has none now */
};

struct desk {
	const struct web_conf *conf;
	void (*wake)(void *);
	void *arg;
	pthread_t threads[DESK_MOST];
	unsigned nthreads;
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t more;
	struct desk_job *jobs; /* waiting jobs, oldest first */
	unsigned njobs;
	struct desk_job *now[DESK_MOST]; /* the job of each thread, NULL if it waits */
	struct desk_answer *answers, **last;
	bool stop;
};

static void
job_free(struct desk_job *j)
{
	if (!j)
		return;
	free(j->text);
	free(j);
}

static void
add_text(struct sbuf *b, const char *s)
{
	web_text(b, s, strlen(s));
}

static void
add_failure(struct sbuf *b, const char *msg)
{
	sb_adds(b, ",\"ok\":false,\"msg\":");
	add_text(b, msg);
}

/* Makes the handle known, so that others may interrupt it. */
static void
publish(struct desk *d, struct desk_job *j, struct et *h)
{
	pthread_mutex_lock(&d->lock);
	j->h = h;
	if (h && atomic_load(&j->stop))
		et_interrupt(h);
	pthread_mutex_unlock(&d->lock);
}

static struct et *
open_handle(struct desk *d, struct desk_job *j, struct sbuf *b)
{
	int err = 0;
	struct et *h = et_open(ET_VERSION, &err);
	if (!h) {
		add_failure(b, et_errmsg(NULL, err));
		return NULL;
	}
	if (!d->conf->kernel)
		et_confine(h, web_no_kernel);
	et_setopt(h, "defaultargs", NULL);
	if (d->conf->destructive)
		et_setopt(h, "destructive", NULL);
	publish(d, j, h);
	if (!j->node || web_attach(h, j->node, d->conf->cookie, &j->stop) == 0)
		return h;
	publish(d, j, NULL);
	add_failure(b, et_errmsg(h, et_errno(h)));
	et_close(h);
	return NULL;
}

static bool
looks_at_machine(const struct desk *d, const struct desk_job *j)
{
	return d->conf->kernel && !j->node;
}

static void
close_handle(struct desk *d, struct desk_job *j, struct et *h)
{
	publish(d, j, NULL);
	et_close(h);
#ifdef __GLIBC__
	if (looks_at_machine(d, j))
		malloc_trim(0); /* each thread's heap would keep the memory of its largest job */
#endif
}

static void
check(struct desk *d, struct desk_job *j, struct sbuf *b)
{
	const char *argv[] = {"script"}, *why;
	struct et_proginfo info = {0};
	struct et *h = open_handle(d, j, b);
	if (!h)
		return;
	struct et_prog *p = et_program_strcompile(h, j->text, ET_PROBESPEC_NAME, 0, 1, argv);
	if (!p) {
		add_failure(b, et_errmsg(h, et_errno(h)));
		sb_adds(b, ",\"diag\":");
		run_diag_json(h, b);
	} else if (!run_check_options(h, d->conf->destructive, NULL, &why))
		add_failure(b, why);
	else if (et_program_info(h, p, &info) != 0)
		add_failure(b, et_errmsg(h, et_errno(h)));
	else if (!run_check_program(&info, d->conf->destructive, &why))
		add_failure(b, why);
	else
		sb_printf(b, ",\"ok\":true,\"clauses\":%u,\"matches\":%u", info.clauses, info.matches);
	close_handle(d, j, h);
}

struct desk_listing {
	struct sbuf *b;
	unsigned n;
};

static int
on_probe(struct et *h, const struct et_probe *p, void *arg)
{
	struct desk_listing *l = arg;
	(void)h;
	if (l->n == PROBES)
		return 1;
	sb_adds(l->b, l->n++ ? ",[" : "[");
	add_text(l->b, p->provider);
	sb_addc(l->b, ',');
	add_text(l->b, p->module);
	sb_addc(l->b, ',');
	add_text(l->b, p->function);
	sb_addc(l->b, ',');
	add_text(l->b, p->name);
	sb_adds(l->b, ",[");
	for (unsigned i = 0; p->argtypes && p->argtypes[i]; i++) {
		if (i)
			sb_addc(l->b, ',');
		add_text(l->b, p->argtypes[i]);
	}
	sb_adds(l->b, "]]");
	return l->b->failed;
}

static void
probes(struct desk *d, struct desk_job *j, struct sbuf *b)
{
	struct desk_listing l = {b, 0};
	struct et *h = open_handle(d, j, b);
	if (!h)
		return;
	sb_adds(b, ",\"ok\":true,\"probes\":[");
	et_probe_iter(h, j->text[0] ? j->text : NULL, ET_PROBESPEC_NAME, on_probe, &l);
	sb_addc(b, ']');
	close_handle(d, j, h);
}

static int
on_count(struct et *h, const struct et_probe *p, void *arg)
{
	(void)h;
	(void)p;
	++*(unsigned *)arg;
	return 0;
}

/* Attaches to one node. There is no bound on how long that takes. */
static void
look_at_node(struct desk *d, struct desk_job *j, struct sbuf *b)
{
	unsigned n = 0;
	uint64_t from = web_now();
	struct et *h = open_handle(d, j, b);
	if (!h)
		return;
	et_probe_iter(h, NULL, ET_PROBESPEC_NAME, on_count, &n);
	sb_printf(b, ",\"ok\":true,\"probes\":%u,\"ms\":%" PRIu64, n, web_now() - from);
	close_handle(d, j, h);
}

/* -- answers; the lock is held -- */

static void
begin_answer(struct sbuf *b, enum desk_kind kind, long long req)
{
	static const char *const kinds[] = {"checked", "probes", "nodes"};
	client_begin_text(b);
	sb_printf(b, "{\"t\":\"%s\",\"req\":%lld", kinds[kind], req);
}

/* Takes ownership of the text. */
static void
give_answer(struct desk *d, uint64_t client, struct sbuf *text)
{
	struct desk_answer *a = calloc(1, sizeof *a);
	sb_addc(text, '}');
	if (!a) {
		sb_free(text);
		return;
	}
	a->client = client;
	a->text = *text;
	*text = (struct sbuf){0};
	*d->last = a;
	d->last = &a->next;
}

static void
answer_round(struct desk *d, struct round *r)
{
	struct sbuf b = {0};
	begin_answer(&b, DESK_NODES, r->req);
	sb_adds(&b, ",\"ok\":true,\"nodes\":[");
	for (unsigned i = 0; i < d->conf->nnodes; i++) {
		sb_adds(&b, i ? ",{\"name\":" : "{\"name\":");
		add_text(&b, d->conf->nodes[i]);
		if (r->texts[i].at && !r->texts[i].failed)
			sb_adds(&b, r->texts[i].at);
		else
			add_failure(&b, "it has not answered in time");
		sb_addc(&b, '}');
	}
	sb_addc(&b, ']');
	give_answer(d, r->client, &b);
	r->answered = true;
}

/* A job of a round has ended or never will. text is NULL if nothing is known of its node. */
static void
leave_round(struct desk *d, struct desk_job *j, struct sbuf *text)
{
	struct round *r = j->round;
	if (!r)
		return;
	j->round = NULL;
	if (text) {
		r->texts[j->place] = *text;
		*text = (struct sbuf){0};
	}
	if (--r->left)
		return;
	if (!r->answered)
		answer_round(d, r);
	for (unsigned i = 0; i < WEB_NODES; i++)
		sb_free(&r->texts[i]);
	free(r);
}

/* Nobody waits for this job any more, whether it runs or not. msg is NULL if a newer one replaces it. */
static void
give_up(struct desk *d, struct desk_job *j, const char *msg)
{
	struct sbuf b = {0};
	if (j->answered)
		return;
	j->answered = true;
	atomic_store(&j->stop, true);
	if (j->h)
		et_interrupt(j->h);
	if (!j->round || (!msg && !j->round->answered)) {
		begin_answer(&b, j->kind, j->req);
		add_failure(&b, msg ? msg : "a newer question of this page came instead");
		sb_adds(&b, msg ? "" : ",\"replaced\":true");
		give_answer(d, j->client, &b);
	}
	if (j->round)
		j->round->answered |= !msg;
	leave_round(d, j, NULL);
}

/* -- the threads -- */

static void
do_job(struct desk *d, struct desk_job *j)
{
	struct sbuf b = {0};
	pthread_mutex_unlock(&d->lock);
	if (j->kind == DESK_NODES)
		look_at_node(d, j, &b);
	else {
		begin_answer(&b, j->kind, j->req);
		(j->kind == DESK_CHECK ? check : probes)(d, j, &b);
	}
	pthread_mutex_lock(&d->lock);
	if (!j->answered && j->round)
		leave_round(d, j, &b);
	else if (!j->answered)
		give_answer(d, j->client, &b);
	sb_free(&b);
}

/* A thread may wait for a silent node for longer than the job's deadline. So jobs for nodes may use only some of the
 * threads, and a page only its share of the others. */
static bool
may_begin(const struct desk *d, const struct desk_job *j)
{
	unsigned nodes = 0, own = 0, looks = 0;
	for (unsigned i = 0; i < d->nthreads; i++) {
		const struct desk_job *now = d->now[i];
		nodes += now && now->kind == DESK_NODES;
		own += now && now->kind != DESK_NODES && now->client == j->client;
		looks += now && looks_at_machine(d, now);
	}
	if (j->kind == DESK_NODES)
		return nodes < DESK_MOST / 2;
	/* a page that already has a thread does not get the last ones */
	return own < A_CLIENT && (!looks_at_machine(d, j) || looks < (own ? LOOKS - 2 : LOOKS));
}

/* Returns the oldest job that may begin. */
static struct desk_job *
next_job(struct desk *d)
{
	for (struct desk_job **p = &d->jobs, *j; (j = *p); p = &j->next)
		if (may_begin(d, j)) {
			*p = j->next;
			d->njobs--;
			return j;
		}
	return NULL;
}

struct seat {
	struct desk *d;
	unsigned at;
};

static void *
work(void *arg)
{
	struct seat seat = *(struct seat *)arg;
	struct desk *d = seat.d;
	free(arg);
	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		struct desk_job *j = next_job(d);
		if (!j) {
			pthread_cond_wait(&d->more, &d->lock);
			continue;
		}
		d->now[seat.at] = j;
		j->due = web_now() + d->conf->deadline;
		do_job(d, j);
		d->now[seat.at] = NULL;
		job_free(j);
		pthread_cond_signal(&d->more); /* another job of this page may begin */
		pthread_mutex_unlock(&d->lock);
		d->wake(d->arg);
		pthread_mutex_lock(&d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

/* Starts as many threads as jobs wait. A thread that was just started has no job yet. The lock is held. */
static void
add_threads(struct desk *d)
{
	unsigned idle = d->nthreads;
	for (unsigned i = 0; i < d->nthreads; i++)
		idle -= d->now[i] != NULL;
	for (; idle < d->njobs && d->nthreads < DESK_MOST; idle++) {
		struct seat *seat = malloc(sizeof *seat);
		if (!seat)
			return;
		*seat = (struct seat){d, d->nthreads};
		if (pthread_create(&d->threads[d->nthreads], NULL, work, seat) != 0) {
			free(seat);
			return;
		}
		d->nthreads++;
	}
}

/* -- from the server's thread -- */

/* Gives up a page's waiting questions of this kind, and with `running` also those that run. The lock is held. */
static void
replace(struct desk *d, enum desk_kind kind, uint64_t client, bool running)
{
	for (struct desk_job **p = &d->jobs; *p;) {
		struct desk_job *j = *p;
		if (j->kind != kind || j->client != client) {
			p = &j->next;
			continue;
		}
		*p = j->next;
		d->njobs--;
		give_up(d, j, NULL);
		job_free(j);
	}
	for (unsigned i = 0; running && i < d->nthreads; i++)
		if (d->now[i] && d->now[i]->kind == kind && d->now[i]->client == client)
			give_up(d, d->now[i], NULL);
}

static struct desk_job *
job_new(enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node)
{
	struct desk_job *j = calloc(1, sizeof *j);
	if (!j)
		return NULL;
	j->kind = kind;
	j->client = client;
	j->req = req;
	j->node = node;
	j->text = strdup(text);
	if (!j->text) {
		free(j);
		return NULL;
	}
	return j;
}

/* Returns the jobs of one question, linked, or NULL if memory ran out. */
static struct desk_job *
jobs_new(const struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node)
{
	if (kind != DESK_NODES)
		return job_new(kind, client, req, text, node);
	struct round *r = calloc(1, sizeof *r);
	struct desk_job *all = NULL;
	if (!r)
		return NULL;
	r->client = client;
	r->req = req;
	for (unsigned i = d->conf->nnodes; i--;) {
		struct desk_job *j = job_new(kind, client, req, "", d->conf->nodes[i]);
		if (!j) {
			for (; all; all = j) {
				j = all->next;
				job_free(all);
			}
			free(r);
			return NULL;
		}
		j->round = r;
		j->place = i;
		j->next = all;
		all = j;
		r->left++;
	}
	return all;
}

/* Answers at once if there are no nodes. */
static bool
answer_no_nodes(struct desk *d, uint64_t client, long long req)
{
	struct round none = {.client = client, .req = req};
	pthread_mutex_lock(&d->lock);
	answer_round(d, &none);
	pthread_mutex_unlock(&d->lock);
	d->wake(d->arg);
	return true;
}

bool
desk_ask(struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node)
{
	if (kind == DESK_NODES && !d->conf->nnodes)
		return answer_no_nodes(d, client, req);
	struct desk_job *all = jobs_new(d, kind, client, req, text, node), **p;
	if (!all)
		return false;
	pthread_mutex_lock(&d->lock);
	replace(d, kind, client, kind == DESK_CHECK);
	bool ok = d->njobs + WEB_NODES <= JOBS;
	for (p = &d->jobs; *p;)
		p = &(*p)->next;
	for (struct desk_job *j = all, *next; j; j = next) {
		next = j->next;
		j->next = NULL;
		if (!ok) {
			if (j->round)
				j->round->answered = true;
			leave_round(d, j, NULL);
			job_free(j);
			continue;
		}
		j->due = web_now() + 2 * d->conf->deadline;
		*p = j;
		p = &j->next;
		d->njobs++;
	}
	add_threads(d);
	pthread_cond_broadcast(&d->more);
	pthread_mutex_unlock(&d->lock);
	return ok;
}

void
desk_forget(struct desk *d, uint64_t client)
{
	pthread_mutex_lock(&d->lock);
	for (enum desk_kind k = DESK_CHECK; k <= DESK_NODES; k++)
		replace(d, k, client, true);
	pthread_mutex_unlock(&d->lock);
}

bool
desk_tick(struct desk *d)
{
	char msg[100];
	uint64_t now = web_now();
	snprintf(msg, sizeof msg, "it took longer than %u s and was given up (--deadline)", d->conf->deadline / 1000);
	pthread_mutex_lock(&d->lock);
	for (unsigned i = 0; i < d->nthreads; i++)
		if (d->now[i] && !d->now[i]->answered && now >= d->now[i]->due)
			give_up(d, d->now[i], msg);
	for (struct desk_job **p = &d->jobs; *p;) {
		struct desk_job *j = *p;
		if (now < j->due) {
			p = &j->next;
			continue;
		}
		*p = j->next;
		d->njobs--;
		give_up(d, j, "the server is busy; try again");
		job_free(j);
	}
	bool any = d->answers != NULL;
	pthread_mutex_unlock(&d->lock);
	return any;
}

struct desk_answer *
desk_take(struct desk *d)
{
	pthread_mutex_lock(&d->lock);
	struct desk_answer *a = d->answers;
	d->answers = NULL;
	d->last = &d->answers;
	pthread_mutex_unlock(&d->lock);
	return a;
}

struct desk *
desk_open(const struct web_conf *conf, void (*wake)(void *), void *arg)
{
	struct desk *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	d->conf = conf;
	d->wake = wake;
	d->arg = arg;
	d->last = &d->answers;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->more, NULL);
	return d;
}

void
desk_close(struct desk *d)
{
	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	for (unsigned i = 0; i < d->nthreads; i++)
		if (d->now[i])
			give_up(d, d->now[i], NULL);
	pthread_cond_broadcast(&d->more);
	pthread_mutex_unlock(&d->lock);
	for (unsigned i = 0; i < d->nthreads; i++)
		pthread_join(d->threads[i], NULL);
	for (struct desk_job *j = d->jobs, *next; j; j = next) {
		next = j->next;
		leave_round(d, j, NULL);
		job_free(j);
	}
	for (struct desk_answer *a = d->answers, *next; a; a = next) {
		next = a->next;
		sb_free(&a->text);
		free(a);
	}
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->more);
	free(d);
}
