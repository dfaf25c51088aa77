/*
 * Connections and timers. A page that does not answer pings for WEB_SILENT_MS counts as gone at once, whatever its
 * connection says. A script that nobody watches ends.
 */
#include "web/web.h"

#include "base/clock.h"
#include "base/files.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { TICK_US = 100000 };

uint64_t
web_now(void)
{
	return mono_ms();
}

bool
server_new_secret(char *to)
{
	unsigned char raw[WEB_TOKEN / 2];
	if (getrandom(raw, sizeof raw, 0) != (ssize_t)sizeof raw)
		return false;
	for (unsigned i = 0; i < sizeof raw; i++)
		snprintf(to + 2 * i, 3, "%02x", raw[i]);
	return true;
}

static void
print_url(const struct server *s)
{
	const char *at =
	    strcmp(s->conf.listen, "0.0.0.0") == 0 || strcmp(s->conf.listen, "::") == 0 ? "localhost" : s->conf.listen;
	bool bare6 = strchr(at, ':') != NULL;
	printf("%s://%s%s%s:%d/?token=%s\n", s->conf.cert ? "https" : "http", bare6 ? "[" : "", at, bare6 ? "]" : "",
	    s->port, s->newest->text);
	fflush(stdout);
}

/* Makes a token and prints the URL with it on standard output. Returns false like server_new_secret(). */
static bool
new_url(struct server *s)
{
	if (!token_new(s))
		return false;
	print_url(s);
	return true;
}

/* -- runs -- */

struct run *
server_run(struct server *s, unsigned id)
{
	for (unsigned i = 0; id && i < s->conf.max_runs; i++)
		if (s->runs[i] && s->runs[i]->id == id)
			return s->runs[i];
	return NULL;
}

/* Forgets the run that ended longest ago, though somebody may still look at its last state. Returns its index, or
 * max_runs if there is none. */
static unsigned
forget_one(struct server *s)
{
	unsigned oldest = s->conf.max_runs;
	for (unsigned i = 0; i < s->conf.max_runs; i++)
		if (atomic_load(&s->runs[i]->over) &&
		    (oldest == s->conf.max_runs || s->runs[i]->id < s->runs[oldest]->id))
			oldest = i;
	if (oldest == s->conf.max_runs)
		return oldest;
	for (struct client *c = s->clients; c; c = c->next)
		client_unwatch(c, s->runs[oldest]->id);
	run_free(s->runs[oldest]);
	s->runs[oldest] = NULL;
	return oldest;
}

/* May be called from any thread. */
static void
wake(void *server)
{
	struct server *s = server;
	lws_cancel_service(s->ctx);
}

struct run *
server_start(struct server *s, const struct run_conf *c, const char **why)
{
	unsigned i = 0;
	while (i < s->conf.max_runs && s->runs[i])
		i++;
	if (i == s->conf.max_runs)
		i = forget_one(s);
	if (i == s->conf.max_runs) {
		*why = "too many scripts are running; stop one first (--max-scripts)";
		return NULL;
	}
	s->runs[i] = run_start(c, ++s->run_ids, wake, s);
	if (!s->runs[i])
		*why = "out of memory";
	return s->runs[i];
}

static unsigned
watchers(const struct server *s, unsigned run)
{
	unsigned n = 0;
	for (const struct client *c = s->clients; c; c = c->next)
		n += client_watches(c, run);
	return n;
}

void
server_sweep(struct server *s)
{
	bool freed = false;
	for (unsigned i = 0; i < s->conf.max_runs; i++) {
		struct run *r = s->runs[i];
		if (!r || watchers(s, r->id))
			continue;
		if (!atomic_load(&r->over)) {
			if (!atomic_load(&r->stop))
				run_stop(r);
			continue;
		}
		run_free(r);
		s->runs[i] = NULL;
		freed = true;
	}
	if (freed)
		server_tell_runs(s);
}

