/* Actions that do more than print: clear, trunc, setopt, system, freopen … */
#include "consume/consume.h"

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool
cs_is_silent_action(uint32_t kind)
{
	switch (kind) {
	case DA_CLEAR:
	case DA_TRUNC:
	case DA_NORMALIZE:
	case DA_DENORMALIZE:
	case DA_SETOPT:
	case DA_FTRUNCATE:
		return true;
	default:
		return false;
	}
}

static void
each_clear(struct consumer *c, uint32_t agg)
{
	for (size_t i = 0; i < c->aggs.n; i++)
		if (c->aggs.all[i]->agg == agg)
			aggent_clear(&c->aggs, c->aggs.all[i]);
}

static void
each_normal(struct consumer *c, uint32_t agg, uint64_t normal)
{
	for (size_t i = 0; i < c->aggs.n; i++)
		if (c->aggs.all[i]->agg == agg)
			c->aggs.all[i]->normal = normal ? normal : 1;
}

/* An option's value as text, for the handler of setopt(). */
static void
opt_text(const struct consumer *c, const char *name, char *out, size_t len)
{
	int64_t num;
	const char *str;
	out[0] = '\0';
	if (opts_get(c->opts, name, &num, &str) != OPT_OK)
		return;
	if (str)
		snprintf(out, len, "%s", str);
	else
		snprintf(out, len, "%lld", (long long)num);
}

static int
do_setopt(struct consumer *c, const struct et_probedata *d, const struct val *vals, unsigned n)
{
	if (n == 0 || vals[0].kind != DK_STRING)
		return 0;
	char name[64], value[256], old[256], now[256];
	snprintf(name, sizeof name, "%.*s", (int)(vals[0].len < 63 ? vals[0].len : 63), vals[0].at);
	if (n > 1 && vals[1].kind == DK_STRING)
		snprintf(value, sizeof value, "%.*s", (int)(vals[1].len < 255 ? vals[1].len : 255), vals[1].at);
	else
		snprintf(value, sizeof value, "1");
	opt_text(c, name, old, sizeof old);
	enum opt_result r = opts_set(c->opts, name, value);
	if (r == OPT_OK) {
		opt_text(c, name, now, sizeof now);
		struct et_setoptdata sd = {name, old, now};
		if (c->on->setopt && c->on->setopt(&sd, c->on->setoptarg) != ET_HANDLE_OK)
			return cs_fail(c, ET_EABORT, "the handler of setopt() asked to stop");
		return 0;
	}
	const char *why = r == OPT_UNKNOWN    ? "Invalid option name"
			  : r == OPT_BADVALUE ? "Invalid value for specified option"
			  : r == OPT_TOOLATE  ? "Operation illegal when tracing is active"
					      : "Out of memory";
	char text[512];
	snprintf(text, sizeof text, "couldn't set option \"%s\" to \"%s\": %s", name, value, why);
	return cs_liberr(c, d, text);
}

