/*
 * HTTP: GET /metrics, and a line of text at / that says so. libwebsockets does the work; one thread.
 *
 * An answer is made when it is asked for and written in pieces, as fast as the scraper reads. There are at most
 * EXP_BODIES at a time, and a scraper that has not read its answer after EXP_SLOW_S is cut off. So scrapers cannot
 * make memory grow.
 */
#include "export/export.h"
#include "web/late.h"

#include "base/clock.h"

#include <libwebsockets.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TICK_US = 100000, PIECE = 64 << 10 };

struct endpoint {
	struct service *service;
	struct lws_context *ctx;
	struct lws_vhost *vhost;
	lws_sorted_usec_list_t sul;
	unsigned bodies;
};

/* A connection. */
struct scraper {
	char *body; /* LWS_PRE bytes of room, then the text; NULL: nothing to write */
	size_t len, written;
	bool failed;
};

static void
drop_body(struct endpoint *v, struct scraper *c)
{
	if (!c->body)
		return;
	free(c->body);
	c->body = NULL;
	v->bodies--;
}

static int
begin_answer(struct lws *wsi, unsigned status, const char *type, size_t len)
{
	unsigned char buf[LWS_PRE + 1024], *p = buf + LWS_PRE, *end = buf + sizeof buf - 1;
	if (lws_add_http_common_headers(wsi, status, type, len, &p, end) != 0 ||
	    lws_add_http_header_by_name(
		wsi, (const unsigned char *)"cache-control:", (const unsigned char *)"no-store", 8, &p, end) != 0 ||
	    lws_finalize_write_http_header(wsi, buf + LWS_PRE, &p, end) != 0)
		return -1;
	return 0;
}