void
server_tell_runs(struct server *s)
{
	for (struct client *c = s->clients; c; c = c->next)
		if (c->mode == CLIENT_PAGE && c->entered)
			client_tell_runs(c);
}

/* -- libwebsockets -- */

static void
deliver(struct server *s)
{
	struct desk_answer *a = desk_take(s->desk);
	while (a) {
		struct desk_answer *next = a->next;
		struct client *c = s->clients;
		while (c && c->id != a->client)
			c = c->next;
		if (c)
			client_say(c, &a->text);
		sb_free(&a->text);
		free(a);
		a = next;
	}
}

/* Something came in from another thread. */
static void
on_wake(struct server *s)
{
	if (!s->desk)
		return;
	deliver(s);
	server_sweep(s);
	for (struct client *c = s->clients; c; c = c->next)
		lws_callback_on_writable(c->wsi);
}

static void
look_at_cpu(struct server *s, uint64_t now)
{
	if (now - s->cpu_at < 1000)
		return;
	uint64_t ns = (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (s->cpu_at)
		s->cpu = (double)(ns - s->cpu_ns) / 1e6 / (double)(now - s->cpu_at);
	s->cpu_ns = ns;
	s->cpu_at = now;
	/* The states of runs change by themselves. Pages are told once a second. */
	server_tell_runs(s);
}

static void
on_tick(lws_sorted_usec_list_t *sul)
{
	struct server *s = lws_container_of(sul, struct server, sul);
	uint64_t now = web_now();
	/* Time in which this thread could not listen does not count as silence of a page. */
	uint64_t late = s->ticked && now - s->ticked > 2 * TICK_US / 1000 ? now - s->ticked - TICK_US / 1000 : 0;
	s->ticked = now;
	for (unsigned i = 0; i < s->conf.max_runs; i++)
		if (s->runs[i])
			run_tick(s->runs[i]);
	login_tick(s);
	if (desk_tick(s->desk))
		deliver(s);
	for (struct client *c = s->clients; c; c = c->next) {
		c->closing |= !c->entered && now - c->opened > WEB_ENTER_MS;
		c->heard = c->heard + late < now ? c->heard + late : now;
		c->closing |= now - c->heard > WEB_SILENT_MS;
		if (c->closing)
			lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
		else if (now - c->pinged >= WEB_PING_MS) {
			c->pinged = now;
			c->want_ping = true;
			lws_callback_on_writable(c->wsi);
		}
	}
	server_sweep(s);
	look_at_cpu(s, now);
	lws_sul_schedule(s->ctx, 0, &s->sul, on_tick, TICK_US);
}

/* -- who is connected -- */

static void
leave_list(struct server *s, struct visitor *v)
{
	if (!v->back)
		return;
	*v->back = v->next;
	if (v->next)
		v->next->back = v->back;
	else
		s->last_stranger = v->back;
	v->back = NULL;
	v->next = NULL;
	s->nstrangers--;
}

/* Adds it at the end: it spoke last. */
static void
join_list(struct server *s, struct visitor *v)
{
	leave_list(s, v);
	v->back = s->last_stranger;
	*s->last_stranger = v;
	s->last_stranger = &v->next;
	s->nstrangers++;
}

static void
arrived(struct server *s, struct lws *wsi)
{
	struct visitor *v = calloc(1, sizeof *v);
	if (!v) {
		lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
		return;
	}
	v->wsi = wsi;
	lws_set_opaque_user_data(wsi, v);
	join_list(s, v);
	if (s->nstrangers > WEB_STRANGERS) {
		struct visitor *oldest = s->strangers;
		leave_list(s, oldest);
		lws_set_timeout(oldest->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	}
}

static void
gone(struct server *s, struct lws *wsi)
{
	struct visitor *v = lws_get_opaque_user_data(wsi);
	if (!v)
		return;
	lws_set_opaque_user_data(wsi, NULL);
	leave_list(s, v);
	free(v);
}

static int
requested(struct server *s, struct lws *wsi, const char *path)
{
	struct visitor *v = lws_get_opaque_user_data(wsi);
	if (v && v->back)
		join_list(s, v);
	return http_request(s, wsi, path);
}

static bool
may_upgrade(struct server *s, struct lws *wsi)
{
	struct visitor *v = lws_get_opaque_user_data(wsi);
	return v && v->back && http_may_upgrade(s, wsi, v);
}

void
server_entered(struct client *c)
{
	struct visitor *v = lws_get_opaque_user_data(c->wsi);
	if (v)
		leave_list(c->s, v);
	c->entered = true;
	c->s->nclients++;
}

static int
established(struct server *s, struct lws *wsi, struct client *c)
{
	const struct visitor *v = lws_get_opaque_user_data(wsi);
	char path[64] = "";
	lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
	c->s = s;
	c->wsi = wsi;
	c->id = ++s->ids;
	c->mode = strcmp(path, "/heatmap") == 0 ? CLIENT_HEATMAP
		  : strcmp(path, "/list") == 0  ? CLIENT_LIST
						: CLIENT_PAGE;
	c->opened = c->heard = c->pinged = web_now();
	c->outlast = &c->outbox;
	c->next = s->clients;
	s->clients = c;
	c->login = v ? v->login : 0;
	if (v && v->by_token) {
		server_entered(c);
		client_begin(c);
	}
	return 0;
}

static void
closed(struct server *s, struct client *c)
{
	struct client **p = &s->clients;
	while (*p && *p != c)
		p = &(*p)->next;
	if (!*p)
		return;
	*p = c->next;
	s->nclients -= c->entered;
	if (s->desk)
		desk_forget(s->desk, c->id);
	client_end(c);
	server_sweep(s);
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct server *s = lws_context_user(lws_get_context(wsi));
	struct client *c = user;
	switch (reason) {
	case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
		on_wake(s);
		return 0;
	case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
		arrived(s, wsi);
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		gone(s, wsi);
		return 0;
	case LWS_CALLBACK_HTTP:
		return requested(s, wsi, in);
	case LWS_CALLBACK_HTTP_WRITEABLE:
	case LWS_CALLBACK_HTTP_FILE_COMPLETION:
		return lws_http_transaction_completed(wsi);
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
		return !(in && strcmp(in, "websocket") == 0);
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
		return !may_upgrade(s, wsi);
	case LWS_CALLBACK_ESTABLISHED:
		return established(s, wsi, c);
	case LWS_CALLBACK_CLOSED:
		closed(s, c);
		return 0;
	case LWS_CALLBACK_RECEIVE_PONG:
		c->heard = web_now();
		return 0;
	case LWS_CALLBACK_RECEIVE:
		c->heard = web_now();
		return client_receive(c, in, len, lws_is_final_fragment(wsi) && !lws_remaining_packet_payload(wsi))
			   ? 0
			   : -1;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return client_write(c) ? 0 : -1;
	default:
		return 0;
	}
}

/* How many connections there may be: those of pages, and room for many that never say what they want. Those are
 * dropped when others come, so that nobody waits for them. The limit of open files of this process bounds it. */
static unsigned
most_connections(const struct server *s)
{
	rlim_t want = 2 * s->conf.max_clients + 2 * WEB_STRANGERS; /* dropped connections take a moment to close */
	rlim_t allowed = files_allow(want + 512);                  /* the scripts need some too */
	return (unsigned)(!allowed ? 256 : want + 512 <= allowed ? want : allowed / 2);
}

bool
server_open(struct server *s, struct why *why)
{
	static const struct lws_protocols protocols[] = {
	    {"erltrace", on_event, sizeof(struct client), 64 << 10, 0, NULL, 0},
	    {NULL, NULL, 0, 0, 0, NULL, 0},
	};
	struct lws_context_creation_info info = {
	    .port = s->conf.port,
	    .iface = s->conf.listen,
	    .protocols = protocols,
	    .user = s,
	    .gid = (__typeof__(((struct lws_context_creation_info *)0)->gid))-1, /* the type differs between versions */
	    .uid = (__typeof__(((struct lws_context_creation_info *)0)->uid))-1,
	    .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
	    .timeout_secs = 5,
	    .keepalive_timeout = 5,
	    .timeout_secs_ah_idle = 5,
	    .max_http_header_data = WEB_HEADERS,
	    .max_http_header_pool = 2 * WEB_STRANGERS,
	    .fd_limit_per_thread = most_connections(s),
	    .alpn = "http/1.1",
	    .server_string = "erltrace",
	    .ka_time = 5,
	    .ka_probes = 2,
	    .ka_interval = 2,
	};
	if (s->conf.cert) {
		info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
		info.ssl_cert_filepath = s->conf.cert;
		info.ssl_private_key_filepath = s->conf.key;
	}
	if (strchr(s->conf.listen, ':') == NULL)
		info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
	int unread = 0;
	if (!late_load(why))
		return false;
	lws_set_log_level(0, NULL);
	if (!shelf_fill(&s->shelf, s->conf.scripts, &unread)) {
		why_set(why, "out of memory");
		return false;
	}
	if (unread && s->conf.scripts) {
		why_set(why, "cannot read the folder %s: %s", s->conf.scripts, strerror(unread));
		return false;
	}
	s->last_stranger = &s->strangers;
	s->budget = budget_new(s->conf.memory, NULL);
	s->aggs = budget_new(s->conf.memory / 2, NULL);
	if (!s->budget || !s->aggs) {
		why_set(why, "out of memory");
		return false;
	}
	if (!token_new(s)) {
		why_set(why, "there is no randomness to make a token of: %s", strerror(errno));
		return false;
	}
	info.options |= LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
	s->ctx = lws_create_context(&info);
	s->vhost = s->ctx ? lws_create_vhost(s->ctx, &info) : NULL;
	if (!s->vhost) {
		why_set(why,
		    "cannot listen on %s port %d: is the port in use (--port), is the address one of this machine%s?",
		    s->conf.listen, s->conf.port, s->conf.cert ? ", can the TLS files be read" : "");
		return false;
	}
	s->port = lws_get_vhost_listen_port(s->vhost);
	s->desk = desk_open(&s->conf, wake, s);
	if (!s->desk) {
		why_set(why, "out of memory");
		return false;
	}
	lws_sul_schedule(s->ctx, 0, &s->sul, on_tick, TICK_US);
	print_url(s);
	return true;
}

/* With --with-stdin the server lives as long as its standard input, and each line there asks for a new URL. */
static bool
stdin_is_gone(struct server *s)
{
	char bin[256];
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	if (poll(&p, 1, 0) <= 0)
		return false;
	ssize_t n = read(STDIN_FILENO, bin, sizeof bin);
	for (ssize_t i = 0; i < n; i++)
		if (bin[i] == '\n')
			s->over |= !new_url(s);
	return n <= 0;
}

void
server_serve(struct server *s, const volatile int *stop, volatile int *want_url)
{
	while (!*stop && !s->over) {
		if (lws_service(s->ctx, 0) < 0)
			break;
		if (s->conf.with_stdin && stdin_is_gone(s))
			break;
		if (*want_url) {
			*want_url = 0;
			s->over |= !new_url(s);
		}
	}
}

void
server_close(struct server *s)
{
	for (unsigned i = 0; i < WEB_RUNS_MOST; i++)
		if (s->runs[i])
			run_stop(s->runs[i]);
	for (unsigned i = 0; i < WEB_RUNS_MOST; i++)
		if (s->runs[i]) {
			run_free(s->runs[i]);
			s->runs[i] = NULL;
		}
	if (s->desk)
		desk_close(s->desk);
	s->desk = NULL;
	if (s->ctx)
		lws_context_destroy(s->ctx);
	s->ctx = NULL;
	budget_drop(s->budget);
	budget_drop(s->aggs);
	s->budget = s->aggs = NULL;
	shelf_free(&s->shelf);
}