/* A command must not inherit signals that the tracing program ignores or blocks. */
static int
clean_signals(posix_spawnattr_t *attr)
{
	sigset_t none, dfl;
	sigemptyset(&none);
	sigemptyset(&dfl);
	sigaddset(&dfl, SIGPIPE);
	int err = posix_spawnattr_setsigmask(attr, &none);
	if (err == 0)
		err = posix_spawnattr_setsigdefault(attr, &dfl);
	return err ? err : posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/*
 * Runs a command through the shell and waits for it. What was printed before it comes first. After freopen() of
 * standard output the command writes to that file. If the output is JSON lines it writes to standard error instead, so
 * that the lines stay valid.
 */
static int
do_system(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const char *cmd)
{
	if (cs_flush_all(c, to) != 0)
		return -1;
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	char *argv[] = {"sh", "-c", (char *)(uintptr_t)cmd, NULL};
	pid_t pid;
	int status, err = posix_spawnattr_init(&attr);
	if (err == 0)
		err = clean_signals(&attr);
	if (err == 0)
		err = posix_spawn_file_actions_init(&fa);
	if (err == 0) {
		if (c->redirect && to->fp && fileno(to->fp) == STDOUT_FILENO)
			err = posix_spawn_file_actions_adddup2(&fa, fileno(c->redirect), STDOUT_FILENO);
		else if (cs_output(c) && to->fp && fileno(to->fp) == STDOUT_FILENO)
			err = posix_spawn_file_actions_adddup2(&fa, STDERR_FILENO, STDOUT_FILENO);
		if (err == 0)
			err = posix_spawn(&pid, "/bin/sh", &fa, &attr, argv, environ);
		posix_spawn_file_actions_destroy(&fa);
		posix_spawnattr_destroy(&attr);
	}
	if (err != 0) {
		char text[256];
		snprintf(text, sizeof text, "couldn't run a command: %s", strerror(err));
		return cs_liberr(c, d, text);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* "" and "." go back to the caller's stream. */
static int
do_freopen(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const char *path)
{
	if (cs_flush_all(c, to) != 0)
		return -1;
	FILE *fp = NULL;
	bool back = path[0] == '\0' || strcmp(path, ".") == 0;
	struct why why;
	if (!back && !(fp = out_fopen(path, O_APPEND, &why))) {
		char text[512];
		snprintf(text, sizeof text, "couldn't freopen() \"%s\": %.400s", path, why.text);
		return cs_liberr(c, d, text);
	}
	if (c->redirect && fclose(c->redirect) != 0) {
		c->redirect = fp;
		return cs_fail(c, ET_EWRITE, "%s", strerror(errno));
	}
	c->redirect = fp;
	c->redirect_is_terminal = fp && isatty(fileno(fp));
	return 0;
}

static int
do_ftruncate(struct consumer *c, const struct cs_to *to)
{
	if (cs_flush_all(c, to) != 0)
		return -1;
	FILE *fp = c->redirect ? c->redirect : to->fp;
	/* Pipes and terminals cannot be cut; DTrace ignores that too. */
	if (fp && ftruncate(fileno(fp), 0) == 0)
		fseeko(fp, 0, SEEK_SET);
	return 0;
}

/* Where an action stands in the script. */
static void
place_of(const struct consumer *c, const struct dobj_act *act, struct et_alertdata *a)
{
	const struct dobj *o = c->o;
	uint32_t row = (uint32_t)(act - o->acts), group = 0;
	while (group < o->ngroups && row - o->groups[group].act >= o->groups[group].nacts)
		group++;
	for (uint32_t i = 0; i < o->nclauses; i++)
		if (group - o->clauses[i].group < o->clauses[i].ngroups) {
			a->file = dobj_str(o, o->clauses[i].file);
			a->line = o->clauses[i].line;
		}
	for (uint32_t i = 0; group < o->ngroups && i < o->nlines; i++)
		if (o->lines[i].group == group && o->lines[i].action == row - o->groups[group].act + 1) {
			a->line = o->lines[i].line;
			return;
		}
}

static int
do_alert(struct consumer *c, const struct et_probedata *d, const struct dobj_act *act, const struct val *vals,
    unsigned n, const char *text)
{
	struct et_alertdata a = {
	    .text = text,
	    .format = act->fmt == DOBJ_NONE ? NULL : dobj_str(c->o, act->fmt),
	    .file = "",
	    .nvalues = n,
	    .values = c->pubvals,
	};
	if (!c->on->alert)
		return 0;
	for (unsigned i = 0; i < n; i++)
		c->pubvals[i] = val_public(&vals[i]);
	place_of(c, act, &a);
	cs_put_picture(c, &a);
	return c->on->alert(d, &a, c->on->alertarg) == ET_HANDLE_OK
		   ? 0
		   : cs_fail(c, ET_EABORT, "the handler of alerts asked to stop");
}

/* Actions whose argument is text made by printf(). */
static int
with_text(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const struct dobj_act *act,
    const struct val *vals, unsigned n)
{
	struct sbuf b = {0};
	struct show s = cs_show(c);
	int rc = 0;
	s.safe = act->kind == DA_ALERT; /* commands and names of files are used as they are */
	text_format(&b, &s, c->o, act->fmt == DOBJ_NONE ? "" : dobj_str(c->o, act->fmt), vals, n, NULL, 0);
	const char *text = b.at ? b.at : "";
	if (b.failed)
		rc = cs_fail(c, ET_ENOMEM, "out of memory for the text of an action");
	else if (act->kind == DA_SYSTEM)
		rc = do_system(c, to, d, text);
	else if (act->kind == DA_FREOPEN)
		rc = do_freopen(c, to, d, text);
	else
		rc = do_alert(c, d, act, vals, n, text);
	sb_free(&b);
	return rc;
}

static void
take_away(struct consumer *c, const struct dobj_act *act, uint32_t agg, int64_t keep)
{
	if (c->on->clear)
		c->on->clear(c->on->cleararg);
	if (act->kind == DA_CLEAR)
		each_clear(c, agg);
	else
		cs_trunc(c, agg, keep);
	if (c->on->clear)
		c->on->clear(c->on->cleararg);
}

int
cs_action(struct consumer *c, const struct cs_to *to, const struct et_probedata *d, const struct dobj_act *act,
    const struct val *vals, unsigned nvals)
{
	uint32_t agg = act->naggs ? c->o->agglist[act->agg] : DOBJ_NONE;
	switch (act->kind) {
	case DA_CLEAR:
	case DA_TRUNC:
		take_away(c, act, agg, nvals ? (int64_t)vals[0].num : 0);
		return 0;
	case DA_NORMALIZE:
		each_normal(c, agg, nvals ? vals[0].num : 1);
		return 0;
	case DA_DENORMALIZE:
		each_normal(c, agg, 1);
		return 0;
	case DA_SETOPT:
		return do_setopt(c, d, vals, nvals);
	case DA_FTRUNCATE:
		return do_ftruncate(c, to);
	case DA_SYSTEM:
	case DA_FREOPEN:
	case DA_ALERT:
		return with_text(c, to, d, act, vals, nvals);
	default:
		return 0;
	}
}
