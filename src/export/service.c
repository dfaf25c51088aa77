/*
 * The service: which scripts run on which nodes, and reloading. A script of the new configuration that is the same as
 * before (name, text, arguments, options) keeps its values, and on nodes that it had before it goes on undisturbed.
 */
#include "export/export.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Moves a job to those that are ending. Its script's numbers of that node go if `forget`. */
static void
end_job(struct service *s, unsigned i, bool forget)
{
	struct export_job *j = s->jobs[i];
	job_stop(j);
	if (forget)
		script_forget(j->script, j->place);
	s->jobs[i] = s->jobs[--s->njobs];
	if (s->nending == s->ending_cap) {
		unsigned cap = s->ending_cap ? 2 * s->ending_cap : 16;
		struct export_job **more = realloc(s->ending, cap * sizeof(struct export_job *));
		if (!more) {
			job_free(j); /* waits for it */
			return;
		}
		s->ending = more;
		s->ending_cap = cap;
	}
	s->ending[s->nending++] = j;
}

static bool
has_job(const struct service *s, const struct export_script *script, const char *node)
{
	for (unsigned i = 0; i < s->njobs; i++)
		if (s->jobs[i]->script == script && same_text(s->jobs[i]->node, node))
			return true;
	return false;
}

static bool
start_job(struct service *s, struct export_script *script, const char *node)
{
	if (has_job(s, script, node))
		return true;
	int place = script_place(script, node);
	errno = place < 0 ? ENOMEM : EAGAIN;
	struct export_job *j = place < 0 || s->njobs == EXP_JOBS
				   ? NULL
				   : job_start(script, (unsigned)place, node, s->conf, s->alerts, &s->helper);
	if (j)
		s->jobs[s->njobs++] = j;
	return j != NULL;
}

/* Says that jobs are missing; the same not twice. */
static void
say_missing(struct service *s, const struct export_script *script, const char *node, int err)
{
	struct sbuf b = {0};
	sb_printf(&b, "%s%s%s: no thread for it can be started: %s", script->name, node ? " on " : "", node ? node : "",
	    strerror(err));
	if (s->missing > 1)
		sb_printf(&b, "; nor for %u more", s->missing - 1);
	sb_adds(&b, "; trying again");
	char *text = sb_take(&b);
	if (text && !same_text(text, s->said))
		export_say("%s", text);
	if (text) {
		free(s->said);
		s->said = text;
	}
}

/* Starts a job for each script of the configuration on each of its nodes, unless there is one. Those that cannot be
 * started are tried again later; the others run. */
static void
start_jobs(struct service *s)
{
	const struct export_script *first = NULL;
	const char *on = NULL;
	int err = 0;
	s->missing = 0;
	for (unsigned i = 0; i < s->nscripts; i++) {
		const struct conf_script *cs = &s->conf->scripts[i];
		for (unsigned k = 0; k < (cs->nnodes ? cs->nnodes : 1); k++) {
			const char *node = cs->nnodes ? cs->nodes[k] : NULL;
			if (start_job(s, s->scripts[i], node))
				continue;
			if (s->missing++ == 0) {
				err = errno;
				first = s->scripts[i];
				on = node;
			}
		}
	}
	s->again = mono_ms() + EXP_THREAD_MS;
	if (first) {
		say_missing(s, first, on, err);
		return;
	}
	free(s->said);
	s->said = NULL;
}

static bool
wants_node(const struct conf_script *c, const char *node)
{
	for (unsigned i = 0; i < c->nnodes; i++)
		if (same_text(c->nodes[i], node))
			return true;
	return !node && !c->nnodes;
}

/* Takes the scripts of s->conf into use. The old ones are kept as far as they are the same. Returns false if memory ran
 * out. */
static bool
apply(struct service *s, const struct conf *before)
{
	struct conf *c = s->conf;
	struct export_script *next[EXP_SCRIPTS] = {NULL};
	bool restart = before && (before->interval != c->interval || !same_text(before->cookie, c->cookie)), ok = true;
	for (unsigned i = 0; i < c->nscripts; i++) {
		struct conf_script *cs = &c->scripts[i];
		for (unsigned k = 0; k < s->nscripts && !next[i]; k++)
			if (s->scripts[k] && script_is_same(s->scripts[k], cs)) {
				next[i] = s->scripts[k];
				s->scripts[k] = NULL;
				pthread_mutex_lock(&next[i]->lock);
				next[i]->rows = c->rows;
				pthread_mutex_unlock(&next[i]->lock);
			}
	}
	for (unsigned k = s->njobs; k-- > 0;) {
		const struct export_job *j = s->jobs[k];
		unsigned i = 0;
		while (i < c->nscripts && next[i] != j->script)
			i++;
		bool wanted = i < c->nscripts && wants_node(&c->scripts[i], j->node);
		if (!wanted || restart)
			end_job(s, k, i < c->nscripts && !wanted);
	}
	for (unsigned k = 0; k < s->nscripts; k++)
		script_drop(s->scripts[k]);
	s->nscripts = 0;
	for (unsigned i = 0; i < c->nscripts; i++) {
		struct conf_script *cs = &c->scripts[i];
		struct export_script *script = next[i] ? next[i] : script_new(cs, c->rows);
		if (!script) {
			ok = false;
			break;
		}
		s->scripts[s->nscripts++] = script;
	}
	start_jobs(s);
	return ok;
}

