/*
 * What takes time and is not tracing: compiling without running, listing probes, asking
 * nodes whether they are there. One thread, one job at a time; a newer
 * question of the same kind from the same page replaces one that still waits.
 */
#include "web/web.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 128, PROBES = 4000 };

struct job {
	struct job *next;
	enum desk_kind kind;
	uint64_t client;
	long long req;
	char *text, *node;
};

struct desk {
	const struct web_conf *conf;
	void (*wake)(void *);
	void *arg;
	pthread_t thread;
	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t more;
	struct job *jobs;
	unsigned njobs;
	struct desk_answer *answers, **last;
	bool stop;
};

static void
job_free(struct job *j)
{
	if (!j)
		return;
	free(j->text);
	free(j->node);
	free(j);
}

static void
add_text(struct sbuf *b, const char *s)
{
	web_text(b, s, strlen(s));
}

static struct et *
open_handle(const struct desk *d, const char *node, struct sbuf *b)
{
	int err = 0;
	struct et *h = et_open(ET_VERSION, &err);
	if (!h) {
		sb_adds(b, ",\"ok\":false,\"msg\":");
		add_text(b, et_errmsg(NULL, err));
		return NULL;
	}
	et_setopt(h, "defaultargs", NULL);
	if (d->conf->destructive)
		et_setopt(h, "destructive", NULL);
	if (!node || web_attach(h, node, d->conf->cookie) == 0)
		return h;
	sb_adds(b, ",\"ok\":false,\"msg\":");
	add_text(b, et_errmsg(h, et_errno(h)));
	et_close(h);
	return NULL;
}

static void
check(const struct desk *d, const struct job *j, struct sbuf *b)
{
	const char *argv[] = {"script"}, *why;
	struct et_proginfo info = {0};
	struct et *h = open_handle(d, j->node, b);
	if (!h)
		return;
	struct et_prog *p = et_program_strcompile(h, j->text, ET_PROBESPEC_NAME, 0, 1, argv);
	if (!p) {
		sb_adds(b, ",\"ok\":false,\"msg\":");
		add_text(b, et_errmsg(h, et_errno(h)));
		sb_adds(b, ",\"diag\":");
		run_diag_json(h, b);
	} else if (!run_check_options(h, d->conf->destructive, &why)) {
		sb_adds(b, ",\"ok\":false,\"msg\":");
		add_text(b, why);
	} else if (et_program_info(h, p, &info) != 0) {
		sb_adds(b, ",\"ok\":false,\"msg\":");
		add_text(b, et_errmsg(h, et_errno(h)));
	} else if (info.destructive && !d->conf->destructive)
		sb_adds(b,
		    ",\"ok\":false,\"msg\":\"destructive actions are not allowed here; the server must be started with -w for them\"");
	else
		sb_printf(b, ",\"ok\":true,\"clauses\":%u,\"matches\":%u", info.clauses, info.matches);
	et_close(h);
}

struct listing {
	struct sbuf *b;
	unsigned n;
};

static int
on_probe(struct et *h, const struct et_probe *p, void *arg)
{
	struct listing *l = arg;
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
probes(const struct desk *d, const struct job *j, struct sbuf *b)
{
	struct listing l = {b, 0};
	struct et *h = open_handle(d, j->node, b);
	if (!h)
		return;
	sb_adds(b, ",\"ok\":true,\"probes\":[");
	et_probe_iter(h, j->text[0] ? j->text : NULL, ET_PROBESPEC_NAME, on_probe, &l);
	sb_addc(b, ']');
	et_close(h);
}

static int
on_count(struct et *h, const struct et_probe *p, void *arg)
{
	(void)h;
	(void)p;
	++*(unsigned *)arg;
	return 0;
}

/* Attaches to each, which takes the time it takes. */
static void
nodes(const struct desk *d, struct sbuf *b)
{
	sb_adds(b, ",\"ok\":true,\"nodes\":[");
	for (unsigned i = 0; i < d->conf->nnodes; i++) {
		struct sbuf why = {0};
		unsigned n = 0;
		sb_adds(b, i ? ",{\"name\":" : "{\"name\":");
		add_text(b, d->conf->nodes[i]);
		uint64_t from = web_now();
		struct et *h = open_handle(d, d->conf->nodes[i], &why);
		if (h) {
			et_probe_iter(h, NULL, ET_PROBESPEC_NAME, on_count, &n);
			sb_printf(b, ",\"ok\":true,\"probes\":%u,\"ms\":%" PRIu64, n, web_now() - from);
			et_close(h);
		} else if (why.at)
			sb_adds(b, why.at);
		sb_addc(b, '}');
		sb_free(&why);
	}
	sb_addc(b, ']');
}

static struct desk_answer *
answer(const struct desk *d, const struct job *j)
{
	static const char *const kinds[] = {"checked", "probes", "nodes"};
	struct desk_answer *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->client = j->client;
	client_begin_text(&a->text);
	sb_printf(&a->text, "{\"t\":\"%s\",\"req\":%lld", kinds[j->kind], j->req);
	if (j->kind == DESK_CHECK)
		check(d, j, &a->text);
	else if (j->kind == DESK_PROBES)
		probes(d, j, &a->text);
	else
		nodes(d, &a->text);
	sb_addc(&a->text, '}');
	return a;
}

static void *
work(void *arg)
{
	struct desk *d = arg;
	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		struct job *j = d->jobs;
		if (!j) {
			pthread_cond_wait(&d->more, &d->lock);
			continue;
		}
		d->jobs = j->next;
		d->njobs--;
		pthread_mutex_unlock(&d->lock);
		struct desk_answer *a = answer(d, j);
		job_free(j);
		pthread_mutex_lock(&d->lock);
		if (a) {
			*d->last = a;
			d->last = &a->next;
		}
		pthread_mutex_unlock(&d->lock);
		d->wake(d->arg);
		pthread_mutex_lock(&d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

bool
desk_ask(struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node)
{
	struct job *j = calloc(1, sizeof *j), **p, *old = NULL;
	if (!j)
		return false;
	j->kind = kind;
	j->client = client;
	j->req = req;
	j->text = strdup(text);
	j->node = node ? strdup(node) : NULL;
	if (!j->text || (node && !j->node)) {
		job_free(j);
		return false;
	}
	pthread_mutex_lock(&d->lock);
	for (p = &d->jobs; *p; p = &(*p)->next)
		if ((*p)->kind == kind && (*p)->client == client)
			break;
	if (*p) {
		old = *p;
		j->next = old->next;
		*p = j;
	} else if (d->njobs < JOBS) {
		*p = j;
		d->njobs++;
	} else
		old = j;
	pthread_cond_signal(&d->more);
	pthread_mutex_unlock(&d->lock);
	bool ok = old != j;
	job_free(old);
	return ok;
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
	if (pthread_create(&d->thread, NULL, work, d) != 0) {
		free(d);
		return NULL;
	}
	return d;
}

void
desk_close(struct desk *d)
{
	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_signal(&d->more);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	for (struct job *j = d->jobs, *next; j; j = next) {
		next = j->next;
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
