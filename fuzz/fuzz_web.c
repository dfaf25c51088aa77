/*
 * What a page sends: messages of the page's protocol and of the plain one, cookies, hosts and origins. It tests the
 * code of the server between libwebsockets and the library, without either: the functions below stand in for
 * connections and running scripts.
 *
 * Input: the first byte says what it is. 'h': lines Host, Origin, Cookie, path of a request. Others: messages,
 * separated by 0xff, of a client of that mode.
 */
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* -- libwebsockets: a request is four lines; what is written is checked -- */

static char *lines[4];

static const char *
header(enum lws_token_indexes h)
{
	switch (h) {
	case WSI_TOKEN_HOST:
		return lines[0];
	case WSI_TOKEN_ORIGIN:
		return lines[1];
	case WSI_TOKEN_HTTP_COOKIE:
		return lines[2];
	case WSI_TOKEN_GET_URI:
		return lines[3];
	default:
		return NULL;
	}
}

int
lws_hdr_total_length(struct lws *wsi, enum lws_token_indexes h)
{
	(void)wsi;
	return header(h) ? (int)strlen(header(h)) : 0;
}

int
lws_hdr_copy(struct lws *wsi, char *to, int len, enum lws_token_indexes h)
{
	int n = lws_hdr_total_length(wsi, h);
	if (n >= len)
		return -1;
	memcpy(to, header(h) ? header(h) : "", (size_t)n);
	to[n] = '\0';
	return n;
}

const char *
lws_get_urlarg_by_name(struct lws *wsi, const char *name, char *buf, int len)
{
	const char *at = lines[3] ? strstr(lines[3], name) : NULL;
	(void)wsi;
	if (!at || (int)strlen(at + strlen(name)) >= len)
		return NULL;
	return strcpy(buf, at + strlen(name));
}

int
lws_timingsafe_bcmp(const void *a, const void *b, uint32_t len)
{
	return memcmp(a, b, len) != 0;
}

int
lws_add_http_common_headers(
    struct lws *wsi, unsigned int code, const char *type, lws_filepos_t len, unsigned char **p, unsigned char *end)
{
	(void)wsi, (void)code, (void)type, (void)len;
	return *p >= end;
}

int
lws_add_http_header_by_name(struct lws *wsi, const unsigned char *name, const unsigned char *value, int length,
    unsigned char **p, unsigned char *end)
{
	size_t n = strlen((const char *)name);
	(void)wsi;
	if (end - *p < (long)n + length + 4)
		return 1;
	memcpy(*p, name, n);
	memcpy(*p + n, value, (size_t)length);
	*p += n + (size_t)length + 2;
	/* no header may end early and begin another */
	if (memchr(value, '\n', (size_t)length) || memchr(value, '\r', (size_t)length))
		abort();
	return 0;
}

int
lws_finalize_write_http_header(struct lws *wsi, unsigned char *start, unsigned char **p, unsigned char *end)
{
	(void)wsi, (void)start;
	return *p >= end;
}

int
lws_http_transaction_completed(struct lws *wsi)
{
	(void)wsi;
	return 0;
}

int
lws_callback_on_writable(struct lws *wsi)
{
	(void)wsi;
	return 1;
}

int
lws_write(struct lws *wsi, unsigned char *buf, size_t len, enum lws_write_protocol protocol)
{
	(void)wsi;
	if ((protocol & 0x1f) == LWS_WRITE_TEXT && len && (buf[0] != '{' || buf[len - 1] != '}'))
		abort(); /* every message must be an object */
	return (int)len;
}

/* -- the server's other parts -- */

uint64_t
web_now(void)
{
	return 1;
}

bool
server_new_secret(char *to)
{
	memset(to, 'a', WEB_TOKEN);
	to[WEB_TOKEN] = '\0';
	return true;
}

void
server_entered(struct client *c)
{
	c->entered = true;
}

struct run *
server_run(struct server *s, unsigned id)
{
	(void)s, (void)id;
	return NULL;
}

/* A script would run: its request must be within the limits. */
struct run *
server_start(struct server *s, const struct run_conf *c, const char **why)
{
	(void)s;
	if (c->interval < RUN_SHORTEST_MS || c->interval > RUN_LONGEST_MS || c->nnodes > RUN_LEGS ||
	    strlen(c->script) > WEB_SCRIPT || c->kernel || c->nopts > 32 || c->destructive || strlen(c->name) >= 200)
		abort();
	for (unsigned i = 0; i < c->nnodes; i++)
		if (strcmp(c->nodes[i], "a@b") != 0 && strcmp(c->nodes[i], "c@d") != 0)
			abort();
	*why = "not here";
	return NULL;
}

void
server_sweep(struct server *s)
{
	(void)s;
}

void
server_tell_runs(struct server *s)
{
	(void)s;
}

bool
desk_ask(struct desk *d, enum desk_kind kind, uint64_t client, long long req, const char *text, const char *node)
{
	(void)d, (void)kind, (void)client, (void)req, (void)text, (void)node;
	return true;
}

const struct asset *
asset_find(const char *path)
{
	static const unsigned char page[] = "page";
	static const struct asset a = {"/index.html", "text/html", page, page + 4};
	return strcmp(path, "/index.html") == 0 ? &a : NULL;
}

/* -- */

static void
request(struct server *s, char *text)
{
	for (unsigned i = 0; i < 4; i++)
		lines[i] = strsep(&text, "\n");
	struct visitor v = {0};
	if (http_may_upgrade(s, NULL, &v) && !v.login)
		abort(); /* nobody is let in without a login */
	http_request(s, NULL, lines[3] ? lines[3] : "/");
	memset(lines, 0, sizeof lines);
}

static void
messages(struct server *s, char mode, char *text, size_t n)
{
	struct client *c = calloc(1, sizeof *c);
	if (!c)
		return;
	c->s = s;
	c->mode = mode == 'm' ? CLIENT_HEATMAP : mode == 'l' ? CLIENT_LIST : CLIENT_PAGE;
	c->outlast = &c->outbox;
	/* digits: a client that has not entered yet */
	c->login = mode == '0' ? 0 : s->logins[0].id;
	if (mode < '0' || mode > '9') {
		server_entered(c);
		client_begin(c);
	}
	for (char *end = text + n; text < end;) {
		char *stop = memchr(text, 0xff, (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		/* in two pieces, as it may arrive */
		if (!client_receive(c, text, len / 2, false) || !client_receive(c, text + len / 2, len - len / 2, true))
			break;
		text += len + 1;
	}
	for (unsigned i = 0; i < 8 && client_write(c); i++)
		;
	client_end(c);
	free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct server s = {.conf = {.listen = "127.0.0.1",
			       .nodes = {"a@b", "c@d"},
			       .nnodes = 2,
			       .hosts = {"shop.example"},
			       .nhosts = 1,
			       .max_runs = 4,
			       .max_clients = 4},
	    .port = 8371};
	s.conf.login_life = s.conf.token_life = 100;
	token_new(&s);
	memset(login_new(&s)->cookie, 'b', WEB_TOKEN);
	if (size < 2)
		return 0;
	char *copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = '\0';
	if (data[0] == 'h')
		request(&s, copy);
	else
		messages(&s, (char)data[0], copy, size - 1);
	free(copy);
	return 0;
}