static int
say(struct lws *wsi, unsigned status, const char *text)
{
	unsigned char buf[LWS_PRE + 512];
	size_t len = strlen(text);
	if (begin_answer(wsi, status, "text/plain; charset=utf-8", len) != 0)
		return -1;
	memcpy(buf + LWS_PRE, text, len);
	if (lws_write(wsi, buf + LWS_PRE, len, LWS_WRITE_HTTP_FINAL) < 0)
		return -1;
	return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static const struct {
	const char *type;     /* as a scraper names it … */
	const char *words[2]; /* … with these, if it says what they are about */
	const char *answer;
} formats[NFORMATS] = {
    [FORMAT_TEXT] = {"text/plain", {NULL}, "text/plain; version=0.0.4; charset=utf-8"},
    [FORMAT_OPEN] = {"application/openmetrics-text", {"version=1.0.0"},
	"application/openmetrics-text; version=1.0.0; charset=utf-8"},
    [FORMAT_PROTO] = {"application/vnd.google.protobuf",
	{"proto=io.prometheus.client.MetricFamily", "encoding=delimited"},
	"application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"},
};

/* Whether a part of Accept is this format. A word that is missing may be anything, but protobuf needs both of its. */
static bool
is_format(const char *part, enum format f)
{
	if (strncasecmp(part, formats[f].type, strlen(formats[f].type)) != 0)
		return false;
	for (unsigned i = 0; i < 2 && formats[f].words[i]; i++) {
		const char *word = formats[f].words[i];
		char key[32];
		snprintf(key, sizeof key, "%.*s", (int)strcspn(word, "=") + 1, word);
		const char *at = strstr(part, key);
		if (at ? strncmp(at, word, strlen(word)) != 0 : f == FORMAT_PROTO)
			return false;
	}
	return true;
}

/* The format that the scraper would rather have. Of those that it likes equally well it gets the richest. */
static enum format
wanted(struct lws *wsi)
{
	char accept[1024] = "", *save = NULL;
	double weights[NFORMATS] = {0};
	if (lws_hdr_copy(wsi, accept, sizeof accept, WSI_TOKEN_HTTP_ACCEPT) <= 0)
		return FORMAT_TEXT;
	for (char *p = strtok_r(accept, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		const char *q = strstr(p, "q=");
		double weight = q ? strtod(q + 2, NULL) : 1;
		p += strspn(p, " \t");
		for (unsigned f = 0; f < NFORMATS; f++)
			if (is_format(p, (enum format)f) && weight > weights[f])
				weights[f] = weight;
	}
	enum format best = FORMAT_TEXT;
	for (unsigned f = 0; f < NFORMATS; f++)
		if (weights[f] > 0 && weights[f] >= weights[best])
			best = (enum format)f;
	return best;
}

static int
send_metrics(struct endpoint *v, struct lws *wsi, struct scraper *c)
{
	enum format format = wanted(wsi);
	struct sbuf b = {0};
	if (v->bodies >= EXP_BODIES) {
		v->service->refused++;
		return say(
		    wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "Too many scrapers have not read their answers yet.\n");
	}
	v->service->scrapes[format]++;
	sb_fill(&b, ' ', LWS_PRE);
	service_answer(v->service, &b, format);
	if (b.failed) {
		sb_free(&b);
		return say(wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR, "Out of memory.\n");
	}
	drop_body(v, c);
	c->len = b.len - LWS_PRE;
	c->written = 0;
	c->body = sb_take(&b);
	v->bodies++;
	if (begin_answer(wsi, HTTP_STATUS_OK, formats[format].answer, c->len) != 0)
		return -1;
	lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, EXP_SLOW_S);
	lws_callback_on_writable(wsi);
	return 0;
}

static int
requested(struct endpoint *v, struct lws *wsi, struct scraper *c, const char *path)
{
	if (!lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI))
		return say(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET is understood here.\n");
	if (strcmp(path, "/metrics") == 0)
		return send_metrics(v, wsi, c);
	if (strcmp(path, "/") == 0)
		return say(wsi, HTTP_STATUS_OK, "erltrace export: the metrics are at /metrics\n");
	return say(wsi, HTTP_STATUS_NOT_FOUND, "There is only /metrics here.\n");
}

/* Writes the next piece. */
static int
writable(struct endpoint *v, struct lws *wsi, struct scraper *c)
{
	if (!c->body)
		return 0;
	size_t left = c->len - c->written, n = left < PIECE ? left : PIECE;
	bool last = n == left;
	if (lws_write(wsi, (unsigned char *)c->body + LWS_PRE + c->written, n,
		last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
		return -1;
	c->written += n;
	if (!last) {
		lws_callback_on_writable(wsi);
		return 0;
	}
	drop_body(v, c);
	return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int
on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct endpoint *v = lws_context_user(lws_get_context(wsi));
	struct scraper *c = user;
	(void)len;
	switch (reason) {
	case LWS_CALLBACK_HTTP:
		return requested(v, wsi, c, in);
	case LWS_CALLBACK_HTTP_WRITEABLE:
		return writable(v, wsi, c);
	case LWS_CALLBACK_CLOSED_HTTP:
		if (c && c->body) {
			v->service->cut++;
			drop_body(v, c);
		}
		return 0;
	/* only plain requests */
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
		return 1;
	default:
		return 0;
	}
}

static void
on_tick(lws_sorted_usec_list_t *sul)
{
	struct endpoint *v = lws_container_of(sul, struct endpoint, sul);
	service_tick(v->service);
	lws_sul_schedule(v->ctx, 0, &v->sul, on_tick, TICK_US);
}

struct endpoint *
endpoint_open(struct service *s, struct why *why)
{
	static const struct lws_protocols protocols[] = {
	    {"erltrace-export", on_event, sizeof(struct scraper), 0, 0, NULL, 0},
	    {NULL, NULL, 0, 0, 0, NULL, 0},
	};
	const struct conf *conf = s->conf;
	struct endpoint *v = calloc(1, sizeof *v);
	struct lws_context_creation_info info = {
	    .port = conf->port,
	    .iface = conf->listen,
	    .protocols = protocols,
	    .user = v,
	    .gid = (__typeof__(((struct lws_context_creation_info *)0)->gid))-1, /* the type differs between versions */
	    .uid = (__typeof__(((struct lws_context_creation_info *)0)->uid))-1,
	    .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
	    .timeout_secs = 10,
	    .keepalive_timeout = 120, /* a scraper keeps its connection from scrape to scrape */
	    .timeout_secs_ah_idle = 10,
	    .max_http_header_data = 8192,
	    .max_http_header_pool = EXP_CONNECTIONS,
	    .fd_limit_per_thread = EXP_CONNECTIONS + 16,
	    .alpn = "http/1.1",
	    .server_string = "erltrace",
	};
	if (!v) {
		why_set(why, "out of memory");
		return NULL;
	}
	v->service = s;
	if (conf->cert) {
		info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
		info.ssl_cert_filepath = conf->cert;
		info.ssl_private_key_filepath = conf->key;
	}
	if (!strchr(conf->listen, ':'))
		info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
	if (!late_load(why)) {
		free(v);
		return NULL;
	}
	lws_set_log_level(0, NULL);
	v->ctx = lws_create_context(&info);
	v->vhost = v->ctx ? lws_create_vhost(v->ctx, &info) : NULL;
	if (!v->vhost) {
		why_set(why, "cannot listen on %s port %d: is the port in use, is the address one of this machine%s?",
		    conf->listen, conf->port, conf->cert ? ", can the TLS files be read" : "");
		endpoint_close(v);
		return NULL;
	}
	bool six = strchr(conf->listen, ':') != NULL;
	printf("erltrace export: http%s://%s%s%s:%d/metrics\n", conf->cert ? "s" : "", six ? "[" : "", conf->listen,
	    six ? "]" : "", lws_get_vhost_listen_port(v->vhost));
	fflush(stdout);
	lws_sul_schedule(v->ctx, 0, &v->sul, on_tick, TICK_US);
	return v;
}

void
endpoint_serve(struct endpoint *v, const volatile int *stop, volatile int *reload)
{
	while (!*stop) {
		if (lws_service(v->ctx, 0) < 0)
			break;
		if (*reload) {
			*reload = 0;
			service_reload(v->service);
		}
	}
}

void
endpoint_close(struct endpoint *v)
{
	if (v->ctx)
		lws_context_destroy(v->ctx);
	free(v);
}
