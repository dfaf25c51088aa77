/*
 * One page: its messages, and what it is owed. Answers wait in a bounded outbox. Data (frames and lines of logs) is
 * never queued: once the page has acknowledged what it got, it gets the newest data.
 */
#include "web/web.h"

#include "object/aggfn.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 128 << 10, OPTS = 32 };

void
client_begin_text(struct sbuf *b)
{
	sb_fill(b, 0, LWS_PRE);
}

void
client_say(struct client *c, struct sbuf *b)
{
	struct note *n = b->failed ? NULL : malloc(sizeof *n);
	if (!n || c->outbytes + b->len > WEB_OUTBOX || !budget_take(c->s->budget, b->len)) {
		/* it asks and never reads */
		free(n);
		c->closing = true;
	} else {
		n->next = NULL;
		n->len = b->len - LWS_PRE;
		n->at = (unsigned char *)sb_take(b);
		n->charged = n->len + LWS_PRE;
		*c->outlast = n;
		c->outlast = &n->next;
		c->outbytes += n->len;
	}
	lws_callback_on_writable(c->wsi);
}

static void
say_error(struct client *c, long long req, const char *why)
{
	struct sbuf b = {0};
	client_begin_text(&b);
	sb_printf(&b, "{\"t\":\"error\",\"req\":%lld,\"msg\":", req);
	web_text(&b, why, strlen(why));
	sb_addc(&b, '}');
	client_say(c, &b);
	sb_free(&b);
}

void
client_tell_runs(struct client *c)
{
	struct server *s = c->s;
	struct sbuf b = {0};
	if (c->outbytes > WEB_OUTBOX / 2)
		return;
	client_begin_text(&b);
	sb_printf(&b, "{\"t\":\"runs\",\"cpu\":%.3f,\"clients\":%u,\"runs\":[", s->cpu, s->nclients);
	bool any = false;
	for (unsigned i = 0; i < s->conf.max_runs; i++) {
		struct run *r = s->runs[i];
		if (!r || r->form != RUN_FRAMES)
			continue;
		unsigned n = 0;
		for (struct client *o = s->clients; o; o = o->next)
			n += client_watches(o, r->id);
		if (any)
			sb_addc(&b, ',');
		any = true;
		run_json(r, &b, n);
	}
	sb_adds(&b, "]}");
	client_say(c, &b);
	sb_free(&b);
}

/* -- watching -- */

bool
client_watches(const struct client *c, unsigned run)
{
	for (unsigned i = 0; i < WEB_RUNS_MOST; i++)
		if (c->watches[i].run == run)
			return !c->closing;
	return false;
}

void
client_watch(struct client *c, unsigned run, uint64_t past)
{
	unsigned i = 0;
	if (client_watches(c, run))
		return;
	while (i < WEB_RUNS_MOST && c->watches[i].run)
		i++;
	if (i < WEB_RUNS_MOST)
		c->watches[i] = (struct watch){.run = run, .past = past};
	lws_callback_on_writable(c->wsi);
}

void
client_unwatch(struct client *c, unsigned run)
{
	for (unsigned i = 0; i < WEB_RUNS_MOST; i++)
		if (c->watches[i].run == run)
			c->watches[i] = (struct watch){0};
}

/* -- messages -- */

static const char *
text_of(const json_t *m, const char *name)
{
	const char *t = json_string_value(json_object_get(m, name));
	return t && *t ? t : NULL;
}

static const char no_such_node[] = "the server was not started for this node; give it with -N NODE";

/* Returns one of the nodes that the server was started for, or NULL if it is none of them. */
static const char *
known_node(const struct client *c, const char *name)
{
	const struct web_conf *conf = &c->s->conf;
	for (unsigned i = 0; name && i < conf->nnodes; i++)
		if (strcmp(conf->nodes[i], name) == 0)
			return conf->nodes[i];
	return NULL;
}

/* Reads the member `node`, which may be missing. */
static bool
pick_node(const struct client *c, const json_t *m, const char **node)
{
	const char *name = text_of(m, "node");
	*node = known_node(c, name);
	return *node || !name;
}

/* Reads the member `node` or `nodes`. Returns NULL, or what is wrong. */
static const char *
pick_nodes(const struct client *c, const json_t *m, struct run_conf *conf)
{
	const json_t *several = json_object_get(m, "nodes");
	if (!several) {
		if (!pick_node(c, m, &conf->nodes[0]))
			return no_such_node;
		conf->nnodes = conf->nodes[0] ? 1 : 0;
		return NULL;
	}
	if (!json_is_array(several) || json_array_size(several) > RUN_LEGS)
		return "nodes is an array of at most 16 names";
	for (size_t i = 0; i < json_array_size(several); i++) {
		const char *node = known_node(c, json_string_value(json_array_get(several, i)));
		if (!node)
			return no_such_node;
		for (unsigned k = 0; k < conf->nnodes; k++)
			if (conf->nodes[k] == node)
				return "a node is named twice";
		conf->nodes[conf->nnodes++] = node;
	}
	return NULL;
}

