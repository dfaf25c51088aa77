/*
 * The configuration file: one setting per line, # begins a comment. What stands before the first `script` is for all
 * scripts; `node`, `option` and `share` lines behind a script are for that one. Everything is checked when it is read,
 * and an error says its place and shows the line.
 */
#include "export/export.h"

#include "base/opts.h"
#include "base/strmap.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64, MOST_LINE = 4096 };

struct ready {
	const char *name, *text;
};
static const struct ready ready[] = {
#include "metrics.inc"
    {NULL, NULL},
};

struct conf_reader {
	const char *path;
	struct conf *c;
	struct why *why;
	char line[MOST_LINE]; /* as it is */
	char split[MOST_LINE];
	unsigned number;
	char *words[MOST_WORDS];
	unsigned cols[MOST_WORDS]; /* where they begin, from 1 */
	unsigned n;
};

__attribute__((format(printf, 3, 4))) static bool
fail(struct conf_reader *r, unsigned word, const char *fmt, ...)
{
	struct why what;
	va_list ap;
	va_start(ap, fmt);
	why_vset(&what, fmt, ap);
	va_end(ap);
	unsigned col = word < r->n ? r->cols[word] : (unsigned)strlen(r->line) + 1;
	why_set(
	    r->why, "%s:%u:%u: %s\n    %s\n    %*s^", r->path, r->number, col, what.text, r->line, (int)col - 1, "");
	return false;
}

/* -- words -- */

/* Splits the line in place. "…" keeps blanks; \ takes the next character as it is, inside quotes. */
static bool
split(struct conf_reader *r)
{
	char *p = r->split, *to;
	memcpy(r->split, r->line, sizeof r->split);
	r->n = 0;
	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		if (!*p || *p == '#')
			return true;
		if (r->n == MOST_WORDS)
			return fail(r, r->n, "too many words");
		r->cols[r->n] = (unsigned)(p - r->split) + 1;
		r->words[r->n++] = to = p;
		bool quoted = false;
		while (*p && (quoted || !isspace((unsigned char)*p))) {
			if (*p == '"') {
				quoted = !quoted;
				p++;
			} else {
				p += quoted && p[0] == '\\' && p[1];
				*to++ = *p++;
			}
		}
		if (quoted)
			return fail(r, r->n - 1, "a quotation mark is missing");
		bool last = !*p;
		p += !last;
		*to = '\0';
		if (last)
			return true;
	}
}

/* -- settings -- */

static bool
number(const char *text, long low, long high, long *n)
{
	char *end;
	errno = 0;
	*n = strtol(text, &end, 10);
	return *text && !*end && !errno && *n >= low && *n <= high;
}

static bool
keep(struct conf_reader *r, char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to || fail(r, 0, "out of memory");
}

static bool
do_listen(struct conf_reader *r)
{
	char *at = r->words[1], *colon = strrchr(at, ':');
	unsigned char addr[16];
	long port;
	if (!colon || !number(colon + 1, 0, 65535, &port))
		return fail(r, 1, "an address and a port are expected, such as 127.0.0.1:9464 or [::1]:9464");
	*colon = '\0';
	if (*at == '[' && colon[-1] == ']') {
		at++;
		colon[-1] = '\0';
	}
	if (inet_pton(AF_INET, at, addr) != 1 && inet_pton(AF_INET6, at, addr) != 1)
		return fail(r, 1, "'%s' is not an IPv4 or IPv6 address", at);
	r->c->port = (int)port;
	return keep(r, &r->c->listen, at);
}

static bool
do_insecure(struct conf_reader *r)
{
	return r->c->insecure = true;
}

static bool
do_cert(struct conf_reader *r)
{
	return keep(r, &r->c->cert, r->words[1]);
}

static bool
do_key(struct conf_reader *r)
{
	return keep(r, &r->c->key, r->words[1]);
}

/* Reads a file, at most `most` bytes. Returns NULL with errno; 0 if it is too long or has a NUL. */
static char *
slurp(const char *path, size_t most)
{
	struct sbuf b = {0};
	FILE *fp = fopen(path, "re");
	if (!fp)
		return NULL;
	bool ok = sb_read(&b, fp, most + 1);
	int err = ok ? 0 : errno;
	fclose(fp);
	sb_adds(&b, "");
	if (ok && b.failed) {
		ok = false;
		err = ENOMEM;
	} else if (ok && (b.len > most || (b.at && strlen(b.at) != b.len)))
		ok = false;
	char *text = ok ? b.at ? sb_take(&b) : strdup("") : NULL;
	sb_free(&b);
	errno = err;
	return text;
}

