/* The table of alerts, and a thread for each destination. */
#include "alert/alert.h"

#include "base/clock.h"
#include "picture/picture.h"
#include "base/sbuf.h"
#include "show/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	DELIVER_MS = 10000, /* for one message */
	KILL_MS = 500,      /* for a command that is killed at the end */
	TURN_MS = 250,      /* how often a destination looks at the table */
	BACKOFF_MS = 1000,  /* after a failure; doubles up to BACKOFF_MOST_MS */
	BACKOFF_MOST_MS = 30000,
	BEFORE_MOST = 64 << 10, /* bytes of what one alert shows of the time before it */
	BEFORES_MOST = 8 << 20, /* and of all of them together; more are left out */
};

struct alert {
	char *script, *node;
	struct alert_parts is;
	char *top;    /* the largest keys then, as text; NULL if there are none */
	char *before; /* JSON: what the last minute looked like when it began; NULL if nobody needs it any more */
	uint64_t count;
	bool firing;
	time_t started, ended;
	uint64_t last, told; /* ms, monotonic */
	unsigned due;        /* destinations that are to be told, one bit each */
	unsigned flying;     /* destinations that are being told */
};

struct alert_thread {
	struct alerts *a;
	unsigned n;
	pthread_t thread;
	bool started;
};

struct alerts {
	struct alerts_conf conf;
	void (*say)(const char *text);
	pthread_mutex_t lock; /* for all that follows */
	pthread_cond_t news;
	struct alert *at[ALERTS_MOST];
	unsigned n;
	bool closing;
	atomic_bool ended; /* nothing more is waited for */
	struct alerts_numbers numbers;
	size_t before_bytes;
	struct alert_thread threads[ALERT_DESTINATIONS];
};

static void
alert_free(struct alert *x)
{
	free(x->script);
	free(x->node);
	alert_parts_free(&x->is);
	free(x->before);
	free(x->top);
	free(x);
}

static void keep_before(struct alerts *a, struct alert *x, char *text);

/* -- what is told -- */

static void
quoted(struct sbuf *b, const char *name, const char *text)
{
	sb_printf(b, "\"%s\":", name);
	json_quote(b, text, strlen(text));
}