static void
start(struct client *c, const json_t *m, long long req)
{
	const char *why = NULL, *script = text_of(m, "script"), *name = text_of(m, "name"), *key;
	json_t *opts = json_object_get(m, "options"), *value;
	struct run_opt given[OPTS];
	unsigned nopts = 0;
	json_int_t interval = json_integer_value(json_object_get(m, "interval"));
	if (!script || strlen(script) > WEB_SCRIPT) {
		say_error(c, req, script ? "the script is too long for the page" : "there is no script");
		return;
	}
	json_object_foreach(opts, key, value)
	{
		if (nopts == OPTS || !json_is_string(value)) {
			say_error(c, req, "options are an object of at most 32 strings");
			return;
		}
		given[nopts++] = (struct run_opt){key, json_string_value(value)};
	}
	if (!interval)
		interval = 1000;
	struct run_conf conf = {
	    .name = name && strlen(name) < 200 ? name : "script",
	    .script = script,
	    .merged = json_is_true(json_object_get(m, "merged")),
	    .cookie = c->s->conf.cookie,
	    .interval = interval < RUN_SHORTEST_MS  ? RUN_SHORTEST_MS
			: interval > RUN_LONGEST_MS ? RUN_LONGEST_MS
						    : (unsigned)interval,
	    .destructive = c->s->conf.destructive,
	    .kernel = c->s->conf.kernel,
	    .budget = c->s->budget,
	    .aggs = c->s->aggs,
	    .opts = given,
	    .nopts = nopts,
	};
	why = pick_nodes(c, m, &conf);
	struct run *r = why ? NULL : server_start(c->s, &conf, &why);
	if (!r) {
		say_error(c, req, why);
		return;
	}
	client_watch(c, r->id, 0);
	struct sbuf b = {0};
	client_begin_text(&b);
	sb_printf(&b, "{\"t\":\"started\",\"req\":%lld,\"run\":%u}", req, r->id);
	client_say(c, &b);
	sb_free(&b);
	server_tell_runs(c->s);
}

static void
watch(struct client *c, unsigned run, long long req, bool with_past)
{
	struct run *r = server_run(c->s, run);
	struct sbuf b = {0};
	if (!r || r->form != RUN_FRAMES || atomic_load(&r->stop)) {
		say_error(c, req, "this script runs no more");
		return;
	}
	client_watch(c, run, with_past ? RUN_ALL_PAST : 0);
	client_begin_text(&b);
	sb_printf(&b, "{\"t\":\"watching\",\"req\":%lld,\"run\":%u,\"script\":", req, run);
	web_text(&b, r->script, strlen(r->script));
	sb_addc(&b, '}');
	client_say(c, &b);
	sb_free(&b);
}

static void
ask_desk(struct client *c, enum desk_kind kind, const json_t *m, long long req, const char *text)
{
	const char *node;
	if (text && strlen(text) > WEB_SCRIPT)
		say_error(c, req, "the script is too long for the page");
	else if (!pick_node(c, m, &node))
		say_error(c, req, no_such_node);
	else if (!desk_ask(c->s->desk, kind, c->id, req, text ? text : "", node))
		say_error(c, req, "the server is busy; try again");
}

static bool
page_message(struct client *c, const char *text, size_t n)
{
	json_error_t err;
	json_t *m = json_loadb(text, n, 0, &err);
	const char *t = text_of(m, "t");
	long long req = json_integer_value(json_object_get(m, "req")),
		  id = json_integer_value(json_object_get(m, "run"));
	unsigned run = id > 0 && id <= UINT32_MAX ? (unsigned)id : 0;
	if (t && strcmp(t, "leave") == 0) {
		login_end(c->s, c->login);
		json_decref(m);
		return true;
	}
	if (!t)
		say_error(c, req, m ? "a message is an object with a member t" : "that is no JSON");
	else if (strcmp(t, "ack") == 0)
		c->unacked -= c->unacked > 0;
	else if (strcmp(t, "start") == 0)
		start(c, m, req);
	else if (strcmp(t, "watch") == 0) {
		watch(c, run, req, !json_is_false(json_object_get(m, "history")));
	} else if (strcmp(t, "unwatch") == 0) {
		client_unwatch(c, run);
		server_sweep(c->s);
	} else if (strcmp(t, "stop") == 0) {
		struct run *r = server_run(c->s, run);
		if (r && r->form == RUN_FRAMES)
			run_stop(r);
	} else if (strcmp(t, "check") == 0)
		ask_desk(c, DESK_CHECK, m, req, text_of(m, "script"));
	else if (strcmp(t, "probes") == 0)
		ask_desk(c, DESK_PROBES, m, req, text_of(m, "desc"));
	else if (strcmp(t, "nodes") == 0)
		ask_desk(c, DESK_NODES, m, req, NULL);
	else
		say_error(c, req, "there is no such message; docs/protocol.md has them all");
	json_decref(m);
	return true;
}