/* A path of the configuration is relative to its folder. */
static char *
path_of(const struct conf_reader *r, const char *path)
{
	struct sbuf b = {0};
	const char *slash = strrchr(r->path, '/');
	if (*path != '/' && slash)
		sb_add(&b, r->path, (size_t)(slash - r->path) + 1);
	sb_adds(&b, path);
	return sb_take(&b);
}

static bool
do_cookie(struct conf_reader *r)
{
	char *path = path_of(r, r->words[1]), *text = path ? slurp(path, 4096) : NULL;
	bool ok = text != NULL;
	if (!ok)
		fail(r, 1, "cannot read %s: %s", r->words[1], strerror(errno ? errno : EFBIG));
	else {
		text[strcspn(text, " \t\r\n")] = '\0';
		ok = *text ? keep(r, &r->c->cookie, text) : fail(r, 1, "%s is empty", r->words[1]);
	}
	free(path);
	free(text);
	return ok;
}

static bool
do_dist_opts(struct conf_reader *r)
{
	struct sbuf b = {0};
	for (unsigned i = 1; i < r->n; i++)
		if (strpbrk(r->words[i], " \t"))
			return fail(r, i,
			    "an option of dist-opts cannot have blanks: a link to the file, without any, can be named");
	for (unsigned i = 1; i < r->n; i++)
		sb_printf(&b, "%s%s", i > 1 ? " " : "", r->words[i]);
	char *text = sb_take(&b);
	bool ok = text ? keep(r, &r->c->dist_opts, text) : fail(r, 0, "out of memory");
	free(text);
	return ok;
}

static bool
do_interval(struct conf_reader *r)
{
	int64_t ns;
	if (!opt_parse_rate(r->words[1], &ns) || ns < 100000000 || ns > 10000000000)
		return fail(r, 1, "an interval is a time from 100ms to 10s");
	r->c->interval = ns;
	return true;
}

static bool
do_rows(struct conf_reader *r)
{
	long n;
	if (!number(r->words[1], 1, EXP_ROWS_MOST, &n))
		return fail(r, 1, "rows are a number from 1 to %d", EXP_ROWS_MOST);
	r->c->rows = (unsigned)n;
	return true;
}

static struct alert_destination *
add_destination(struct conf_reader *r)
{
	struct alerts_conf *a = &r->c->alerts;
	if (a->n == ALERT_DESTINATIONS) {
		fail(r, 0, "more than %d destinations of alerts", ALERT_DESTINATIONS);
		return NULL;
	}
	return &a->to[a->n++];
}

static bool
do_alert_webhook(struct conf_reader *r)
{
	struct why why;
	struct alert_destination *to = add_destination(r);
	if (!to)
		return false;
	if (!alert_url_ok(r->words[1], &why))
		return fail(r, 1, "%s", why.text);
	return keep(r, &to->url, r->words[1]);
}

static bool
do_alert_command(struct conf_reader *r)
{
	struct alert_destination *to = add_destination(r);
	for (unsigned i = 1; to && i < r->n; i++)
		if (!keep(r, &to->argv[i - 1], r->words[i]))
			return false;
	return to != NULL;
}

static bool
alert_time(struct conf_reader *r, int64_t *to)
{
	return (opt_parse_rate(r->words[1], to) && *to >= 1000000000 && *to <= 86400000000000) ||
	       fail(r, 1, "this is a time from 1s to 1d");
}

static bool
do_alert_resolve(struct conf_reader *r)
{
	return alert_time(r, &r->c->alerts.resolve);
}

static bool
do_alert_repeat(struct conf_reader *r)
{
	return alert_time(r, &r->c->alerts.repeat);
}

static bool
do_otlp(struct conf_reader *r)
{
	struct why why;
	if (r->c->otlp)
		return fail(r, 0, "there is one receiver already");
	if (strncmp(r->words[1], "https:", 6) == 0)
		return fail(r, 1, "metrics are pushed by http; a collector on this machine can pass them on by https");
	if (!alert_url_ok(r->words[1], &why))
		return fail(r, 1, "%s", why.text);
	int64_t *every = &r->c->otlp_interval;
	if (r->n > 2 && (!opt_parse_rate(r->words[2], every) || *every < 1000000000 || *every > 3600000000000))
		return fail(r, 2, "this is a time from 1s to 1h");
	return keep(r, &r->c->otlp, r->words[1]);
}

