/*
 * The plain protocol on /heatmap and /list. A text frame is a script, an empty one stops it. Every second {key:
 * [[[lo,hi],count],…]} or {key: {key: n}} is sent. A new script replaces the one before. Errors are sent as {"error":
 * text}.
 */
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

static void
say_error(struct client *c, const char *why)
{
	struct sbuf b = {0};
	client_begin_text(&b);
	sb_adds(&b, "{\"error\":");
	web_text(&b, why, strlen(why));
	sb_addc(&b, '}');
	client_say(c, &b);
	sb_free(&b);
}

bool
plain_message(struct client *c, const char *text, size_t n)
{
	const char *why = NULL;
	memset(c->watches, 0, sizeof c->watches);
	server_sweep(c->s);
	if (n == 0)
		return true;
	if (n > WEB_SCRIPT) {
		say_error(c, "the script is too long for the page");
		return true;
	}
	if (memchr(text, 0, n)) {
		say_error(c, "a script has no NUL characters");
		return true;
	}
	struct run_conf conf = {
	    .name = "plain",
	    .script = text,
	    .nodes = {c->s->conf.nodes[0]},
	    .nnodes = c->s->conf.nnodes ? 1 : 0,
	    .cookie = c->s->conf.cookie,
	    .interval = 1000,
	    .destructive = c->s->conf.destructive,
	    .kernel = c->s->conf.kernel,
	    .budget = c->s->budget,
	    .aggs = c->s->aggs,
	    .form = c->mode == CLIENT_HEATMAP ? RUN_PLAIN_HEATMAP : RUN_PLAIN_LIST,
	};
	struct run *r = server_start(c->s, &conf, &why);
	if (r)
		client_watch(c, r->id, 0);
	else
		say_error(c, why);
	return true;
}