/* The first message of every websocket: {"t":"enter","key":"…"}. The cookie alone proves nothing, see login.c. */
static bool
enter(struct client *c, const char *text, size_t n)
{
	json_t *m = json_loadb(text, n, 0, NULL);
	const char *t = text_of(m, "t"), *key = text_of(m, "key");
	const char *why =
	    "the first message brings the key of this browser's session, which the URL that the server prints "
	    "brings along";
	bool ok = t && strcmp(t, "enter") == 0 && key && login_enter(c->s, c->login, key);
	json_decref(m);
	if (ok && c->s->nclients >= c->s->conf.max_clients) {
		why = "too many pages are open (--max-clients)";
		ok = false;
	}
	if (ok) {
		server_entered(c);
		client_begin(c);
		return true;
	}
	struct sbuf b = {0};
	client_begin_text(&b);
	sb_adds(&b, c->mode == CLIENT_PAGE ? "{\"t\":\"refused\",\"msg\":" : "{\"error\":");
	web_text(&b, why, strlen(why));
	sb_addc(&b, '}');
	client_say(c, &b);
	sb_free(&b);
	c->leaving = true;
	return true;
}

bool
client_receive(struct client *c, const char *bytes, size_t n, bool last)
{
	if (c->closing || c->in.len + n > (c->entered ? WEB_MESSAGE : WEB_FIRST_MESSAGE))
		return false;
	if (c->leaving)
		return true;
	sb_add(&c->in, bytes, n);
	if (c->in.failed)
		return false;
	if (!last)
		return true;
	const char *text = c->in.at ? c->in.at : "";
	bool ok = !c->entered              ? enter(c, text, c->in.len)
		  : c->mode == CLIENT_PAGE ? page_message(c, text, c->in.len)
					   : plain_message(c, text, c->in.len);
	sb_clear(&c->in);
	lws_callback_on_writable(c->wsi);
	return ok;
}

void
client_begin(struct client *c)
{
	const struct web_conf *conf = &c->s->conf;
	if (c->mode != CLIENT_PAGE)
		return;
	struct sbuf b = {0};
	client_begin_text(&b);
	sb_printf(&b,
	    "{\"t\":\"hello\",\"version\":\"%s\",\"protocol\":2,\"destructive\":%s,\"kernel\":%s,\"maxScripts\":%u,\"nodes\":[",
	    et_version(), conf->destructive ? "true" : "false", conf->kernel ? "true" : "false", conf->max_runs);
	for (unsigned i = 0; i < conf->nnodes; i++) {
		if (i)
			sb_addc(&b, ',');
		web_text(&b, conf->nodes[i], strlen(conf->nodes[i]));
	}
	sb_adds(&b, "],\"aggregations\":[");
	for (unsigned i = 0; i < AGG_NFNS; i++)
		sb_printf(&b, "%s{\"name\":\"%s\",\"fold\":\"%s\",\"help\":\"%s\"}", i ? "," : "", aggfns[i].name,
		    aggfns[i].fold, aggfns[i].help);
	sb_adds(&b, "],\"scripts\":");
	shelf_json(&c->s->shelf, &b);
	sb_addc(&b, '}');
	client_say(c, &b);
	sb_free(&b);
	client_tell_runs(c);
}

static void
note_free(struct client *c, struct note *n)
{
	if (!n)
		return;
	budget_give(c->s->budget, n->charged);
	free(n->at);
	free(n);
}

void
client_end(struct client *c)
{
	for (struct note *n = c->outbox, *next; n; n = next) {
		next = n->next;
		note_free(c, n);
	}
	c->outbox = NULL;
	note_free(c, c->note);
	frame_drop(c->frame);
	c->note = NULL;
	c->frame = NULL;
	sb_free(&c->in);
}

/* -- writing -- */

/* Writes the next piece. A frame is shared by many pages, and libwebsockets must not copy all of it for a page that
 * reads slowly. */