static struct conf_script *
current(const struct conf_reader *r)
{
	return r->c->nscripts ? &r->c->scripts[r->c->nscripts - 1] : NULL;
}

static bool
add_text(char ***list, unsigned *n, const char *text)
{
	char **more = realloc(*list, (*n + 1) * sizeof *more);
	if (!more)
		return false;
	*list = more;
	more[*n] = strdup(text);
	*n += more[*n] != NULL;
	return more[*n - 1] != NULL;
}

static bool
do_node(struct conf_reader *r)
{
	struct conf_script *s = current(r);
	char ***list = s ? &s->nodes : &r->c->nodes;
	unsigned *n = s ? &s->nnodes : &r->c->nnodes;
	if (!*r->words[1])
		return fail(r, 1, "the name of a node is expected, such as shop@host");
	for (unsigned i = 0; i < *n; i++)
		if (strcmp((*list)[i], r->words[1]) == 0)
			return fail(r, 1, "this node is there twice");
	if (*n == EXP_NODES)
		return fail(r, 1, "more than %d nodes", EXP_NODES);
	if (s)
		s->own_nodes = true;
	return add_text(list, n, r->words[1]) || fail(r, 1, "out of memory");
}

/* A name without a slash and without .d is one of the scripts that came with erltrace. */
static char *
script_text(struct conf_reader *r, const char *name)
{
	const char *names[sizeof ready / sizeof *ready];
	unsigned n = 0;
	size_t len = strlen(name);
	if (!strchr(name, '/') && !(len > 2 && strcmp(name + len - 2, ".d") == 0)) {
		for (; ready[n].name; n++) {
			names[n] = ready[n].name;
			if (strcmp(ready[n].name, name) == 0)
				return strdup(ready[n].text);
		}
		const char *near = near_miss(name, names, n);
		fail(r, 1, "there is no ready-made script of metrics '%s'%s%s%s; a file is named with its folder or .d",
		    name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
		return NULL;
	}
	char *path = path_of(r, name), *text = path ? slurp(path, EXP_SCRIPT) : NULL;
	free(path);
	if (!text)
		fail(r, 1, "cannot read %s: %s", name, errno ? strerror(errno) : "it is too long or not text");
	return text;
}

static bool
do_script(struct conf_reader *r)
{
	struct conf *c = r->c;
	struct why why;
	if (c->nscripts == EXP_SCRIPTS)
		return fail(r, 1, "more than %d scripts", EXP_SCRIPTS);
	struct conf_script *more = realloc(c->scripts, (c->nscripts + 1) * sizeof *more);
	if (!more)
		return fail(r, 0, "out of memory");
	c->scripts = more;
	struct conf_script *s = &more[c->nscripts++];
	*s = (struct conf_script){0};
	for (unsigned i = 1; i < r->n; i++)
		if (!add_text(&s->argv, &s->argc, r->words[i]))
			return fail(r, i, "out of memory");
	if (!keep(r, &s->name, r->words[1]) || !(s->text = script_text(r, s->name)))
		return false;
	if (!scan_metrics(&s->metrics, s->name, s->text, &why))
		return fail(r, 1, "%s", why.text);
	for (unsigned i = 0; i + 1 < c->nscripts; i++)
		for (unsigned k = 0; k < c->scripts[i].metrics.n; k++)
			for (unsigned m = 0; m < s->metrics.n; m++)
				if (strcmp(c->scripts[i].metrics.at[k].name, s->metrics.at[m].name) == 0)
					return fail(r, 1, "the metric %s is in %s too", s->metrics.at[m].name,
					    c->scripts[i].name);
	return true;
}

/* Tries the option on a handle, so that a mistake is found now. */
static bool
do_option(struct conf_reader *r)
{
	struct conf_script *s = current(r);
	char *equals = strchr(r->words[1], '=');
	if (!s)
		return fail(r, 0, "an option belongs behind the script that it is for");
	struct conf_option *more = realloc(s->opts, (s->nopts + 1) * sizeof *more);
	if (!more)
		return fail(r, 0, "out of memory");
	s->opts = more;
	struct conf_option *o = &more[s->nopts++];
	*o = (struct conf_option){0};
	if (equals)
		*equals = '\0';
	if (!(o->name = strdup(r->words[1])) || (equals && !(o->value = strdup(equals + 1))))
		return fail(r, 0, "out of memory");
	int err;
	struct et *h = et_open(ET_VERSION, &err);
	bool ok = h ? et_setopt(h, o->name, o->value) == 0 || fail(r, 1, "%s", et_errmsg(h, et_errno(h)))
		    : fail(r, 1, "%s", et_errmsg(NULL, err));
	et_close(h);
	return ok;
}

static bool
do_share(struct conf_reader *r)
{
	struct conf_script *s = current(r);
	if (!s)
		return fail(r, 0, "a share belongs behind the script that it is for");
	s->metrics.share = 0;
	if (strcmp(r->words[1], "none") == 0)
		return true;
	if (!scan_share(r->words[1], &s->metrics.share))
		return fail(r, 1, "a share is percent of a scheduler, from 0.01 to 100, or none");
	if (scan_alerts(s->text))
		return fail(
		    r, 1, "%s alerts, so it cannot have a share: it would miss what happens while it rests", s->name);
	return true;
}

static const struct setting {
	const char *name;
	unsigned least, most; /* words behind the name */
	bool first;           /* before the first script */
	bool (*fn)(struct conf_reader *r);
	const char *usage;
} settings[] = {
    {"listen", 1, 1, true, do_listen, "listen ADDRESS:PORT"},
    {"insecure", 0, 0, true, do_insecure, "insecure"},
    {"tls-cert", 1, 1, true, do_cert, "tls-cert FILE"},
    {"tls-key", 1, 1, true, do_key, "tls-key FILE"},
    {"cookie-file", 1, 1, true, do_cookie, "cookie-file FILE"},
    {"dist-opts", 1, MOST_WORDS, true, do_dist_opts, "dist-opts OPTION ..."},
    {"interval", 1, 1, true, do_interval, "interval TIME"},
    {"rows", 1, 1, true, do_rows, "rows NUMBER"},
    {"alert-webhook", 1, 1, true, do_alert_webhook, "alert-webhook URL"},
    {"alert-command", 1, ALERT_WORDS, true, do_alert_command, "alert-command COMMAND [ARGUMENT ...]"},
    {"alert-resolve", 1, 1, true, do_alert_resolve, "alert-resolve TIME"},
    {"alert-repeat", 1, 1, true, do_alert_repeat, "alert-repeat TIME"},
    {"otlp", 1, 2, true, do_otlp, "otlp URL [TIME]"},
    {"node", 1, 1, false, do_node, "node NAME"},
    {"script", 1, MOST_WORDS, false, do_script, "script NAME [ARGUMENT ...]"},
    {"option", 1, 1, false, do_option, "option NAME[=VALUE]"},
    {"share", 1, 1, false, do_share, "share PERCENT"},
};
enum { NSETTINGS = sizeof settings / sizeof *settings };

static bool
do_line(struct conf_reader *r)
{
	const char *names[NSETTINGS];
	if (!split(r))
		return false;
	if (!r->n)
		return true;
	for (unsigned i = 0; i < NSETTINGS; i++) {
		const struct setting *s = &settings[i];
		names[i] = s->name;
		if (strcmp(s->name, r->words[0]) != 0)
			continue;
		if (r->n - 1 < s->least || r->n - 1 > s->most)
			return fail(r, r->n - 1 < s->least ? r->n : s->most + 1, "expected: %s", s->usage);
		if (s->first && r->c->nscripts)
			return fail(r, 0, "'%s' is for all scripts, so it belongs before the first one", s->name);
		return s->fn(r);
	}
	const char *near = near_miss(r->words[0], names, NSETTINGS);
	return fail(r, 0, "unknown setting '%s'%s%s%s", r->words[0], near ? "; did you mean " : "", near ? near : "",
	    near ? "?" : "");
}

static bool
is_loopback(const char *addr)
{
	return strncmp(addr, "127.", 4) == 0 || strcmp(addr, "::1") == 0;
}

/* What is known only at the end. */
static bool
check_all(struct conf_reader *r)
{
	struct conf *c = r->c;
	unsigned jobs = 0;
	if (!c->nscripts) {
		why_set(r->why, "%s: there is no script; a line such as 'script gc' names one", r->path);
		return false;
	}
	if (!c->cert != !c->key) {
		why_set(r->why, "%s: TLS needs both tls-cert and tls-key", r->path);
		return false;
	}
	if (!is_loopback(c->listen) && !c->cert && !c->insecure) {
		why_set(r->why,
		    "%s: 'listen %s' can be reached by others: this needs tls-cert and tls-key, or a line 'insecure'",
		    r->path, c->listen);
		return false;
	}
	for (unsigned i = 0; i < c->nscripts; i++) {
		struct conf_script *s = &c->scripts[i];
		for (unsigned k = 0; !s->own_nodes && k < c->nnodes; k++)
			if (!add_text(&s->nodes, &s->nnodes, c->nodes[k])) {
				why_set(r->why, "out of memory");
				return false;
			}
		jobs += s->nnodes ? s->nnodes : 1;
	}
	if (jobs > EXP_JOBS) {
		why_set(r->why, "%s: %u scripts on nodes in all; at most %d are possible", r->path, jobs, EXP_JOBS);
		return false;
	}
	return true;
}

static bool
read_lines(struct conf_reader *r, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		r->number++;
		r->n = 0;
		size_t n = len < MOST_LINE ? len : MOST_LINE - 1;
		memcpy(r->line, text, n);
		memset(r->line + n, 0, sizeof r->line - n);
		if (len >= MOST_LINE)
			return fail(r, 0, "the line is too long");
		/* so that the caret stands below its word */
		for (char *p = r->line; *p; p++)
			if (iscntrl((unsigned char)*p))
				*p = ' ';
		if (!do_line(r))
			return false;
		text += len + (text[len] == '\n');
	}
	return check_all(r);
}

