/* --alert: where alert() of a script goes, besides the output. See alert/alert.h. */
#include "cli/cli.h"

#include "alert/alert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TELL_MS = 2000 }; /* for what is still to be told at the end */

struct cli_alerts {
	struct alerts_conf conf;
	struct alerts *alerts; /* while tracing */
};

/* say() of struct alerts has no argument. It is set before the first alert. */
static const struct cli *alerted;

static void
say(const char *text)
{
	cli_error(alerted, "%s", text);
}

int
cli_alert_option(struct cli *c, char *value)
{
	struct why why;
	if (!c->alerts && !(c->alerts = calloc(1, sizeof *c->alerts)))
		return EXIT_ERROR;
	if (!*value) {
		cli_error(c, "--alert takes a URL, http://HOST:PORT/PATH, or a command");
		return EXIT_USAGE;
	}
	struct alerts_conf *a = &c->alerts->conf;
	if (a->n == ALERT_DESTINATIONS) {
		cli_error(c, "--alert can be given %d times", ALERT_DESTINATIONS);
		return EXIT_USAGE;
	}
	struct alert_destination *to = &a->to[a->n];
	if (strstr(value, "://") && strcspn(value, " ") > (size_t)(strstr(value, "://") - value)) {
		if (!alert_url_ok(value, &why)) {
			cli_error(c, "--alert: %s", why.text);
			return EXIT_USAGE;
		}
		to->url = value;
	} else {
		static char sh[] = "sh", dash_c[] = "-c";
		to->argv[0] = sh;
		to->argv[1] = dash_c;
		to->argv[2] = value;
	}
	a->n++;
	return -1;
}

/* What alerts are called by: the file of the first script, or its name, otherwise the command. */
static const char *
script_name(const struct cli *c)
{
	const struct cli_prog *p = c->nprogs ? &c->progs[0] : NULL;
	if (!p || p->kind == PROG_TEXT)
		return c->pname;
	const char *slash = strrchr(p->arg, '/');
	return slash && slash[1] ? slash + 1 : p->arg;
}

/* The node that an alert is about if it does not say so itself: an alert over several nodes is about none of them. */
static const char *
only_node(const struct cli *c)
{
	if (c->nnodes > 1 || c->cluster || c->join)
		return NULL;
	return c->node ? c->node : c->found_node[0] ? c->found_node : NULL;
}

static enum et_handle
on_alert(const struct et_probedata *d, const struct et_alertdata *a, void *arg)
{
	const struct cli *c = arg;
	alerts_fire(c->alerts->alerts, script_name(c), d->node ? d->node : only_node(c), d, a);
	return ET_HANDLE_OK;
}

bool
cli_alerts_open(struct cli *c)
{
	if (!c->alerts)
		return true;
	alerted = c;
	c->alerts->conf.resolve = 60000000000;
	c->alerts->conf.repeat = 300000000000;
	c->alerts->conf.shown = true;
	c->alerts->alerts = alerts_open(&c->alerts->conf, say);
	if (!c->alerts->alerts) {
		cli_error(c, "no thread for alerts can be started: %s", strerror(errno));
		return false;
	}
	et_handle_alert(c->h, on_alert, c);
	return true;
}

void
cli_alerts_close(struct cli *c)
{
	if (!c->alerts)
		return;
	alerts_close(c->alerts->alerts, TELL_MS);
	free(c->alerts);
	c->alerts = NULL;
}