static bool
write_piece(struct client *c)
{
	static unsigned char piece[LWS_PRE + WEB_PIECE]; /* used only by the service thread */
	const char *at = c->frame ? c->frame->text.at + LWS_PRE : (const char *)c->note->at + LWS_PRE;
	size_t len = c->frame ? c->frame->text.len - LWS_PRE : c->note->len;
	size_t n = len - c->written < WEB_PIECE ? len - c->written : WEB_PIECE;
	bool last = c->written + n == len;
	int how = (c->written ? LWS_WRITE_CONTINUATION : LWS_WRITE_TEXT) | (last ? 0 : LWS_WRITE_NO_FIN);
	memcpy(piece + LWS_PRE, at + c->written, n);
	if (lws_write(c->wsi, piece + LWS_PRE, n, (enum lws_write_protocol)how) < (int)n)
		return false;
	c->written += n;
	if (!last)
		return true;
	frame_drop(c->frame);
	note_free(c, c->note);
	c->frame = NULL;
	c->note = NULL;
	c->written = 0;
	return true;
}

/* Writes the newest frame of a run unless the page has it. Returns 1 if it wrote, 0 if not, -1 if the connection is
 * lost. */
static int
write_frame(struct client *c, struct watch *w, struct run *r)
{
	struct frame *f = run_frame(r, w->seq, &w->past);
	if (!f)
		return 0;
	w->seq = f->seq;
	c->unacked += c->mode == CLIENT_PAGE;
	c->frame = f;
	return write_piece(c) ? 1 : -1;
}

static bool
write_text(struct client *c, unsigned char *at, size_t n)
{
	return lws_write(c->wsi, at, n, LWS_WRITE_TEXT) >= (int)n;
}

static int
write_log(struct client *c, struct watch *w, struct run *r)
{
	struct sbuf b = {0}, lines = {0};
	uint64_t lost;
	if (!run_log(r, &w->logged, &lost, LOG_BYTES, &lines)) {
		sb_free(&lines);
		return 0;
	}
	client_begin_text(&b);
	sb_printf(&b, "{\"t\":\"log\",\"run\":%u,\"lost\":%" PRIu64 ",\"lines\":", r->id, lost);
	sb_add(&b, lines.at, lines.len);
	sb_addc(&b, '}');
	c->unacked++;
	bool ok = !b.failed && !lines.failed && write_text(c, (unsigned char *)b.at + LWS_PRE, b.len - LWS_PRE);
	sb_free(&b);
	sb_free(&lines);
	return ok ? 1 : -1;
}

/* A plain reader is told of a script's end only if it failed. */
static int
write_plain_error(struct client *c, struct watch *w, struct run *r)
{
	struct sbuf b = {0};
	if (!atomic_load(&r->over))
		return 0;
	w->run = 0;
	if (r->state != RUN_FAILED)
		return 0;
	client_begin_text(&b);
	sb_adds(&b, "{\"error\":");
	web_text(&b, r->why ? r->why : "", r->why ? strlen(r->why) : 0);
	sb_addc(&b, '}');
	bool ok = !b.failed && write_text(c, (unsigned char *)b.at + LWS_PRE, b.len - LWS_PRE);
	sb_free(&b);
	return ok ? 1 : -1;
}

static int
write_data(struct client *c)
{
	for (unsigned k = 0; k < WEB_RUNS_MOST && c->unacked < WEB_UNACKED; k++) {
		struct watch *w = &c->watches[(c->turn + k) % WEB_RUNS_MOST];
		struct run *r = w->run ? server_run(c->s, w->run) : NULL;
		if (!r)
			continue;
		int n = write_frame(c, w, r);
		if (!n)
			n = c->mode == CLIENT_PAGE ? write_log(c, w, r) : write_plain_error(c, w, r);
		if (n) {
			c->turn = (c->turn + k + 1) % WEB_RUNS_MOST;
			return n;
		}
	}
	return 0;
}

bool
client_write(struct client *c)
{
	if (c->closing)
		return false;
	if (c->want_ping) {
		unsigned char ping[LWS_PRE + 4] = {0}; /* libwebsockets would not report an answer to an empty ping */
		c->want_ping = false;
		lws_callback_on_writable(c->wsi);
		return lws_write(c->wsi, ping + LWS_PRE, 4, LWS_WRITE_PING) >= 0;
	}
	if (!c->frame && !c->note && c->outbox) {
		c->note = c->outbox;
		c->outbox = c->note->next;
		if (!c->outbox)
			c->outlast = &c->outbox;
		c->outbytes -= c->note->len;
	}
	if (c->frame || c->note) {
		lws_callback_on_writable(c->wsi);
		return write_piece(c);
	}
	if (c->leaving)
		return false; /* everything was said */
	int n = write_data(c);
	if (n > 0)
		lws_callback_on_writable(c->wsi);
	return n >= 0;
}
