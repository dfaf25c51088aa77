/*
 * alert() of a script, told to people and programs: a webhook, Alertmanager, a command, and a line of text.
 *
 * An alert over an aggregation (et_alertdata.condition) says itself when it goes on and when it is over.
 *
 * Alerts are told apart by script, node, level and key. The first one is told at once. While more come with the same
 * key they are counted, and told again at most every `repeat`. If none has come for `resolve`, it is told that it is
 * over.
 *
 * A text such as "[critical checkout] slow: 52 ms" has a level (info, warning, error, critical) and a key; without them
 * the level is warning, and the key is the text that the script has for it, with its %d and %s. Over an aggregation it
 * is the condition; there the aggregation's key follows it, unless the text in brackets has all of that.
 *
 * Memory is bounded: ALERTS_MOST keys, and one message under way for each destination. One that does not answer delays
 * no other, and is tried again.
 */
#ifndef ET_ALERT_ALERT_H
#define ET_ALERT_ALERT_H

#include "alert/parts.h"
#include "base/why.h"
#include "erltrace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ALERTS_MOST = 1000, ALERT_DESTINATIONS = 8, ALERT_WORDS = 32 };

struct alerts;

/* Where alerts go. */
struct alert_destination {
	char *url;                   /* http://host:port/path, or NULL */
	char *argv[ALERT_WORDS + 1]; /* a command, ends with NULL; if there is no url */
};

struct alerts_conf {
	struct alert_destination to[ALERT_DESTINATIONS];
	unsigned n;
	int64_t resolve, repeat; /* ns */
	bool shown;              /* the texts of alerts are shown elsewhere: only their ends are said */
};

struct alerts_numbers {
	uint64_t active, fired, dropped, sent[ALERT_DESTINATIONS], failed[ALERT_DESTINATIONS];
};

/* Checks a URL. */
bool alert_url_ok(const char *url, struct why *why);

/* Copies the configuration. `say` is called with a line of text when an alert begins and ends, and about
 * destinations that fail, from any thread. Returns NULL if memory or threads ran out; errno says which. */
struct alerts *alerts_open(const struct alerts_conf *c, void (*say)(const char *text));
/* Tells what is still to be told, for at most ms. A command that still runs then is killed. */
void alerts_close(struct alerts *a, unsigned ms);
/* An alert() of a script, or an alert over an aggregation. node may be NULL. Any thread may call it. */
void alerts_fire(struct alerts *a, const char *script, const char *node, const struct et_probedata *d,
    const struct et_alertdata *from);
void alerts_count(struct alerts *a, struct alerts_numbers *n);

/* -- deliver.c: one message; both return whether it was taken within ms. type: of the body, such as application/json.
 */
bool deliver_post(const char *url, const char *type, const char *body, size_t len, unsigned ms, struct why *why);
/* The command is killed when its time is over, or when `ended` becomes true. */
bool deliver_run(
    char *const *argv, const char *body, size_t len, unsigned ms, const atomic_bool *ended, struct why *why);

#endif
