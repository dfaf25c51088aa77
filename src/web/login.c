/*
 * Browsers that were let in.
 *
 * The printed URL has a token, which is valid once and for some minutes. The browser that brings it gets a login: a
 * cookie, and a second secret, the key. Cookies ignore ports: the browser sends ours to every server on this host,
 * whoever runs it. So the page keeps the key in storage that belongs to its origin, which includes the port, and sends
 * it in the first message of each websocket. Without the key the cookie opens only the page's files, which are not
 * secret.
 *
 * A login ends if it is not used for some hours, at the latest after a week, or when its page says so.
 */
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

static bool
secret_is(const char *secret, const char *given)
{
	size_t n = strlen(given);
	return n == WEB_TOKEN && strlen(secret) == n && lws_timingsafe_bcmp(secret, given, (uint32_t)n) == 0;
}

bool
token_new(struct server *s)
{
	struct login_token *t = &s->tokens[s->token_turn++ % WEB_TOKENS];
	t->until = web_now() + (uint64_t)s->conf.token_life * 1000;
	s->newest = t;
	return server_new_secret(t->text);
}

bool
token_spend(struct server *s, const char *given)
{
	for (unsigned i = 0; i < WEB_TOKENS; i++) {
		struct login_token *t = &s->tokens[i];
		if (!secret_is(t->text, given))
			continue;
		bool ok = web_now() < t->until;
		memset(t->text, 0, sizeof t->text);
		return ok;
	}
	return false;
}

static bool
is_over(const struct server *s, const struct login *e, uint64_t now)
{
	return now - e->used > (uint64_t)s->conf.login_life * 1000 || now - e->made > WEB_LOGIN_MOST_MS;
}

static bool
is_in_use(const struct server *s, uint64_t login)
{
	for (const struct client *c = s->clients; c; c = c->next)
		if (c->login == login)
			return true;
	return false;
}

void
login_end(struct server *s, uint64_t id)
{
	for (unsigned i = 0; id && i < WEB_LOGINS; i++)
		if (s->logins[i].id == id)
			memset(&s->logins[i], 0, sizeof s->logins[i]);
	for (struct client *c = s->clients; id && c; c = c->next)
		if (c->login == id) {
			c->closing = true;
			lws_callback_on_writable(c->wsi);
		}
}

struct login *
login_new(struct server *s)
{
	struct login *at = NULL;
	uint64_t now = web_now();
	for (unsigned i = 0; i < WEB_LOGINS; i++) {
		struct login *e = &s->logins[i];
		if (e->id && is_over(s, e, now))
			login_end(s, e->id);
		if (!e->id) {
			at = e;
			break;
		}
		/* of the logins that nobody uses now, takes the one that was unused longest */
		if (!is_in_use(s, e->id) && (!at || e->used < at->used))
			at = e;
	}
	if (!at)
		return NULL;
	*at = (struct login){.id = ++s->login_ids, .made = now, .used = now};
	if (server_new_secret(at->cookie) && server_new_secret(at->key))
		return at;
	memset(at, 0, sizeof *at);
	return NULL;
}

struct login *
login_by_cookie(struct server *s, const char *cookie)
{
	uint64_t now = web_now();
	for (unsigned i = 0; i < WEB_LOGINS; i++) {
		struct login *e = &s->logins[i];
		if (!e->id || !secret_is(e->cookie, cookie))
			continue;
		if (is_over(s, e, now))
			break;
		return e;
	}
	return NULL;
}

bool
login_enter(struct server *s, uint64_t id, const char *key)
{
	for (unsigned i = 0; id && i < WEB_LOGINS; i++)
		if (s->logins[i].id == id && secret_is(s->logins[i].key, key)) {
			s->logins[i].used = web_now();
			return true;
		}
	return false;
}

void
login_tick(struct server *s)
{
	uint64_t now = web_now();
	/* a page that is open uses its login */
	for (const struct client *c = s->clients; c; c = c->next)
		for (unsigned i = 0; i < WEB_LOGINS; i++)
			if (c->entered && s->logins[i].id == c->login)
				s->logins[i].used = now;
	for (unsigned i = 0; i < WEB_LOGINS; i++)
		if (s->logins[i].id && is_over(s, &s->logins[i], now))
			login_end(s, s->logins[i].id);
}