static void
moment(struct sbuf *b, const char *name, time_t t)
{
	struct tm tm;
	char text[32];
	gmtime_r(&t, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	sb_printf(b, ",\"%s\":\"%s\"", name, text);
}

static void
plain_json(struct sbuf *b, const struct alert *x)
{
	sb_printf(b, "{\"status\":\"%s\",\"level\":\"%s\",", x->firing ? "firing" : "resolved", x->is.level);
	quoted(b, "key", x->is.key);
	sb_addc(b, ',');
	quoted(b, "text", x->is.text);
	sb_addc(b, ',');
	quoted(b, "script", x->script);
	if (x->node) {
		sb_addc(b, ',');
		quoted(b, "node", x->node);
	}
	sb_addc(b, ',');
	quoted(b, "probe", x->is.probe);
	sb_addc(b, ',');
	if (*x->is.condition) {
		quoted(b, "condition", x->is.condition);
		sb_addc(b, ',');
	}
	quoted(b, "place", x->is.place);
	sb_addc(b, ',');
	quoted(b, "format", x->is.format);
	sb_printf(b, ",\"values\":%s,\"count\":%llu", x->is.values, (unsigned long long)x->count);
	moment(b, "startsAt", x->started);
	if (!x->firing)
		moment(b, "endsAt", x->ended);
	if (x->firing && x->before)
		sb_printf(b, ",\"before\":%s", x->before);
	sb_addc(b, '}');
}

/* As Alertmanager's API wants it. The labels tell alerts apart there. */
static void
manager_json(struct sbuf *b, const struct alert *x, const struct alerts_conf *c)
{
	const char *slash = strrchr(x->script, '/');
	sb_adds(b, "{\"labels\":{");
	quoted(b, "alertname", slash ? slash + 1 : x->script);
	sb_addc(b, ',');
	quoted(b, "key", x->is.key);
	sb_printf(b, ",\"severity\":\"%s\",\"job\":\"erltrace\"", x->is.level);
	if (x->node) {
		sb_addc(b, ',');
		quoted(b, "node", x->node);
	}
	sb_adds(b, "},\"annotations\":{");
	quoted(b, "summary", x->is.text);
	sb_addc(b, ',');
	quoted(b, *x->is.condition ? "condition" : "probe", *x->is.condition ? x->is.condition : x->is.probe);
	sb_addc(b, ',');
	quoted(b, "place", x->is.place);
	if (x->top) {
		sb_addc(b, ',');
		quoted(b, "top", x->top);
	}
	sb_printf(b, ",\"count\":\"%llu\"}", (unsigned long long)x->count);
	moment(b, "startsAt", x->started);
	/* if this service dies, Alertmanager ends the alert by itself */
	moment(
	    b, "endsAt", x->firing ? time(NULL) + (time_t)((3 * c->repeat + c->resolve) / 1000000000) + 60 : x->ended);
	sb_addc(b, '}');
}

static bool
is_manager(const char *url)
{
	size_t n = strlen(url), k = strlen("/api/v2/alerts");
	return n > k && strcmp(url + n - k, "/api/v2/alerts") == 0;
}

static void
say(struct alerts *a, const struct alert *x)
{
	struct sbuf b = {0};
	if (x->firing && a->conf.shown)
		return;
	sb_printf(&b, "%s [%s] %s%s%s: %s", x->firing ? "alert" : "over", x->is.level, x->script, x->node ? " on " : "",
	    x->node ? x->node : "", x->is.text);
	if (!b.failed)
		a->say(b.at);
	sb_free(&b);
}

/* -- the table; called with the lock -- */

static void
end_one(struct alerts *a, struct alert *x)
{
	x->firing = false;
	x->ended = time(NULL);
	x->due = (1u << a->conf.n) - 1;
	a->numbers.active--;
	say(a, x);
	pthread_cond_broadcast(&a->news);
}

/* Ends alerts that have stopped, and marks those that are to be told again. */
static void
look(struct alerts *a)
{
	uint64_t now = mono_ms(), resolve = (uint64_t)a->conf.resolve / 1000000,
		 repeat = (uint64_t)a->conf.repeat / 1000000;
	unsigned all = (1u << a->conf.n) - 1;
	for (unsigned i = a->n; i-- > 0;) {
		struct alert *x = a->at[i];
		if (x->firing && now - x->last >= resolve)
			end_one(a, x);
		else if (x->firing && now - x->told >= repeat) {
			x->told = now;
			x->due = all;
		}
		if (x->before && !x->due && !x->flying)
			keep_before(a, x, NULL);
		if (!x->firing && !x->due && !x->flying) {
			alert_free(x);
			a->at[i] = a->at[--a->n];
		}
	}
}

static struct alert *
find(const struct alerts *a, const char *script, const char *node, const char *level, const char *key)
{
	for (unsigned i = 0; i < a->n; i++) {
		struct alert *x = a->at[i];
		if (x->is.level == level && strcmp(x->is.key, key) == 0 && strcmp(x->script, script) == 0 &&
		    (x->node == NULL) == (node == NULL) && (!node || strcmp(x->node, node) == 0))
			return x;
	}
	return NULL;
}

/* Takes the texts of `from`, which it keeps or frees. */
static void
renew(struct alert *x, struct alert *from)
{
	char *text = x->is.text, *values = x->is.values;
	x->is.text = from->is.text;
	x->is.values = from->is.values;
	from->is.text = text;
	from->is.values = values;
	if (from->top) {
		free(x->top);
		x->top = from->top;
		from->top = NULL;
	}
}

static void
enter(struct alerts *a, struct alert *x, bool over, bool again, char *before)
{
	struct alert *had = find(a, x->script, x->node, x->is.level, x->is.key);
	a->numbers.fired += !over && !again;
	if (over && (!had || !had->firing)) {
		free(before);
		alert_free(x);
		return;
	}
	if (had) {
		renew(had, x);
		alert_free(x);
		x = had;
	} else if (a->n == ALERTS_MOST) {
		a->numbers.dropped++;
		free(before);
		alert_free(x);
		return;
	} else
		a->at[a->n++] = x;
	x->last = mono_ms();
	if (x->firing || over)
		free(before);
	else
		keep_before(a, x, before);
	if (over) {
		end_one(a, x);
		return;
	}
	x->count += !again;
	if (x->firing)
		return;
	x->firing = true;
	x->count = 1;
	x->started = time(NULL);
	x->told = x->last;
	x->due = (1u << a->conf.n) - 1;
	a->numbers.active++;
	say(a, x);
	pthread_cond_broadcast(&a->news);
}

/* -- firing -- */

/* The largest keys and a heatmap, if it is not too large. Returns NULL if there is nothing to show. */
static char *
before_json(const struct et_alertdata *from)
{
	struct sbuf b = {0}, svg = {0};
	bool heat = picture_minute(from, &svg) && svg.len < BEFORE_MOST;
	if (from->ntop || heat) {
		sb_adds(&b, "{\"seconds\":60");
		if (!from->condition && from->aggregation) {
			sb_adds(&b, ",\"aggregation\":");
			json_quote(&b, from->aggregation, strnlen(from->aggregation, ALERT_TEXT));
		}
		sb_adds(&b, ",\"top\":[");
		for (unsigned i = 0; i < from->ntop; i++) {
			sb_adds(&b, i ? "," : "");
			json_quote(&b, from->top[i], strnlen(from->top[i], ALERT_TEXT));
		}
		sb_addc(&b, ']');
		if (heat) {
			sb_adds(&b, ",\"heatmap\":");
			json_quote(&b, svg.at, svg.len);
		}
		sb_addc(&b, '}');
	}
	sb_free(&svg);
	return b.len ? sb_take(&b) : NULL;
}

/* Called with the lock. Takes over the text. */
static void
keep_before(struct alerts *a, struct alert *x, char *text)
{
	size_t had = x->before ? strlen(x->before) : 0, n = text ? strlen(text) : 0;
	if (a->before_bytes - had + n > BEFORES_MOST) {
		free(text);
		text = NULL;
		n = 0;
	}
	free(x->before);
	x->before = text;
	a->before_bytes += n - had;
}

void
alerts_fire(struct alerts *a, const char *script, const char *node, const struct et_probedata *d,
    const struct et_alertdata *from)
{
	struct alert *x = calloc(1, sizeof *x);
	if (!x)
		return;
	x->script = strdup(script);
	x->node = node ? strdup(node) : NULL;
	if (!x->script || (node && !x->node) || !alert_parts(&x->is, script, d, from)) {
		alert_free(x);
		return;
	}
	struct sbuf top = {0};
	for (unsigned i = 0; i < from->ntop && top.len < ALERT_TEXT; i++)
		sb_printf(&top, "%s%.*s", i ? "; " : "", ALERT_TEXT, from->top[i]);
	x->top = from->ntop ? sb_take(&top) : NULL;
	/* a picture takes a while, and alert() may come thousands of times a second */
	pthread_mutex_lock(&a->lock);
	const struct alert *had = find(a, x->script, x->node, x->is.level, x->is.key);
	bool begins = !had || !had->firing;
	pthread_mutex_unlock(&a->lock);
	char *before = from->over || from->again || !begins ? NULL : before_json(from);
	pthread_mutex_lock(&a->lock);
	enter(a, x, from->over, from->again, before);
	pthread_mutex_unlock(&a->lock);
}

/* -- destinations -- */

/* Everything that destination n is to be told, as JSON. Returns how many there are. */
static unsigned
collect(struct alerts *a, unsigned n, struct sbuf *b)
{
	const char *url = a->conf.to[n].url;
	bool manager = url && is_manager(url);
	unsigned many = 0;
	sb_adds(b, manager ? "[" : "{\"version\":1,\"alerts\":[");
	for (unsigned i = 0; i < a->n; i++) {
		struct alert *x = a->at[i];
		if (!(x->due & 1u << n))
			continue;
		x->due &= ~(1u << n);
		x->flying |= 1u << n;
		if (many++)
			sb_addc(b, ',');
		if (manager)
			manager_json(b, x, &a->conf);
		else
			plain_json(b, x);
	}
	sb_adds(b, manager ? "]\n" : "]}\n");
	return many;
}

static void
landed(struct alerts *a, unsigned n, bool ok)
{
	for (unsigned i = 0; i < a->n; i++) {
		struct alert *x = a->at[i];
		if (!(x->flying & 1u << n))
			continue;
		x->flying &= ~(1u << n);
		if (!ok)
			x->due |= 1u << n;
	}
	if (ok)
		a->numbers.sent[n]++;
	else
		a->numbers.failed[n]++;
}

static void
pause_for(struct alerts *a, unsigned ms)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&a->news, &a->lock, &t);
}

