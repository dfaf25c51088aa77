/*
 * Who may come in, and the page's files.
 *
 * The first request brings the one-time token of the printed URL and gets a login for it (login.c). The login has
 * a cookie and a key. The key is behind the # of the address that the browser is redirected to; no browser sends that
 * part to a server. Everything after that needs the cookie. Host is checked against other names that lead here (DNS
 * rebinding), Origin against scripts of other sites.
 */
#include "web/web.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

/* After a name or an address there may be nothing or a port. It goes into headers, so it is checked strictly. */
static bool
is_port(const char *s)
{
	return !*s || (*s == ':' && strspn(s + 1, "0123456789") == strlen(s + 1));
}

/* Accepts an address, this machine's own name, or the name given by --host. */
static bool
host_is_ours(const struct server *s, const char *host)
{
	char name[256], addr[16];
	const char *colon = strrchr(host, ':'), *close = strchr(host, ']');
	if (*host == '[') {
		if (!close || close - host - 1 >= (long)sizeof name || !is_port(close + 1))
			return false;
		memcpy(name, host + 1, (size_t)(close - host - 1));
		name[close - host - 1] = '\0';
		return inet_pton(AF_INET6, name, addr) == 1;
	}
	size_t n = colon ? (size_t)(colon - host) : strlen(host);
	if (n == 0 || n >= sizeof name || !is_port(host + n))
		return false;
	memcpy(name, host, n);
	name[n] = '\0';
	if (inet_pton(AF_INET, name, addr) == 1 || strcasecmp(name, "localhost") == 0)
		return true;
	for (unsigned i = 0; i < s->conf.nhosts; i++)
		if (strcasecmp(name, s->conf.hosts[i]) == 0)
			return true;
	return false;
}

static bool
check_host(const struct server *s, struct lws *wsi, char *host, int len)
{
	return lws_hdr_copy(wsi, host, len, WSI_TOKEN_HOST) > 0 && host_is_ours(s, host);
}

static void
cookie_name(const struct server *s, char *to, size_t n)
{
	/* cookies ignore ports, so two servers on one machine need two names */
	snprintf(to, n, "erltrace-%d", s->port);
}

static struct login *
login_of(struct server *s, struct lws *wsi)
{
	/* As large as all headers together may be, because they include the cookies of everything else on this
	 * machine. */
	char all[WEB_HEADERS], name[32], *save = NULL;
	if (lws_hdr_copy(wsi, all, sizeof all, WSI_TOKEN_HTTP_COOKIE) <= 0)
		return NULL;
	cookie_name(s, name, sizeof name);
	size_t n = strlen(name);
	for (char *c = strtok_r(all, "; ", &save); c; c = strtok_r(NULL, "; ", &save)) {
		struct login *e = strncmp(c, name, n) == 0 && c[n] == '=' ? login_by_cookie(s, c + n + 1) : NULL;
		if (e)
			return e;
	}
	return NULL;
}

enum brought { BROUGHT_NONE, BROUGHT_BAD, BROUGHT_GOOD };

/* Checks the token in the URL. A valid one is used up, whatever else the request brings. */
static enum brought
token_of(struct server *s, struct lws *wsi)
{
	char arg[128];
	const char *t = lws_get_urlarg_by_name(wsi, "token=", arg, sizeof arg);
	return !t ? BROUGHT_NONE : token_spend(s, t) ? BROUGHT_GOOD : BROUGHT_BAD;
}

bool
http_may_upgrade(struct server *s, struct lws *wsi, struct visitor *v)
{
	char host[256], origin[300], path[64];
	if (!check_host(s, wsi, host, sizeof host) || s->nclients >= s->conf.max_clients)
		return false;
	if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0 ||
	    (strcmp(path, "/ws") != 0 && strcmp(path, "/heatmap") != 0 && strcmp(path, "/list") != 0))
		return false;
	/* programs other than browsers send none */
	if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN)) {
		const char *scheme = s->conf.cert ? "https://" : "http://";
		if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0 ||
		    strncmp(origin, scheme, strlen(scheme)) != 0 || strcasecmp(origin + strlen(scheme), host) != 0)
			return false;
	}
	enum brought token = token_of(s, wsi);
	const struct login *e = token == BROUGHT_GOOD ? login_new(s) : login_of(s, wsi);
	v->login = e ? e->id : 0;
	v->by_token = token == BROUGHT_GOOD;
	return e != NULL;
}

/* -- answers -- */

struct answer {
	unsigned char buf[LWS_PRE + 4096], *p, *end;
	bool failed;
};

static void
add_header(struct lws *wsi, struct answer *a, const char *name, const char *value)
{
	a->failed |= lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
			 (int)strlen(value), &a->p, a->end) != 0;
}