static void
say_alert(const char *text)
{
	export_say("%s", text);
}

static bool
same_alerts(const struct alerts_conf *a, const struct alerts_conf *b)
{
	bool same = a->n == b->n && a->resolve == b->resolve && a->repeat == b->repeat;
	for (unsigned i = 0; same && i < a->n; i++) {
		same = same_text(a->to[i].url, b->to[i].url);
		for (unsigned k = 0; same && k < ALERT_WORDS; k++)
			same = same_text(a->to[i].argv[k], b->to[i].argv[k]);
	}
	return same;
}

/* A handle that does nothing but have the helper. */
static bool
helper_open(struct export_helper *p, const char *options, struct why *why)
{
	int err = pthread_mutex_init(&p->lock, NULL);
	if (err) {
		why_set(why, "dist-opts: %s", strerror(err));
		return false;
	}
	if (!options)
		return true;
	p->keeper = et_open(ET_VERSION, &err);
	if (p->keeper && et_setopt(p->keeper, "distopts", options) == 0)
		return true;
	why_set(why, "dist-opts: %s", et_errmsg(p->keeper, p->keeper ? et_errno(p->keeper) : err));
	return false;
}

bool
service_start(struct service *s, struct conf *c, struct why *why)
{
	s->conf = c;
	s->started = (uint64_t)time(NULL);
	if (!helper_open(&s->helper, c->dist_opts, why))
		return false;
	if (!(s->alerts = alerts_open(&c->alerts, say_alert))) {
		why_set(why, "no thread for alerts can be started: %s", strerror(errno));
		return false;
	}
	if (c->otlp && !(s->otlp = otlp_open(c->otlp, c->otlp_interval))) {
		why_set(why, "no thread for otlp can be started: %s", strerror(errno));
		return false;
	}
	if (apply(s, NULL))
		return true;
	why_set(why, "out of memory");
	return false;
}

void
service_reload(struct service *s)
{
	struct why why;
	struct conf *c = conf_read(s->path, s->cookie, &why), *before = s->conf;
	s->reloads[c != NULL]++;
	if (!c) {
		export_say("the configuration is kept as it was, because the new one is not valid:\n%s", why.text);
		return;
	}
	if (strcmp(c->listen, before->listen) != 0 || c->port != before->port || !same_text(c->cert, before->cert) ||
	    !same_text(c->key, before->key))
		export_say("another address or another certificate is taken at the next start");
	if (!same_text(c->otlp, before->otlp) || c->otlp_interval != before->otlp_interval)
		export_say("another receiver of OTLP is taken at the next start");
	if (!same_text(c->dist_opts, before->dist_opts))
		export_say("another dist-opts is taken at the next start");
	if (!same_alerts(&c->alerts, &before->alerts))
		export_say("other settings of alerts are taken at the next start");
	s->conf = c;
	if (!apply(s, before))
		export_say("not all scripts could be started: out of memory");
	conf_free(before);
	export_say("reloaded: %u script%s", s->nscripts, s->nscripts == 1 ? "" : "s");
}

static void
reap(struct service *s)
{
	for (unsigned i = s->nending; i-- > 0;)
		if (atomic_load(&s->ending[i]->over)) {
			job_free(s->ending[i]);
			s->ending[i] = s->ending[--s->nending];
		}
}

void
service_tick(struct service *s)
{
	if (s->nending)
		reap(s);
	if (s->missing && mono_ms() >= s->again)
		start_jobs(s);
	if (s->otlp)
		otlp_tick(s->otlp, s);
}

void
service_stop(struct service *s)
{
	while (s->njobs)
		end_job(s, s->njobs - 1, false);
	for (uint64_t until = mono_ms() + EXP_END_MS; s->nending && mono_ms() < until; reap(s))
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	if (s->nending) {
		export_say("%u script%s did not end in time; the nodes end them by themselves", s->nending,
		    s->nending == 1 ? "" : "s");
		return; /* their threads still use the rest */
	}
	alerts_close(s->alerts, EXP_TELL_MS);
	s->alerts = NULL;
	if (s->otlp)
		otlp_close(s->otlp, s);
	s->otlp = NULL;
	for (unsigned i = 0; i < s->nscripts; i++)
		script_drop(s->scripts[i]);
	s->nscripts = 0;
	free(s->ending);
	s->ending = NULL;
	free(s->said);
	s->said = NULL;
	et_close(s->helper.keeper);
	s->helper.keeper = NULL;
	conf_free(s->conf);
	s->conf = NULL;
}

void
service_answer(struct service *s, struct sbuf *b, enum format format)
{
	bool open = format == FORMAT_OPEN;
	if (format == FORMAT_PROTO) {
		struct sbuf self = {0};
		for (unsigned i = 0; i < s->nscripts; i++)
			proto_script(b, s->scripts[i]);
		self_text(s, &self, false);
		b->failed |= self.failed;
		proto_of_text(b, self.at ? self.at : "");
		sb_free(&self);
		return;
	}
	for (unsigned i = 0; i < s->nscripts; i++)
		text_script(b, s->scripts[i], open);
	self_text(s, b, open);
	if (open)
		sb_adds(b, "# EOF\n");
}