static void *
destination(void *arg)
{
	struct alert_thread *t = arg;
	struct alerts *a = t->a;
	const struct alert_destination *to = &a->conf.to[t->n];
	unsigned backoff = BACKOFF_MS;
	uint64_t not_before = 0;
	pthread_mutex_lock(&a->lock);
	for (;;) {
		struct sbuf b = {0};
		struct why why = {""};
		look(a);
		bool now = !a->ended && mono_ms() >= not_before;
		unsigned many = now ? collect(a, t->n, &b) : 0;
		if (!many) {
			sb_free(&b);
			if (a->closing)
				break;
			pause_for(a, TURN_MS);
			continue;
		}
		pthread_mutex_unlock(&a->lock);
		bool ok =
		    !b.failed && (to->url ? deliver_post(to->url, "application/json", b.at, b.len, DELIVER_MS, &why)
					  : deliver_run(to->argv, b.at, b.len, DELIVER_MS, &a->ended, &why));
		sb_free(&b);
		pthread_mutex_lock(&a->lock);
		landed(a, t->n, ok);
		if (ok) {
			backoff = BACKOFF_MS;
			pause_for(a, TURN_MS);
			continue;
		}
		if (backoff == BACKOFF_MS) {
			struct sbuf line = {0};
			sb_printf(&line, "alerts could not be told: %s%s", why.text, a->ended ? "" : "; trying again");
			if (!line.failed)
				a->say(line.at);
			sb_free(&line);
		}
		not_before = mono_ms() + backoff;
		backoff = backoff * 2 < BACKOFF_MOST_MS ? backoff * 2 : BACKOFF_MOST_MS;
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Without any destination somebody must still notice that alerts are over. */
static void *
watch(void *arg)
{
	struct alert_thread *t = arg;
	struct alerts *a = t->a;
	pthread_mutex_lock(&a->lock);
	while (!a->closing) {
		look(a);
		pause_for(a, TURN_MS);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct alerts *
alerts_open(const struct alerts_conf *c, void (*fn)(const char *text))
{
	struct alerts *a = calloc(1, sizeof *a);
	int err = 0;
	if (!a)
		return NULL;
	a->say = fn;
	a->conf.resolve = c->resolve;
	a->conf.repeat = c->repeat;
	a->conf.shown = c->shown;
	a->conf.n = c->n;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->news, NULL);
	for (unsigned i = 0; i < c->n; i++) {
		if (c->to[i].url && !(a->conf.to[i].url = strdup(c->to[i].url)))
			err = ENOMEM;
		for (unsigned k = 0; k < ALERT_WORDS && c->to[i].argv[k]; k++)
			if (!(a->conf.to[i].argv[k] = strdup(c->to[i].argv[k])))
				err = ENOMEM;
	}
	for (unsigned i = 0; !err && i < (c->n ? c->n : 1); i++) {
		struct alert_thread *t = &a->threads[i];
		t->a = a;
		t->n = i;
		err = pthread_create(&t->thread, NULL, c->n ? destination : watch, t);
		t->started = !err;
	}
	if (err) {
		alerts_close(a, 0);
		errno = err;
		return NULL;
	}
	return a;
}

static void
say_nothing(const char *text)
{
	(void)text;
}

/* Returns whether nothing is to be told, or only that nothing is being told. */
static bool
is_told(struct alerts *a, bool only_flying)
{
	unsigned left = 0;
	pthread_mutex_lock(&a->lock);
	for (unsigned i = 0; i < a->n; i++)
		left |= a->at[i]->flying | (only_flying ? 0 : a->at[i]->due);
	pthread_mutex_unlock(&a->lock);
	return !left;
}

static void
wait_told(struct alerts *a, bool only_flying, unsigned ms)
{
	for (uint64_t until = mono_ms() + ms; !is_told(a, only_flying) && mono_ms() < until;)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void
alerts_close(struct alerts *a, unsigned ms)
{
	if (!a)
		return;
	wait_told(a, false, ms);
	a->ended = true;
	wait_told(a, true, KILL_MS);
	unsigned flying = 0;
	pthread_mutex_lock(&a->lock);
	a->closing = true;
	a->say = say_nothing;
	for (unsigned i = 0; i < a->n; i++) {
		a->at[i]->due = 0;
		flying |= a->at[i]->flying;
	}
	pthread_cond_broadcast(&a->news);
	pthread_mutex_unlock(&a->lock);
	for (unsigned i = 0; i < ALERT_DESTINATIONS; i++)
		if (a->threads[i].started && flying)
			pthread_detach(a->threads[i].thread);
		else if (a->threads[i].started)
			pthread_join(a->threads[i].thread, NULL);
	if (flying)
		return; /* a thread still waits for an answer and uses all this; the process ends soon */
	for (unsigned i = 0; i < a->n; i++)
		alert_free(a->at[i]);
	for (unsigned i = 0; i < a->conf.n; i++) {
		free(a->conf.to[i].url);
		for (unsigned k = 0; k < ALERT_WORDS; k++)
			free(a->conf.to[i].argv[k]);
	}
	pthread_cond_destroy(&a->news);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

void
alerts_count(struct alerts *a, struct alerts_numbers *n)
{
	pthread_mutex_lock(&a->lock);
	*n = a->numbers;
	pthread_mutex_unlock(&a->lock);
}