static void
begin(const struct server *s, struct lws *wsi, struct answer *a, unsigned status, const char *host, const char *type,
    size_t len)
{
	char csp[700];
	a->p = a->buf + LWS_PRE;
	a->end = a->buf + sizeof a->buf - 1;
	a->failed = lws_add_http_common_headers(wsi, status, type, len, &a->p, a->end) != 0;
	snprintf(csp, sizeof csp,
	    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
	    "connect-src 'self' %s://%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	    s->conf.cert ? "wss" : "ws", host);
	add_header(wsi, a, "content-security-policy:", csp);
	add_header(wsi, a, "x-content-type-options:", "nosniff");
	add_header(wsi, a, "referrer-policy:", "no-referrer");
	add_header(wsi, a, "cross-origin-opener-policy:", "same-origin");
	add_header(wsi, a, "cross-origin-resource-policy:", "same-origin");
	add_header(wsi, a, "cache-control:", "no-store");
}

static int
send_body(struct lws *wsi, struct answer *a, const void *body, size_t len)
{
	if (a->failed || lws_finalize_write_http_header(wsi, a->buf + LWS_PRE, &a->p, a->end) != 0)
		return -1;
	if (len) {
		unsigned char *copy = malloc(LWS_PRE + len);
		if (!copy)
			return -1;
		memcpy(copy + LWS_PRE, body, len);
		int n = lws_write(wsi, copy + LWS_PRE, len, LWS_WRITE_HTTP_FINAL);
		free(copy);
		if (n < 0)
			return -1;
	}
	return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int
refuse(const struct server *s, struct lws *wsi, unsigned status, const char *text)
{
	struct answer a;
	begin(s, wsi, &a, status, "localhost", "text/plain; charset=utf-8", strlen(text));
	return send_body(wsi, &a, text, strlen(text));
}

/* Redirects to the page without the token. With a login it hands out its secrets, only this once. */
static int
send_on(const struct server *s, struct lws *wsi, const char *host, const char *path, const struct login *e)
{
	struct answer a;
	char name[32], cookie[200], to[200];
	cookie_name(s, name, sizeof name);
	begin(s, wsi, &a, HTTP_STATUS_SEE_OTHER, host, "text/plain; charset=utf-8", 0);
	snprintf(to, sizeof to, "%s%s%s", path, e ? "#key=" : "", e ? e->key : "");
	add_header(wsi, &a, "location:", to);
	if (e) {
		snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s", name, e->cookie,
		    s->conf.cert ? "; Secure" : "");
		add_header(wsi, &a, "set-cookie:", cookie);
	}
	return send_body(wsi, &a, NULL, 0);
}

int
http_request(struct server *s, struct lws *wsi, const char *path)
{
	static const char *const views[] = {
	    "/", "/heatmap", "/list", "/flame", "/waterfall", "/log", "/nodes", "/editor"};
	char host[256];
	if (!lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI))
		return refuse(s, wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET is understood here.\n");
	if (!check_host(s, wsi, host, sizeof host))
		return refuse(s, wsi, HTTP_STATUS_FORBIDDEN,
		    "This server does not go by that name. Use its address, localhost, or start it with --host NAME.\n");
	const char *file = path;
	for (unsigned i = 0; i < sizeof views / sizeof *views; i++)
		if (strcmp(path, views[i]) == 0)
			file = "/index.html";
	const struct asset *a = asset_find(file);
	if (!a)
		return refuse(s, wsi, HTTP_STATUS_NOT_FOUND, "There is no such page.\n");
	enum brought token = token_of(s, wsi);
	const struct login *known = login_of(s, wsi);
	if (token == BROUGHT_GOOD) {
		const struct login *e = login_new(s);
		return e ? send_on(s, wsi, host, path, e)
			 : refuse(s, wsi, HTTP_STATUS_SERVICE_UNAVAILABLE,
			       "Too many browsers are logged in. Log one out, and ask for another URL.\n");
	}
	if (!known)
		return refuse(s, wsi, HTTP_STATUS_UNAUTHORIZED,
		    "Open the URL that erltrace serve has printed last: it carries a token, which is good for one browser and "
		    "for some minutes. The server prints another one when it gets the signal USR1 (kill -USR1 PID).\n");
	if (token == BROUGHT_BAD)
		return send_on(s, wsi, host, path, NULL);
	struct answer h;
	size_t len = (size_t)(a->end - a->at);
	begin(s, wsi, &h, HTTP_STATUS_OK, host, a->type, len);
	add_header(wsi, &h, "content-encoding:", "gzip");
	return send_body(wsi, &h, a->at, len);
}
