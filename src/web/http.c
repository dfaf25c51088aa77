/*
 * Who may come in, and the page's files.
 *
 * The first request brings the one-time token of the printed URL and gets a
 * cookie for it; everything after that needs the cookie. Host is checked
 * against other names that lead here (DNS rebinding), Origin against other sites' scripts.
 */
#include "web/web.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static bool
same_secret(const char *a, const char *b)
{
	size_t n = strlen(a);
	return n == WEB_TOKEN && strlen(b) == n && lws_timingsafe_bcmp(a, b, (uint32_t)n) == 0;
}

/* What stands behind a name or an address: nothing, or a port. It goes into headers, so it is looked at closely. */
static bool
is_port(const char *s)
{
	return !*s || (*s == ':' && strspn(s + 1, "0123456789") == strlen(s + 1));
}

/* An address, this machine by its own name, or what --host names. */
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
	/* cookies do not know of ports: two servers on a machine need two names */
	snprintf(to, n, "erltrace-%d", s->port);
}

static bool
has_cookie(const struct server *s, struct lws *wsi)
{
	/* As long as all headers together may be: cookies of everything else on this machine are among them. */
	char all[WEB_HEADERS], name[32], *save = NULL;
	if (lws_hdr_copy(wsi, all, sizeof all, WSI_TOKEN_HTTP_COOKIE) <= 0)
		return false;
	cookie_name(s, name, sizeof name);
	size_t n = strlen(name);
	for (char *c = strtok_r(all, "; ", &save); c; c = strtok_r(NULL, "; ", &save))
		if (strncmp(c, name, n) == 0 && c[n] == '=' && same_secret(s->session, c + n + 1))
			return true;
	return false;
}

/* Whether the URL has the token; it is spent then. */
static bool
spend_token(struct server *s, struct lws *wsi)
{
	char arg[128];
	const char *t = lws_get_urlarg_by_name(wsi, "token=", arg, sizeof arg);
	if (!t || !same_secret(s->token, t))
		return false;
	if (!server_new_secret(s->token))
		s->over = true;
	else
		server_print_url(s);
	return true;
}

bool
http_may_upgrade(struct server *s, struct lws *wsi)
{
	char host[256], origin[300], path[64];
	if (!check_host(s, wsi, host, sizeof host) || s->nclients >= s->conf.max_clients)
		return false;
	if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0 ||
	    (strcmp(path, "/ws") != 0 && strcmp(path, "/heatmap") != 0 && strcmp(path, "/list") != 0))
		return false;
	/* programs that are no browsers send none */
	if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN)) {
		const char *scheme = s->conf.cert ? "https://" : "http://";
		if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0 ||
		    strncmp(origin, scheme, strlen(scheme)) != 0 || strcasecmp(origin + strlen(scheme), host) != 0)
			return false;
	}
	return has_cookie(s, wsi) || spend_token(s, wsi);
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

static int
let_in(const struct server *s, struct lws *wsi, const char *host, const char *path)
{
	struct answer a;
	char name[32], cookie[200];
	cookie_name(s, name, sizeof name);
	snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s", name, s->session,
	    s->conf.cert ? "; Secure" : "");
	begin(s, wsi, &a, HTTP_STATUS_SEE_OTHER, host, "text/plain; charset=utf-8", 0);
	add_header(wsi, &a, "location:", path);
	add_header(wsi, &a, "set-cookie:", cookie);
	return send_body(wsi, &a, NULL, 0);
}

int
http_request(struct server *s, struct lws *wsi, const char *path)
{
	static const char *const views[] = {"/", "/heatmap", "/list", "/flame", "/log", "/nodes", "/editor"};
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
	bool known = has_cookie(s, wsi), has_token = lws_get_urlarg_by_name(wsi, "token=", host, sizeof host) != NULL;
	check_host(s, wsi, host, sizeof host);
	if (has_token && (known || spend_token(s, wsi)))
		return let_in(s, wsi, host, path);
	if (!known)
		return refuse(s, wsi, HTTP_STATUS_UNAUTHORIZED,
		    "Open the URL that erltrace serve has printed last: it carries a token, which is good for one browser.\n");
	struct answer h;
	size_t len = (size_t)(a->end - a->at);
	begin(s, wsi, &h, HTTP_STATUS_OK, host, a->type, len);
	add_header(wsi, &h, "content-encoding:", "gzip");
	return send_body(wsi, &h, a->at, len);
}