struct conf *
conf_read(const char *path, const char *cookie, struct why *why)
{
	struct conf_reader *r = calloc(1, sizeof *r);
	struct conf *c = calloc(1, sizeof *c);
	bool ok = r && c && (c->listen = strdup("127.0.0.1"));
	char *text = NULL;
	why_set(why, "out of memory");
	if (ok) {
		c->port = 9464;
		c->interval = 1000000000;
		c->rows = EXP_ROWS;
		c->alerts.resolve = 60000000000;
		c->alerts.repeat = 300000000000;
		c->otlp_interval = 10000000000;
		c->cookie = cookie ? strdup(cookie) : NULL;
		*r = (struct conf_reader){.path = path, .c = c, .why = why};
		text = slurp(path, EXP_CONF);
		if (!text)
			why_set(
			    why, "cannot read %s: %s", path, errno ? strerror(errno) : "it is too long or not text");
		ok = text && read_lines(r, text);
	}
	free(text);
	free(r);
	if (!ok) {
		conf_free(c);
		c = NULL;
	}
	return c;
}

static void
free_texts(char **at, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(at[i]);
	free(at);
}

void
conf_free(struct conf *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->nscripts; i++) {
		struct conf_script *s = &c->scripts[i];
		free(s->name);
		free(s->text);
		free_texts(s->argv, s->argc);
		for (unsigned k = 0; k < s->nopts; k++) {
			free(s->opts[k].name);
			free(s->opts[k].value);
		}
		free(s->opts);
		free_texts(s->nodes, s->nnodes);
		metrics_free(&s->metrics);
	}
	free(c->scripts);
	free_texts(c->nodes, c->nnodes);
	free(c->listen);
	free(c->cert);
	free(c->key);
	for (unsigned i = 0; i < c->alerts.n; i++) {
		free(c->alerts.to[i].url);
		for (unsigned k = 0; k < ALERT_WORDS; k++)
			free(c->alerts.to[i].argv[k]);
	}
	free(c->otlp);
	free(c->cookie);
	free(c->dist_opts);
	free(c);
}

void
conf_show(const struct conf *c, FILE *fp)
{
	for (unsigned i = 0; i < c->nscripts; i++) {
		const struct conf_script *s = &c->scripts[i];
		for (unsigned k = 0; k < s->metrics.n; k++) {
			const struct metric *m = &s->metrics.at[k];
			struct sbuf labels = {0};
			sb_adds(&labels, s->nnodes ? "node" : "");
			for (unsigned n = 0; n < m->nlabels; n++)
				sb_printf(&labels, "%s%s", labels.len ? "," : "", m->labels[n]);
			fprintf(fp, "%s%s %s {%s} %s\n", m->name, m->type == METRIC_COUNTER ? "_total" : "",
			    metric_type_name(m->type), labels.at ? labels.at : "", s->name);
			sb_free(&labels);
		}
	}
}
